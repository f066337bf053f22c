import { counted } from '../../schemas/counted.ts'
import { present } from '../../schemas/present.ts'
import type { Outcome, Report, Requirement } from '../../schemas/types.ts'
import { whyUndecided } from '../judge/remedies.ts'
import { command, shellWord } from '../text/curl.ts'
import { claimsOf } from './claims.ts'
import { saidOf } from './finding.ts'
import { groupBy } from './report.ts'

/** The requirements with one outcome. */
export function withOutcome(requirements: readonly Requirement[], outcome: Outcome): Requirement[] {
  return requirements.filter((requirement) => requirement.outcome === outcome)
}

/** The requirements that are blocked by one of some. */
export function blockedBy(some: readonly Requirement[], requirements: readonly Requirement[]): Requirement[] {
  const ids = new Set(some.map(({ id }) => id))
  return requirements.filter((one) => one.blockedBy !== undefined && ids.has(one.blockedBy))
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

/**
 * What did not hold, a claim once, worst first: failures before errors before warnings, causes before their
 * consequences.
 */
export function findingsOf({ requirements }: Pick<Report, 'requirements'>): Finding[] {
  const red = (['fail', 'error', 'warning'] as const).flatMap((outcome) =>
    worstFirst(withOutcome(requirements, outcome), requirements),
  )
  return claimsOf(red).map(({ id, cells }) => ({ claim: id, cells: cells as Finding['cells'] }))
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
  const count = blockedBy([one], all).length
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

/** What could not be decided, by its reason: refusals by operation, status and code; the most first. */
export function undecidedIn(rows: readonly Requirement[], report: Report): { reason: string; rows: Requirement[] }[] {
  const groups = groupBy(rows, (one) => inForm(whyUndecided(one, report)))
  return [...groups.values()]
    .map((own) => ({ reason: whyUndecided(own[0]!, report), rows: own }))
    .sort((a, b) => b.rows.length - a.rows.length)
}

/** A reason without what differs from call to call: of the body of a refusal only its code is left, and no uid. */
const inForm = (reason: string) =>
  reason
    .replace(/(?<=answered \d{3})( without the resource [^\s:]+)?: .*?(?=; the token seems |$)/s, (body) => {
      const [, code] = /"code":\s*(\d+)/.exec(body) ?? []
      return code === undefined ? '' : ` code ${code}`
    })
    .replace(/( as | that )'[^\s']{8,}'/g, '$1…')

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

/** What to know before the calls of the findings are sent again. */
export function aboutCalls(report: Report): string[] {
  const calls = findingsOf(report).flatMap(({ cells: [one] }) => one.exchanges ?? [])
  if (calls.length === 0 || report.kept || report.readOnly || report.explored) return []
  const ended = report.target.embedded
    ? `The embedded reference ended with the run: to send these calls again, run against one that stays, ${command} serve`
    : 'The groups in these calls were deleted at the end of the run. To send a call again, add --keep to its rerun command.'
  const hasHidden = calls.some(({ request }) => /<[\w -]+>/.test(Object.values(request.headers).join(' ')))
  return [ended, ...(hasHidden ? ['A token in <…> is never written down: its rerun command requests another.'] : [])]
}
