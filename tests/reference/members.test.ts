import { afterAll, expect, test } from 'vitest'
import { names, referenceWithCalls } from '../support/runs/reference-calls.ts'

const { reference, get, post, patch, remove, group, identity, roleUid, binding } = await referenceWithCalls()
afterAll(() => reference.close())

test('an identity is created, read, listed, updated and deleted', async () => {
  const parent = await group()
  const claimMatch = { issuer: 'https://Issuer.test/?a=1&b', subject: 'é"<' }
  const made = (await post(`identities/${parent}`, { name: 'Any Name!', description: 'd', claimMatch })).body

  expect(made).toMatchObject({ name: 'Any Name!', claimMatch, lastSeenTime: made.createTime })
  expect((await get(`identities?uidp.children_of=${parent}`)).body).toMatchObject({
    identities: [made],
    totalCount: '1',
  })
  expect((await patch(`identities/${made.uid}`, { description: 'e' })).body).toMatchObject({
    claimMatch,
    description: 'e',
  })
  expect((await remove(`identities/${made.uid}`)).status).toBe(200)
  expect((await get(`identities/${made.uid}`)).body.code).toBe(5)
  expect((await post(`identities/${parent}`, { claimMatch })).body.details[1].fieldViolations[0].field).toBe('name')
})

test.each([undefined, null, 'text', {}, { issuer: 'i' }, { issuer: 'i', subject: '' }])(
  'an identity is refused whose claim match is %o',
  async (claimMatch) => {
    const parent = await group()
    const refused = await post(`identities/${parent}`, { name: 'abc', claimMatch })
    expect(refused.body.details[1].fieldViolations).toMatchObject([{ field: 'claimMatch' }])
    expect((await get(`identities?uidp.children_of=${parent}`)).body.totalCount).toBe('0')
  },
)

test('roles: viewer is listed, readable, and not on the first page', async () => {
  const first = (await get('roles')).body
  const viewer = (await get('roles?name=viewer')).body.roles[0]

  expect(first.roles).toHaveLength(50)
  expect(Number(first.totalCount)).toBeGreaterThan(60)
  expect(names(first.roles)).not.toContain('viewer')
  expect(names((await get('roles?order_by=name')).body.roles)).not.toContain('viewer')
  expect(viewer.uid).toMatch(/^[0-9a-f]{40}$/)
  expect((await get(`roles/${viewer.uid}`)).body).toEqual(viewer)
  expect(await remove(`roles/${viewer.uid}`)).toMatchObject({ status: 405, body: { code: 12 } })
})

test('a binding shows whole objects as they are now, and goes with its identity', async () => {
  const parent = await group(undefined, 'old name')
  const someone = await identity(parent)
  const bound = await binding(parent, someone)
  await patch(`groups/${parent}`, { name: 'new name' })
  const other = (await get('roles')).body.roles[0]

  const { claimMatch } = (await get(`identities/${someone}`)).body
  const shown = (await get(`roleBindings/${bound.uid}`)).body
  expect(shown.group).toEqual({ uid: parent, name: 'new name', description: 'about old name' })
  expect(shown.identity).toMatchObject({ uid: someone, description: 'it', ...claimMatch })
  expect((await patch(`roleBindings/${bound.uid}`, { roleUid: other.uid })).body.role.name).toBe(other.name)
  await remove(`identities/${someone}`)
  expect((await get(`roleBindings/${bound.uid}`)).status).toBe(404)
  expect((await get(`roleBindings?uidp.descendants_of=${parent}`)).body).toMatchObject({
    roleBindings: [],
    totalCount: '0',
  })
})

test('a binding of what does not exist is refused and leaves nothing', async () => {
  const parent = await group()
  const [identityUid, role] = [await identity(parent), await roleUid()]

  for (const body of [
    { identityUid: role, roleUid: role },
    { identityUid, roleUid: identityUid },
    { identityUid },
    {},
  ]) {
    expect((await post(`roleBindings/${parent}`, body)).status).toBeGreaterThanOrEqual(400)
  }
  expect((await post(`roleBindings/${parent}`, { identityUid })).body).toMatchObject({ code: 3 })
  expect((await get(`roleBindings?uidp.children_of=${parent}`)).body.totalCount).toBe('0')
})
