import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { startReference } from '../../reference/embed.ts'
import { referenceWithCalls } from '../support/runs/reference-calls.ts'

const { reference, call, get, post, remove, group, roleUid } = await referenceWithCalls()
afterAll(() => reference.close())

test('no call is answered without a token that the service signed and that is still valid', async () => {
  const [, payload = ''] = reference.accessToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const sign = async (changed: object, header = { alg: 'RS256' }) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader(header).sign((await generateKeyPair('RS256')).privateKey)
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  const middle = Math.floor(reference.accessToken.length * 0.8)
  const flipped = reference.accessToken[middle] === 'A' ? 'B' : 'A'
  const altered = reference.accessToken.slice(0, middle) + flipped + reference.accessToken.slice(middle + 1)

  for (const token of [undefined, '', 'x', reference.accessToken.slice(0, -5), altered, none, await sign({})]) {
    expect(await get('roles', { token })).toMatchObject({ status: 401, body: { code: 16, details: [{}] } })
  }
  for (const authorization of [reference.accessToken, `Basic ${reference.accessToken}`]) {
    expect((await get('roles', { token: undefined, headers: { authorization } })).status).toBe(401)
  }
  expect((await get(`roles?access_token=${reference.accessToken}`, { token: undefined })).status).toBe(401)
})

test('a token of another server is refused, and so is an old one', async () => {
  const another = await startReference()
  try {
    expect((await get('roles', { token: another.accessToken })).status).toBe(401)
    another.world.now = () => Date.now() + 61 * 60 * 1000
    expect((await get('roles', { on: another, token: another.other.accessToken })).status).toBe(401)
  } finally {
    await another.close()
  }
})

test('a refused call has no effect', async () => {
  const uid = await group()
  expect((await remove(`groups/${uid}`, { token: 'x' })).status).toBe(401)
  expect((await get(`groups/${uid}`)).status).toBe(200)
})

test('the second organization is as good as absent for the first one, and has its own', async () => {
  const { groupUid, accessToken } = reference.other
  const [root = ''] = groupUid.split('/')

  for (const kind of ['groups', 'identities', 'roleBindings']) {
    const theirs = await get(`${kind}?uidp.descendants_of=${root}`, { token: accessToken })
    expect(Number(theirs.body.totalCount)).toBeGreaterThan(0)
    for (const scope of ['', `uidp.descendants_of=${root}`, `uidp.children_of=${root}`]) {
      const { text } = await get(`${kind}?${scope}&page_size=200`)
      expect(text).not.toContain(root)
    }
    for (const { uid } of theirs.body[kind]) expect((await get(`${kind}/${uid}`)).status).toBe(404)
  }
  expect((await post(`groups/${groupUid}`, { name: 'intruder' })).status).toBe(404)
  const { uid } = (await get(`identities?uidp.descendants_of=${root}`, { token: accessToken })).body.identities[0]
  const bound = await post(`roleBindings/${reference.groupUid}`, {
    identityUid: uid,
    roleUid: await roleUid(),
  })
  expect(bound.status).toBe(404)
})
test('odd paths and methods get an error body and never a 5xx', async () => {
  for (const path of [
    '/',
    '/iam',
    '/iam/v3/groups',
    '/iam/v2/groups/',
    '/iam/v2/nothing',
    '//',
    '/iam/v2/groups/a/../b',
  ]) {
    expect(await call('GET', path)).toMatchObject({ status: 404, body: { code: 5 } })
  }
  expect(await call('GET', '/iam/v2/groups/%zz')).toMatchObject({ status: 400, body: { code: 3 } })
  expect((await call('GET', `/iam/v2/groups?name=%zz&%=%`)).status).toBe(200)
  expect((await call('POST', '/iam/v2/groups', { body: {} })).status).toBe(405)
  expect(await call('HEAD', '/iam/v2/groups')).toMatchObject({ status: 200, text: '' })
})

test('rules replaced in one server change that server only', async () => {
  const broken = await startReference({ rules: () => ({ skipped: () => 0, deleted: () => undefined }) })
  try {
    expect((await get('roles?skip=3', { on: broken })).body.skipped).toBe(0)
    expect((await get('roles?skip=3')).body.skipped).toBe(3)
    expect(await remove(`groups/${await group(broken.groupUid, 'gone', broken)}`, { on: broken })).toMatchObject({
      status: 200,
      text: '',
    })
  } finally {
    await broken.close()
  }
})
