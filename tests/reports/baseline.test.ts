import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { exitCodeFor } from '../../reports/judge/rejudge.ts'
import { applyBaseline, baselineLines, updateBaseline } from '../../reports/model/baseline.ts'
import { fingerprintOf } from '../../reports/model/fingerprint.ts'
import type { Baseline, Report, Requirement } from '../../schemas/types.ts'
import { type Environment, ended, settingsOf, start } from '../support/runs/child.ts'

const row = (id: string, outcome: Requirement['outcome'], more: Partial<Requirement> = {}): Requirement => ({
  id,
  level: 'must',
  profile: 'core',
  statement: 'S4.1',
  says: 'it is so',
  section: '4 Endpoints',
  outcome,
  requests: 1,
  ms: 1,
  ...more,
})
const failed = (id = 'a.b', got = 'two') => row(id, 'fail', { expected: 'one', got })
const known = new Map(['a.a', 'a.b', 'a.c', 'a.d'].map((id) => [id, id]))
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
  applyBaseline({ requirements }, baselineOf(...deviations), known, today)

describe('a known deviation', () => {
  test.each<[string, Requirement[], Partial<Baseline['deviations'][0]>, RegExp[]]>([
    ['that fails as known', [failed()], {}, []],
    ['on its last day', [failed()], { expires: today }, []],
    ['whose day is over', [failed()], { expires: '2026-11-29' }, [/was excused until 2026-11-29/]],
    ['that passes', [row('a.b', 'pass')], {}, [/passes now: remove it/]],
    ['that fails differently', [failed('a.b', 'nothing')], {}, [/fails differently/]],
    ['that nobody knows', [failed()], { id: 'a.x' }, [/is not a requirement of this suite/]],
    ['that was not examined', [failed('a.c')], {}, []],
    ['that could not be told', [row('a.b', 'inconclusive', { note: 'busy' })], {}, []],
  ])('%s', (_what, rows, more, stale) => {
    const came = held(rows, entry(failed(), more))

    expect(came.stale).toHaveLength(stale.length)
    for (const [at, why] of stale.entries()) expect(came.stale[at]!.why).toMatch(why)
  })

  test('that is listed twice, or is not filled in, is reported', () => {
    const came = held([failed()], entry(failed(), { reason: 'TODO: why', owner: 'TODO' }), entry())

    expect(came.stale).toEqual([{ id: 'a.b', why: expect.stringContaining('is listed twice') }])
    expect(came.remarks).toEqual(['a.b has no reason yet: fill it in', 'a.b has no owner yet: fill it in'])
  })
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
  const { baseline, added, dropped, refreshed } = updateBaseline(
    { requirements: rows, seed: 7 },
    old,
    known,
    '2027-01-01',
  )

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

describe('the fingerprint of a failure', () => {
  test.each([
    [
      'lost 1 of 5: \'qwertyuiaaaab\', "ab" at 2026-11-03T10:00:00.123Z',
      "lost 3 of 7: 'poiuytreaaazz' at 2026-12-24T20:30:00Z",
    ],
    ['["a","b","c"]', '["d"]'],
    ['was answered 200 {"name":"qwertyuia', 'was answered 200 {"uid":"b","na'],
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
    expect(updateBaseline({ requirements: [moved], seed: 1 }, baselineOf(old), known, today)).toMatchObject({
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

describe('on the command line', () => {
  let folder = ''
  const cli = (args: string[], environment?: Environment) => ended(start(folder, args, environment))
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rmapi baseline '))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a known state is green, whatever its names and uids, and any change is not', async () => {
    const [broken, sound] = [start(folder, ['serve', '--fault', 'skip is not echoed']), start(folder, ['serve'])]
    try {
      const [bad, good] = await Promise.all([broken, sound].map(settingsOf))
      const run = ['run', '--only', 'list.skip.*', '--out', 'out']
      await cli([...run, '--seed', '5'], bad)
      const update = ['baseline', 'update', 'out/report.json']
      const first = await cli(update)
      expect(first).toMatchObject({
        code: 0,
        last: expect.stringMatching(/^BASELINE baseline\.json deviations=\d+ added=\d+ /),
      })

      const held = [...run, '--baseline', 'baseline.json']
      const again = await cli(held, bad)
      expect(again).toMatchObject({ code: 0, last: expect.stringMatching(/^VERDICT nonconformant /) })
      expect(again.stdout).toMatch(/seed 5\n/)
      expect(again.stdout).toMatch(/^BASELINE covers (\d+) of \1 failed musts: nothing else is broken$/m)
      expect(again.stdout).toMatch(/^BASELINE list\.skip\.echo has no reason yet: fill it in$/m)

      expect(await cli(held, good)).toMatchObject({
        code: 4,
        stdout: expect.stringMatching(/^STALE list\.skip\.echo passes now: remove it$/m),
      })
      expect(await cli(update)).toMatchObject({
        last: expect.stringMatching(/^BASELINE baseline\.json deviations=0 added=0 refreshed=0 dropped=[1-9]/),
      })
      expect((await cli(held, bad)).code).toBe(1)
    } finally {
      for (const child of [broken, sound]) child.kill('SIGKILL')
    }
  })

  test('a file that is no baseline is refused before anything is sent', async () => {
    writeFileSync(join(folder, 'bad.json'), '{"baselineVersion":1,"deviations":[{"id":"a","expires":"soon"}]}')
    const { code, stdout, stderr } = await cli(['run', '--baseline', 'bad.json'])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/bad\.json\/deviations\/0 must have required property 'reason'/)
    expect(stderr).toMatch(/bad\.json\/deviations\/0\/expires must match format "date"/)
  })
})
