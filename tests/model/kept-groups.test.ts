import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed } from './listed.ts'

const above = 'a'.repeat(40)
const [home, other] = ['b', 'c'].map((digit) => `${above}/${digit.repeat(16)}`) as [string, string]
const time = new Date(Date.UTC(2026, 0, 1)).toISOString()
const notEmpty = {
  code: 9,
  message: 'Precondition failed: it holds something',
  details: [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'FAILED_PRECONDITION', domain: 'iam' },
    {
      '@type': 'type.googleapis.com/google.rpc.PreconditionFailure',
      violations: [{ type: 'RESOURCE_NOT_EMPTY', description: 'it holds something' }],
    },
  ],
}

/**
 * A group is deleted while something is made in it, both with success; `kept`: another one with such a thing was not;
 * `emptied`: of which a group had just been deleted.
 */
function found(kind: 'identityProviders' | 'identities', kept: boolean, emptied = false): string[] {
  const hearing = new Hearing('v2beta1', 5000)
  let n = 0
  const take = (line: Partial<TraceExchange>, answer: object) => {
    n += 1
    hearing.take({ ...listed(n, n * 10_000), text: JSON.stringify(answer), ...line })
  }
  const make = (uid: string, home = above) => {
    const group = { uid, name: 'one', resourceLimits: {}, verified: false, createTime: time, updateTime: time }
    take({ method: 'POST', path: `/iam/v2beta1/groups/${home}`, body: { name: 'one' } }, group)
  }
  const fill = (uid: string, at?: number) => {
    const body = { name: 'inside', claimMatch: { issuer: 'https://issuer.example', subject: `in ${uid}` } }
    const sent = at === undefined ? {} : { sent: at, answered: at + 50 }
    take({ method: 'POST', path: `/iam/v2beta1/${kind}/${uid}`, body, ...sent }, { uid: `${uid}/1`, ...body })
  }
  const remove = (uid: string, answer: object, more: Partial<TraceExchange> = {}) =>
    take({ method: 'DELETE', path: `/iam/v2beta1/groups/${uid}`, ...more }, answer)
  make(home)
  make(other)
  if (kept) {
    fill(other)
    const inner = `${other}/${'d'.repeat(16)}`
    if (emptied) {
      make(inner, other)
      remove(inner, {})
    }
    const justThen = (n + 1) * 10_000 - 9_000
    remove(other, notEmpty, { status: 400, sent: justThen, answered: justThen + 10 })
  }
  // both are under way at once
  for (const [ticket, method] of [
    [n + 1, 'POST'],
    [n + 2, 'DELETE'],
  ] as const)
    hearing.take({ line: 'sent', seq: ticket, ticket, method, at: 90_000 })
  fill(home, 90_000)
  remove(home, {}, { sent: 90_010, answered: 90_040 })
  return hearing.rows().filter((row) => row.includes('refusal') && hearing.found(row).length > 0)
}

test('an identity is not made in a group that is deleted at that moment', () => {
  expect(found('identities', false)).toEqual(['model.group.refusal.child'])
})

test('other kinds may go with their group, unless they have kept one', () => {
  expect(found('identityProviders', false)).toEqual([])
  expect(found('identityProviders', true)).toEqual(['model.group.refusal.child'])
})

test('a group that may have counted as full for what had just been deleted shows nothing of other kinds', () => {
  expect(found('identityProviders', true, true)).toEqual([])
})
