import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed, shownGroup } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const [above, uid] = [home.slice(0, home.indexOf('/')), `${home}/${'c'.repeat(16)}`]
const { createTime, ...shown } = shownGroup(uid)
const made = { ...shown, createTime }
const { createTime: createdAt, updateTime: updatedAt, name } = made
const inV1 = { id: uid, name, createdAt, updatedAt }

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

test('a refusal that blames what was sent is not for what is unknown', () => {
  const violation = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: 'description' }],
  }
  const answer = { ...refused(3, 'bad'), details: [violation] }
  const update = { method: 'PATCH', path: `v2beta1/groups/${uid}`, body: { description: 'new' }, status: 400 } as const
  expect(found(create, { ...update, answer, after: 1_000 })).toContain('model.group.answer')
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

const createInV1 = { path: `v1/groups/${home}`, body: { name: 'NAME C' }, answer: { ...inV1, name: 'name c' } }
const replace = { ...createInV1, method: 'PUT', path: `v1/groups/${uid}`, answer: { ...inV1, name: 'name d' } } as const
const get = { method: 'GET', path: `v2beta1/groups/${uid}`, answer: made } as const
const list: Sent = {
  method: 'GET',
  path: 'v2beta1/groups',
  query: [['uidp.children_of', home]],
  answer: { groups: [made], nextPageToken: '', totalCount: '1', skipped: 0 },
}

test.for<[string, Sent[], string[]]>([
  ['a Create that gives another name', [createInV1, get], ['model.v1.update']],
  [
    'an Update that gives another name',
    [create, replace, { ...get, answer: { ...made, name: 'name d' } }],
    ['model.v1.update'],
  ],
  [
    'a Delete of a full group',
    [create, list, { method: 'DELETE', path: `v1/groups/${home}`, answer: {} }],
    ['model.v1.update'],
  ],
])('what v1 takes is a should: %s', ([, calls, rows]) => {
  expect(found(...calls)).toEqual(rows)
})

test('a bad name that v1 lets in is a must wherever v2 shows it', () => {
  const name = 'NAME C'
  const calls = [
    { ...createInV1, answer: { ...inV1, name } },
    { ...get, answer: { ...made, name } },
  ]
  expect(found(...calls)).toContain('model.group.refusal')
})
