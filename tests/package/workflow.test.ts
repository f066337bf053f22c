import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { inject } from 'vitest'
import { parse } from 'yaml'
import { packageRoot, suite } from '../../cli/input/package.ts'
import type { Report } from '../../schemas/types.ts'
import { type Ended, type Environment, ended, settingsOf } from '../support/runs/child.ts'
import { checkOut } from './checkout.ts'
import { nodeOf } from './nodes.ts'
import { test as base } from './places.ts'
import { begin, mainIn, run } from './programs.ts'
import { registryWith } from './registry.ts'

const { checkout, installed, tarball } = inject('packed')
const main = mainIn(installed)

/** A step of a workflow or an action. */
interface Step {
  name?: string
  uses?: string
  with?: Record<string, string | number>
  run?: string
  shell?: string
  if?: string
  env?: Environment
}

const test = base
  /** Starts a server as a person would, and returns the settings that it prints. */
  .extend('serve', ({ folder }, { onCleanup }) => (...flags: string[]): Promise<Environment> => {
    const server = begin(process.execPath, [main, 'serve', ...flags], { cwd: folder })
    onCleanup(() => void server.kill())
    return settingsOf(server)
  })
  /** The environment of a runner: npm has nothing installed, and finds the suite in its registry. */
  .extend('runner', async ({ folder }, { onCleanup }): Promise<Environment> => {
    const registry = await registryWith(tarball)
    onCleanup(registry.close)
    const cache = join(folder, 'cache')
    mkdirSync(cache)
    const { last: known } = await run('npm', ['config', 'get', 'cache'], { cwd: packageRoot })
    // what was fetched once is not fetched again; what was installed is
    if (existsSync(join(known, '_cacache'))) symlinkSync(join(known, '_cacache'), join(cache, '_cacache'))
    return {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      GITHUB_OUTPUT: join(folder, 'output'),
      npm_config_registry: registry.url,
      npm_config_cache: cache,
    }
  })

/** Answers each question of `init` once it is asked. */
function init(cwd: string, answers: Environment): Promise<Ended> {
  const asking = begin(process.execPath, [main, 'init'], { cwd, asks: true })
  const ending = ended(asking)
  let said = ''
  const open = new Map(Object.entries(answers))
  asking.stderr!.on('data', (chunk) => {
    said += chunk
    const [, asked = ''] = /(?:^|: )(RMAPI_\w+): [^\n]*: $/.exec(said) ?? []
    if (!open.has(asked)) return
    asking.stdin!.write(`${open.get(asked)}\n`)
    open.delete(asked)
    said = ''
  })
  return ending
}

/** An environment with its expressions filled in, as the runner does it; one that is not known is an error. */
function filled(environment: Environment = {}, known: Environment): Environment {
  const fill = (expression: string, name: string) => {
    if (!(name in known)) throw new Error(`${expression} is not known here`)
    return known[name]!
  }
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, String(value).replace(/\$\{\{ ([\w.-]+) \}\}/g, fill)]),
  )
}

/** Carries a script out as the runner does; a step that names no shell gets a bash that ends at the first error. */
function script({ run: lines = '', shell }: Step, folder: string, cwd: string, environment: Environment) {
  const file = join(folder, 'step.sh')
  writeFileSync(file, lines)
  const flags = shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail'] : ['-e']
  return run('bash', [...flags, file], { cwd, environment })
}

