import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot, suite } from '../cli/package.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'rmapi packed '))
const project = join(folder, 'some (other) project')

// what the tests' own runner sets must not reach the installed suite
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(RMAPI_|VITEST|NODE_ENV$|TEST$|npm_|GITHUB_)/.test(name)),
)

beforeAll(async () => {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: packageRoot, env })
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "some-project", "private": true }')
  // a project's own settings are none of the suite's business
  writeFileSync(
    join(project, 'vitest.config.js'),
    "throw new Error('the suite read a config that is not its own')",
  )
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent']
  await run('npm', [...install, join(folder, stdout.trim())], { cwd: project, env })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installed = (...args: string[]) =>
  run('npx', ['--no-install', suite.name, ...args], { cwd: project, env })

test('the packed suite, installed elsewhere, examines its reference and writes a valid report', async () => {
  const { stdout } = await installed('run')
  const report: unknown = JSON.parse(readFileSync(join(project, 'reports/out/report.json'), 'utf8'))
  const shipped = join(project, 'node_modules', suite.name, 'schemas/report.json')
  const ajv = new Ajv2020({ strict: true, strictRequired: false })
  formats.default(ajv)
  const valid = ajv.compile(JSON.parse(readFileSync(shipped, 'utf8')))

  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^VERDICT conformant must=(\d+)\/\1 /)
  expect(valid(report), JSON.stringify(valid.errors)).toBe(true)
  expect(readFileSync(join(project, 'reports/out/report.md'), 'utf8')).toMatch(/^# conformant\n/)
})

test('the packed suite lists the same requirements as the sources', async () => {
  const { stdout } = await installed('list', '--json')
  const own = await run(process.execPath, [join(packageRoot, 'dist/cli/main.js'), 'list', '--json'], { env })

  expect(stdout).toBe(own.stdout)
})
