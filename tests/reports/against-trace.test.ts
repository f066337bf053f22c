import { describe, expect, test } from 'vitest'
import { strangeAbsences } from '../../reports/certificate/absences.ts'
import { misfits, trusted } from '../../reports/certificate/against-trace.ts'
import { contradictions } from '../../reports/certificate/certificate.ts'
import type { Decided, JudgedTrace } from '../../reports/certificate/traced.ts'
import { withTraces } from '../../reports/model/merge.ts'
import type { Report, Requirement, TraceEnded } from '../../schemas/types.ts'
import { reportWith, row } from '../support/sample-report.ts'

const begun = '2026-11-22T12:00:00.000Z'
const digest = 'a'.repeat(64)
const file = { file: 'trace.ndjson.gz', sha256: digest, bytes: 1, exchanges: 2, run: 'r1' }

/** A report of one row of the model. */
function reportOf(change: Partial<Requirement> = {}): Report {
  const base = reportWith([row('x', 'pass')])
  const [one] = base.requirements
  const own = { id: 'model.group.members', level: 'must', outcome: 'pass', requests: 0, startedAt: begun } as const
  const { exchanges: _, ...plain } = { ...one!, ...own }
  return {
    ...base,
    startedAt: begun,
    durationMs: 60_000,
    exchangesSent: 2,
    configuration: { groupUid: 'g' },
    requirements: [{ ...plain, ...change }],
    traces: [file],
  }
}

/** A trace of that run. */
function traceOf(decided: Partial<Decided> = {}, ended: Partial<TraceEnded> = {}): JudgedTrace {
  const { target, suite, seed, digests } = reportOf()
  const id = 'model.group.members'
  const end = { line: 'ended', seq: 9, id, level: 'must', state: 'pass', startedAt: begun, at: 1 } as const
  const header = {
    ...{
      line: 'header' as const,
      seq: 0,
      traceVersion: 1 as const,
      run: 'r1',
      seed,
      authUrl: target.baseUrl,
      at: 0,
      patience: 1,
    },
    ...{ baseUrl: target.baseUrl, apiVersion: target.apiVersion, groupUid: 'g', wall: begun },
    suite: { ...suite, digest: digests?.suite ?? digest },
    configuration: digests?.configuration ?? digest,
  } as const
  return {
    file: 'trace.ndjson.gz',
    sha256: digest,
    header,
    footer: { line: 'footer', seq: 10, exchanges: 2, requirements: {}, open: 0, at: 2 },
    problems: [],
    exchanges: 2,
    first: begun,
    last: begun,
    ended: new Map([[id, { ...end, requests: 0, exchanges: '', besides: 0, ...ended }]]),
    decided: new Map([[id, { outcome: 'holds', met: 1, level: 'must', ...decided }]]),
    answered: new Set(),
    refused: new Set(),
    known: new Map(),
  }
}

const broken = { outcome: 'broken', expected: 'a', got: 'b', shown: 'exchange 1, GET /x' } as const

