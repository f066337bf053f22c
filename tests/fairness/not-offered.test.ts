import { describe, expect, test } from 'vitest'
import { Clock } from '../../helpers/api/clock.ts'
import { isOptional } from '../../helpers/api/soft-refusal.ts'
import type { Log } from '../../helpers/http/call.ts'
import { NotOffered } from '../../helpers/http/case-errors.ts'
import { Secrets } from '../../helpers/http/secrets.ts'
import type { Level } from '../../helpers/requirement/header.ts'
import { certificateProblems } from '../../reports/certificate/certificate.ts'
import { count, judge, settle, verdictLine } from '../../reports/judge/verdict.ts'
import type { Case, Ending } from '../../schemas/types.ts'
import { configFor } from '../support/runs/servers.ts'
import { reportWith, row } from '../support/sample-report.ts'

const passed: Ending = { how: 'passed' }
const missing = (...operations: string[]): Ending => ({ how: 'missing', operations, note: 'it is not offered' })

const one = (id: string, ending: Ending, level: Level = 'must', answered?: string[]): Case => ({
  header: { id, level, statement: 'S4.1', quote: 'words of the contract', says: 'it holds' },
  ending,
  exchanges: [],
  requests: 0,
  ms: 1,
  ...(answered ? { answered } : {}),
})

const outcomesOf = (cases: Case[]) =>
  Object.fromEntries(settle(cases).map(({ header, outcome }) => [header.id, outcome]))

const circumstances = { selection: { only: [], skip: [], profiles: [] }, problems: [] }

describe('what is not offered', () => {
  test('is the clock of a target that shows none: neither a Date, nor a hook (R2)', async () => {
    const clock = new Clock(configFor('http://127.0.0.1:9'), new Secrets(), { sent: 0, wire: { sent: 0 } })
    const log: Log = { phase: 'arrange', exchanges: [] }

    await expect(clock.now(false, log)).rejects.toThrow(NotOffered)
    expect(await clock.now(true, log)).toBeUndefined()
  })

  test.each<Level>(['must', 'should', 'observe'])('has an outcome of its own, at the level %s, too', (level) => {
    expect(outcomesOf([one('a', missing('tag.list'), level)])).toEqual({ a: 'not offered' })
  })

  test('is in no total, and in nobody’s way', () => {
    const rows = settle([one('a', passed), one('b', missing('tag.list')), one('c', missing('tag.get'), 'should')])

    expect(count(rows)).toMatchObject({ must: { passed: 1, total: 1 }, should: { total: 0 }, notOffered: 2 })
    expect(judge(rows, circumstances)).toBe('conformant')
    expect(verdictLine('conformant', count(rows))).toBe(
      'VERDICT conformant must=1/1 should=0/0 observed=0 inconclusive=0 error=0',
    )
  })

  test('makes nothing green for nothing', () => {
    expect(judge(settle([one('a', missing('tag.list'))]), circumstances)).toBe('undetermined')
  })

  test('is also a call that had to succeed, was answered as missing, and answered nowhere else', () => {
    const stop = {
      operation: 'identity.get',
      phase: 'act',
      why: 'was answered 404',
      status: 404,
      absent: true,
    } as const
    const stopped: Ending = { how: 'stopped', stop, note: 'identity.get was answered 404' }
    const cases = (answered: string[]) => [one('x', passed, 'must', answered), one('y', stopped)]

    expect(outcomesOf(cases([]))).toEqual({ x: 'pass', y: 'not offered' })
    expect(settle(cases([])).at(-1)!.note).toBe('this target does not offer identity.get: it was answered 404')
    expect(outcomesOf(cases(['identity.get']))).toEqual({ x: 'pass', y: 'fail' })
  })

  test('never is what answered in the run: its own requirement fails, others are inconclusive', () => {
    const cases = [
      one('x', passed, 'must', ['identity.get']),
      one('identity.get.answers', missing('identity.get')),
      one('identity.update.atomic', missing('identity.get', 'identity.list')),
      one('identity.list.answers', missing('identity.list')),
    ]
    const expected = {
      x: 'pass',
      'identity.get.answers': 'fail',
      'identity.update.atomic': 'inconclusive',
      'identity.list.answers': 'not offered',
    }

    expect(outcomesOf(cases)).toEqual(expected)
    expect(outcomesOf([...cases].reverse())).toEqual(expected)
  })

  test('does not keep a report from being certified', () => {
    const report = reportWith([row('x', 'pass')])
    const open = { ...report.requirements[0]!, id: 'tag.list.answers', outcome: 'not offered' as const }
    const problems = certificateProblems({ ...report, verdict: 'partial', requirements: [open] })

    expect(problems.join()).toContain('its verdict is partial')
    expect(problems.join()).not.toContain(open.id)
  })
})

test('only what the contract does not print may be missing', () => {
  const optional = ['role.get', 'identity.get', 'identity.list', 'roleBinding.list', 'tag.list', 'v1.group.update']
  const printed = ['group.get', 'group.list', 'identity.create', 'identity.delete', 'role.list', 'roleBinding.create']

  expect(optional.filter((operation) => !isOptional(operation))).toEqual([])
  expect([...printed, 'repo.list', 'v1.group.list', 'sts.exchange'].filter(isOptional)).toEqual([])
})
