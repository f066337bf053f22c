import { expect, test } from 'vitest'
import { ofEach, ofEachBody, ofEachValue } from '../../helpers/case/of-each.ts'
import type { Answer } from '../../helpers/http/call.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'
import { keepEvidence } from '../../reports/judge/evidence.ts'
import { callsOf, saidOf } from '../../reports/model/finding.ts'
import { difference } from '../../reports/text/difference.ts'
import { namedAnswers } from '../../reports/text/named-answers.ts'
import { exchange, reportWith, row } from '../support/sample-report.ts'

/** A failure that says this, with such calls. */
const failing = (note: string, expected: string, got: string, exchanges: Exchange[] = []) =>
  reportWith([{ ...row(note), note, expected, got, where: 'specs/a.spec.ts:1', exchanges }]).requirements[0]!

const list = (number: number, query: string): Exchange => ({
  ...exchange('{}', number),
  operation: 'group.list',
  request: { method: 'GET', url: `http://127.0.0.1:1/groups?${query}`, headers: {} },
  response: { status: 200, headers: {}, body: '{}', bytes: 2 },
})

test('several answers are named by what was asked for each', () => {
  expect(ofEach('results', [{ name: 'a', skip: 1 }, { order_by: undefined }, 'in Get'])).toBe(
    'results: ["name=a&skip=1","no order_by","in Get"]',
  )
  expect(ofEachValue('results', 'skip', [1, undefined])).toBe('results: ["skip=1","no skip"]')
  expect(ofEachBody('errors', [{ exchange: exchange('{}') } as Answer])).toBe('errors: ["the body {}"]')
  expect(namedAnswers('results: ["name=a: [\\"b\\"]"]')).toEqual({ about: 'results', names: ['name=a: ["b"]'] })
  expect(namedAnswers('no list: [a]')).toEqual({ about: 'no list: [a]', names: [] })
})

test('a failure shows only those that differ, by their names', () => {
  const note = ofEachValue('the groups found by each name', 'name', ['a', '.*'])

  expect(saidOf(failing(note, '[[], []]', '[[], ["x"]]'))).toEqual({
    about: 'the groups found by each name',
    expected: 'name=.*: no items',
    got: 'name=.*: 1 item, with "x"',
  })
  expect(saidOf(failing(ofEachValue('results', 'skip', [1, 2]), '[1, 2]', '[1, 0]'))).toMatchObject({
    expected: 'skip=2: 2',
    got: 'skip=2: 0',
  })
})

test('its call is that of the first that differs, with the fewest other parameters, and always among its evidence', () => {
  const note = ofEachValue('results', 'order_by', ['name', 'name desc'])
  const others = Array.from({ length: 20 }, (_, index) => list(10 + index, `skip=${index}`))
  const asked = [list(1, 'order_by=name'), list(2, 'order_by=name%20desc'), list(3, 'order_by=name%20desc&skip=1')]
  const failed = failing(note, '[["a"], ["b", "c"]]', '[["a"], ["c", "b"]]', [...asked, ...others])

  expect(callsOf(failed).deciding?.number).toBe(2)
  expect(keepEvidence(asked.concat(others), 12, failed).map(({ number }) => number)).toEqual([1, 2])
  expect(callsOf(failing(ofEach('results', [{ order_by: undefined }]), '[1]', '[2]', asked)).deciding?.number).toBe(3)
})

test('an exchange at the end of what a failure says decides it, and is no part of what came', () => {
  const note = 'not every one of the answers is right: one of group.list is not, in exchange 5001'
  const failed = failing(note, 'a status below 500', '500', [list(5001, 'name=*'), list(5002, 'skip=1')])

  expect(callsOf(failed).deciding?.number).toBe(5001)
  expect(saidOf(failed).about).toBe(note)
})

test('lists that have nothing in common are not compared item by item', () => {
  expect(difference('["a", "b", "c", "d", "e"]', '["f", "g", "h", "i", "j"]')).toEqual({
    expected: '"a", "b", "c" and 2 more',
    got: '"f", "g", "h" and 2 more, none of them expected',
  })
  expect(difference('[]', '[{"shows": ["a", "b", "c", "d"]}]')?.got).toBe(
    '1 item, with {"shows":["a","b","… and 2 more"]}',
  )
})

