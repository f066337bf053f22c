import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed, shownGroup } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const [one, other] = ['1', '2'].map((digit) => `${home}/${digit.repeat(16)}`) as [string, string]

/**
 * The rows that find something in two pages of a list without a scope, which show one group each; `between`: whether
 * the first is deleted between them.
 */
function foundOn(second: string, [total, later = total]: [number, number?], between?: 'deleted'): string[] {
  const hearing = new Hearing('v2beta1', 5000)
  let n = 0
  const take = (sent: number, line: Partial<TraceExchange>) => hearing.take({ ...listed(++n, sent), ...line })
  for (const uid of [one, other]) {
    const [path, body] = [`/iam/v2beta1/groups/${home}`, { name: shownGroup(uid).name }]
    take(n * 100, { operation: 'group.create', method: 'POST', path, body, text: JSON.stringify(shownGroup(uid)) })
  }
  for (const [at, uid] of [one, second].entries()) {
    const beside = { nextPageToken: `token-${at}`, totalCount: String(at > 0 ? later : total), skipped: 0 }
    if (between && at > 0)
      take(61_000, { operation: 'group.delete', method: 'DELETE', path: `/iam/v2beta1/groups/${one}`, text: '' })
    const query: [string, string][] = [
      ['page_size', '1'],
      ...(at > 0 ? [['page_token', 'token-0'] as [string, string]] : []),
    ]
    take(60_000 + at * 20_000, { query, text: JSON.stringify({ groups: [shownGroup(uid)], ...beside }) })
  }
  return hearing.rows().filter((row) => hearing.found(row).length > 0)
}

test('pages without a scope that go on are fine, whatever else there is', () => {
  expect(foundOn(other, [2])).toEqual([])
  expect(foundOn(other, [17])).toEqual([])
})

test('a page without a scope never comes again', () => {
  expect(foundOn(one, [2])).toEqual(['model.group.token'])
})

test('a total without a scope counts at least what its pages show', () => {
  expect(foundOn(other, [1])).toEqual(['model.group.total'])
})

test('what comes or goes between two pages excuses both', () => {
  expect(foundOn(one, [2, 3])).toEqual([])
  expect(foundOn(other, [2, 1], 'deleted')).toEqual([])
})
