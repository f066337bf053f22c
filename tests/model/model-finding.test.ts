import { expect, test } from 'vitest'
import type { TestCase } from 'vitest/node'
import { fits } from '../../helpers/assertions/model-finding.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'
import { endingOf } from '../../reports/judge/ending.ts'
import { plainRow } from '../../reports/judge/outcome.ts'
import { reportWith, row } from '../support/sample-report.ts'

test('A finding says what it is about by the ends of uids', () => {
  const [home, child] = ['1f/2e', '1f/2e/3d']
  const finding = {
    expected: `${child} as before the refused call on ${home}`,
    got: 'it is gone',
    row: 'model.group.effect',
    n: 7,
    moved: 0,
    about: [home, child],
    beside: [],
  }

  expect(() => fits([{ finding, exchanges: [] }], [])).toThrow(
    expect.objectContaining({
      message: 'the answer to a call breaks the contract; it is about …/2e and …/3d',
      claim: {
        expected: '1f/2e/3d as before the refused call on 1f/2e',
        got: 'it is gone',
        where: 'exchange 7',
      },
    }),
  )
})

test('A finding says how many answers to which operations do not fit', () => {
  const finding = { row: 'model.group.total', expected: '1', got: '2', n: 7, moved: 0, about: [], beside: [] }
  const of = (counts: Record<string, number>) => () =>
    fits(
      [{ finding, exchanges: [] }],
      [],
      Object.entries(counts).map(([operation, count]) => ({ operation, count })),
    )

  expect(of({ 'group.list': 1 })).toThrow(/breaks the contract$/)
  expect(of({ 'group.list': 9, 'grpc.group.list': 2 })).toThrow(
    /; 11 answers do not fit: group\.list 9, grpc\.group\.list 2$/,
  )
  expect(of({ a: 9, b: 2, c: 2, d: 2, e: 1, f: 1 })).toThrow(/: a 9, b 2, c 2, d 2, 2 more operations$/)
})

test('A finding quotes the words that it breaks, and they replace those of its row', () => {
  const quote = 'S4.7: A DELETE that succeeds answers with an empty body'
  const finding = {
    row: 'model.group.answer',
    quote,
    expected: '',
    got: '{"a":1}',
    n: 7,
    moved: 0,
    about: [],
    beside: [],
  }

  expect(() => fits([{ finding, exchanges: [] }], [])).toThrow(
    expect.objectContaining({ claim: { expected: '', got: '{"a":1}', where: 'exchange 7', quote } }),
  )
})

test('the words that a failure broke replace those of its header', () => {
  const claim = { expected: '', got: '{"a":1}', quote: 'S4.7: A DELETE that succeeds answers with an empty body' }
  const error = { name: 'AssertionError', message: 'no empty body', claim }
  const ending = endingOf({ result: () => ({ state: 'failed', errors: [error] }) } as unknown as TestCase)
  const { header, exchanges, requests, ms } = row('x')
  const { requirements } = reportWith([plainRow({ header, exchanges, requests, ms, ending })])

  expect(requirements[0]).toMatchObject({ outcome: 'fail', quote: claim.quote })
})

test('A finding names the last write on each thing, or the one that sent what the answer shows', () => {
  const [home, child] = ['1f/2e', '1f/2e/3d']
  const row = 'model.group.content'
  const finding = {
    row,
    expected: 'name "first"',
    got: 'name "other"',
    n: 9,
    moved: 0,
    about: [home, child],
    beside: [],
  }
  const exchanges = [
    exchange(3, 'group.create', 'POST', '1f', { status: 200, uid: home }),
    exchange(4, 'group.update', 'PATCH', home, { status: 404 }),
    exchange(5, 'group.create', 'POST', '1f%2F2e', { status: 200, uid: child }),
    exchange(6, 'group.update', 'PATCH', '1f%2F2e%2F3d', { status: 200, uid: child }),
    exchange(9, 'group.get', 'GET', child, { status: 200, uid: child }),
    exchange(8, 'group.update', 'PATCH', child, { status: 200, uid: child, sent: { name: 'third' } }),
  ]
  const because = (beside: number[]) => () => fits([{ finding: { ...finding, beside }, exchanges }], [])

  expect(because([])).toThrow('contradicts exchange 3 (group.create) and exchange 8 (group.update); it is')
  exchanges.push(exchange(7, 'group.update', 'PATCH', child, { status: 200, uid: child, sent: { name: 'first' } }))
  expect(because([])).toThrow('contradicts exchange 3 (group.create) and exchange 7 (group.update); it is')
  exchanges.splice(-1, 1, exchange(7, 'identity.update', 'PATCH', 'else', { status: 200, sent: { name: 'first' } }))
  expect(because([])).toThrow('contradicts exchange 7 (identity.update) and exchange 8 (group.update); it is')
  expect(because([4])).toThrow('group.get contradicts exchange 4 (group.update); it is')
})

test('A finding about what was deleted names the Delete, and one about a total no write; both say how far the clock was moved', () => {
  const child = '1f/2e'
  const exchanges = [
    exchange(3, 'group.delete', 'DELETE', child, { status: 200 }),
    exchange(4, 'group.update', 'PATCH', child, { status: 200, uid: child }),
    exchange(5, 'group.get', 'GET', child, { status: 200, uid: child }),
  ]
  const finding = {
    expected: 'a refusal: it was deleted',
    got: '200',
    n: 5,
    moved: 8.25 * 86_400_000,
    about: [child],
    beside: [],
  }
  const because = (row: string) => () => fits([{ finding: { ...finding, row }, exchanges }], [])

  expect(because('model.group.members')).toThrow('exchange 3 (group.delete) and exchange 4 (group.update); it is')
  expect(because('model.group.total')).toThrow(
    "group.get (the target's clock was 8.3 days ahead) breaks the contract; it is about",
  )
})

test('A finding about a refusal also names a refused write before it', () => {
  const child = '1f/2e'
  const exchanges = [
    exchange(3, 'identity.create', 'POST', '1f', { status: 200, uid: child }),
    exchange(4, 'identity.update', 'PATCH', child, { status: 400, sent: { name: '' } }),
    exchange(5, 'sts.exchange', 'GET', 'exchange', { status: 401 }),
  ]
  const finding = { row: 'model.exchange.answer', expected: 'a token', n: 5, moved: 0, about: [child], beside: [] }
  const because = (got: string) => () => fits([{ finding: { ...finding, got }, exchanges }], [])

  expect(because('401 {}')).toThrow('contradicts exchange 3 (identity.create) and exchange 4 (identity.update); it is')
  expect(because('200 {}')).toThrow('contradicts exchange 3 (identity.create); it is')
})

const exchange = (
  number: number,
  operation: string,
  method: string,
  path: string,
  { status, uid, sent }: { status: number; uid?: string | undefined; sent?: object },
): Exchange => ({
  number,
  operation,
  phase: 'act',
  sentAt: '2030-01-01T00:00:00Z',
  ms: 1,
  request: {
    method,
    url: `http://127.0.0.1:1/iam/v2beta1/groups/${path}`,
    headers: {},
    ...(sent && { body: JSON.stringify(sent) }),
  },
  response: { status, headers: {}, body: JSON.stringify({ name: 'a', uid }), bytes: 1 },
})
