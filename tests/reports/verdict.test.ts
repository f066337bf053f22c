import { describe, expect, test } from 'vitest'
import type { Stop } from '../../helpers/http/case-errors.ts'
import type { Level } from '../../helpers/requirement/header.ts'
import { count, exitCodeOf, judge, settle, verdictLine } from '../../reports/judge/verdict.ts'
import type { Case, Ending, Outcome, Verdict } from '../../schemas/types.ts'
import { acting, bothWays, caseOf, outcomesOf, passed, undecided, violated } from '../support/cases.ts'

const broken: Ending = { how: 'broken', note: 'TypeError: x is undefined' }
const missing: Ending = { how: 'missing', operations: ['b.get'], note: 'this target does not offer b.get' }

describe('a case that no call stopped', () => {
  test.each<[Level, Ending, string | undefined, Outcome]>([
    ['must', passed, undefined, 'pass'],
    ['should', passed, undefined, 'pass'],
    ['observe', passed, '64: 200', 'observed'],
    ['observe', passed, undefined, 'error'],
    ['must', violated, undefined, 'fail'],
    ['should', violated, undefined, 'warning'],
    ['observe', violated, '64: 200', 'error'],
    ['must', undecided, undefined, 'inconclusive'],
    ['should', undecided, undefined, 'inconclusive'],
    ['observe', undecided, undefined, 'inconclusive'],
    ['must', broken, undefined, 'error'],
    ['should', broken, undefined, 'error'],
  ])('%s, %j, observed %j: %s', (level, ending, observed, outcome) => {
    expect(outcomesOf([caseOf('a', ending, level, observed)])).toEqual({ a: outcome })
  })
})

describe('the requirement that answers for the operation that stopped it', () => {
  test('fails', () => {
    bothWays([caseOf('g.answers', acting('g')), caseOf('x', passed)], { 'g.answers': 'fail', x: 'pass' })
  })

  test.each([401, 403, 409, 429, 502, 503, 504])('is inconclusive after a %i', (status) => {
    bothWays([caseOf('g.answers', acting('g', { status }))], { 'g.answers': 'inconclusive' })
  })

  test.each([6, 7, 8, 9, 10])('is inconclusive after an error of code %i', (code) => {
    bothWays([caseOf('g.answers', acting('g', { status: 400, code }))], { 'g.answers': 'inconclusive' })
  })

  test('fails where no answer came at all', () => {
    bothWays([caseOf('g.answers', acting('g', {}))], { 'g.answers': 'fail' })
  })
})

describe('the case itself', () => {
  test('fails where it acted and the requirement is green', () => {
    bothWays(
      [
        caseOf('g.answers', passed),
        caseOf('x', acting('g')),
        caseOf('y', acting('g'), 'should'),
        caseOf('z', acting('g'), 'observe'),
      ],
      { 'g.answers': 'pass', x: 'fail', y: 'warning', z: 'inconclusive' },
    )
  })

  test.each<Partial<Stop>>([
    { status: 403 },
    { status: 409 },
    { status: 429 },
    { status: 503 },
    { status: 400, code: 6 },
    { status: 400, code: 10 },
    { status: 400, code: 3, distrusted: 'claimMatch' },
    { status: 400, code: 3, distrusted: 'role' },
  ])('is inconclusive where it acted and was refused for what the contract leaves open, %j', (of) => {
    bothWays([caseOf('g.answers', passed), caseOf('x', acting('g', of))], { 'g.answers': 'pass', x: 'inconclusive' })
    bothWays([caseOf('h.answers', acting('g', of)), caseOf('g.answers', passed)], {
      'h.answers': 'inconclusive',
      'g.answers': 'pass',
    })
  })

  test('fails where the requirement could not be decided, or was not asked for', () => {
    bothWays([caseOf('g.answers', undecided), caseOf('x', acting('g'))], { 'g.answers': 'inconclusive', x: 'fail' })
    bothWays([caseOf('x', acting('g'))], { x: 'fail' })
  })
})

