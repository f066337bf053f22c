import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../cli/input/package.ts'
import { type Environment, settingsOf, start } from '../support/runs/child.ts'

/** An action.yml, as far as it is used here. */
interface Action {
  inputs: Record<string, { description: string; default: string }>
  outputs: Record<string, { value: string }>
  runs: { steps: { run: string; env: Environment }[] }
}

const action = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8')) as Action
const { steps } = action.runs
const defaults = Object.fromEntries(
  Object.entries(action.inputs).map(([name, input]) => [
    `INPUT_${name.toUpperCase().replaceAll('-', '_')}`,
    input.default,
  ]),
)

describe('the action', () => {
  test('hands every input on by the environment, and fills none into a script', () => {
    const inputs = Object.keys(action.inputs)
    const handed = Object.values(steps[1]!.env).filter((value) => value.includes('inputs.'))

    expect(steps).toHaveLength(2)
    expect(inputs.length).toBeGreaterThan(10)
    expect(handed).toEqual(inputs.map((input) => `\${{ inputs.${input} }}`))
    for (const one of Object.values(defaults)) expect(one).toEqual(expect.any(String))
    for (const { run } of steps) {
      expect(run.length).toBeGreaterThan(50)
      expect(run).not.toMatch(/\$\{\{|\beval\b/)
    }
    for (const secret of ['token', 'secrets.']) expect(JSON.stringify(action.inputs)).not.toContain(secret)
  })

  test('gives out what its step wrote', () => {
    const names = ['verdict', 'exit-code', 'report-json', 'report-html', 'report-md', 'junit-xml']

    expect(Object.entries(action.outputs).map(([name, { value }]) => [name, value])).toEqual(
      names.map((name) => [name, `\${{ steps.examine.outputs.${name} }}`]),
    )
  })
})

describe('the step that examines', () => {
  let server: ChildProcess
  let folder = ''
  let target: Environment = {}
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rmapi action '))
    server = start(folder, ['serve', '--fault', 'skip is not echoed'])
    target = await settingsOf(server)
  })
  afterAll(() => {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the step as the runner would, and returns its exit code, what it printed and its outputs. */
  async function examine(inputs: Environment, environment: Environment = {}) {
    const outputs = join(folder, 'outputs')
    const script = join(folder, 'step.sh')
    writeFileSync(outputs, '')
    writeFileSync(script, steps[1]!.run)
    const env = {
      PATH: process.env.PATH,
      SUITE: packageRoot,
      GITHUB_OUTPUT: outputs,
      RMAPI_ACCESS_TOKEN: target.RMAPI_ACCESS_TOKEN,
      ...defaults,
      ...environment,
      ...inputs,
    }
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd: folder, env })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk
      })
    const code = await new Promise((resolve) => child.once('close', resolve))
    const given = [...readFileSync(outputs, 'utf8').matchAll(/^([\w-]+)=(.*)$/gm)]
    return { code, printed, outputs: Object.fromEntries(given.map(([, name, value]) => [name, value])) }
  }
  const where = () => ({
    INPUT_BASE_URL: target.RMAPI_BASE_URL!,
    INPUT_GROUP_UID: target.RMAPI_GROUP_UID!,
  })

  test('fails on what is broken, and says where the reports are', async () => {
    const { code, outputs } = await examine({
      ...where(),
      INPUT_ONLY: 'list.skip.echo\n  list.skip.fewer*',
      INPUT_TARGET_NAME: '$(touch made) `touch made` "; touch made',
      INPUT_OUT: 're ports',
    })

    expect(code).toBe(1)
    expect(outputs).toEqual({
      verdict: 'nonconformant',
      'exit-code': '1',
      'report-json': 're ports/report.json',
      'report-html': 're ports/report.html',
      'report-md': 're ports/report.md',
      'junit-xml': 're ports/junit.xml',
    })
    const report = JSON.parse(readFileSync(join(folder, 're ports/report.json'), 'utf8'))
    expect(report.target.name).toBe('$(touch made) `touch made` "; touch made')
    expect(report.selection.only).toEqual(['list.skip.echo', 'list.skip.fewer*'])
  })

  test('takes settings from the environment, and goes on where nothing is broken', async () => {
    const { code, outputs } = await examine({ INPUT_ONLY: 'group.get.shape', INPUT_REPORT: 'json' }, target)

    expect(code).toBe(0)
    expect(outputs).toEqual({
      verdict: 'partial',
      'exit-code': '0',
      'report-json': 'conformance/report.json',
    })
  })

  test('takes nothing that is given for a flag of its own', async () => {
    const { code, printed, outputs } = await examine({
      ...where(),
      INPUT_ONLY: '--keep --base-url=http://a.invalid',
    })

    expect(code).toBe(2)
    expect(printed).toContain("No requirement is called '--keep'")
    expect(outputs).toEqual({ verdict: '', 'exit-code': '2' })
  })

  test.each<[string, Environment, string]>([
    ['no target is named', {}, 'set the input base-url'],
    ['a switch is misspelt', { INPUT_READ_ONLY: 'yes' }, 'read-only is neither true nor false'],
  ])('examines nothing where %s', async (_why, inputs, says) => {
    const { code, printed, outputs } = await examine(inputs, inputs.INPUT_READ_ONLY ? where() : {})

    expect(code).toBe(2)
    expect(printed).toContain(says)
    expect(outputs).toEqual({ 'exit-code': '2' })
  })

  test('hands its switches on', async () => {
    const { code, outputs } = await examine({
      ...where(),
      INPUT_ONLY: 'group.get.shape',
      INPUT_READ_ONLY: 'true',
      INPUT_COMPLETE: 'true',
    })

    expect(code).toBe(3)
    expect(outputs).toMatchObject({ 'exit-code': '3' })
    const report = JSON.parse(readFileSync(join(folder, 'conformance/report.json'), 'utf8'))
    expect(report.readOnly).toBe(true)
  })
})
