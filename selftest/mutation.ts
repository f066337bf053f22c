import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectHeaders } from '../cli/input/collect.ts'
import { matchesGlob } from '../helpers/requirement/selection.ts'
import { showProgress } from '../reports/formats/progress.ts'
import { copyWithSwitches } from './assertions.ts'
import { type Examined, foundBy } from './judge.ts'
import { type FaultRow, readMatrix } from './matrix.ts'
import { type Job, nameOf, type Result } from './message.ts'
import { apart, figuresOf, type Meeting, type Mutant, meetingsOf, mutantOf, pageOf } from './mutants.ts'
import { doAll } from './pool.ts'

// Leaves out each assertion of the specs in turn and examines servers whose faults the requirement around it finds; where
// none of them misses it, its opposite has to accuse the reference. Exit code 1 where an assertion does neither.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '*' },
    faults: { type: 'string', default: '3' },
    processes: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: 'reports' },
  },
})
const mostFaults = Number(values.faults)

const headers = await collectHeaders()
const ids = headers.map(({ id }) => id)
const observed = headers.filter(({ level }) => level === 'observe').map(({ id }) => id)
const { copy, assertions, remove } = copyWithSwitches()
try {
  const { faults } = readMatrix()
  const mutants = assertions
    .map((assertion, number) => mutantOf(assertion, number, ids, faults))
    .filter(({ around }) => around.some((id) => matchesGlob(id, values.only)))
    // what is only observed is not asserted
    .filter(({ around }) => around.some((id) => !observed.includes(id)))
  const missed = await missedOf(mutants, faults)
  const spared = mutants.filter((mutant) => !missed.has(mutant))
  const deciding = await decidingOf(spared, ({ around }) => around)
  // what decides only among all calls of a run
  for (const mutant of await decidingOf(
    spared.filter((each) => !deciding.has(each)),
    () => [],
  ))
    deciding.add(mutant)
  const [kept, idle] = [true, false].map((decides) => spared.filter((each) => deciding.has(each) === decides))
  writeFileSync(join(values.out, 'mutation.md'), pageOf(mutants, kept!, idle!))
  process.stdout.write(`${figuresOf(mutants, kept!, idle!)}\n`)
  for (const { assertion } of idle!) process.stdout.write(`  ${assertion.spec}: ${assertion.text}\n`)
  process.exitCode = idle!.length === 0 ? 0 : 1
} finally {
  remove()
}

/** Those without which some fault is no longer found. */
async function missedOf(mutants: readonly Mutant[], faults: readonly FaultRow[]): Promise<Set<Mutant>> {
  const [missed, told] = [new Set<Mutant>(), new Set<Mutant>()]
  const met = new Map(mutants.map((mutant) => [mutant, new Set<string>()]))
  for (let turn = 1; turn <= mostFaults; turn++) {
    const left = mutants.filter((mutant) => !missed.has(mutant))
    await meet(meetingsOf(left, met, faults, { alone: false }), ({ ids: only }) => only)
  }
  // what shows only among all calls of a run
  const untold = mutants.filter((mutant) => !told.has(mutant))
  await meet(meetingsOf(untold, new Map(), faults, { alone: true }), () => [])
  return missed

  async function meet(meetings: readonly Meeting[], onlyFor: (meeting: Meeting) => string[]): Promise<void> {
    const pairs = meetings.map((meeting) => {
      const { fault, mutants: some } = meeting
      for (const mutant of some) met.get(mutant)!.add(fault)
      const job = (without: string): Job => ({
        server: { fault },
        selection: { only: onlyFor(meeting), skip: [], profiles: [] },
        environment: { RMAPI_WITHOUT: without },
      })
      return { some, before: job(''), after: job(some.map(({ number }) => number).join()) }
    })
    const found = await examine(
      pairs.flatMap(({ before, after }) => [before, after]),
      foundBy,
    )
    for (const { some, before, after } of pairs) {
      const there = found.get(before)!
      const gone = there.filter((id) => !found.get(after)!.includes(id))
      for (const mutant of some) {
        if (mutant.ids.some((id) => there.includes(id))) told.add(mutant)
        if (mutant.ids.some((id) => gone.includes(id))) missed.add(mutant)
      }
    }
  }
}

/** Those whose opposite accuses the reference. */
async function decidingOf(mutants: readonly Mutant[], onlyFor: (mutant: Mutant) => string[]): Promise<Set<Mutant>> {
  const rounds: Mutant[][] = []
  for (let left = [...mutants]; left.length > 0; left = left.filter((each) => !rounds.flat().includes(each)))
    rounds.push(apart(left))
  const jobs = new Map(
    rounds.map((some) => {
      const only = [...new Set(some.flatMap(onlyFor))]
      const environment = { RMAPI_NEGATED: some.map(({ number }) => number).join() }
      const job: Job = {
        server: { variants: [] },
        selection: { only, skip: [], profiles: [] },
        environment: { RMAPI_WITHOUT: '', ...environment },
      }
      return [job, some]
    }),
  )
  const accused = await examine([...jobs.keys()], ({ told }) =>
    told.filter(({ outcome }) => !['pass', 'observed', 'inconclusive'].includes(outcome)).map(({ id }) => id),
  )
  const isAccused = (job: Job, { around }: Mutant) => around.some((id) => accused.get(job)!.includes(id))
  return new Set([...jobs].flatMap(([job, some]) => some.filter((mutant) => isAccused(job, mutant))))
}

/** The ids that each run tells. */
async function examine(jobs: readonly Job[], idsIn: (examined: Examined) => string[]): Promise<Map<Job, string[]>> {
  const told = new Map<Job, string[]>()
  const progress = showProgress(process.stderr)
  progress.collected?.(jobs.length)
  const done = (job: Job, result: Result) => {
    progress.ended?.(nameOf(job.server), false)
    told.set(job, 'examined' in result ? idsIn(result.examined) : [])
  }
  await doAll(jobs, Number(values.processes), done, join(copy, 'dist/selftest/child.js'))
  progress.clear()
  return told
}
