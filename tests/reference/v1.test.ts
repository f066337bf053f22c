import { afterAll, expect, test } from 'vitest'
import { startReference } from '../../reference/embed.ts'
import { type Body, referenceWithCalls } from '../support/runs/reference-calls.ts'

const { reference, call, get, patch, remove, group } = await referenceWithCalls()
afterAll(() => reference.close())

const v1 = (method: string, path: string, body?: unknown) =>
  call(method, `/iam/v1/${path}`, { body, token: reference.accessToken })
const repos = async (version: string, query: string) => (await call('GET', `/registry/${version}/repos?${query}`)).body
const ids = ({ body }: { body: Body }) => body.items.map(({ id }: Body) => id).sort()

test('a v1 list shows the groups of its scope under items, in the v1 form', async () => {
  const parent = await group()
  const [child, other] = [await group(parent), await group(parent)]
  const below = await group(child)
  await patch(`groups/${child}`, { description: 'later' })
  const { uid, name, description, createTime, updateTime } = (await get(`groups/${child}`)).body

  const listed = await v1('GET', `groups?uidp.children_of=${parent}`)
  const resourceLimits = { clusters: 0, idps: 0, repositories: 0 }
  expect(listed.body.items).toContainEqual({
    id: uid,
    name,
    description,
    resourceLimits,
    createdAt: createTime,
    updatedAt: updateTime,
  })
  expect(ids(listed)).toEqual([child, other].sort())
  expect(ids(await v1('GET', `groups?uidp.descendants_of=${parent}`))).toEqual([child, other, below].sort())
  expect(ids(await v1('GET', 'groups'))).toEqual(expect.arrayContaining([parent, below]))
  expect(ids(await v1('GET', 'groups'))).not.toContain(reference.other.groupUid)
})

test('v1 lists the repos of a registry, all in one answer', async () => {
  const scope = `uidp.descendants_of=${reference.registryGroupUid}`
  const [{ items }, { repos: first, totalCount }] = [
    await repos('v1', scope),
    await repos('v2', `${scope}&page_size=1`),
  ]
  const { uid, name, createTime } = first[0]

  expect(items).toHaveLength(Number(totalCount))
  expect(items).toContainEqual(expect.objectContaining({ id: uid, name, createdAt: createTime }))
  expect((await call('POST', `/registry/v1/repos/${uid}`, { body: {} })).status).toBe(405)
})

test('a v1 update resets what is left out, and needs a name', async () => {
  const uid = await group(undefined, 'one name')

  expect(await v1('PUT', `groups/${uid}`, { id: 'x', name: 'other name' })).toMatchObject({
    status: 200,
    body: { id: uid, name: 'other name', description: '' },
  })
  expect((await get(`groups/${uid}`)).body).toMatchObject({ name: 'other name', description: '' })
  expect(await v1('PUT', `groups/${uid}`, { description: 'kept' })).toMatchObject({ body: { code: 3 } })
  expect((await get(`groups/${uid}`)).body).toMatchObject({ name: 'other name', description: '' })
})

test('a group is created, read and deleted through v1', async () => {
  const parent = await group()
  const made = (await v1('POST', `groups/${parent}`, { name: 'made in v1' })).body

  expect((await v1('GET', `groups/${made.id}`)).body).toEqual(made)
  expect((await get(`groups/${made.id}`)).body).toMatchObject({ uid: made.id, createTime: made.createdAt })
  expect(await v1('DELETE', `groups/${parent}`)).toMatchObject({ body: { code: 9 } })
  expect((await v1('DELETE', `groups/${made.id}`)).status).toBe(200)
  expect((await get(`groups/${made.id}`)).status).toBe(404)
  expect((await remove(`groups/${parent}`)).status).toBe(200)
})

test('v1 needs the same token, and has no PATCH', async () => {
  const uid = await group()
  for (const [method, path] of [
    ['GET', 'groups'],
    ['GET', `groups/${uid}`],
    ['PUT', `groups/${uid}`],
    ['DELETE', `groups/${uid}`],
  ] as const) {
    const { status } = await call(method, `/iam/v1/${path}`, { token: undefined, body: { name: 'no' } })
    expect(status).toBe(401)
  }
  expect((await v1('PATCH', `groups/${uid}`, { name: 'no' })).status).toBe(405)
  expect((await v1('GET', 'identities')).status).toBe(404)
})

test('a version that is not served is as good as no path', async () => {
  const one = await startReference({ rules: () => ({ serves: (version) => version === 'v2' }) })
  try {
    const status = async (version: string) =>
      (await call('GET', `/iam/${version}/groups/${one.groupUid}`, { on: one })).status
    expect(await Promise.all(['v2', 'v2beta1', 'v1'].map(status))).toEqual([200, 404, 404])
  } finally {
    await one.close()
  }
})
