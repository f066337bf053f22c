import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed, shownGroup } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const [above, uid] = [home.slice(0, home.indexOf('/')), `${home}/${'c'.repeat(16)}`]
const { createTime, ...shown } = shownGroup(uid)
const made = { ...shown, createTime }
const { name } = made

interface Sent {
  method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'GET'
  path: string
  body?: Record<string, unknown>
  status?: number
  answer: object
  query?: [string, string][]
  /** When it is sent after the call before, in milliseconds. */
  after?: number
}

/** The rows with findings that nothing excuses, after a group and these calls. */
function found(...calls: readonly Sent[]): string[] {
  const hearing = new Hearing('v2beta1', 5000)
  const group: Sent = { path: `v2beta1/groups/${above}`, body: { name: 'name b' }, answer: shownGroup(home) }
  let sent = 0
  for (const [n, { method = 'POST', path, body, query = [], status = 200, answer, after = 10_000 }] of [
    group,
    ...calls,
  ].entries()) {
    sent += after
    const line: Partial<TraceExchange> = { operation: 'any', method, path: `/iam/${path}`, query, status }
    const text = JSON.stringify(answer)
    hearing.take({ ...listed(n + 1, sent), ...line, ...(body && { body }), text })
  }
  return hearing.rows().filter((row) => hearing.found(row).length > 0)
}

const refused = (code: number, message: string) => ({ code, message, details: [] })
const create: Sent = { path: `v2beta1/groups/${home}`, body: { name }, answer: made }

test.for([
  [1_000, []],
  [10_000, ['model.group.answer']],
] as const)('a group may be unknown to an Update, and so invalid, %i ms after its Create', ([after, rows]) => {
  const status = 400
  const answer = refused(3, 'there is no such thing')
  const update = { method: 'PATCH', path: `v2beta1/groups/${uid}`, body: { name: 'other' }, status, answer } as const
  expect(found(create, { ...update, after })).toEqual(rows)
})

test('an identity may need an issuer that can be reached, until one of its host was taken', () => {
  const path = `v2beta1/identities/${home}`
  const bodyOf = (one: string) => ({ name: one, claimMatch: { issuer: `https://issuer.example/${one}`, subject: one } })
  const times = { createTime, updateTime: createTime, lastSeenTime: createTime }
  const good = { path, body: bodyOf('one'), answer: { uid: `${home}/1`, ...bodyOf('one'), ...times } }
  const bad = { path, body: bodyOf('two'), status: 500, answer: refused(13, 'no such host') }
  expect(found(bad)).toEqual([])
  expect(found(good, bad)).toEqual(['model.identity.answer'])
})
