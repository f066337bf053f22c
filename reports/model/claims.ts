import { counted } from '../../schemas/counted.ts'
import type { Requirement } from '../../schemas/types.ts'
import { groupBy } from './report.ts'

/** One claim: the requirements that ask the same of one kind or of several. */
export interface Claim {
  /** The id without its kind. */
  id: string
  /** One for each kind, in the order of the report. */
  cells: Requirement[]
}

/** The claims of some requirements, in the order of the report. */
export function claimsOf(requirements: readonly Requirement[]): Claim[] {
  return [...groupBy(requirements, ({ id }) => claimIn(id))].map(([id, cells]) => ({ id, cells }))
}

/** The claim in a requirement's id: what comes before its kind. */
function claimIn(id: string): string {
  return id.replace(/@.*$/, '')
}

/** The kind that a requirement asks about: what its id has after `@`, otherwise groups. */
export function kindIn(id: string): string {
  return /@(.+)$/.exec(id)?.[1] ?? 'groups'
}

/** The kind of a requirement, with its outcome where that is not the one of another on the same claim. */
export function kindOf({ id, outcome }: Requirement, other: Requirement): string {
  return outcome === other.outcome ? kindIn(id) : `${kindIn(id)} (${outcome})`
}

/** How many claims there are, and of how many kinds they are asked: `488 claims, asked of up to 11 kinds`. */
export function claimCount(ids: readonly string[]): string {
  const cells = groupBy(ids, claimIn)
  const widest = Math.max(0, ...[...cells.values()].map((own) => own.length))
  return `${counted(cells.size, 'claim')}${widest > 1 ? `, asked of up to ${widest} kinds` : ''}`
}

/** Some requirements by claim: `list.repeated (10 kinds)`, or the id itself where there is one. */
export function claimNames(requirements: readonly Pick<Requirement, 'id'>[]): string[] {
  return [...groupBy(requirements, ({ id }) => claimIn(id))].map(([claim, cells]) =>
    cells.length > 1 ? `${claim} (${cells.length} kinds)` : cells[0]!.id,
  )
}

/** What a target does without (R49): by how that was seen, the operations and the requirements about them. */
export function missingIn(
  requirements: readonly Requirement[],
): { seen: string; operations: string[]; rows: Requirement[] }[] {
  const said = /^this target does not offer (?<named>.+?)(?:: (?<seen>.*))?$/s
  const parts = ({ note = '' }: Requirement) => said.exec(note)?.groups ?? { named: note }
  return [...groupBy(requirements, (one) => parts(one).seen ?? '')].map(([seen, rows]) => ({
    seen,
    operations: [...new Set(rows.flatMap((one) => parts(one).named!.split(' or ')))].sort(),
    rows,
  }))
}
