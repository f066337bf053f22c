import { expect, test } from 'vitest'
import { mayExplain } from '../../../reports/judge/explains.ts'
import type { Row } from '../../../reports/judge/outcome.ts'
import { settle } from '../../../reports/judge/verdict.ts'
import type { Case, Exchange, Header } from '../../../schemas/types.ts'

/** Such a call as `group.list /groups?name=a`, or over gRPC with a message. */
function exchange(call: string): Exchange {
  const [operation = '', path = '', body] = call.split(' ')
  const request = { method: 'GET', url: `http://127.0.0.1${path}`, headers: {}, ...(body && { body }) }
  return { number: 1, operation, phase: 'act', sentAt: '2026-01-01T00:00:00Z', ms: 1, request }
}

/** Whether a claim explains an answer to such a call, after others. */
function explains(claim: string, asked: string, row = 'model.group.content', before: string[] = []): boolean {
  const [judged, ...earlier] = [asked, ...before].map(exchange)
  return mayExplain(claim, { header: { id: row }, exchanges: [...earlier, judged] } as Row, judged!)
}

test.each([
  ['list.skip.echo', 'group.list /groups?skip=2', 'group.list /groups?page_size=2'],
  ['list.order.name@roles', 'role.list /roles?order_by=name', 'role.list /roles'],
  ['list.order.default', 'group.list /groups', 'group.get /groups/1'],
  ['list.walk.complete', 'group.list /groups?page_token=a', 'group.list /groups'],
  ['list.scope.descendants', 'group.list /groups?uidp.descendants_of=1', 'group.list /groups?uidp.children_of=1'],
  ['list.filter.exact', 'group.list /groups?name=a', 'group.list /groups?order_by=name'],
  ['list.fresh', 'group.list /groups', 'group.get /groups/1'],
  ['update.missing', 'group.update /groups/1', 'group.get /groups/1'],
  ['grpc.list.filter', 'grpc.group.list /List {"name":"a"}', 'group.list /groups?name=a'],
  ['grpc.list.filter', 'grpc.group.list /List {"name":"a"}', 'grpc.group.list /List {"orderBy":"name"}'],
  ['grpc.update.mask.name', 'grpc.group.update /groups/1', 'group.update /groups/1'],
])('%s explains %s, and not %s', (claim, asked, other) => {
  expect(explains(claim, asked)).toBe(true)
  expect(explains(claim, other)).toBe(false)
})

test('a write that came before explains what a later answer shows', () => {
  expect(explains('group.delete.gone', 'group.list /groups', 'model.group.members', ['group.delete /groups/1'])).toBe(
    true,
  )
  expect(explains('group.delete.gone', 'group.list /groups', 'model.group.members', ['group.create /groups'])).toBe(
    false,
  )
  expect(explains('grpc.create.as-sent', 'group.get /1', 'model.group.content', ['grpc.group.create /Create'])).toBe(
    true,
  )
})

test('a walk is explained by any of its pages', () => {
  expect(explains('list.walk.complete', 'group.list /groups', 'model.group.walk')).toBe(true)
})

test.each([
  ['group.list /groups?skip=2', 'list.skip.echo'],
  ['group.list /groups', undefined],
])('a row of the model is blocked only by what explains the answer to %s', (call, blockedBy) => {
  const judged = (id: string, restsOn: string[]): Case => ({
    header: { id, level: 'must', statement: 'S4.1', quote: 'words', says: 'it holds', restsOn } as Header,
    ending: { how: 'violated', note: 'expected 0 to be 10', where: 'exchange 1' },
    exchanges: [exchange(call)],
    requests: 1,
    ms: 1,
  })

  const rows = settle([judged('list.skip.echo', []), judged('model.group.content', ['list.skip.*'])])

  expect(rows.map((row) => row.blockedBy)).toEqual([undefined, blockedBy])
})
