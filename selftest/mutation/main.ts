import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectHeaders } from '../../cli/input/collect.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'
import { showProgress } from '../../reports/formats/progress.ts'
import { type Examined, foundBy } from '../judge.ts'
import { type FaultRow, proofFolder, readMatrix } from '../matrix.ts'
import { type Job, nameOf, type Result } from '../message.ts'
import { doAll } from '../pool.ts'
import { type Mutant, mutantOf, planTrials, roundsOf, type Trial } from './mutants.ts'
import { figuresOf, type Outcome, pageOf, textOf } from './page.ts'
import { environmentOf } from './switch.ts'
import { copyWithSwitches } from './switches.ts'

// Leaves out each assertion of the specs in turn and examines servers with faults that its requirements find. If all
// of them are found without it, its opposite has to accuse the reference. Exit code 1 if an assertion does neither.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '*' },
    faults: { type: 'string', default: '3' },
    processes: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: proofFolder },
  },
})
/** With how many faults an assertion is tried at most. */
const mostFaults = Number(values.faults)

const headers = await collectHeaders()
const judging = headers.filter(({ level }) => level !== 'observe').map(({ id }) => id)
const { copy, assertions, remove } = copyWithSwitches()
try {
  const { faults } = readMatrix()
  const mutants = assertions
    .map((assertion, number) => mutantOf(assertion, number, judging, faults))
    .filter(({ ids }) => ids.some((id) => matchesGlob(id, values.only)))
  const needed = await neededOf(mutants, faults)
  const others = mutants.filter((mutant) => !needed.has(mutant))
  const deciding = await decidingOf(others, ({ ids }) => ids)
  // assertions that only decide among all calls of a run
  const undecided = others.filter((each) => !deciding.has(each))
  for (const mutant of await decidingOf(undecided, () => [])) deciding.add(mutant)
  const outcome: Outcome = {
    mutants,
    deciding: others.filter((each) => deciding.has(each)),
    idle: others.filter((each) => !deciding.has(each)),
  }
  writeFileSync(join(values.out, 'mutation.md'), pageOf(outcome))
  process.stdout.write(`${figuresOf(outcome)}\n`)
  for (const { assertion } of outcome.idle) process.stdout.write(`  ${assertion.spec.path}: ${textOf(assertion)}\n`)
  process.exitCode = outcome.idle.length === 0 ? 0 : 1
} finally {
  remove()
}

/** Those without which some fault is no longer found. */
async function neededOf(mutants: readonly Mutant[], faults: readonly FaultRow[]): Promise<Set<Mutant>> {
  const [needed, shown] = [new Set<Mutant>(), new Set<Mutant>()]
  const tried = new Map(mutants.map((mutant) => [mutant, new Set<string>()]))
  for (let turn = 1; turn <= mostFaults; turn++) {
    const left = mutants.filter((mutant) => !needed.has(mutant))
    await tryAll(planTrials(left, tried, faults, { alone: false }), ({ ids }) => ids)
  }
  // faults that only show among all calls of a run
  const unshown = mutants.filter((mutant) => !shown.has(mutant))
  await tryAll(planTrials(unshown, new Map(), faults, { alone: true }), () => [])
  return needed

  async function tryAll(trials: readonly Trial[], onlyFor: (trial: Trial) => string[]): Promise<void> {
    const pairs = trials.map((trial) => {
      for (const mutant of trial.mutants) tried.get(mutant)!.add(trial.fault)
      const job = (without: number[]): Job => ({
        server: { faults: [trial.fault] },
        selection: { only: onlyFor(trial), skip: [], profiles: [] },
        environment: environmentOf({ without }),
      })
      return { trial, before: job([]), after: job(trial.mutants.map(({ number }) => number)) }
    })
    const found = await examine(
      pairs.flatMap(({ before, after }) => [before, after]),
      foundBy,
    )
    for (const { trial, before, after } of pairs) {
      const [there, left] = [new Set(found.get(before)), new Set(found.get(after) ?? found.get(before))]
      for (const mutant of trial.mutants) {
        if (mutant.redIds.some((id) => there.has(id))) shown.add(mutant)
        if (mutant.redIds.some((id) => there.has(id) && !left.has(id))) needed.add(mutant)
      }
    }
  }
}

/** Those whose opposite accuses the reference. */
async function decidingOf(mutants: readonly Mutant[], onlyFor: (mutant: Mutant) => string[]): Promise<Set<Mutant>> {
  const jobs = new Map(
    roundsOf(mutants).map((round) => {
      const only = [...new Set(round.flatMap(onlyFor))]
      const environment = environmentOf({ negated: round.map(({ number }) => number) })
      const job: Job = { server: { variants: [] }, selection: { only, skip: [], profiles: [] }, environment }
      return [job, round]
    }),
  )
  const accused = await examine([...jobs.keys()], ({ rows }) =>
    rows.filter(({ outcome }) => ['fail', 'warning', 'error'].includes(outcome)).map(({ id }) => id),
  )
  const isAccused = (job: Job, { ids }: Mutant) => ids.some((id) => accused.get(job)?.includes(id))
  return new Set([...jobs].flatMap(([job, round]) => round.filter((mutant) => isAccused(job, mutant))))
}

/** The ids that each run gives; none if it crashed. */
async function examine(jobs: readonly Job[], idsIn: (examined: Examined) => string[]): Promise<Map<Job, string[]>> {
  const given = new Map<Job, string[]>()
  const progress = showProgress(process.stderr)
  progress.collected?.(jobs.length)
  const done = (job: Job, result: Result) => {
    progress.ended?.(nameOf(job.server), false)
    if ('examined' in result) given.set(job, idsIn(result.examined))
  }
  await doAll(jobs, Number(values.processes), done, join(copy, 'dist/selftest/child.js'))
  progress.clear()
  return given
}