test.for<[what: string, fault: string[], code: number, verdict: string]>([
  ['goes on', [], 0, 'conformant|partial'],
  ['stops, and keeps the report', ['--fault', 'skip is not echoed'], 1, 'nonconformant'],
])(
  'the workflow that init writes is carried out as it is, and %s',
  async ([, fault, code, verdict], { folder, aside, serve, runner, expect }) => {
    const { RMAPI_BASE_URL = '', RMAPI_GROUP_UID = '', RMAPI_ACCESS_TOKEN = '' } = await serve(...fault)
    const where = { RMAPI_BASE_URL, RMAPI_GROUP_UID }
    const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
    mkdirSync(home)
    const asked = await init(home, {
      ...where,
      RMAPI_TARGET_NAME: 'Example IAM',
      RMAPI_REGISTRY_GROUP_UID: '',
    })
    expect(asked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Written: \.env, \.github\/\S+\.yml$/m),
    })

    // what is pushed: the workflow, and nothing that knows the token
    cpSync(join(home, '.github'), join(workspace, '.github'), { recursive: true })
    const text = readFileSync(join(workspace, '.github/workflows/conformance.yml'), 'utf8')
    const { jobs } = parse(text) as { jobs: Record<string, { env: Environment; steps: Step[] }> }
    const { conformance: job } = jobs
    const environment: Environment = { ...runner, HOME: aside, GITHUB_WORKSPACE: workspace, ...job!.env }
    // what is pushed beside it: the suite as a dependency, with its lockfile
    writeFileSync(join(workspace, 'package.json'), '{"private":true}')
    const install = ['install', '--save-dev', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', suite.name]
    expect(await run('npm', install, { cwd: workspace, environment })).toMatchObject({ code: 0 })
    rmSync(join(workspace, 'node_modules'), { recursive: true })
    const done: string[] = []
    let failed = false
    for (const step of job!.steps.filter((one) => !failed || one.if === 'always()')) {
      const own = {
        ...environment,
        ...filled(step.env, { 'secrets.RMAPI_ACCESS_TOKEN': RMAPI_ACCESS_TOKEN }),
      }
      const [uses = 'run'] = (step.uses ?? 'run').split('@')
      done.push(uses)
      if (uses === 'run') {
        const ran = await script(step, folder, workspace, own)
        failed = ran.code !== 0
        if (step.name === 'install') expect(ran.code, ran.stderr).toBe(0)
        else expect([ran.code, ran.last], ran.stderr).toEqual([code, expect.stringMatching(`^VERDICT (${verdict}) `)])
        if (step.name !== 'install') expect(ran.stdout.includes('\n::error ')).toBe(failed)
      } else if (uses === 'actions/setup-node') {
        const node = await nodeOf(step.with!['node-version']!)
        environment.PATH = dirname(node) + delimiter + process.env.PATH
      } else if (uses === 'actions/upload-artifact') {
        const kept = readdirSync(join(workspace, String(step.with!.path)))
        expect(kept).toEqual(expect.arrayContaining(['report.html', 'report.json', 'report.md']))
      }
    }

    expect(done).toEqual(['actions/checkout', 'actions/setup-node', 'run', 'run', 'actions/upload-artifact'])
    const report = JSON.parse(readFileSync(join(workspace, 'conformance/report.json'), 'utf8')) as Report
    expect(report).toMatchObject({ target: { name: 'Example IAM', baseUrl: RMAPI_BASE_URL }, left: [] })
    expect(readFileSync(runner.GITHUB_STEP_SUMMARY!, 'utf8')).toMatch(new RegExp(`^# (${verdict})\n`))
    expect(readdirSync(workspace).sort()).toEqual([
      '.github',
      'conformance',
      'node_modules',
      'package-lock.json',
      'package.json',
    ])
  },
)

test('the action makes itself ready in a fresh clone, and examines', async ({
  folder,
  aside,
  serve,
  runner,
  expect,
}) => {
  const [action, workspace] = [join(folder, 'action'), join(folder, 'workspace')]
  checkOut(action)
  mkdirSync(workspace)
  const settings = await serve('--fault', 'skip is not echoed')
  const { inputs, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default: string }>
    runs: { steps: Step[] }
  }
  const { RMAPI_BASE_URL = '', RMAPI_GROUP_UID = '', RMAPI_ACCESS_TOKEN = '' } = settings
  const usual = Object.entries(inputs).map(([name, input]) => [`inputs.${name}`, input.default])
  const known: Environment = {
    ...Object.fromEntries(usual),
    'inputs.base-url': RMAPI_BASE_URL,
    'inputs.group-uid': RMAPI_GROUP_UID,
    'inputs.only': 'list.skip.*',
    'github.action_path': action,
  }
  const environment = { ...runner, HOME: aside, RMAPI_ACCESS_TOKEN }
  const [ready, examine] = runs.steps.map(
    (step) => () => script(step, folder, workspace, { ...environment, ...filled(step.env, known) }),
  )

  const made = await ready!()
  expect(made.code, made.stdout + made.stderr).toBe(0)
  const { code, last, stderr } = await examine!()
  expect([code, last], stderr).toEqual([1, expect.stringMatching(/^VERDICT nonconformant /)])
  expect(readFileSync(runner.GITHUB_OUTPUT!, 'utf8')).toMatch(
    /^verdict=nonconformant\nexit-code=1\nreport-json=conformance\/report\.json\n/,
  )
  expect(readdirSync(workspace)).toEqual(['conformance'])
})

test('the first commands of the README do in a fresh clone what it says', async ({ expect }) => {
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8')
  const commands = /^(npm ci) && (npm run conformance) +# .* ends in: VERDICT conformant …$/m
  const [, install, examine = ''] = commands.exec(readme) ?? []
  // the clone is the one that was packed: there, the first is done already
  expect([install, existsSync(join(checkout, 'node_modules/vitest'))]).toEqual(['npm ci', true])
  const { code, last, stderr } = await run('bash', ['-c', examine], { cwd: checkout })

  expect([code, last], stderr).toEqual([0, expect.stringMatching(/^VERDICT conformant must=(\d+)\/\1 /)])
})
