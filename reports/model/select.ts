import { counted } from '../../schemas/counted.ts'
import { present } from '../../schemas/present.ts'
import type { Outcome, Report, Requirement } from '../../schemas/types.ts'
import { command, shellWord } from '../text/curl.ts'
import { claimsOf } from './claims.ts'
import { saidOf } from './finding.ts'

/** The requirements with one outcome. */
export function withOutcome(requirements: readonly Requirement[], outcome: Outcome): Requirement[] {
  return requirements.filter((requirement) => requirement.outcome === outcome)
}

/** How many requirements are blocked by one. */
export function blockedCount(id: string, requirements: readonly Requirement[]): number {
  return requirements.filter(({ blockedBy }) => blockedBy === id).length
}

/** What blocks most comes first: the cause before its consequences. */
export function worstFirst(some: readonly Requirement[], all: readonly Requirement[]): Requirement[] {
  const counts = new Map<string, number>()
  for (const { blockedBy } of all) if (blockedBy !== undefined) counts.set(blockedBy, (counts.get(blockedBy) ?? 0) + 1)
  return [...some].sort((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0))
}

/** A claim that does not hold, with the kinds on which it does not: the first shows it. */
export interface Finding {
  claim: string
  cells: [Requirement, ...Requirement[]]
}

/** The findings with one outcome, causes first, a claim once. */
export function findingsWith(outcome: Outcome, requirements: readonly Requirement[]): Finding[] {
  return claimsOf(worstFirst(withOutcome(requirements, outcome), requirements)).map(({ id, cells }) => ({
    claim: id,
    cells: cells as Finding['cells'],
  }))
}

/** What did not hold, worst first: failures before errors before warnings, causes before their consequences. */
export function findingsOf({ requirements }: Pick<Report, 'requirements'>): Finding[] {
  return (['fail', 'error', 'warning'] as const).flatMap((outcome) => findingsWith(outcome, requirements))
}

/** Why the failure of a requirement is known and excused, and until when; undefined if it is not. */
export function excuseOf({ baseline }: Report, id: string): string | undefined {
  const stale = baseline?.stale.some((one) => one.id === id)
  const known = stale ? undefined : baseline?.covered.find((one) => one.id === id)
  return known && `${known.reason} (${known.owner}, until ${known.expires})`
}

/**
 * Why a run cannot be accepted as it is, apart from its rows: it is not whole, it left something behind, or its baseline
 * no longer fits.
 */
export function problemsOf({ problems, left, baseline }: Report): string[] {
  const behind = left.map((uid) => `left behind in the target: ${uid}`)
  return [
    ...problems,
    ...behind,
    ...(baseline?.stale ?? []).map(({ id, why }) => `the baseline is stale: ${id} ${why}`),
  ]
}

/** What is known of a requirement besides its claim, each fact with its name; all of it may be the target's. */
export function factsOf(one: Requirement, all: readonly Requirement[]): [name: string, text: string][] {
  const count = blockedCount(one.id, all)
  const { expected, got, note } = saidOf(one)
  const facts = present({
    contract: one.quote,
    expected,
    got,
    where: one.where,
    note,
    'blocked by': one.blockedBy,
    blocks: count > 0 ? counted(count, 'other') : undefined,
    observed: one.observed,
  })
  return Object.entries(facts).map(([name, text]) => [name, String(text)])
}

/** The version of v2 that is examined where none is named. */
export const usualVersion = 'v2beta1'

const overWhat = ({ transport }: Report['selection']) => (transport ? [`--transport ${transport}`] : [])

/** The flags that limited a run to a part; empty if it was asked for everything. */
export function askedFor({ selection, readOnly }: Pick<Report, 'selection' | 'readOnly'>): string {
  const { only, skip, profiles, shard } = selection
  const flags = { '--only': only, '--skip': skip, '--profile': profiles }
  return [
    ...Object.entries(flags).flatMap(([flag, words]) => words.map((word) => `${flag} ${shellWord(word)}`)),
    ...(shard ? [`--shard ${shard.index}/${shard.of}`] : []),
    ...(readOnly ? ['--read-only'] : []),
    ...overWhat(selection),
  ].join(' ')
}

/** The shortest words on why a requirement did not pass. */
export function headline(one: Requirement): string {
  if (one.blockedBy !== undefined) return `blocked by ${one.blockedBy}`
  const { expected, got } = saidOf(one)
  return expected !== undefined && got !== undefined ? `expected ${expected}, got ${got}` : (one.note ?? one.says)
}

/**
 * The command that reproduces some requirements from scratch: the whole run, if one of them judges all calls. It names
 * the address, because without any setting the embedded reference would be examined instead.
 */
export function rerunOf(
  some: readonly Requirement[],
  report: Pick<Report, 'target' | 'seed' | 'selection' | 'readOnly' | 'explored'>,
): string {
  const found = report.explored?.findings.find(({ row }) => row === some[0]?.id)
  if (found) return `${command} replay ${shellWord(found.file)}`
  const { target, seed, selection, readOnly } = report
  const picked = ['--only', ...some.map(({ id }) => shellWord(id))]
  const these = [...picked, ...(readOnly ? ['--read-only'] : []), ...overWhat(selection)].join(' ')
  const asked = some.some(({ judges }) => judges === 'whole run') ? askedFor(report) : these
  return [
    `${command} run`,
    ...(target.embedded ? [] : [`--base-url ${shellWord(target.baseUrl)}`]),
    ...(asked === '' ? [] : [asked]),
    ...(target.apiVersion === usualVersion ? [] : [`--api-version ${shellWord(target.apiVersion)}`]),
    `--seed ${seed}`,
  ].join(' ')
}
