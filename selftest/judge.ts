import { matchesGlob } from '../helpers/requirement/selection.ts'
import type { Fault, Variant } from '../reference/fault.ts'
import type { Outcome, Report } from '../schemas/types.ts'

/** One requirement as a run judged it. */
export interface Row {
  id: string
  outcome: Outcome
  statement: string
  note?: string
  /** True if it did not hold either, but a more basic requirement is red and says why. */
  overshadowed?: true
}

/** The result of a run against a server whose faults or choices are known. */
export interface Examined {
  rows: Row[]
  verdict: string
  problems: string[]
  ms: number
}

/** The part of a report that is compared with what is known about the server. */
export function examinedAs({ requirements, verdict, problems, durationMs }: Report): Examined {
  const rows = requirements.map(({ id, outcome, statement, note, blockedBy, expected, got }) => ({
    id,
    outcome,
    statement,
    ...(note === undefined ? {} : { note: got === undefined ? note : `${note}; expected ${expected}; got ${got}` }),
    ...(blockedBy === undefined || expected === undefined ? {} : { overshadowed: true as const }),
  }))
  return { rows, verdict, problems, ms: durationMs }
}

/** The rows of the model: it judges every answer, so any fault may turn them red. */
export const isModelRow = ({ id }: Pick<Row, 'id'>) => id.startsWith('model.')

const isRed = ({ outcome }: Row) => outcome === 'fail' || outcome === 'warning'

/** The ids of the requirements that did not hold, red or overshadowed by a red one, in the order of the contract. */
export const foundBy = ({ rows }: Examined): string[] =>
  rows.filter((row) => isRed(row) || row.overshadowed === true).map(({ id }) => id)

/**
 * What is wrong with how a fault was found, a line each: requirements that it names but that held, others that turned
 * red, and errors of the suite itself.
 */
export function complaintsOnFault({ turnsRed, spreadsTo }: Fault, examined: Examined): string[] {
  const red = examined.rows.filter(isRed)
  const found = foundBy(examined)
  const isNamed = (id: string) => [...turnsRed, ...spreadsTo].some((glob) => matchesGlob(id, glob))
  return [
    ...(red.length === 0 ? ['missed: nothing is red'] : []),
    ...turnsRed.filter((glob) => !found.some((id) => matchesGlob(id, glob))).map((glob) => `missed: ${glob}`),
    ...red.filter((row) => !isNamed(row.id) && !isModelRow(row)).map(({ id, note }) => `also red: ${id}: ${note}`),
    ...errorsIn(examined),
  ]
}

/**
 * What is wrong with how a lawful server was judged, a line each: what it is accused of, missing warnings that its
 * choices call for, and errors of the suite itself.
 */
export function complaintsOnVariants(together: readonly Variant[], examined: Examined): string[] {
  const warns = together.flatMap((variant) => variant.warns)
  const red = examined.rows.filter(isRed)
  // one choice may hide from the suite what another would make it warn about
  const due = together.length > 1 ? [] : together.flatMap((variant) => (variant.mayWarn ? [] : variant.warns))
  return [
    ...red.filter(({ id }) => !warns.includes(id)).map(({ id, note }) => `accused: ${id}: ${note}`),
    ...due.filter((id) => !red.some((row) => row.id === id)).map((id) => `does not warn: ${id}`),
    ...(examined.verdict === 'undetermined' ? ['the verdict is undetermined'] : []),
    ...errorsIn(examined),
  ]
}

function errorsIn({ rows, problems }: Examined): string[] {
  const errors = rows.filter(({ outcome }) => outcome === 'error')
  return [...errors.map(({ id, note }) => `error: ${id}: ${note}`), ...problems]
}
