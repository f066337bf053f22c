import { expect, test } from 'vitest'
import { toConsole } from '../../../reports/formats/console.ts'
import { toHtml } from '../../../reports/formats/html/page.tsx'
import { toMarkdown } from '../../../reports/formats/markdown.ts'
import type { Exchange, Report } from '../../../schemas/types.ts'
import { call, failed, reportWith, row } from '../../support/sample-report.ts'

test('a claim that fails on kinds of two levels is one finding', () => {
  const on = (kind: string, outcome: 'fail' | 'warning') => {
    const one = failed(`list.skip.echo${kind}`, [call(1, 'GET', 'a')], { outcome })
    return { ...one, header: { ...one.header, level: outcome === 'fail' ? ('must' as const) : ('should' as const) } }
  }
  const printed = toConsole(reportWith([on('@tags', 'warning'), on('', 'fail'), on('@roles', 'fail')]), false)

  expect(printed.match(/^(FAIL|WARNING) /gm)).toEqual(['FAIL '])
  expect(printed).toMatch(/also on +roles, tags \(warning\)\n/)
})

test('each call is shown with what it was answered, unless that is what came', () => {
  const calls = [call(1, 'POST', 'groups/a', 400), call(2, 'GET', 'groups/b')]
  const printed = (got: string) => toConsole(reportWith([failed('group.name', calls, { got })]), false)

  expect(printed('x')).toMatch(/curl .*groups\/b'\n +answer +200 \{\}\n +before .*groups\/a'\n +answer +400 \{\}\n/)
  expect(printed('200 {}')).toMatch(/curl .*groups\/b'\n +before /)
})

test('the calls of a run name what it deleted, and the report says how to send them again', () => {
  const one = failed('group.name', [call(1, 'GET', 'groups/a')])
  const report = reportWith([one])
  const hidden = call(1, 'GET', 'groups/a')
  hidden.request.headers = { authorization: 'Bearer <exchanged API token>' }

  for (const write of [toConsole, toMarkdown, toHtml] as ((report: Report, coloured?: never) => string)[]) {
    expect(write(report)).toMatch(/deleted at the end of the run[^\n]* add --keep to its rerun command/)
    expect(write({ ...report, kept: [{ id: 'a', uid: 'b' }] })).not.toContain('add --keep')
    expect(write(reportWith([failed('group.name', [hidden])]))).toContain('never written down')
  }
})

test('a failure names the statement that it quotes, or the first of its claim', () => {
  const statement = 'S1.1, S1.2, S1.3, S1.4, R1, R2'
  const of = (quote?: string) => {
    const one = failed('model.group.content', [call(1, 'GET', 'a')], quote === undefined ? {} : { quote })
    return toConsole(reportWith([{ ...one, header: { ...one.header, statement } }]), false)
  }

  expect(of()).toContain('FAIL model.group.content (must, S1.1, S1.2, S1.3, S1.4 and 2 more)')
  expect(of('S1.3: what it says')).toContain('FAIL model.group.content (must, S1.3)')
})

test('a line of a spec is the check that failed, not a place in an answer', () => {
  const printed = (where: string) => toConsole(reportWith([failed('a', [call(1, 'GET', 'a')], { where })]), false)

  expect(printed('specs/a.spec.ts:3')).toMatch(/^ +check +specs\/a\.spec\.ts:3$/m)
  expect(printed('/details/1')).toMatch(/^ +where +\/details\/1$/m)
})

test('refusals with one operation, status and code are one reason, whatever their bodies name', () => {
  const refused = (id: string, note: string) => ({ ...row(note, 'inconclusive'), header: { ...row('').header, id } })
  const full = (name: string, code = 8) =>
    `group.create was answered 429: {"code":${code},"message":"${name} is full"}; the token seems to lack the right`
  const rows = [refused('a', full('aa01')), refused('b', full('bb02')), refused('c', full('aa01', 9))]
  const printed = toConsole(reportWith(rows), false)

  expect(printed).toMatch(/^ +2 {2}group\.create was answered 429: .*aa01 is full.* \(a, b\)$/m)
  expect(printed).toMatch(/^ +1 {2}.*"code":9.* \(c\)$/m)
})

test('what a baseline excuses says so', () => {
  const known = { id: 'a', reason: 'fixed soon', owner: 'team a', expires: '2027-01-01', fingerprint: '0'.repeat(16) }
  const report = reportWith([failed('a', [call(1, 'GET', 'a')])])
  const excused = { ...report, baseline: { covered: [known], stale: [], remarks: [] } }

  expect(toConsole(excused, false)).toMatch(/^ +known +fixed soon \(team a, until 2027-01-01\)$/m)
  expect(toMarkdown(excused)).toContain('- known: `fixed soon (team a, until 2027-01-01)`')
  expect(toConsole(report, false)).not.toMatch(/^ +known/m)
})

test('of equal calls, the one that is answered otherwise decides', () => {
  const list = (number: number, uid: string) => {
    const one = call(number, 'GET', 'groups?page_size=1', 200, 'group.list')
    const body = `{"groups":[{"uid":"${uid}"}],"nextPageToken":"${number}"}`
    return { ...one, response: { ...one.response!, body } }
  }
  const where = 'specs/a.spec.ts:3'
  const answer = (...calls: Exchange[]) =>
    /^ +answer +(.*)$/m.exec(toConsole(reportWith([failed('list.repeated', calls, { where })]), false))?.[1]

  expect(answer(list(1, 'a'), list(2, 'b'), list(3, 'a'), list(4, 'a'))).toContain('"uid":"b"')
  expect(answer(list(1, 'a'), list(2, 'b'), list(3, 'c'))).toContain('"uid":"c"')
  expect(answer(list(1, 'a'), list(2, 'b'), list(3, 'b'), call(4, 'PATCH', 'groups/a'))).toContain('200 {}')
})
