import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { suite } from '../../cli/input/package.ts'
import type { Report } from '../../schemas/types.ts'
import { filesIn, test } from './places.ts'
import { mainIn, npm, run } from './programs.ts'

const few = ['run', '--only', 'list.skip.*', 'group.get.shape']
const examined = [0, expect.stringMatching(/^VERDICT partial must=([1-9]\d*)\/\1 /)]
const reportIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'reports/out/report.json'), 'utf8')) as Report
const elsewhere = (aside: string) => ({
  HOME: aside,
  TMPDIR: aside,
  npm_config_cache: join(aside, '../cache'),
})

describe('in a folder that was empty', () => {
  test('a whole run is conformant, writes its reports and nothing else, and can be certified', async ({
    project,
    aside,
  }) => {
    const before = filesIn(project)
    const environment = elsewhere(aside)
    const { code, last, stderr } = await run('npx', ['--no-install', suite.name, 'run'], {
      cwd: project,
      environment,
    })

    expect([code, last], stderr).toEqual([0, expect.stringMatching(/^VERDICT conformant must=(\d+)\/\1 /)])
    const report = reportIn(project)
    expect(report.suite).toMatchObject(suite)
    // what the model makes allowances for, it does not judge
    expect(report.requirements.find(({ id }) => id === 'model.allowances')?.observed).toBe('nothing')
    expect(readdirSync(join(project, 'reports/out')).sort()).toEqual([
      'report.html',
      'report.json',
      'report.md',
      'trace.ndjson.gz',
    ])
    expect(filesIn(project)).toEqual(before)
    expect(readdirSync(aside)).toEqual([])

    const certify = ['certify', 'reports/out/report.json', '--vendor', 'Example Ltd']
    const certified = await run('npx', ['--no-install', suite.name, ...certify], { cwd: project })
    expect([certified.code, certified.last], certified.stderr).toEqual([0, expect.stringMatching(/^CERTIFIED /)])
  })

  test('it runs from a folder below, from beside by its path, and through a link', async ({ folder, project }) => {
    const [below, beside] = [join(project, 'a/b c'), join(folder, 'beside')]
    for (const made of [below, beside]) mkdirSync(made, { recursive: true })
    const bin = join(project, 'node_modules/.bin', suite.name)

    const fromBelow = await run('npx', ['--no-install', suite.name, ...few], { cwd: below })
    const fromBeside = await run(bin, few, { cwd: beside })

    expect([fromBelow.code, fromBelow.last]).toEqual(examined)
    expect([fromBeside.code, fromBeside.last]).toEqual(examined)
    for (const made of [below, beside]) expect(reportIn(made).verdict).toBe('partial')
  })
})

const trap = 'throw new Error("a trap was loaded")'

/** Files that end any process that loads them. */
const traps = {
  'vitest.config.js': trap,
  'vite.config.ts': trap,
  'jest.config.js': trap,
  'vitest.workspace.js': trap,
  'postcss.config.js': trap,
  'babel.config.js': trap,
  'tsconfig.json': '{ "extends": "./not-there.json", broken',
  '.env':
    'NODE_OPTIONS=--require=./vitest.config.js\nHTTP_PROXY=http://127.0.0.1:1\nBASE_URL=http://127.0.0.1:1\nCI=true\n',
  'specs/all.spec.js': trap,
  'a.test.js': trap,
}

/** Packages in versions that the suite's own dependencies would take for theirs, and that end what loads them. */
const others = {
  vitest: '2.1.9',
  vite: '5.4.21',
  ajv: '6.12.6',
  undici: '5.28.4',
  hono: '4.0.0',
  preact: '10.0.0',
}

test('in a project with settings, tests and packages of its own, none of them is touched', async ({ folder }) => {
  const project = join(folder, 'project')
  const fakes = Object.entries(others).flatMap(([name, version]) => [
    [`fakes/${name}/package.json`, JSON.stringify({ name, version, main: 'index.js' })],
    [`fakes/${name}/index.js`, trap],
  ])
  const manifest = {
    name: 'some-project',
    type: 'commonjs',
    private: true,
    devDependencies: Object.fromEntries(Object.keys(others).map((name) => [name, `file:fakes/${name}`])),
  }
  const files: Record<string, string> = {
    ...traps,
    ...(Object.fromEntries(fakes) as Record<string, string>),
    'package.json': JSON.stringify(manifest),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  await npm(['install', inject('packed').tarball], project)
  const before = filesIn(project)

  const formats = ['--report', 'json,html,allure']
  const { code, last, stderr } = await run('npx', ['--no-install', suite.name, ...few, ...formats], {
    cwd: project,
  })
  expect([code, last], stderr).toEqual(examined)
  expect(filesIn(project)).toEqual(before)
  // of another version of what renders it, the page came out empty
  const page = readFileSync(join(project, 'reports/out/report.html'), 'utf8')
  expect(page).toMatch(/<title>[\s\S]*<\/html>\s*$/)
  expect(page).toContain('list.skip.echo')
  expect(readdirSync(join(project, 'reports/out/allure-results')).length).toBeGreaterThan(few.length)
})

/** An account that may write nothing here. */
const nobody = 65534

test('installed where it may write nothing, it runs', async ({ folder, project, aside, skip }) => {
  const out = join(folder, 'out')
  mkdirSync(out)
  for (const open of [out, aside]) chmodSync(open, 0o777)
  chmodSync(folder, 0o755)
  const asRoot = process.getuid?.() === 0
  if (asRoot) {
    const able = await run(process.execPath, ['--version'], { cwd: out, uid: nobody }).catch(() => undefined)
    if (able?.code !== 0) skip('An account without rights cannot start this Node.')
  } else await run('chmod', ['-R', 'a-w', project], { cwd: folder })

  const { code, last, stderr } = await run(process.execPath, [mainIn(project), ...few], {
    cwd: out,
    environment: elsewhere(aside),
    ...(asRoot ? { uid: nobody } : {}),
  })
  if (!asRoot) await run('chmod', ['-R', 'u+w', project], { cwd: folder })

  expect([code, last], stderr).toEqual(examined)
  expect(readdirSync(join(out, 'reports/out'))).toContain('report.json')
  expect(readdirSync(aside)).toEqual([])
})
