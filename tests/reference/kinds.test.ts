import { afterAll, describe, expect, test } from 'vitest'
import { referenceWithCalls } from '../support/runs/reference-calls.ts'

const { reference, call, post, get, patch, remove, group, roleUid } = await referenceWithCalls()
afterAll(() => reference.close())

const below = (path: string, uid = reference.registryGroupUid, more = '') =>
  call('GET', `/${path}?uidp.descendants_of=${uid}${more}`)

describe.each(['v2beta1', 'v2'])('in %s', (version) => {
  test.each([
    ['registry', 'repos', 240],
    ['registry', 'tags', 142],
    ['vulnerabilities', 'advisories', 112],
  ])('%s keeps %s, and reads them alone', async (family, kind, count) => {
    const path = `${family}/${version}/${kind}`
    const { body } = await below(path, undefined, '&page_size=200')

    expect(body.totalCount).toBe(String(count))
    expect(body[kind]).toHaveLength(Math.min(count, 200))
    expect((await call('GET', `/${path}/${body[kind][0].uid}`)).body).toEqual(body[kind][0])
    expect(await call('DELETE', `/${path}/${body[kind][0].uid}`)).toMatchObject({ status: 405 })
    expect(await call('POST', `/${path}/${reference.registryGroupUid}`, { body: {} })).toMatchObject({
      body: { code: 12 },
    })
  })
})

test('another organization has some of each, which the first never sees', async () => {
  for (const path of ['registry/v2/repos', 'registry/v2/tags', 'vulnerabilities/v2/advisories']) {
    const own = await call('GET', `/${path}?page_size=1`, { token: reference.other.accessToken })

    expect(Number(own.body.totalCount)).toBeGreaterThan(3)
    expect((await below(path, reference.other.groupUid.split('/')[0])).body.totalCount).toBe('0')
  }
})

test('a group that holds repos is not deleted', async () => {
  expect((await remove(`groups/${reference.nonemptyGroupUid}`)).body.code).toBe(9)
  expect((await get(`groups/${reference.nonemptyGroupUid}`)).status).toBe(200)
})

test.each(['identityProviders', 'accountAssociations'])('of %s one is made, changed and deleted', async (kind) => {
  const parent = await group()
  const oidc = { issuer: 'https://login.test', clientId: 'c', clientSecret: 's' }
  const made = (await post(`${kind}/${parent}`, { name: 'a b', description: 'd', oidc })).body

  expect(made).toMatchObject({ name: 'a b', description: 'd' })
  expect(JSON.stringify(made)).not.toContain('clientSecret')
  expect((await patch(`${kind}/${made.uid}`, { description: 'e' })).body).toMatchObject({
    description: 'e',
  })
  expect((await remove(`groups/${parent}`)).body.code).toBe(9)
  expect((await remove(`${kind}/${made.uid}`)).status).toBe(200)
  expect((await remove(`groups/${parent}`)).status).toBe(200)
})

test('an invite shows its code once, and only to who made it', async () => {
  const parent = await group()
  const made = (await post(`groupInvites/${parent}`, { roleUid: await roleUid(), singleUse: true })).body

  expect(made.code).toMatch(/^.{20,}$/)
  expect((await get(`groupInvites/${made.uid}`)).body).toEqual({ ...made, code: '' })
  expect((await patch(`groupInvites/${made.uid}`, {})).status).toBe(405)
  expect((await post(`groupInvites/${parent}`, {})).body.code).toBe(3)
  expect((await post(`groupInvites/${parent}`, { roleUid: parent })).body.code).toBe(5)
})
