import type { Baseline, BaselineReport, Report, Requirement } from '../../schemas/types.ts'
import { fingerprintOf, hasFingerprint } from './fingerprint.ts'

/** The texts that people write into an entry, as they are until then; the same as in release 0.1.0. */
export const unwritten = {
  reason: 'TODO: why this deviation is known and for now accepted',
  owner: 'TODO: who answers for it',
} as const

/** What the suite requires now: its present ids by every id that they have or had, and which of them are musts. */
export interface RequiredNow {
  known: ReadonlyMap<string, string>
  musts: ReadonlySet<string>
}

const isRed = ({ outcome }: Requirement) => outcome === 'fail' || outcome === 'warning'

/** True for a reason or an owner that somebody wrote: a word that is not `TODO`. */
export function isWritten(text: unknown): text is string {
  return typeof text === 'string' && /[\p{L}\p{N}]/u.test(text) && !/^\s*todo\b/i.test(text)
}

/** What became of a must that an earlier suite had; nothing if it still is one. */
function fateOf(id: string, { known, musts }: RequiredNow): string | undefined {
  const now = known.get(id)
  if (now === undefined) return 'was a must, and is no longer a requirement of this suite'
  return musts.has(now) ? undefined : 'was a must, and no longer is one'
}

/** Compares a run with a baseline; `today` is a day such as `2026-11-30`. */
export function applyBaseline(
  { requirements }: Pick<Report, 'requirements'>,
  { deviations, musts = [] }: Baseline,
  required: RequiredNow,
  today: string,
): BaselineReport {
  const { known } = required
  const rows = new Map(requirements.map((one) => [known.get(one.id) ?? one.id, one]))
  const covered: BaselineReport['covered'] = []
  const stale: BaselineReport['stale'] = []
  const remarks: string[] = []
  const seen = new Set<string>()
  for (const { fingerprint, ...written } of deviations) {
    const entry = { ...written, id: known.get(written.id) ?? written.id }
    const { id, expires } = entry
    if (id !== written.id) remarks.push(`${written.id} is called ${id} now: 'baseline update' writes it so`)
    const row = rows.get(id)
    const complain = (why: string) => stale.push({ id, why })
    if (seen.has(id)) complain('is listed twice: keep one of the entries')
    seen.add(id)
    if (!known.has(id) && !musts.includes(written.id))
      complain('is not a requirement of this suite: remove it, or correct the id')
    if (expires < today) complain(`was excused until ${expires}: fix the target, or agree on another day`)
    if (row && isRed(row)) {
      covered.push(entry)
      if (!hasFingerprint(row, fingerprint))
        complain(
          `fails differently (${fingerprintOf(row)} instead of ${fingerprint}): look at it, then update the baseline`,
        )
    } else if (row && ['pass', 'observed'].includes(row.outcome)) complain('passes now: remove it')
    else if (row) remarks.push(`${id} was inconclusive in this run: its entry is kept`)
  }
  for (const id of musts) {
    const fate = fateOf(id, required)
    if (fate !== undefined) stale.push({ id, why: `${fate}: read the changelog, then update the baseline` })
  }
  return { covered, stale, remarks }
}

/** The effect of an update on a baseline. */
export interface Updated {
  baseline: Baseline
  added: string[]
  dropped: string[]
  refreshed: string[]
  /** Entries that still need somebody to write their reason or owner. */
  unexplained: string[]
  /** Musts that the old baseline or the report knew, and what became of them. */
  gone: { id: string; why: string }[]
}

/** What an update writes into entries that lack it; the day only into new ones. */
export interface Texts {
  expires: string
  reason?: string
  owner?: string
}

/**
 * The baseline that fits a report: entries keep their reason, link, owner and day; those that pass now or are unknown
 * are dropped; failed musts without one get one.
 */
export function updateBaseline(
  { requirements, seed }: Pick<Report, 'requirements' | 'seed'>,
  { deviations: written, musts: before = [] }: Baseline,
  required: RequiredNow,
  { expires, reason = unwritten.reason, owner = unwritten.owner }: Texts,
): Updated {
  const { known, musts } = required
  const rows = new Map(requirements.map((one) => [known.get(one.id) ?? one.id, one]))
  const old = written.map((entry) => ({ ...entry, id: known.get(entry.id) ?? entry.id }))
  const kept = old.filter(({ id }, at) => {
    const row = rows.get(id)
    const first = old.findIndex((other) => other.id === id) === at
    return first && known.has(id) && (row === undefined || !['pass', 'observed'].includes(row.outcome))
  })
  const fresh = kept.map((entry) => {
    const row = rows.get(entry.id)
    const finding = {
      ...entry,
      reason: isWritten(entry.reason) ? entry.reason : reason,
      owner: isWritten(entry.owner) ? entry.owner : owner,
    }
    return row && isRed(row) ? { ...finding, fingerprint: fingerprintOf(row) } : finding
  })
  const there = new Set(kept.map(({ id }) => id))
  const added = [...rows]
    .filter(([id, { outcome }]) => outcome === 'fail' && known.has(id) && !there.has(id))
    .map(([id, row]) => ({ id, reason, owner, expires, fingerprint: fingerprintOf(row) }))
  const deviations = [...fresh, ...added].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const reported = requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : []))
  return {
    baseline: { baselineVersion: 1, seed, deviations, musts: [...musts].sort() },
    added: added.map(({ id }) => id),
    dropped: [...new Set(old.map(({ id }) => id))].filter((id) => !there.has(id)),
    refreshed: kept.flatMap(({ id, fingerprint }) => {
      const row = rows.get(id)
      return row && isRed(row) && !hasFingerprint(row, fingerprint) ? [id] : []
    }),
    unexplained: deviations.flatMap((one) => (isWritten(one.reason) && isWritten(one.owner) ? [] : [one.id])),
    gone: [...new Set([...before, ...reported])].flatMap((id) => {
      const why = fateOf(id, required)
      return why === undefined ? [] : [{ id, why }]
    }),
  }
}

/** What a report says of its baseline, a line each; nothing if there was none. */
export function baselineLines({ baseline, requirements }: Pick<Report, 'baseline' | 'requirements'>): string[] {
  if (baseline === undefined) return []
  const failed = requirements.filter(({ outcome }) => outcome === 'fail')
  const ids = new Set(baseline.covered.map(({ id }) => id))
  const count = failed.filter(({ id }) => ids.has(id)).length
  const rest = count === failed.length ? 'nothing else is broken' : `${failed.length - count} are new`
  return [
    ...baseline.covered.map(
      ({ id, reason, link, owner, expires }) =>
        `KNOWN ${id}: ${reason} (${owner}, until ${expires}${link === undefined ? '' : `, ${link}`})`,
    ),
    ...baseline.stale.map(({ id, why }) => `STALE ${id} ${why}`),
    ...baseline.remarks.map((remark) => `BASELINE ${remark}`),
    `BASELINE covers ${count} of ${failed.length} failed musts: ${rest}`,
  ]
}