test('what a list lacks is known from the runner alone, and a detail may have a type', () => {
  const { expected: _, ...one } = failing("the groups: expected [ 'a' ] to include 'b'", '', '["a"]')

  expect(saidOf(one)).toEqual({ about: 'the groups', expected: "something with 'b'", got: '["a"]' })
  expect(difference('[{"reason": "A"}]', '[{"@type": "T", "reason": "a"}]')).toEqual({
    expected: '/0/reason: "A"',
    got: '/0/reason: "a"',
  })
  expect(difference('{"@type": "T"}', '{"@type": "U"}')?.expected).toBe('/@type: "T"')
})

test('what came over gRPC has the status of gRPC', () => {
  const over = (operation: string, expected: string, got: string) =>
    saidOf({ ...failing('it', expected, got, [{ ...list(5, 'a'), operation }]), where: 'exchange 5: POST x' })

  expect(over('grpc.group.get', 'a status of 2xx', '400 {"code":3}')).toMatchObject({
    expected: 'grpc-status 0',
    got: 'grpc-status 3 {"code":3}',
  })
  expect(over('grpc.group.delete', 'a refusal: any status but 2xx', '200 {}')).toMatchObject({
    expected: 'a refusal: any grpc-status but 0',
    got: 'grpc-status 0 {}',
  })
  expect(over('grpc.group.get', 'a status of 2xx', '502 <html>').got).toBe('502 <html>')
  expect(over('group.get', 'a status of 2xx', '400 {"code":3}').got).toBe('400 {"code":3}')
})

test('the call that shows a member with its value decides, not one that has that value elsewhere', () => {
  const answering = (number: number, body: string) => ({
    ...list(number, 'a'),
    response: { status: 200, headers: {}, body, bytes: 2 },
  })
  const calls = [answering(1, '{"updateTime":"the time"}'), answering(2, '{"a":"long", "createTime": "the time"}')]
  const differing = failing('createTime', '{"createTime":"another"}', '{"createTime":"the time"}', calls)

  expect(callsOf(differing).deciding?.number).toBe(2)
})

test('what is too much in a list is shown by its uid and name, unless something is also missing', () => {
  const [one, other] = ['{"uid": "a", "name": "b", "c": 1}', '{"uid": "a", "name": "b", "c": 2}']

  expect(difference('[]', `[${one}, {"d": 1}]`)?.got).toBe('2 items, with {"uid":"a","name":"b"}, {"d":1}')
  expect(difference(`[${one}]`, `[${other}, 5]`)?.got).toBe(
    '2 items, without {"uid":"a","name":"b","c":1} and with {"uid":"a","name":"b","c":2}, 5',
  )
})

test('the last write on what is read is kept, however many calls came after it', () => {
  const write = { ...list(1, 'a'), request: { ...list(1, 'a').request, method: 'PATCH' } }
  const readings = Array.from({ length: 20 }, (_, index) => list(2 + index, `skip=${index}`))
  const read = { ...list(30, 'a'), request: { ...list(30, 'a').request, url: 'http://127.0.0.1:1/groups' } }

  expect(keepEvidence([write, ...readings, read]).map(({ number }) => number)[0]).toBe(1)
})

test('the call that a failure names is kept, however large those after it are', () => {
  const large = { ...list(2, 'b'), request: { ...list(2, 'b').request, body: 'x'.repeat(70_000) } }

  expect(keepEvidence([list(1, 'a'), large], 12, { where: 'exchange 1' }).map(({ number }) => number)).toEqual([1])
})

test('a number has few decimals, and a text that is cut ends with a whole uid', () => {
  expect(saidOf(failing('minutes', 'less than 20', '9264.033530643717')).got).toBe('9264.03')
  expect(saidOf(failing('lost', 'each', 'missing: 00000000aa/bb01, 00000000… (680 characters)')).got).toBe(
    'missing: …/bb01, …',
  )
})
