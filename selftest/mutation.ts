import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectHeaders } from '../cli/collect.ts'
import { packageRoot } from '../cli/package.ts'
import { matchesGlob, type Selection } from '../helpers/selection.ts'
import { showProgress } from '../reports/progress.ts'
import { type Assertion, withSwitches } from './assertions.ts'
import { foundBy } from './judge.ts'
import type { Matrix } from './matrix.ts'
import type { Job, Result } from './message.ts'
import { doAll } from './pool.ts'

// Leaves out each assertion of the specs in turn and examines servers whose faults the requirement around it finds; an
// assertion that none of them misses is listed. Exit code 1 where one is listed that is not in the file of the known.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '*' },
    faults: { type: 'string', default: '6' },
    processes: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: 'reports' },
  },
})
const mostFaults = Number(values.faults)

/** An assertion that is left out, and what there is to miss it. */
interface Mutant {
  number: number
  assertion: Assertion
  ids: string[]
  faults: string[]
}

const headers = await collectHeaders()
const { faults }: Matrix = JSON.parse(readFileSync(join(packageRoot, 'reports/kill-matrix.json'), 'utf8'))
const { copy, assertions } = copyWithSwitches()
try {
  const mutants = assertions.map(mutantOf).filter(({ ids }) => ids.some((id) => matchesGlob(id, values.only)))
  const whole = new Map<string, string[]>()
  const pairs = new Map(
    mutants.flatMap((mutant) => mutant.faults.map((fault) => [keyOf(mutant, fault), { mutant, fault }])),
  )
  await examine(
    [...pairs.values()].map(({ mutant, fault }) => jobFor(mutant, fault)),
    (job, red) => whole.set(`${job.selection.only} ${faultOf(job)}`, red),
  )
  const missed = new Set<number>()
  for (let turn = 0; turn < mostFaults; turn++) {
    const left = mutants.filter(({ number, faults }) => !missed.has(number) && faults.length > turn)
    await examine(
      left.map((mutant) => jobFor(mutant, mutant.faults[turn]!, mutant.number)),
      (job, red) => {
        const before = whole.get(`${job.selection.only} ${faultOf(job)}`) ?? []
        if (before.some((id) => !red.includes(id))) missed.add(Number(job.environment!.RMAPI_WITHOUT))
      },
    )
  }
  const kept = mutants.filter(({ number }) => !missed.has(number))
  writeFileSync(join(values.out, 'mutation.md'), pageOf(mutants, kept))
  process.stdout.write(`${missed.size} of ${mutants.length} assertions are missed when they are left out\n`)
  for (const { assertion } of kept) process.stdout.write(`  ${lineOf(assertion)}\n`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function mutantOf(assertion: Assertion, number: number): Mutant {
  const ids = headers.map(({ id }) => id).filter((id) => assertion.ids.some((glob) => matchesGlob(id, glob)))
  const naming = faults
    .filter(({ red }) => red.some((id) => ids.includes(id)))
    // what turns least red tells most
    .sort((a, b) => a.red.length - b.red.length)
    .slice(0, mostFaults)
  const found = new Set(naming.flatMap(({ red }) => red))
  return { number, assertion, ids: ids.filter((id) => found.has(id)), faults: naming.map(({ name }) => name) }
}

function jobFor({ ids }: Mutant, fault: string, without?: number): Job {
  const selection: Selection = { only: ids, skip: [], profiles: [] }
  return {
    server: { fault },
    selection,
    environment: { RMAPI_WITHOUT: without === undefined ? '' : String(without) },
  }
}

function faultOf({ server }: Job): string {
  return 'fault' in server ? server.fault : ''
}

function keyOf({ ids }: Mutant, fault: string): string {
  return `${ids} ${fault}`
}

async function examine(jobs: readonly Job[], done: (job: Job, red: string[]) => void): Promise<void> {
  const progress = showProgress(process.stderr)
  progress.collected?.(jobs.length)
  const child = join(copy, 'dist/selftest/child.js')
  await doAll(
    jobs,
    Number(values.processes),
    (job: Job, result: Result) => {
      progress.ended?.(faultOf(job), false)
      done(job, 'examined' in result ? foundBy(result.examined) : [])
    },
    child,
  )
  progress.clear()
}

/** The package once more, with a switch at each assertion of its specs. */
function copyWithSwitches(): { copy: string; assertions: Assertion[] } {
  const copy = mkdtempSync(join(tmpdir(), 'rmapi-mutation-'))
  for (const part of ['package.json', 'dist', 'schemas', 'specs'])
    cpSync(join(packageRoot, part), join(copy, part), { recursive: true })
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'))
  const assertions: Assertion[] = []
  const folder = join(copy, 'dist/specs')
  for (const spec of readdirSync(folder).filter((name) => name.endsWith('.spec.js'))) {
    const source = readFileSync(join(folder, spec), 'utf8')
    const { assertions: own, switched } = withSwitches(spec, source, assertions.length)
    assertions.push(...own)
    writeFileSync(join(folder, spec), switched)
  }
  return { copy, assertions }
}

function lineOf({ spec, text, ids }: Assertion): string {
  return `${spec.replace('.js', '.ts')}: ${ids.slice(0, 2).join(', ')}: ${text.replace(/\s+/g, ' ').slice(0, 160)}`
}

function pageOf(mutants: readonly Mutant[], kept: readonly Mutant[]): string {
  return [
    '# What each assertion is for',
    '',
    'Written by `npm run mutation`: each assertion of the specs is left out in turn, and the requirement around it meets',
    'servers whose faults it finds. Where all are found without it, the assertion is listed here.',
    '',
    `${mutants.length - kept.length} of ${mutants.length} assertions are missed when they are left out.`,
    '',
    ...kept.map(({ assertion }) => `- \`${lineOf(assertion).replaceAll('`', "'")}\``),
    '',
  ].join('\n')
}