describe('a report and its trace', () => {
  test('fit', () => {
    expect(misfits(reportOf(), [traceOf()])).toEqual([])
    expect(misfits(reportOf({ outcome: 'fail' }), [traceOf(broken, { state: 'fail' })])).toEqual([])
  })

  test.each<[Partial<Requirement>, Partial<Decided>, Partial<TraceEnded>, RegExp]>([
    [{}, broken, {}, /is pass, and the trace judged again shows otherwise: expected a, got b \(exchange 1, GET \/x\)$/],
    [{ outcome: 'inconclusive' }, {}, { state: 'skip' }, /is inconclusive, and the trace judged again decides it$/],
    [{ outcome: 'inconclusive', blockedBy: 'group.get.answers' }, broken, { state: 'fail' }, /shows otherwise/],
    [{ outcome: 'fail' }, {}, { state: 'fail' }, /is fail, and the trace judged again shows nothing wrong$/],
    [{}, { outcome: 'open' }, {}, /is pass, and the trace shows too little of it$/],
    [{}, {}, { state: 'skip' }, /is pass, and its case in the trace could not be decided$/],
    [{}, {}, { startedAt: '2026-11-22T11:00:00.000Z' }, /it is of another run$/],
    [{}, {}, { requests: 7 }, /counts 0 requests, and its case in the trace sent 7$/],
    [{ level: 'should' }, {}, {}, /is a should, and a must in the trace$/],
  ])('do not fit: %j %j %j', (change, decided, ended, why) => {
    expect(misfits(reportOf(change), [traceOf(decided, ended)]).join('\n')).toMatch(why)
  })

  test.each<[string, Partial<Report>, RegExp]>([
    ['seed', { seed: 77 }, /is of another seed: \d+, not 77/],
    ['group', { configuration: { groupUid: 'other' } }, /is of another group: g, not other/],
    ['run', { traces: [{ ...file, run: 'r2' }] }, /is of another run: r1, not r2/],
    ['number of calls', { exchangesSent: 1 }, /^the report counts 1 calls, and its trace holds 2$/],
    ['hour', { startedAt: '2026-11-22T14:00:00.000Z' }, /holds a call of 2026-11-22T12:00:00.000Z, and the run was/],
  ])('are of another %s', (_what, change, why) => {
    expect(misfits({ ...reportOf(), ...change }, [traceOf()])[0]).toMatch(why)
  })

  test('say what was computed and what is taken on trust, also without a trace', () => {
    expect(trusted(reportOf(), [traceOf()])[0]).toMatch(
      /^Computed again: 1 of 1 outcomes, by judging 2 recorded answers/,
    )
    expect(trusted(reportOf(), [])).toEqual([
      expect.stringMatching(/^No trace belongs to this report: all 1 outcomes, /),
    ])
  })
})

describe('a row that is not offered', () => {
  const note = 'this target does not offer tag.get: it was answered 404'
  const absent = (change: Partial<JudgedTrace>, ended: Partial<TraceEnded> = { state: 'skip' }, says = note) =>
    strangeAbsences(
      reportOf({ outcome: 'not offered', note: says }),
      [{ ...traceOf({}, ended), ...change }],
      (operation) => operation === 'tag.get',
    )

  test('is one of an operation that never answered', () => {
    expect(absent({})).toEqual([])
    expect(absent({ refused: new Set(['tag.get']) }, { state: 'fail' })).toEqual([])
    expect(absent({ answered: new Set(['tag.get']) })).toEqual([
      'model.group.members is not offered, and the trace shows that tag.get was answered',
    ])
  })

  test.each([
    [note, 'tag.list'],
    ['this target does not offer group.get: it was answered 404', 'group.get'],
    ['this target does not offer gRPC', 'tag.get'],
  ])('does not hide that its case failed: %s, %s', (says, refused) => {
    expect(absent({ refused: new Set([refused]) }, { state: 'fail' }, says)).toEqual([
      'model.group.members is not offered, and its case in the trace failed',
    ])
  })
})

test.each<[Partial<Requirement>, RegExp]>([
  [{ outcome: 'warning', note: 'milder' }, /^model\.group\.members is a must, which cannot end as warning$/m],
  [{ outcome: 'observed', observed: 'x' }, /^model\.group\.members is a must, which cannot end as observed$/m],
  [{ level: 'should', outcome: 'fail', note: 'x' }, /is a should, which cannot end as fail$/m],
  [{ profile: 'v1' }, /^the parts of the service is \["core"\], but comes to \["v1"\]$/m],
])('a report contradicts itself where no run ends like that: %j', (change, why) => {
  expect(contradictions(reportOf(change)).join('\n')).toMatch(why)
})

test('a report of several parts has the traces of all of them, or none', () => {
  const { traces: _, ...without } = reportOf()

  expect(withTraces([reportOf(), reportOf()])).toEqual([file, file])
  expect(withTraces([reportOf(), without as Report])).toBeUndefined()
})
