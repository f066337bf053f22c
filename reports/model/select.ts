import type { Outcome, Report, Requirement } from '../../schemas/types.ts'

/** The requirements with one outcome. */
export function told(requirements: readonly Requirement[], outcome: Outcome): Requirement[] {
  return requirements.filter((requirement) => requirement.outcome === outcome)
}

/** How many requirements could not be told because of one. */
export function blockedCount(id: string, requirements: readonly Requirement[]): number {
  return requirements.filter(({ blockedBy }) => blockedBy === id).length
}

/** What blocks most comes first: the cause before its consequences. */
export function worstFirst(some: readonly Requirement[], all: readonly Requirement[]): Requirement[] {
  return [...some].sort((a, b) => blockedCount(b.id, all) - blockedCount(a.id, all))
}

/** Why the failure of a requirement is known and excused, and until when; undefined where it is not. */
export function excuseOf({ baseline }: Report, id: string): string | undefined {
  const stale = baseline?.stale.some((one) => one.id === id)
  const known = stale ? undefined : baseline?.covered.find((one) => one.id === id)
  return known && `${known.reason} (${known.owner}, until ${known.expires})`
}

/** What keeps a run from being taken as it is, besides its rows: it is not whole, or its baseline no longer fits. */
export function problemsOf({ problems, baseline }: Report): string[] {
  return [...problems, ...(baseline?.stale ?? []).map(({ id, why }) => `the baseline is stale: ${id} ${why}`)]
}

/** What is said of a requirement besides its own words, each fact with its name; all of it may be the target's. */
export function factsOf(one: Requirement, all: readonly Requirement[]): [name: string, text: string][] {
  const count = blockedCount(one.id, all)
  const facts = {
    note: one.note,
    expected: one.expected,
    got: one.got,
    where: one.where,
    'blocked by': one.blockedBy,
    blocks: count > 0 ? `${count} others` : undefined,
    observed: one.observed,
  }
  return Object.entries(facts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))
}

/** The flags by which a run was asked for a part alone; empty where it was asked for everything. */
export function askedFor({ selection, readOnly }: Pick<Report, 'selection' | 'readOnly'>): string {
  const { only, skip, profiles, shard } = selection
  const flags = { '--only': only, '--skip': skip, '--profile': profiles }
  return [
    ...Object.entries(flags).flatMap(([flag, words]) => words.map((word) => `${flag} ${word}`)),
    ...(shard ? [`--shard ${shard.index}/${shard.of}`] : []),
    ...(readOnly ? ['--read-only'] : []),
  ].join(' ')
}

/** The shortest word on why a requirement did not pass. */
export function headline({ expected, got, note, blockedBy, says }: Requirement): string {
  if (blockedBy !== undefined) return `blocked by ${blockedBy}`
  if (expected !== undefined && got !== undefined) return `expected ${expected}, got ${got}`
  return note ?? says
}
