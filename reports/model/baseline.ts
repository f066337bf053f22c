import type { Baseline, BaselineReport, Report, Requirement } from '../../schemas/types.ts'
import { fingerprintOf, hasFingerprint } from './fingerprint.ts'

/** The text of a new entry until somebody fills it in. */
const placeholder = 'TODO'

const isRed = ({ outcome }: Requirement) => outcome === 'fail' || outcome === 'warning'
const isPlaceholder = (text: string) => text.trim().startsWith(placeholder)

/** Holds a run against a baseline; `known` are the suite's ids by those that they were before, `today` is a day such as `2026-11-30`. */
export function applyBaseline(
  { requirements }: Pick<Report, 'requirements'>,
  { deviations }: Baseline,
  known: ReadonlyMap<string, string>,
  today: string,
): BaselineReport {
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
    if (!known.has(id)) complain('is not a requirement of this suite: remove it, or correct the id')
    if (expires < today) complain(`was excused until ${expires}: mend the target, or agree on another day`)
    if (row && isRed(row)) {
      covered.push(entry)
      if (!hasFingerprint(row, fingerprint))
        complain(
          `fails differently (${fingerprintOf(row)} instead of ${fingerprint}): look at it, then update the baseline`,
        )
    } else if (row && ['pass', 'observed'].includes(row.outcome)) complain('passes now: remove it')
    else if (row) remarks.push(`${id} was inconclusive in this run: its entry is kept`)
    for (const name of ['reason', 'owner'] as const)
      if (isPlaceholder(entry[name])) remarks.push(`${id} has no ${name} yet: fill it in`)
  }
  return { covered, stale, remarks }
}

/** What an update does to a baseline. */
export interface Updated {
  baseline: Baseline
  added: string[]
  dropped: string[]
  refreshed: string[]
}

/**
 * The baseline that fits a report: entries keep their reason, link, owner and day; those that pass now or are unknown
 * go; failed musts that have none get one whose reason and owner are to be filled in.
 */
export function updateBaseline(
  { requirements, seed }: Pick<Report, 'requirements' | 'seed'>,
  { deviations: written }: Baseline,
  known: ReadonlyMap<string, string>,
  expires: string,
): Updated {
  const rows = new Map(requirements.map((one) => [known.get(one.id) ?? one.id, one]))
  const old = written.map((entry) => ({ ...entry, id: known.get(entry.id) ?? entry.id }))
  const kept = old.filter(({ id }, at) => {
    const row = rows.get(id)
    const first = old.findIndex((other) => other.id === id) === at
    return first && known.has(id) && (row === undefined || !['pass', 'observed'].includes(row.outcome))
  })
  const fresh = kept.map((entry) => {
    const row = rows.get(entry.id)
    return row && isRed(row) ? { ...entry, fingerprint: fingerprintOf(row) } : entry
  })
  const there = new Set(kept.map(({ id }) => id))
  const added = requirements
    .filter(({ id, outcome }) => outcome === 'fail' && !there.has(id))
    .map((row) => ({
      id: row.id,
      reason: `${placeholder}: why this deviation is known and for now accepted`,
      owner: `${placeholder}: who answers for it`,
      expires,
      fingerprint: fingerprintOf(row),
    }))
  const deviations = [...fresh, ...added].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return {
    baseline: { baselineVersion: 1, seed, deviations },
    added: added.map(({ id }) => id),
    dropped: [...new Set(old.map(({ id }) => id))].filter((id) => !there.has(id)),
    refreshed: kept.flatMap(({ id, fingerprint }) => {
      const row = rows.get(id)
      return row && isRed(row) && !hasFingerprint(row, fingerprint) ? [id] : []
    }),
  }
}

/** What a report says of its baseline, a line each; nothing where there was none. */
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
