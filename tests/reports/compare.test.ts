import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaProblems } from '../../cli/input/schema-problems.ts'
import { everything, wasAskedFor } from '../../cli/input/selections.ts'
import { faultNamed } from '../../reference/faults.ts'
import { comparisonToConsole } from '../../reports/formats/compare-console.ts'
import { comparisonToMarkdown } from '../../reports/formats/compare-markdown.ts'
import { comparisonToHtml } from '../../reports/formats/html/comparison.tsx'
import { compareReports, regressions } from '../../reports/model/compare.ts'
import type { ChangeKind, Report, Requirement } from '../../schemas/types.ts'
import { runSuite } from '../support/runs/built.ts'
import { ended, start } from '../support/runs/child.ts'
import { requirement } from '../support/sample-report.ts'
import { undescribedMembers } from '../support/undescribed-members.ts'

const row = (outcome: Requirement['outcome'], more: Partial<Requirement> = {}) => requirement('a.b', outcome, more)

const reportWith = (requirements: Requirement[], name = 'one'): Report =>
  ({
    requirements,
    verdict: 'partial',
    totals: {
      must: { passed: 0, total: 0 },
      should: { passed: 0, total: 0 },
      observed: 0,
      inconclusive: 0,
      error: 0,
    },
    target: { name, version: '1', baseUrl: 'http://a', apiVersion: 'v2', embedded: false },
    suite: { name: 's', version: '1' },
    selection: everything,
    startedAt: '2026-01-01T00:00:00.000Z',
  }) as unknown as Report

const over = (...outcomes: (Requirement | undefined)[]) =>
  compareReports(outcomes.map((one) => reportWith(one ? [one] : [])))

test('what a run was not asked for is neither gone nor new, and what blocks is named', () => {
  const [whole, blocked] = [
    reportWith([row('pass')]),
    row('inconclusive', { blockedBy: 'a.a', expected: '1', got: '2' }),
  ]
  const part = { ...reportWith([]), selection: { ...everything, only: ['b.*'] } }
  const over = compareReports([whole, part, whole])
  const lost = compareReports([whole, { ...reportWith([blocked]), suite: { name: 's', version: '2' } }])

  expect([over.changes, over.rows.map(({ differs }) => differs)]).toEqual([[], [false]])
  expect(comparisonToConsole(over)).toContain("Report 2 covers only a part (--only 'b.*')")
  expect(lost.changes).toMatchObject([{ kind: 'lost', now: 'inconclusive: blocked by a.a' }])
  expect(comparisonToMarkdown(lost)).toContain('made by different suites (s 1, s 2)')
})

describe('a must that a later suite lacks is shown', () => {
  const only = (...globs: string[]) => ({ ...everything, only: globs })
  const lacking = (selection: Report['selection'], target = 'one') => ({ ...reportWith([], target), selection })
  const whole = reportWith([row('pass')])
  const changes = (...reports: Report[]) =>
    compareReports(reports, false, wasAskedFor).changes.map(({ kind, before }) => `${kind}: ${before}`)

  test.each<[string, Report, string[]]>([
    ['where all was asked for', lacking(everything), ['removed: must, pass']],
    ['where it was asked for by name', lacking(only('a.*')), ['removed: must, pass']],
    ['where its shard was asked for', lacking({ ...everything, shard: { index: 1, of: 1 } }), ['removed: must, pass']],
    ['not where another was asked for', lacking(only('b.*')), []],
    ['not where it was left out', lacking({ ...everything, skip: ['a.b'] }), []],
    ['not where its profile was not asked for', lacking({ ...everything, profiles: ['sts'] }), []],
    ['not where calls went over gRPC for the first time', lacking({ ...everything, transport: 'grpc' }), []],
    ['beside other servers, too', lacking(everything, 'two'), ['removed: must, pass']],
  ])('%s', (_what, last, came) => expect(changes(whole, last)).toEqual(came))

  test('where it is no must any more, whatever else changed', () => {
    const warned = reportWith([row('warning', { level: 'should', note: 'no' })])

    expect(changes(whole, warned)).toEqual(['broken: pass', 'lowered: must'])
    expect(changes(whole, { ...warned, target: { ...warned.target, name: 'two' } })).toEqual(['lowered: must'])
    expect(changes(warned, whole)).toEqual(['fixed: warning: no'])
  })

  test('and is on every page', () => {
    const matrix = compareReports([whole, lacking(everything, 'two')], false, wasAskedFor)

    expect(comparisonToConsole(matrix)).toMatch(/^REMOVED +a\.b\n +before must, pass$/m)
    expect(comparisonToMarkdown(matrix)).toContain('| removed | `a.b` | 2 | `must, pass` |  |')
    expect(comparisonToHtml(matrix)).toContain('Requirements that are gone')
  })
})

describe('one target over time', () => {
  const failed = (got: string) => row('fail', { expected: 'one', got })
  const seen = (observed: string) => row('observed', { level: 'observe', observed })
  test.each<[ChangeKind | 'nothing', Requirement | undefined, Requirement | undefined, number]>([
    ['broken', row('pass'), failed('two'), 1],
    ['broken', row('inconclusive'), failed('two'), 1],
    ['broken', row('warning'), failed('two'), 1],
    ['fixed', failed('two'), row('pass'), 0],
    ['different', failed('two'), failed('three'), 0],
    ['nothing', failed('two'), failed('two'), 0],
    ['lost', row('pass'), row('inconclusive', { note: 'busy' }), 0],
    ['told', row('error', { note: 'gone' }), row('pass'), 0],
    ['observation', seen('200'), seen('400'), 0],
    ['nothing', seen('200'), seen('200'), 0],
    ['added', undefined, failed('two'), 0],
    ['removed', failed('two'), undefined, 0],
  ])('%s', (kind, before, now, count) => {
    const comparison = over(before, now)

    expect(comparison.changes.map((change) => change.kind)).toEqual(kind === 'nothing' ? [] : [kind])
    expect(regressions(comparison)).toHaveLength(count)
    expect(comparisonToConsole(comparison)).toMatch(new RegExp(`\\nCOMPARE broken=\\d.* regressions=${count}\\n$`))
  })

  test('what broke and was mended again is no regression', () => {
    expect(regressions(over(row('pass'), failed('two'), row('pass')))).toEqual([])
    expect(regressions(over(row('pass'), failed('two'), failed('two')))).toEqual(['a.b'])
  })
})

