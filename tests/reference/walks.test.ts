import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, referenceWithCalls, uids } from '../support/runs/reference-calls.ts'

const { reference, get, patch, remove, group } = await referenceWithCalls()
afterAll(() => reference.close())

async function walk(path: string, between: (page: number) => Promise<unknown> = async () => {}): Promise<Body[]> {
  const items: Body[] = []
  let token = ''
  for (let page = 1; page < 200; page++) {
    const { body } = await get(`${path}&page_token=${encodeURIComponent(token)}`)
    items.push(...body.groups)
    token = body.nextPageToken
    if (token === '') return items
    await between(page)
  }
  throw new Error('the walk does not end')
}

let scope: string
let inner: string

beforeAll(async () => {
  scope = await group()
  inner = await group(scope, 'z')
  for (const name of ['b', 'ab', 'x', 'ac']) await group(scope, name)
  for (const name of ['ab', 'd']) await group(inner, name)
})

test.each(['', 'name', 'name%20desc', 'created_at', 'created_at%20desc'])(
  'a walk ordered by %s finds all, ties too',
  async (by) => {
    const all = (await get(`groups?uidp.descendants_of=${scope}&order_by=${by}`)).body.groups
    for (const size of [1, 2, 3, 7]) {
      expect(uids(await walk(`groups?uidp.descendants_of=${scope}&order_by=${by}&page_size=${size}`))).toEqual(
        uids(all),
      )
    }
  },
)

test('a walk stays the same while others create, delete and rename', async () => {
  const parent = await group()
  const standing = await Promise.all(['c', 'e', 'g', 'i', 'k', 'm'].map((name) => group(parent, name)))
  const [doomed, renamed] = [await group(parent, 'b'), await group(parent, 'd')]

  const seen = uids(
    await walk(`groups?uidp.children_of=${parent}&order_by=name&page_size=2`, async (page) => {
      await group(parent, 'a')
      await group(parent, 'z')
      if (page === 1) await remove(`groups/${doomed}`)
      if (page === 2) await patch(`groups/${renamed}`, { name: 'y' })
    }),
  )
  expect(standing.map((uid) => seen.filter((one) => one === uid).length)).toEqual([1, 1, 1, 1, 1, 1])
})

test('a token is refused where it was never issued or the order changed, and starts over after three days', async () => {
  const path = `groups?uidp.descendants_of=${scope}&page_size=2`
  const first = (await get(path)).body
  const token = first.nextPageToken
  const expiringTokens = (milliseconds: number) => {
    const cursor = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Buffer.from(JSON.stringify({ ...cursor, issued: cursor.issued - milliseconds })).toString('base64url')
  }
  const days = 24 * 60 * 60 * 1000

  for (const bad of ['nonsense', token.slice(0, -3), `${token}%3D`]) {
    expect((await get(`${path}&page_token=${bad}`)).body.code).toBe(3)
  }
  expect((await get(`${path}&page_token=${token}&order_by=name`)).body.code).toBe(3)
  expect((await get(`roles?page_token=${token}`)).body.code).toBe(3)
  expect(uids((await get(`${path}&page_token=${expiringTokens(3 * days + 60_000)}`)).body.groups)).toEqual(
    uids(first.groups),
  )
  expect(uids((await get(`${path}&page_token=${expiringTokens(3 * days - 60_000)}`)).body.groups)).not.toEqual(
    uids(first.groups),
  )
})
