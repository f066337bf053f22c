import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { test as base, describe, expect } from 'vitest'
import { packageRoot, suite } from '../../cli/input/package.ts'
import { schemaFolder } from '../../helpers/assertions/schema.ts'
import { copyInstalled } from './places.ts'
import { run } from './programs.ts'

const names = readdirSync(schemaFolder).filter((file) => file.endsWith('.json') && file !== 'openapi.json')

interface Schema {
  $id: string
  examples?: unknown[]
}

const test = base
  // the tests write a file or two into it, one after the other
  .extend('project', { scope: 'file' }, ({}, { onCleanup }) => {
    const project = mkdtempSync(join(tmpdir(), 'rmapi exports '))
    onCleanup(() => rmSync(project, { recursive: true, force: true }))
    copyInstalled(project)
    return project
  })
  .extend('required', ({ project }) => createRequire(join(project, 'index.js')))
  .extend('schemas', ({ required }) => names.map((name): Schema => required(`${suite.name}/schemas/${name}`)))
  /** Runs a module that is in the project. */
  .extend('executed', ({ project }) => async (text: string) => {
    writeFileSync(join(project, 'a.mjs'), text)
    const { stdout, stderr } = await run(process.execPath, ['--no-warnings', 'a.mjs'], { cwd: project })
    return stdout.trim() || stderr
  })

describe('the schemas', () => {
  test('are imported as JSON, each by its name', async ({ schemas, executed }) => {
    const imports = names.map((name, at) => `import s${at} from '${suite.name}/schemas/${name}' with { type: 'json' }`)
    const printed = `console.log(JSON.stringify([${names.map((_, at) => `s${at}`).join()}]))`

    expect(JSON.parse(await executed([...imports, printed].join('\n')))).toEqual(schemas)
    expect(schemas.length).toBeGreaterThan(30)
  })

  test('find one another by their names, and need nothing else', ({ schemas }) => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, schemas })
    formats.default(ajv)

    expect(schemas.map(({ $id }) => $id.split('/').at(-1))).toEqual(names)
    for (const { $id, examples = [] } of schemas) {
      const valid = ajv.getSchema($id)!
      for (const example of examples) expect([valid(example), valid.errors], $id).toEqual([true, null])
      expect(valid(7), $id).toBe(false)
    }
  })

  test('are used as the documentation shows', async ({ executed }) => {
    const guide = readFileSync(join(packageRoot, 'docs/stability.md'), 'utf8')
    const [, shown = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
    const printed = await executed(`${shown}console.log(isGroup(group.examples[0]), isGroup({ uid: 'x/' }))`)

    expect(printed).toBe('true false')
  })
})

const consumer = `import type { Baseline, Comparison, ContractError, Group, GroupList, Report, Schemas } from '${suite.name}/types'

export const named = (group: Group): string => group.name
export const first = ({ groups }: GroupList): Group | undefined => groups?.[0]
export const failed = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'fail').map(({ id, expected = '' }) => id + expected)
export const known = ({ deviations }: Baseline): string[] => deviations.map(({ owner }) => owner)
export const broken = ({ changes }: Comparison): number => changes.filter(({ kind }) => kind === 'broken').length
export const code = (error: ContractError): number => error.code
export type Tag = Schemas['tag']
// @ts-expect-error a verdict is one of four words
export const wrong: Report['verdict'] = 'fine'
// @ts-expect-error a uid is a string
export const odd: Group['uid'] = 7
`

describe('the types', () => {
  test.for([
    ['module', 'NodeNext', 'NodeNext'],
    ['commonjs', 'NodeNext', 'NodeNext'],
    ['module', 'ESNext', 'Bundler'],
    ['module', 'Preserve', 'Bundler'],
  ])(
    'serve a strict project: type %s, module %s, resolution %s',
    async ([type, module, moduleResolution], { project }) => {
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'ES2022',
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        types: [],
      }
      const strict = {
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: type === 'module',
      }
      const files = {
        'package.json': JSON.stringify({ type }),
        'tsconfig.json': JSON.stringify({
          compilerOptions: { ...compilerOptions, ...strict },
          files: ['a.ts'],
        }),
        'a.ts': consumer,
      }
      for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text)
      const { code, stdout } = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', '.'], {
        cwd: project,
      })

      expect([code, stdout]).toEqual([0, ''])
    },
  )

  test('run nothing where they are imported as if they were values', async ({ executed }) => {
    expect(await executed(`import * as types from '${suite.name}/types'; console.log(Object.keys(types).length)`)).toBe(
      '0',
    )
  })
})

test('the OpenAPI document is imported as JSON', async ({ required, executed }) => {
  const document = required(`${suite.name}/openapi.json`)
  const imported = `import document from '${suite.name}/openapi.json' with { type: 'json' }`

  expect(document).toEqual(JSON.parse(readFileSync(join(schemaFolder, 'openapi.json'), 'utf8')))
  expect(JSON.parse(await executed(`${imported}; console.log(JSON.stringify(document))`))).toEqual(document)
})

test('the contract is there, and nothing that is not named can be reached', async ({ required, executed }) => {
  const hidden = [
    '',
    '/dist/cli/main.js',
    '/cli',
    '/schemas/types.ts',
    '/schemas/group',
    '/schemas/openapi.json',
    '/schemas',
    '/specs/contract.md',
    '/docs/stability.md',
  ]

  expect(readFileSync(required.resolve(`${suite.name}/contract.md`), 'utf8')).toBe(
    readFileSync(join(packageRoot, 'specs/contract.md'), 'utf8'),
  )
  expect(required(`${suite.name}/package.json`)).toMatchObject(suite)
  const tried = hidden.map(
    (path) => `await import('${suite.name}${path}').then(() => console.log('there'), ({ code }) => console.log(code))`,
  )
  const codes = (await executed(tried.join('\n'))).split('\n')
  expect(codes.map((code) => /^ERR_(PACKAGE_PATH_NOT_EXPORTED|MODULE_NOT_FOUND)$/.test(code))).toEqual(
    hidden.map(() => true),
  )
  for (const path of hidden) expect(() => required.resolve(suite.name + path), path).toThrow()
})
