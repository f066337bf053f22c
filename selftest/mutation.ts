import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectHeaders } from '../cli/collect.ts'
import { matchesGlob } from '../helpers/selection.ts'
import { showProgress } from '../reports/progress.ts'
import { copyWithSwitches } from './assertions.ts'
import { foundBy } from './judge.ts'
import { readMatrix } from './matrix.ts'
import type { Job, Result } from './message.ts'
import { type Mutant, meetingsOf, mutantOf, pageOf } from './mutants.ts'
import { doAll } from './pool.ts'
import { whyKept } from './why-kept.ts'

// Leaves out each assertion of the specs in turn and examines servers whose faults the requirement around it finds; an
// assertion that none of them misses is listed. Exit code 1 where one is listed without a reason.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '*' },
    faults: { type: 'string', default: '6' },
    processes: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: 'reports' },
  },
})
const mostFaults = Number(values.faults)

const headers = await collectHeaders()
const ids = headers.map(({ id }) => id)
const { copy, assertions, remove } = copyWithSwitches()
try {
  const { faults } = readMatrix()
  const mutants = assertions
    .map((assertion, number) => mutantOf(assertion, number, ids, faults))
    .filter((mutant) => mutant.ids.some((id) => matchesGlob(id, values.only)))
  const missed = new Set<Mutant>()
  const met = new Map(mutants.map((mutant) => [mutant, new Set<string>()]))
  const seen = new Set<Mutant>()
  for (let turn = 0; turn < mostFaults; turn++) {
    // what shows only among all calls of a run is met last, and with everything
    const whole = turn === mostFaults - 1
    const left = mutants.filter((mutant) => !(whole ? seen : missed).has(mutant))
    const meetings = meetingsOf(left, met, faults, { alone: whole })
    const found = new Map<Job, string[]>()
    const jobs = meetings.map(({ fault, ids: only, mutants: some }) => {
      for (const mutant of some) met.get(mutant)!.add(fault)
      const selection = { only: whole ? [] : only, skip: [], profiles: [] }
      const without = some.map(({ number }) => number).join()
      const job = (switches: string): Job => ({
        server: { fault },
        selection,
        environment: { RMAPI_WITHOUT: switches },
      })
      return { some, before: job(''), after: job(without) }
    })
    await examine(
      jobs.flatMap(({ before, after }) => [before, after]),
      (job, red) => void found.set(job, red),
    )
    for (const { some, before, after } of jobs) {
      const there = found.get(before)!
      const gone = there.filter((id) => !found.get(after)!.includes(id))
      for (const mutant of some) {
        if (mutant.ids.some((id) => there.includes(id))) seen.add(mutant)
        if (mutant.ids.some((id) => gone.includes(id))) missed.add(mutant)
      }
    }
  }
  const kept = mutants.filter((mutant) => !missed.has(mutant))
  const unexplained = kept.filter(({ assertion }) => whyKept(assertion) === undefined)
  writeFileSync(join(values.out, 'mutation.md'), pageOf(mutants, kept))
  process.stdout.write(
    `${missed.size} of ${mutants.length} assertions are missed when they are left out, ${kept.length} are kept for another reason, ${unexplained.length} for none\n`,
  )
  for (const { assertion } of unexplained) process.stdout.write(`  ${assertion.spec}: ${assertion.text}\n`)
  process.exitCode = unexplained.length === 0 ? 0 : 1
} finally {
  remove()
}

async function examine(jobs: readonly Job[], done: (job: Job, red: string[]) => void): Promise<void> {
  const progress = showProgress(process.stderr)
  progress.collected?.(jobs.length)
  const told = (job: Job, result: Result) => {
    progress.ended?.('fault' in job.server ? job.server.fault : '', false)
    done(job, 'examined' in result ? foundBy(result.examined) : [])
  }
  await doAll(jobs, Number(values.processes), told, join(copy, 'dist/selftest/child.js'))
  progress.clear()
}
