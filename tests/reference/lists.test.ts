import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, names, referenceWithCalls, uids } from '../support/runs/reference-calls.ts'

const { reference, get, children, group, identity } = await referenceWithCalls()
afterAll(() => reference.close())

let scope: string
let inner: string
const order = ['ab', 'ab', 'ac', 'b', 'd', 'x', 'z']

beforeAll(async () => {
  scope = await group()
  inner = await group(scope, 'z')
  for (const name of ['b', 'ab', 'x', 'ac']) await group(scope, name)
  for (const name of ['ab', 'd']) await group(inner, name)
})

test('below is every depth, children are direct ones, and neither is the group itself', async () => {
  const below = (await get(`groups?uidp.descendants_of=${scope}`)).body
  expect([...names(below.groups)].sort()).toEqual(order)
  expect(below).toMatchObject({ totalCount: '7', nextPageToken: '', skipped: 0 })
  expect(uids(below.groups)).toEqual([...uids(below.groups)].sort())
  expect((await children(scope)).body.totalCount).toBe('5')
  expect((await get(`groups?uidp.descendants_of=${scope}&uidp.children_of=${inner}`)).body.totalCount).toBe('2')
  expect((await get(`groups?uidp.descendants_of=${inner}&uidp.children_of=${scope}`)).body.totalCount).toBe('0')
  for (const stranger of [scope.slice(0, -1), `${scope}0`, `${scope}/`, '%25', scope.toUpperCase()]) {
    expect((await get(`groups?uidp.descendants_of=${stranger}`)).body.totalCount).toBe('0')
  }
})

test('a group of an unlike kind lists what lives in the group and below it', async () => {
  const [outer, deep] = [await identity(scope), await identity(inner)]
  expect(uids((await get(`identities?uidp.children_of=${scope}`)).body.identities)).toEqual([outer])
  expect(new Set(uids((await get(`identities?uidp.descendants_of=${scope}`)).body.identities))).toEqual(
    new Set([outer, deep]),
  )
})

test('names filter exactly, and together with a scope', async () => {
  const found = async (name: string, where = scope) =>
    (await get(`groups?uidp.descendants_of=${where}&name=${encodeURIComponent(name)}`)).body.totalCount
  expect([await found('ab'), await found('ab', inner), await found('a'), await found('AB'), await found('a%')]).toEqual(
    ['2', '1', '0', '0', '0'],
  )
})

test('orders by name and by creation, both ways, and knows no other field', async () => {
  const ordered = async (by: string) => (await get(`groups?uidp.descendants_of=${scope}&order_by=${by}`)).body.groups
  expect(names(await ordered('name'))).toEqual(order)
  expect(names(await ordered('name%20desc'))).toEqual([...order].reverse())
  const times = (await ordered('created_at%20desc')).map((item: Body) => item.createTime)
  expect(times).toEqual([...times].sort().reverse())
  expect((await get(`groups?order_by=verified`)).body.code).toBe(3)
  expect((await get(`groups?order_by=constructor`)).body.code).toBe(3)
})

test('skip leaves out and is echoed; the next page follows at once', async () => {
  const path = `groups?uidp.descendants_of=${scope}&order_by=name&page_size=2`
  expect((await get(`groups?uidp.descendants_of=${scope}&page_size=7`)).body).toMatchObject({
    nextPageToken: '',
  })
  const third = (await get(`${path}&skip=2`)).body
  expect(names(third.groups)).toEqual(order.slice(2, 4))
  expect(third).toMatchObject({ skipped: 2, totalCount: '7' })
  expect(names((await get(`${path}&page_token=${third.nextPageToken}`)).body.groups)).toEqual(order.slice(4, 6))
  expect((await get(`${path}&skip=6`)).body).toMatchObject({ groups: [{ name: 'z' }], nextPageToken: '' })
  expect((await get(`${path}&skip=99`)).body).toMatchObject({
    groups: [],
    totalCount: '7',
    nextPageToken: '',
  })
})

test('a page holds 50 unless asked, 200 at most, and its numbers must be numbers', async () => {
  const crowd = await group()
  await Promise.all(Array.from({ length: 205 }, (_, n) => group(crowd, `member ${n}`)))
  const size = async (asked: string) => (await children(crowd, asked)).body.groups?.length
  expect(await Promise.all(['', '&page_size=0', '&page_size=200', '&page_size=201'].map(size))).toEqual([
    50, 50, 200, 200,
  ])
  for (const bad of [
    'page_size=-1',
    'page_size=x',
    'skip=-1',
    'skip=1.5',
    'page_size=99999999999',
    'page_size=1&page_size=2',
  ]) {
    expect((await get(`groups?${bad}`)).body).toMatchObject({ code: 3 })
  }
})
