import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { exitCodeFor } from '../../reports/judge/rejudge.ts'
import { applyBaseline, baselineLines, updateBaseline } from '../../reports/model/baseline.ts'
import { fingerprintOf } from '../../reports/model/fingerprint.ts'
import type { Baseline, Report, Requirement } from '../../schemas/types.ts'
import { requirement as row } from '../support/sample-report.ts'

const failed = (id = 'a.b', got = 'two') => row(id, 'fail', { expected: 'one', got })
const ids = ['a.a', 'a.b', 'a.c', 'a.d']
const required = { known: new Map(ids.map((id) => [id, id])), musts: new Set(ids) }
const texts = { expires: '2027-01-01' }
const today = '2026-11-30'
const entry = (of: Requirement = failed(), more = {}) => ({
  id: of.id,
  reason: 'the gateway does it',
  owner: 'team a',
  expires: '2026-12-31',
  fingerprint: fingerprintOf(of),
  ...more,
})
const baselineOf = (...deviations: Baseline['deviations']): Baseline => ({ baselineVersion: 1, deviations })
const held = (requirements: Requirement[], ...deviations: Baseline['deviations']) =>
  applyBaseline({ requirements }, baselineOf(...deviations), required, today)

describe('a known deviation', () => {
  test.each<[string, Requirement[], Partial<Baseline['deviations'][0]>, RegExp[]]>([
    ['that fails as known', [failed()], {}, []],
    ['on its last day', [failed()], { expires: today }, []],
    ['whose day is over', [failed()], { expires: '2026-11-29' }, [/was excused until 2026-11-29/]],
    ['that passes', [row('a.b', 'pass')], {}, [/passes now: remove it/]],
    ['that fails differently', [failed('a.b', 'nothing')], {}, [/fails differently/]],
    ['that nobody knows', [failed()], { id: 'a.x' }, [/is not a requirement of this suite/]],
    ['that was not examined', [failed('a.c')], {}, []],
    ['that could not be decided', [row('a.b', 'inconclusive', { note: 'busy' })], {}, []],
  ])('%s', (_what, rows, more, stale) => {
    const came = held(rows, entry(failed(), more))

    expect(came.stale).toHaveLength(stale.length)
    for (const [at, why] of stale.entries()) expect(came.stale[at]!.why).toMatch(why)
  })

  test('that is listed twice is reported', () => {
    expect(held([failed()], entry(), entry()).stale).toEqual([
      { id: 'a.b', why: expect.stringContaining('is listed twice') },
    ])
  })
})

test('a must that the suite no longer has is stale, once, whether or not it was excused', () => {
  const renamed = { known: new Map([...required.known, ['a.old', 'a.a']]), musts: new Set(['a.a', 'a.b']) }
  const musts = ['a.old', 'a.b', 'a.c', 'a.x', 'a.y']
  const old = { ...baselineOf(entry(), entry(failed('a.x'))), musts }
  const { stale, covered } = applyBaseline({ requirements: [failed()] }, old, renamed, today)
  const { baseline, gone, dropped } = updateBaseline(
    { requirements: [failed(), failed('a.z'), row('a.d', 'warning', { level: 'should' })], seed: 1 },
    old,
    renamed,
    texts,
  )

  expect(covered).toMatchObject([{ id: 'a.b' }])
  expect(stale).toEqual([
    { id: 'a.c', why: expect.stringMatching(/^was a must, and no longer is one: /) },
    { id: 'a.x', why: expect.stringMatching(/^was a must, and is no longer a requirement of this suite: /) },
    { id: 'a.y', why: expect.stringMatching(/^was a must, and is no longer a requirement/) },
  ])
  expect([gone.map(({ id }) => id), dropped]).toEqual([['a.c', 'a.x', 'a.y', 'a.z'], ['a.x']])
  expect(baseline).toMatchObject({ deviations: [{ id: 'a.b' }], musts: ['a.a', 'a.b'] })
  expect(applyBaseline({ requirements: [failed()] }, baseline, renamed, today).stale).toEqual([])
})

describe('the exit code of a run with a baseline', () => {
  const reportOf = (requirements: Requirement[], more: Partial<Report> = {}) =>
    ({
      requirements,
      problems: [],
      left: [],
      selection: { only: [], skip: [], profiles: [] },
      ...more,
    }) as unknown as Report
  const stale = { covered: [], stale: [{ id: 'a.a', why: 'passes now' }], remarks: [] }
  const covering = { ...stale, covered: [entry()], stale: [] }
  const rows = [failed(), row('a.a', 'pass')]
  test.each<[number, Requirement[], Partial<Report>, boolean]>([
    [0, rows, { baseline: covering }, false],
    [1, rows, { baseline: stale }, true],
    [1, [...rows, failed('a.c')], { baseline: covering }, false],
    [4, rows, { baseline: { ...covering, stale: stale.stale } }, false],
    [4, rows, { baseline: { ...covering, stale: stale.stale }, problems: ['gone'], left: ['x'] }, true],
    [3, rows, { baseline: covering, problems: ['gone'], left: ['x'] }, false],
    [3, [...rows, row('a.d', 'inconclusive')], { baseline: covering }, true],
    [5, rows, { baseline: covering, left: ['x'] }, false],
    [1, rows, {}, false],
  ])('%i', (code, requirements, more, complete) =>
    expect(exitCodeFor(reportOf(requirements, more), complete)).toBe(code),
  )

  test('and the report says what is covered, and what is new', () => {
    const lines = baselineLines(reportOf([...rows, failed('a.c')], { baseline: covering }))

    expect(lines).toEqual([
      'KNOWN a.b: the gateway does it (team a, until 2026-12-31)',
      'BASELINE covers 1 of 2 failed musts: 1 are new',
    ])
  })
})