test('several implementations stand beside one another, what differs first', () => {
  const same = row('pass', { id: 'a.a' })
  const comparison = compareReports([
    reportWith([same, row('pass')], 'ours'),
    reportWith([same, row('fail'), row('observed', { id: 'a.c', observed: '200 | `x`' })], 'theirs'),
  ])

  expect([comparison.of, comparison.changes, regressions(comparison)]).toEqual(['matrix', [], []])
  expect(comparisonToMarkdown(comparison)).toMatch(
    /Not the same everywhere[\s\S]*`a\.b` \| must \| ✓ pass \| ✗ fail \|[\s\S]*`a\.c` \| must \| not examined \| 200 \\\| \\`x\\` \|[\s\S]*The same everywhere[\s\S]*`a\.a`/,
  )
  expect(comparisonToConsole(comparison)).toMatch(
    /a\.b: pass \| fail\n[\s\S]*COMPARE reports=2 requirements=3 differ=2\n$/,
  )
})

test('as JSON it follows its schema, which rejects what is none', () => {
  const comparison = compareReports([
    reportWith([row('pass'), row('pass', { id: 'a.c' })]),
    reportWith([row('fail', { expected: 'one', got: 'two' }), row('observed', { id: 'a.d', observed: '2' })]),
  ])
  const plain = JSON.parse(JSON.stringify(comparison))
  const problemsWith = (changes: object) => schemaProblems({ ...plain, ...changes }, 'comparison', 'it')

  expect(plain.rows[1]).toMatchObject({ outcomes: ['pass', null], observed: [null, null] })
  expect(plain.changes).toHaveLength(3)
  expect(problemsWith({})).toEqual([])
  expect(problemsWith({ comparisonVersion: 2 })).not.toEqual([])
  expect(problemsWith({ rows: [{ ...plain.rows[0], outcomes: ['well'] }] })).not.toEqual([])
  expect(problemsWith({ changes: [{ ...plain.changes[0], kind: 'other' }] })).not.toEqual([])
})

test('whatever a report holds is text in the page, and the page loads nothing', () => {
  const nasty = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000</table>`
  const one = reportWith([row('observed', { id: nasty, says: nasty, statement: nasty, observed: nasty })], nasty)
  const other = reportWith([row('fail', { id: nasty, expected: nasty, got: nasty })], nasty)
  const html = comparisonToHtml(compareReports([one, other]))

  expect(html).not.toMatch(/<script|<img|\u202e|\u0000|\b(src|href)="(?!#|data:,")/)
  expect(html.match(/<\/table>/g)).toHaveLength(3)
  expect(html).toContain("default-src 'none'")
})

describe('on the command line', () => {
  let folder = ''
  const report = (name: string) => `${name}/report.json`
  const compare = (...args: string[]) => ended(start(folder, ['compare', ...args]))
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rmapi compare '))
    const selection = { ...everything, only: ['list.skip.*'] }
    const options = { values: { RMAPI_SEED: '1' }, selection }
    await runSuite({ ...options, out: join(folder, 'sound') })
    const { rules } = faultNamed('skip is not echoed')
    await runSuite({ ...options, out: join(folder, 'broken'), embedded: { rules } })
    const part = { ...options, selection: { ...selection, shard: { index: 1, of: 1 } } }
    await runSuite({ ...part, out: join(folder, 'shard'), embedded: { rules } })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a regression is reported and ends with 1; the way back is a repair', async () => {
    const [worse, better, asJson, missing, single] = await Promise.all([
      compare(report('sound'), report('broken'), '--out', 'pages'),
      compare(report('broken'), report('sound')),
      compare(report('sound'), report('broken'), '--json', '--matrix'),
      compare(report('sound'), report('nowhere')),
      compare(report('sound')),
    ])

    expect(worse).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^BROKEN +list\.skip\.echo\n +before pass\n +now +fail: expected 10, got 0$/m),
      last: expect.stringMatching(/^COMPARE broken=(\d+) fixed=0 .* regressions=\1$/),
    })
    expect(better).toMatchObject({ code: 0, last: expect.stringMatching(/^COMPARE broken=0 fixed=[1-9]/) })
    expect([asJson.code, JSON.parse(asJson.stdout).of]).toEqual([0, 'matrix'])
    const overTime = readFileSync(join(folder, 'pages/compare.json'), 'utf8')
    expect(JSON.parse(overTime).changes.length).toBeGreaterThan(0)
    for (const text of [asJson.stdout, overTime]) expect(undescribedMembers(JSON.parse(text), 'comparison')).toEqual([])
    for (const name of ['sound', 'broken', 'shard']) {
      const written = JSON.parse(readFileSync(join(folder, report(name)), 'utf8'))
      expect(undescribedMembers(written, 'report')).toEqual([])
    }
    expect([missing.code, single.code]).toEqual([2, 2])
    expect(readFileSync(join(folder, 'pages/compare.html'), 'utf8')).toContain('id="list.skip.echo"')
    expect(readFileSync(join(folder, 'pages/compare.md'), 'utf8')).toContain('# One target over time')
  })
})
