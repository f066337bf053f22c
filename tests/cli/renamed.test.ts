import { expect, test } from 'vitest'
import { collectHeaders, namesIn, renamed } from '../../cli/input/collect.ts'
import type { Header } from '../../helpers/requirement/header.ts'
import { selected } from '../../helpers/requirement/selection.ts'
import { comparisonToConsole } from '../../reports/formats/compare-console.ts'
import { comparisonToMarkdown } from '../../reports/formats/compare-markdown.ts'
import { comparisonToHtml } from '../../reports/formats/html/comparison.tsx'
import { applyBaseline, updateBaseline } from '../../reports/model/baseline.ts'
import { compareReports } from '../../reports/model/compare.ts'
import { fingerprintOf } from '../../reports/model/fingerprint.ts'
import type { Requirement } from '../../schemas/types.ts'
import { reportWith, row } from '../support/sample-report.ts'

const header: Header = {
  id: 'list.skip.echo',
  formerly: ['list.offset.echo', 'list.skipped'],
  level: 'must',
  statement: 'S4.23',
  quote: 'words of the contract',
  says: 'it echoes',
}
const other: Header = { ...header, id: 'list.skip.zero', formerly: [] }
const headers = [header, other]
const pick = (only: string[], skip: string[] = []) =>
  headers.filter((one) => selected(one, { only, skip, profiles: [] })).map(({ id }) => id)

const base = reportWith([row('broken')])
const now: Requirement = { ...base.requirements[0]!, id: header.id, formerly: header.formerly! }
const { formerly: _, ...then } = { ...now, id: 'list.skipped' }
const required = { known: namesIn(headers), musts: new Set(headers.map(({ id }) => id)) }

test('a requirement is picked and left out by what it was called before', () => {
  expect(pick(['list.skipped'])).toEqual([header.id])
  expect(pick(['list.offset.*', 'list.skip.zero'])).toEqual([header.id, other.id])
  expect(pick([], ['list.offset.*'])).toEqual([other.id])
  expect(renamed(['list.offset.*', 'list.skip.*', 'nothing'], headers)).toEqual([
    "'list.offset.*' is called list.skip.echo now.",
  ])
})

test('a baseline goes on excusing it, and says how it is called now', () => {
  const entry = {
    id: 'list.skipped',
    reason: 'r',
    owner: 'o',
    expires: '2026-12-31',
    fingerprint: fingerprintOf(now),
  }
  const old = { baselineVersion: 1 as const, deviations: [entry] }
  const requirements = [now]
  const held = applyBaseline({ requirements }, old, required, '2026-11-30')
  const updated = updateBaseline({ requirements, seed: 1 }, old, required, { expires: '2027-01-01' })

  expect(held.stale).toEqual([])
  expect(held.covered).toMatchObject([{ id: header.id, reason: 'r' }])
  expect(held.remarks).toEqual([expect.stringContaining('list.skipped is called list.skip.echo now')])
  expect(updated.baseline.deviations).toEqual([{ ...entry, id: header.id }])
  expect([updated.added, updated.dropped, updated.refreshed]).toEqual([[], [], []])
})

test('a comparison knows it again', () => {
  const comparison = compareReports([
    { ...base, requirements: [then] },
    { ...base, requirements: [now] },
  ])

  expect(comparison.changes).toEqual([])
  expect(comparison.rows).toMatchObject([{ id: header.id, outcomes: ['fail', 'fail'] }])
  for (const write of [comparisonToConsole, comparisonToMarkdown, comparisonToHtml])
    expect(write(comparison)).toContain('list.skipped is called list.skip.echo now')
})

test('no id was ever that of another requirement', async () => {
  const all = (await collectHeaders()).flatMap(({ id, formerly = [] }) => [id, ...formerly])

  expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([])
})