test('an update keeps what people wrote, adds what fails, drops what passes', () => {
  const rows = [failed('a.a', 'another'), failed('a.b'), row('a.c', 'pass'), row('a.d', 'warning')]
  const old = baselineOf(entry(failed('a.a')), entry(row('a.c', 'fail')), entry(row('a.x', 'fail')))
  const { baseline, added, dropped, refreshed } = updateBaseline({ requirements: rows, seed: 7 }, old, required, texts)

  expect([added, dropped, refreshed]).toEqual([['a.b'], ['a.c', 'a.x'], ['a.a']])
  expect(baseline).toMatchObject({
    seed: 7,
    deviations: [
      { id: 'a.a', reason: 'the gateway does it', owner: 'team a', expires: '2026-12-31' },
      {
        id: 'a.b',
        reason: expect.stringMatching(/^TODO/),
        owner: expect.stringMatching(/^TODO/),
        expires: '2027-01-01',
      },
    ],
  })
  expect(held(rows, ...baseline.deviations).stale).toEqual([])
})

test('an update writes the reason and the owner that it is given where nobody wrote one', () => {
  const rows = [failed('a.a'), failed('a.b'), failed('a.c')]
  const old = baselineOf(entry(failed('a.a')), entry(failed('a.b'), { reason: 'TODO: why' }))
  const update = (given: object) =>
    updateBaseline({ requirements: rows, seed: 1 }, old, required, { ...texts, ...given })
  const half = update({ reason: 'one cause' })

  expect(half.unexplained).toEqual(['a.c'])
  expect(half.baseline.deviations).toMatchObject([
    { reason: 'the gateway does it', owner: 'team a' },
    { reason: 'one cause', owner: 'team a' },
    { reason: 'one cause', owner: expect.stringMatching(/^TODO/) },
  ])
  expect(update({}).unexplained).toEqual(['a.b', 'a.c'])
  expect(update({ reason: 'one cause', owner: 'team b' }).unexplained).toEqual([])
})

describe('the fingerprint of a failure', () => {
  test.each([
    [
      'lost 1 of 5: \'qwertyuiaaaab\', "ab" at 2026-11-03T10:00:00.123Z',
      "lost 3 of 7: 'poiuytreaaazz' at 2026-12-24T20:30:00Z",
    ],
    ['["a","b","c"]', '["d"]'],
    ['was answered 200 {"name":"qwertyuia', 'was answered 200 {"uid":"b","na'],
    ['502 <html><title>Bad gateway</ti', '502 <html><title>Bad gateway</ti…'],
    ['{ "skipped": 10, "name": "x" }', '{ "skipped": 0, "name": "y" }'],
  ])('is the same for %j and %j', (one, other) => {
    expect(fingerprintOf(failed('a.b', other))).toBe(fingerprintOf(failed('a.b', one)))
  })

  test.each([
    ['was answered 404', 'was answered 500'],
    ['{ "skipped": 10 }', '{ "totalCount": 10 }'],
    ['undefined', '0'],
  ])('differs between %j and %j', (one, other) => {
    expect(fingerprintOf(failed('a.b', other))).not.toBe(fingerprintOf(failed('a.b', one)))
  })

  test('differs where a must fails that only warned, and not where a line of the spec moved', () => {
    const at = (where: string, outcome: Requirement['outcome'] = 'fail') =>
      fingerprintOf(row('a.b', outcome, { note: 'no', where }))

    expect(at('specs/lists/skip.spec.ts:12')).toBe(at('specs/4-lists.spec.ts:99'))
    expect(at('/groups/0/name')).not.toBe(at('/groups/1/uid'))
    expect(at('/a', 'warning')).not.toBe(at('/a'))
  })

  test('of release 0.1.0, which held the path of the spec, still counts', () => {
    const moved = row('a.b', 'fail', { expected: '10', got: '0', where: 'specs/lists/skip.spec.ts:9' })
    const old = entry(moved, { fingerprint: 'cb864f1e93f572c9' })

    expect(held([moved], old).stale).toEqual([])
    expect(updateBaseline({ requirements: [moved], seed: 1 }, baselineOf(old), required, texts)).toMatchObject({
      baseline: { deviations: [{ fingerprint: fingerprintOf(moved) }] },
      refreshed: [],
    })
    expect(held([{ ...moved, got: '{"skipped": 0}' }], old).stale).not.toEqual([])
  })
})

test('the schema of a baseline is sound, and its example follows it', () => {
  const schema = JSON.parse(readFileSync(join(packageRoot, 'schemas/baseline.json'), 'utf8'))
  const ajv = new Ajv2020({ strict: true, strictRequired: false })
  formats.default(ajv)

  expect(ajv.validate(schema, schema.examples[0])).toBe(true)
})
