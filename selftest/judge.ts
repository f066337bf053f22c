import { matchesGlob } from '../helpers/requirement/selection.ts'
import type { Fault, Variant } from '../reference/replace.ts'
import type { Outcome } from '../reports/judge/outcome.ts'
import type { Report } from '../reports/model/report.ts'

/** One requirement as a run left it. */
export interface Told {
  id: string
  outcome: Outcome
  statement: string
  note?: string
  /** True where it did not hold either, and gives way to the plainer requirement that says why. */
  behind?: true
}

/** What a run says of a server whose faults or choices are known. */
export interface Examined {
  told: Told[]
  verdict: string
  problems: string[]
  ms: number
}

/** What a report says, as far as it is compared with what is known of the server. */
export function examinedAs({ requirements, verdict, problems, durationMs }: Report): Examined {
  const told = requirements.map(({ id, outcome, statement, note, blockedBy, expected }) => ({
    id,
    outcome,
    statement,
    ...(note === undefined ? {} : { note }),
    ...(blockedBy === undefined || expected === undefined ? {} : { behind: true as const }),
  }))
  return { told, verdict, problems, ms: durationMs }
}

const isFound = (row: Told) => isRed(row) || row.behind === true

const isRed = ({ outcome }: Told) => outcome === 'fail' || outcome === 'warning'

/** The ids of the requirements that did not hold, red or behind a red one, in the order of the contract. */
export const foundBy = ({ told }: Examined): string[] => told.filter(isFound).map(({ id }) => id)

/** True for a row of the model: no fault names it, for any may show there. */
export const isOfModel = (id: string) => id.startsWith('model.')

/**
 * Which of the requirements that a fault names held although it is there, what else turned red, and what of ours broke, a
 * line each. One that gives way to a plainer red one did not hold.
 */
export function complaintsOnFault({ turnsRed, spreadsTo }: Fault, examined: Examined): string[] {
  const red = examined.told.filter(isRed)
  const found = foundBy(examined)
  const named = (id: string) => [...turnsRed, ...spreadsTo].some((glob) => matchesGlob(id, glob))
  return [
    ...(red.length === 0 ? ['missed: nothing is red'] : []),
    ...turnsRed.filter((glob) => !found.some((id) => matchesGlob(id, glob))).map((glob) => `missed: ${glob}`),
    // the model judges every answer: whatever is wrong shows there, too
    ...red.filter(({ id }) => !named(id) && !isOfModel(id)).map(({ id, note }) => `also red: ${id}: ${note}`),
    ...broken(examined),
  ]
}

/** What a lawful server is accused of, what it was to make warn and did not, and what of ours broke, a line each. */
export function complaintsOnVariants(together: readonly Variant[], examined: Examined): string[] {
  const warns = together.flatMap((variant) => variant.warns)
  const red = examined.told.filter(isRed)
  // what one choice makes warn, another may keep from being told
  const untold = examined.told.filter(({ outcome }) => together.length > 1 && outcome === 'inconclusive')
  const due = warns.filter((id) => !untold.some((row) => row.id === id))
  return [
    ...red.filter(({ id }) => !warns.includes(id)).map(({ id, note }) => `accused: ${id}: ${note}`),
    ...due.filter((id) => !red.some((row) => row.id === id)).map((id) => `does not warn: ${id}`),
    ...(examined.verdict === 'undetermined' ? ['nothing could be told: the verdict is undetermined'] : []),
    ...broken(examined),
  ]
}

function broken({ told, problems }: Examined): string[] {
  const errors = told.filter(({ outcome }) => outcome === 'error')
  return [...errors.map(({ id, note }) => `error: ${id}: ${note}`), ...problems]
}
