import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type File, files, sources } from '../support/source-files.ts'

const layerOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.')

const ofReports = [
  'node:crypto',
  'node:fs',
  'node:module',
  'node:util',
  'preact',
  'preact-render-to-string',
  'vitest',
  'vitest/node',
  'allure-js-commons',
  'allure-js-commons/sdk',
  'allure-vitest/reporter',
]

/** Whom each layer may import besides itself: layers, single files, types alone; packages where they are few. */
const may: Record<string, { layers: string[]; files?: string[]; types?: string[]; packages?: string[] }> = {
  schemas: { layers: [], packages: ['@bufbuild/protobuf', '@bufbuild/protobuf/codegenv2', '@bufbuild/protobuf/wkt'] },
  helpers: { layers: ['schemas'] },
  specs: { layers: ['helpers'], packages: ['vitest', 'fast-check', 'node:crypto'] },
  reports: { layers: ['schemas'], types: ['helpers'], packages: ofReports },
  // of the schemas, only what describes the services of gRPC
  reference: { layers: [], files: ['schemas/proto/services.ts'] },
  // of the specs, only what is no spec; of the selftest, only its verb
  cli: {
    layers: ['helpers', 'schemas', 'reports', 'reference'],
    files: ['specs/untestable.ts', 'selftest/command.ts'],
  },
  selftest: { layers: ['helpers', 'schemas', 'reports', 'reference', 'cli'] },
  bench: { layers: ['cli', 'helpers', 'reference', 'schemas'] },
  tests: { layers: ['helpers', 'schemas', 'reports', 'reference', 'cli', 'selftest', 'specs', '.'] },
  '.': { layers: ['cli'] },
}

const imported = /^(?:import|export) (?:(type )?(?:\{[^}]*\}|\*(?: as \w+)?|\w+(?:, \{[^}]*\})?) from )?'([^']+)'/gm

/** The imports of a file that its layer may not make. */
function forbiddenImports({ path, text }: File): string[] {
  const layer = layerOf(path)
  const { layers, files = [], types = [], packages } = may[layer] ?? { layers: [] }
  const dynamic = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, from]) => ({
    from,
    type: false,
  }))
  const statics = [...text.matchAll(imported)].map(([, type, from]) => ({ from, type: type !== undefined }))
  return [...statics, ...dynamic].flatMap(({ from = '', type }) => {
    if (!from.startsWith('.')) return packages === undefined || packages.includes(from) ? [] : [`${path}: ${from}`]
    const file = normalize(join(dirname(path), from))
    const to = layerOf(file)
    if (files.includes(file)) return []
    return to === layer || layers.includes(to) || (type && types.includes(to)) ? [] : [`${path}: ${from}`]
  })
}

/** The lines of a file that a pattern finds. */
function found({ path, text }: File, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []))
}

const isCase = ({ path }: File) => /^(specs|helpers)\//.test(path)
const isSpec = ({ path }: File) => /^specs\/.*\.spec\.ts$/.test(path)
const everywhere = () => true

/** What no file may hold: where it is looked for, its pattern, and a line that shows it. */
const bans: [what: string, who: (file: File) => boolean, sign: RegExp, example: string][] = [
  ['a case left out or singled out', isCase, /\.(skip|only|todo|fails)\(/, "test.only('x', () => {})"],
  ['an expect that breaks side by side', isCase, /\bexpect\.(soft|poll|assertions|hasAssertions)\b/, 'expect.soft(1)'],
  [
    'the global onTestFinished',
    isCase,
    /import .*\bonTest(Finished|Failed)\b.*vitest/,
    "import { onTestFinished } from 'vitest'",
  ],
  ['a wait in a case', isSpec, /\b(setTimeout|setInterval|sleep)\b/, 'await sleep(50)'],
  // neither what is handed to the evidence nor when a walk is disturbed is a branch of the claim
  [
    'a branch in a case',
    isSpec,
    /^(?!\s*if \((\w+\) evidence\.push|pages\.length|operation === 'update')).*\b(if|switch) \(/,
    '    if (page) expect(1)',
  ],
  [
    'a default export',
    ({ path }) => /\.tsx?$/.test(path) && !['vitest.config.ts', 'cli/run/runner/ordered-runner.ts'].includes(path),
    /^export default\b|\bas default\b/,
    'export default 1',
  ],
  ['where it was written', everywhere, new RegExp(['/wor', 'k/|\\.\\./sha', 'red/'].join('')), `cd /wor${'k'}/main`],
  [
    'a registry by its host',
    everywhere,
    new RegExp(['npm', 'js\\.|registry\\.(?!spec)[a-z-]+\\.(org|com|io|dev)'].join('')),
    `https://registry.${'npm'}js.org/a`,
  ],
  // npx would fetch a package of that name, from anyone who registers it, while a token is in the environment
  [
    'a call that may fetch the suite by its name',
    everywhere,
    /npx (-y |--yes )?(rmapi-conf|\$\{suite\.name)/,
    `npx ${'rmapi-conf'}ormance`,
  ],
  // nothing but npx finds a suite that is installed in a project
  [
    'a printed command that no shell finds',
    ({ path }) => /^(cli|reports|helpers)\//.test(path),
    /(: |'|with |One )(\$\{suite\.name\}|rmapi-conformance) (run|sweep|replay|report|serve|list|explain)\b/,
    `with: \${suite.name} sweep`,
  ],
]

describe('who may import whom', () => {
  test.each(Object.keys(may))('%s', (layer) => {
    const own = sources.filter(({ path }) => layerOf(path) === layer)

    expect(own.length).toBeGreaterThan(0)
    expect(own.flatMap(forbiddenImports)).toEqual([])
  })

  test('every source is in a layer', () => {
    expect(sources.filter(({ path }) => !(layerOf(path) in may))).toEqual([])
  })

  test.each([
    ['specs/a.spec.ts', "import { x } from '../reports/a.ts'"],
    ['specs/a.spec.ts', "import { x } from 'undici'"],
    ['helpers/a.ts', "import type { X } from '../reports/a.ts'"],
    ['helpers/a.ts', "const x = await import('../cli/a.ts')"],
    ['reports/a.ts', "import { x } from '../helpers/a.ts'"],
    ['reports/a.ts', "import {\n  type X,\n} from '../helpers/a.ts'"],
    ['reference/http/a.ts', "import type { X } from '../../schemas/types.ts'"],
    ['cli/a.ts', "export { x } from '../specs/a.ts'"],
    ['schemas/a.ts', "import '../helpers/a.ts'"],
  ])('in %s, %s is seen', (path, text) => expect(forbiddenImports({ path, text })).toHaveLength(1))

  test.each([
    ['reports/a.ts', "import type { X } from '../helpers/a.ts'"],
    ['reference/http/a.ts', "import { x } from '../domain/a.ts'"],
    ['cli/a.ts', "import {\n  x,\n} from '../helpers/a.ts'"],
  ])('in %s, %s is well', (path, text) => expect(forbiddenImports({ path, text })).toEqual([]))
})

describe('what no file may hold', () => {
  test.each(bans)('%s', (_what, who, sign, example) => {
    const looked = files.filter(who)

    expect(looked.length).toBeGreaterThan(10)
    expect(looked.flatMap((file) => found(file, sign))).toEqual([])
    expect(found({ path: 'a', text: example }, sign)).toHaveLength(1)
  })
})
