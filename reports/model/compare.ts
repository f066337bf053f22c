import type { Change, ChangeKind, ComparedReport, Comparison, Report, Requirement } from '../../schemas/types.ts'
import { verdictLine } from '../judge/verdict.ts'
import { failureText } from './fingerprint.ts'
import { askedFor } from './select.ts'

const isRed = ({ outcome }: Requirement) => outcome === 'fail' || outcome === 'warning'
const isUndecided = ({ outcome }: Requirement) => ['inconclusive', 'not offered', 'error'].includes(outcome)

/** True if a run was asked for a requirement that another report, its holder, has. */
export type Asks = (report: Report, row: Requirement, holder: Report) => boolean

/**
 * Compares reports in the order given; those with one name are of one target, unless a matrix is asked for. A report
 * does not miss what `asks` denies; without it, a report of a part misses nothing.
 */
export function compareReports(
  reports: readonly Report[],
  matrix = false,
  asks: Asks = (report) => askedFor(report) === '',
): Comparison {
  const of = !matrix && new Set(reports.map(({ target }) => target.name)).size === 1 ? 'time' : 'matrix'
  const present = new Map(
    reports.flatMap(({ requirements }) =>
      requirements.flatMap(({ id, formerly = [] }) => formerly.map((old) => [old, id] as const)),
    ),
  )
  const nameOf = ({ id }: Requirement) => present.get(id) ?? id
  const inEach = reports.map(({ requirements }) => new Map(requirements.map((one) => [nameOf(one), one])))
  const known = new Map(inEach.flatMap((own) => [...own]))
  const holders = new Map(inEach.flatMap((own, at) => [...own.keys()].map((id) => [id, reports[at]!] as const)))
  // what a run was not asked for is neither removed nor added
  const isUnasked = (id: string, at: number) =>
    !inEach[at]!.has(id) && !asks(reports[at]!, known.get(id)!, holders.get(id)!)
  const changes = inEach.slice(1).flatMap((now, at) =>
    [...known.keys()].flatMap((id) => {
      if (isUnasked(id, at) || isUnasked(id, at + 1)) return []
      return changesOf(inEach[at]!.get(id), now.get(id)).map((change) => ({ id, at: at + 1, ...change }))
    }),
  )
  const former = reports.flatMap(({ requirements }) => requirements.filter(({ id }) => present.has(id)))
  return {
    comparisonVersion: 1,
    of,
    columns: reports.map(columnOf),
    rows: [...known].map(([id, { level, statement, says }]) => {
      const cells = inEach.map((own) => own.get(id))
      const outcomes = cells.map((cell) => cell?.outcome ?? null)
      const observed = cells.map((cell) => cell?.observed ?? null)
      const said = cells.filter((_, at) => !isUnasked(id, at))
      const [ends, seen] = [said.map((cell) => cell?.outcome), said.map((cell) => cell?.observed)]
      const differs = new Set(ends).size > 1 || new Set(seen).size > 1
      return { id, level, statement, says, outcomes, observed, differs }
    }),
    renamed: [...new Set(former.map(({ id }) => id))].map((before) => ({
      before,
      now: present.get(before)!,
    })),
    changes: of === 'time' ? changes : changes.filter((change) => losesMust(change, inEach[change.at - 1]!)),
  }
}

function columnOf(report: Report): ComparedReport {
  const { target, suite, startedAt, verdict, totals } = report
  const asked = askedFor(report)
  const { name, version } = target
  const line = verdictLine(verdict, totals)
  return {
    name,
    version,
    suite: `${suite.name} ${suite.version}`,
    startedAt,
    verdict,
    line,
    ...(asked === '' ? {} : { asked }),
  }
}

/** True if a later suite no longer requires what an earlier one did: no difference between the targets. */
function losesMust({ id, kind }: Change, before: ReadonlyMap<string, Requirement>): boolean {
  return kind === 'lowered' || (kind === 'removed' && before.get(id)?.level === 'must')
}

function changesOf(before: Requirement | undefined, now: Requirement | undefined): Omit<Change, 'id' | 'at'>[] {
  if (before === undefined && now === undefined) return []
  if (before === undefined) return [{ kind: 'added', now: `${now!.level}, ${wordsOf(now!)}` }]
  if (now === undefined) return [{ kind: 'removed', before: `${before.level}, ${wordsOf(before)}` }]
  const kind = kindOf(before, now)
  const isLowered = before.level === 'must' && now.level !== 'must'
  return [
    ...(kind === undefined ? [] : [{ kind, before: wordsOf(before), now: wordsOf(now) }]),
    ...(isLowered ? [{ kind: 'lowered' as const, before: before.level, now: now.level }] : []),
  ]
}

function kindOf(before: Requirement, now: Requirement): ChangeKind | undefined {
  if (isRed(now)) {
    if (!isRed(before) || (before.outcome === 'warning' && now.outcome === 'fail')) return 'broken'
    return failureText(before) === failureText(now) ? undefined : 'different'
  }
  if (isUndecided(now)) return isUndecided(before) ? undefined : 'lost'
  if (isRed(before)) return 'fixed'
  if (isUndecided(before)) return 'told'
  return before.observed === now.observed ? undefined : 'observation'
}

function wordsOf({ outcome, observed, expected, got, note, blockedBy }: Requirement): string {
  if (blockedBy !== undefined) return `${outcome}: blocked by ${blockedBy}`
  const said = observed ?? (expected === undefined && got === undefined ? note : `expected ${expected}, got ${got}`)
  return said === undefined ? outcome : `${outcome}: ${said}`
}

/** What is broken in the last report and was not in an earlier one. */
export function regressions({ changes, rows }: Comparison): string[] {
  const redAtLast = new Set(
    rows.flatMap(({ id, outcomes }) => (['fail', 'warning'].includes(outcomes.at(-1) ?? '') ? [id] : [])),
  )
  const broken = changes.flatMap(({ kind, id }) => (kind === 'broken' && redAtLast.has(id) ? [id] : []))
  return [...new Set(broken)]
}

/** The kinds of change, worst first. */
export const changeKinds: readonly ChangeKind[] = [
  'broken',
  'fixed',
  'different',
  'lost',
  'told',
  'observation',
  'added',
  'removed',
  'lowered',
]

/** What a reader of a comparison should know before the rest. */
export function remarksOn({ renamed, columns }: Comparison): string[] {
  const suites = new Set(columns.map(({ suite }) => suite))
  return [
    ...columns.flatMap(({ asked }, at) =>
      asked === undefined ? [] : [`Report ${at + 1} covers only a part (${asked}): the rest is not compared.`],
    ),
    ...(suites.size > 1
      ? [`They were made by different suites (${[...suites].join(', ')}): a difference may be the suite's own.`]
      : []),
    ...renamed.map(({ before, now }) => `${before} is called ${now} now.`),
  ]
}
