import { afterAll, expect, test } from 'vitest'
import { referenceWithCalls, uids } from '../support/runs/reference-calls.ts'

const { reference, call, get, post, patch, remove, children, group, identity, binding } = await referenceWithCalls()
afterAll(() => reference.close())

test('a new group has what was sent, what the server owns, and nothing of what the client may not set', async () => {
  const sent = {
    name: 'a_b.c-d 1',
    description: '<é>',
    verified: true,
    uid: 'x',
    createTime: '2000-01-01T00:00:00Z',
  }
  const { status, body } = await post(`groups/${reference.groupUid}`, sent)

  expect(status).toBe(200)
  expect(body).toEqual({
    uid: expect.stringMatching(new RegExp(`^${reference.groupUid}/[0-9a-f]{16}$`)),
    name: 'a_b.c-d 1',
    description: '<é>',
    resourceLimits: {},
    verified: false,
    createTime: expect.stringMatching(/^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updateTime: body.createTime,
  })
})

test('create, Get, list and update show one and the same group, in both versions and spellings', async () => {
  const uid = await group()
  const shown = (await get(`groups/${uid}`)).body

  expect((await get(`groups/${uid.replaceAll('/', '%2F')}`)).body).toEqual(shown)
  expect((await call('GET', `/iam/v2/groups/${uid}`)).body).toEqual(shown)
  expect((await get(`groups/${uid.toUpperCase()}`)).status).toBe(404)
  expect((await children(reference.groupUid, `&name=${encodeURIComponent(shown.name)}`)).body.groups).toEqual([shown])
  expect((await patch(`groups/${uid}`, {})).body).toEqual(shown)
})

test.each([
  ['no bytes', undefined],
  ['no name', {}],
  ['an empty name', { name: '' }],
  ['null', { name: null }],
  ['a number', { name: 5 }],
  ['upper case', { name: 'Abc' }],
  ['a trailing newline', { name: 'abc\n' }],
  ['a second line', { name: 'abc\nX' }],
])('%s for a name is refused and leaves nothing', async (_what, body) => {
  const parent = await group()
  const refused = await call('POST', `/iam/v2beta1/groups/${parent}`, body === undefined ? {} : { body })

  expect(refused.status).toBe(400)
  expect(refused.body).toEqual({
    code: 3,
    message: expect.stringMatching(/^Invalid argument: name: /),
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'INVALID_ARGUMENT',
        domain: expect.any(String),
      },
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'name', description: expect.any(String) }],
      },
    ],
  })
  expect((await children(parent)).body).toMatchObject({ groups: [], totalCount: '0' })
})

test.each(['{', '[]', '"name"', 'null', '\xff'])('the body %s is refused with code 3', async (raw) => {
  const refused = await call('POST', `/iam/v2beta1/groups/${reference.groupUid}`, { raw })
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 3, details: [{}, { fieldViolations: [{ field: 'body' }] }] },
  })
})

test('an update changes what the body holds, or what the mask lists and nothing else', async () => {
  const uid = await group(undefined, 'before')
  await new Promise((resume) => setTimeout(resume, 3))

  const first = (await patch(`groups/${uid}`, { description: 'new', verified: true })).body
  expect(first).toMatchObject({ name: 'before', description: 'new', verified: false })
  expect(first.updateTime > first.createTime).toBe(true)

  const masked = (await patch(`groups/${uid}?updateMask=description`, { name: 'NOT OK', description: '' })).body
  expect(masked).toMatchObject({ name: 'before', description: '', createTime: first.createTime })
  expect((await get(`groups/${uid}`)).body).toEqual(masked)
  expect(
    (await patch(`groups/${uid}?updateMask=name,description`, { name: 'after', description: 'x' })).body,
  ).toMatchObject({
    name: 'after',
    description: 'x',
  })
})

test('a refused update changes nothing', async () => {
  const uid = await group()
  const before = (await get(`groups/${uid}`)).body

  expect((await patch(`groups/${uid}`, { name: 'BAD', description: 'good' })).body.code).toBe(3)
  expect((await patch(`groups/${uid}`, { name: 'good', description: 5 })).body.code).toBe(3)
  expect((await get(`groups/${uid}`)).body).toEqual(before)
})

test('a deleted group is gone for every call, and its neighbour is not', async () => {
  const parent = await group()
  const [uid, neighbour] = [await group(parent), await group(parent)]

  expect(await remove(`groups/${uid}`)).toMatchObject({ status: 200, text: '{}' })
  expect(uids((await children(parent)).body.groups)).toEqual([neighbour])
  for (const gone of [
    get(`groups/${uid}`),
    patch(`groups/${uid}`, {}),
    remove(`groups/${uid}`),
    post(`groups/${uid}`, { name: 'abc' }),
  ]) {
    expect(await gone).toMatchObject({ status: 404, body: { code: 5 } })
  }
})

test.each(['groups', 'identities', 'roleBindings'])('a group that holds %s is not deleted', async (kind) => {
  const [parent, uid] = [await group(), await group()]
  const bound = await identity(parent)
  const content = {
    groups: () => group(uid),
    identities: () => identity(uid),
    roleBindings: async () => (await binding(uid, bound)).uid,
  }[kind]!
  const inside = await content()

  expect(await remove(`groups/${uid}`)).toMatchObject({
    status: 400,
    body: {
      code: 9,
      message: expect.stringMatching(/^Precondition failed: /),
      details: [{ reason: 'FAILED_PRECONDITION' }, { violations: [{ type: 'RESOURCE_NOT_EMPTY' }] }],
    },
  })
  expect((await remove(`${kind}/${inside}`)).status).toBe(200)
  expect((await remove(`groups/${uid}`)).status).toBe(200)
})