describe('the verdict', () => {
  const everything = { only: [], skip: [], profiles: [] as string[] }
  const word = (
    cases: Case[],
    selection = everything as typeof everything & { only: string[] },
    problems: string[] = [],
  ) => judge(settle(cases), { selection, problems })
  const good = caseOf('a', passed)

  test.each<[string, Case[], Verdict]>([
    ['all pass', [good], 'conformant'],
    ['a warning', [good, caseOf('b', violated, 'should')], 'conformant'],
    ['an inconclusive should', [good, caseOf('b', undecided, 'should')], 'conformant'],
    ['an inconclusive must', [good, caseOf('b', undecided)], 'partial'],
    ['an error', [good, caseOf('b', broken)], 'undetermined'],
    ['a failed must', [good, caseOf('b', violated)], 'nonconformant'],
    ['a failed must beside an error', [caseOf('a', broken), caseOf('b', violated)], 'nonconformant'],
    ['no rows', [], 'undetermined'],
    ['no must passed', [caseOf('a', undecided), caseOf('b', passed, 'should')], 'undetermined'],
    ['nothing of core', [caseOf('a@x', passed)], 'undetermined'],
    ['a profile that nobody asked for cannot be decided', [good, caseOf('b@x', undecided)], 'partial'],
  ])('%s', (_name, cases, expected) => {
    expect(word(cases)).toBe(expected)
  })

  test('a spec that did not load leaves it undetermined, a failure still counts', () => {
    expect(word([good], undefined, ['a.spec.ts did not load'])).toBe('undetermined')
    expect(word([caseOf('a', violated)], undefined, ['the run was interrupted'])).toBe('nonconformant')
  })

  test.each<[string, Case[], Partial<typeof everything>, Verdict]>([
    ['a picked must passed', [good], { only: ['a'] as never[] }, 'partial'],
    ['a picked observation', [caseOf('a', passed, 'observe', 'x')], { only: ['a'] as never[] }, 'partial'],
    ['a picked must that cannot be decided', [caseOf('a', undecided)], { only: ['a'] as never[] }, 'undetermined'],
    [
      'a picked must beside an undecided profile',
      [good, caseOf('a@x', undecided)],
      { only: ['a*'] as never[] },
      'partial',
    ],
    ['nothing at all', [], { only: ['a'] as never[] }, 'undetermined'],
    ['all but one', [good], { skip: ['b'] as never[] }, 'partial'],
    [
      'all but one, beside an undecided profile',
      [good, caseOf('a@x', undecided)],
      { skip: ['b'] as never[] },
      'partial',
    ],
    [
      'a picked must beside what is not offered',
      [good, caseOf('a@x', missing)],
      { only: ['a*'] as never[] },
      'partial',
    ],
    ['only what is not offered', [caseOf('a@x', missing)], { only: ['a*'] as never[] }, 'undetermined'],
    ['a profile asked for', [caseOf('a@x', passed)], { profiles: ['identities'] }, 'conformant'],
    [
      'a profile asked for of which nothing passed',
      [good, caseOf('a@x', undecided)],
      { profiles: ['core', 'identities'] },
      'undetermined',
    ],
    ['a profile asked for without rows', [good], { profiles: ['core', 'sts'] }, 'undetermined'],
  ])('%s', (_name, cases, selection, expected) => {
    expect(word(cases, { ...everything, ...selection })).toBe(expected)
  })

  test('is on one line that can be grepped', () => {
    const rows = settle([
      good,
      caseOf('b', undecided),
      caseOf('c', violated, 'should'),
      caseOf('d', passed, 'observe', 'x'),
      caseOf('e', broken),
    ])

    expect(verdictLine('partial', count(rows))).toBe(
      'VERDICT partial must=1/3 should=0/1 observed=1 inconclusive=1 error=1',
    )
  })

  test.each<[Verdict, boolean, number, number]>([
    ['conformant', false, 0, 0],
    ['partial', false, 0, 0],
    ['partial', true, 0, 3],
    ['conformant', true, 0, 0],
    ['undetermined', false, 0, 3],
    ['nonconformant', false, 0, 1],
    ['conformant', false, 1, 5],
    ['undetermined', false, 1, 3],
    ['nonconformant', true, 1, 1],
  ])('%s, complete %s, %i left behind: exit %i', (verdict, complete, left, code) => {
    expect(exitCodeOf(verdict, { complete, left })).toBe(code)
  })
})
