import { collectHeaders } from '../cli/input/collect.ts'
import { everything } from '../cli/input/selections.ts'
import type { Fault, Variant } from '../reference/fault.ts'
import { showProgress } from '../reports/formats/progress.ts'
import {
  type FaultRow,
  faultRow,
  type Matrix,
  narrowFor,
  unprovenBy,
  type VariantRow,
  variantRow,
  widerFor,
} from './matrix.ts'
import { type Job, nameOf, type Result } from './message.ts'
import { doAll } from './pool.ts'
import { drawServers } from './servers.ts'

/** Who is examined, and how. */
export interface Asked {
  faults: readonly Fault[]
  variants: readonly Variant[]
  /** Each fault meets every requirement, each variant has a server of its own. */
  whole: boolean
  processes: number
  /** Draws which variants share a server. */
  seed: number
}

/** Examines every server once, and again, with more, where that does not tell who or what it was. */
export async function examineAll({ faults, variants, whole, processes, seed }: Asked): Promise<Matrix> {
  const headers = await collectHeaders()
  const faultRows = new Map<Fault, FaultRow>()
  const variantRows = new Map<Variant, VariantRow>()
  const servers = whole ? variants.map((variant) => [variant]) : drawServers(variants, { seed })

  // what takes longest comes first, so that at the end no process waits for another
  await round([
    ...servers.map(lawful),
    ...faults.map((fault) => faulty(fault, whole ? everything : narrowFor(fault, headers))),
  ])
  const accused = servers.filter((some) => some.length > 1 && some.some(isBad))
  const together = new Map(accused.flat().map((variant) => [variant, variantRows.get(variant)!]))
  await round([
    ...accused.flat().map((variant) => lawful([variant])),
    ...faults.filter(isBad).map((fault) => faulty(fault, whole ? everything : widerFor(fault))),
  ])
  // what only a whole run can tell
  await round(faults.filter(isBad).map((fault) => faulty(fault, everything)))
  for (const some of accused.filter((each) => !each.some(isBad))) {
    for (const variant of some) variantRows.set(variant, together.get(variant)!)
  }

  const rows = {
    faults: faults.map((fault) => faultRows.get(fault)!),
    variants: variants.map((variant) => variantRows.get(variant)!),
  }
  return { ...rows, unproven: unprovenBy(rows.faults, headers) }

  function faulty(fault: Fault, selection: Job['selection']): Round {
    return {
      job: { server: { fault: fault.name }, selection },
      note: (result) => void faultRows.set(fault, faultRow(fault, result)),
      isBad: () => isBad(fault),
    }
  }

  function lawful(some: readonly Variant[]): Round {
    return {
      job: { server: { variants: some.map(({ name }) => name) }, selection: everything },
      note: (result) => {
        for (const variant of some) variantRows.set(variant, variantRow(variant, some, result))
      },
      isBad: () => some.some(isBad),
    }
  }

  function isBad(one: Fault | Variant): boolean {
    const row = 'turnsRed' in one ? faultRows.get(one) : variantRows.get(one)
    return row!.complaints.length > 0
  }

  async function round(rounds: readonly Round[]): Promise<void> {
    if (rounds.length === 0) return
    const progress = showProgress(process.stderr)
    progress.collected?.(rounds.length)
    const byJob = new Map(rounds.map((each) => [each.job, each]))
    await doAll([...byJob.keys()], processes, (job, result) => {
      const { note, isBad } = byJob.get(job)!
      note(result)
      progress.ended?.(nameOf(job.server), isBad())
    })
    progress.clear()
  }
}

/** A server that is to be examined, and what becomes of the result. */
interface Round {
  job: Job
  note(result: Result): void
  isBad(): boolean
}
