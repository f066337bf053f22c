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

/** Which faults and variants are examined, and how. */
export interface Asked {
  faults: readonly Fault[]
  variants: readonly Variant[]
  /** Each fault is tried with every requirement, each variant on a server of its own. */
  whole: boolean
  processes: number
  /** Draws which variants share a server. */
  seed: number
  /** Gets the rows that there are after each server, so that a run which is ended early loses nothing. */
  keep?: (rows: Matrix) => void
}

/** A server that is to be examined, and what becomes of the result. */
interface Examination {
  job: Job
  note(result: Result): void
  complaints(): string[]
}

/**
 * Examines every fault and variant. A fault that a few requirements do not show is tried with more of them; variants
 * that are accused together are examined alone.
 */
export async function examineAll({ faults, variants, whole, processes, seed, keep }: Asked): Promise<Matrix> {
  const headers = await collectHeaders()
  const faultRows = new Map<Fault, FaultRow>()
  const variantRows = new Map<Variant, VariantRow>()
  const servers = whole ? variants.map((variant) => [variant]) : drawServers(variants, { seed })

  // the longest job comes first, so that at the end no process waits for another
  await examine(
    [...servers.map(lawful), ...faults.map((fault) => faulty(fault, whole ? everything : narrowFor(fault, headers)))],
    'to be examined again: a fault with more requirements, a variant alone',
  )
  const accused = servers.filter((server) => server.length > 1 && server.some(isBad))
  const rowsTogether = new Map(accused.flat().map((variant) => [variant, variantRows.get(variant)!]))
  await examine(
    [
      ...accused.flat().map((variant) => lawful([variant])),
      ...faults.filter(isBad).map((fault) => faulty(fault, whole ? everything : widerFor(fault))),
    ],
    'to be examined again: a fault with all requirements',
  )
  // some faults show only in a whole run
  await examine(faults.filter(isBad).map((fault) => faulty(fault, everything)))
  // if each alone is cleared, the combination is accused
  for (const server of accused.filter((each) => !each.some(isBad))) {
    for (const variant of server) variantRows.set(variant, rowsTogether.get(variant)!)
  }

  return rowsSoFar()

  function rowsSoFar(): Matrix {
    const rows = {
      faults: faults.flatMap((fault) => faultRows.get(fault) ?? []),
      variants: variants.flatMap((variant) => variantRows.get(variant) ?? []),
    }
    return { ...rows, unproven: unprovenBy(rows.faults, headers) }
  }

  function faulty(fault: Fault, selection: Job['selection']): Examination {
    return {
      job: { server: { faults: [fault.name] }, selection },
      note: (result) => void faultRows.set(fault, faultRow(fault, result)),
      complaints: () => faultRows.get(fault)!.complaints,
    }
  }

  function lawful(server: readonly Variant[]): Examination {
    return {
      job: { server: { variants: server.map(({ name }) => name) }, selection: everything },
      note: (result) => {
        for (const variant of server) variantRows.set(variant, variantRow(variant, server, result))
      },
      complaints: () => [...new Set(server.flatMap((variant) => variantRows.get(variant)!.complaints))].slice(0, 4),
    }
  }

  function isBad(one: Fault | Variant): boolean {
    const row = 'turnsRed' in one ? faultRows.get(one) : variantRows.get(one)
    return row!.complaints.length > 0
  }

  /** `next`: what follows for a server with complaints. */
  async function examine(examinations: readonly Examination[], next?: string): Promise<void> {
    if (examinations.length === 0) return
    const progress = showProgress(process.stderr)
    progress.collected?.(examinations.length)
    const byJob = new Map(examinations.map((each) => [each.job, each]))
    await doAll([...byJob.keys()], processes, (job, result) => {
      const { note, complaints } = byJob.get(job)!
      note(result)
      keep?.(rowsSoFar())
      const [name, found] = [nameOf(job.server), complaints()]
      progress.ended?.(name, found.length > 0)
      const lines = next === undefined ? found : [...found, next]
      // printed at once, although the next run may clear it
      if (found.length > 0) process.stderr.write(`${name}\n${lines.map((each) => `  ${each}\n`).join('')}`)
    })
    progress.clear()
  }
}
