import { request } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { type Reference, startReference } from '../../reference/embed.ts'
import { faultNamed, faults } from '../../reference/faults.ts'
import { during, fromPage, on, type Replacement } from '../../reference/replace.ts'
import { contract } from '../../reference/rules.ts'
import { variantNamed, variants } from '../../reference/variants.ts'

let reference: Reference
afterEach(() => reference?.close())

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  const reply = await request(`${reference.baseUrl}/iam/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${reference.accessToken}` },
    body: body ? JSON.stringify(body) : null,
  })
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire brings
  return (await reply.body.json()) as any
}

const start = async (rules: Replacement) => {
  reference = await startReference({ rules })
}

test('on and fromPage leave other kinds and earlier pages to the contract', async () => {
  await start(on('roles', fromPage(2, { listBody: () => ({ broken: true }) })))

  const first = await call('GET', 'roles?page_size=1')
  expect(first.roles).toHaveLength(1)
  expect(await call('GET', `roles?page_size=1&page_token=${first.nextPageToken}`)).toEqual({ broken: true })
  expect((await call('GET', 'groups')).groups).toBeDefined()
})

test('during leaves other operations to the contract', async () => {
  await start(during('get', { group: () => ({ broken: true }) }))

  const made = await call('POST', `groups/${reference.groupUid}`, { name: 'whole' })
  expect(made.name).toBe('whole')
  expect(await call('GET', `groups/${made.uid}`)).toEqual({ broken: true })
})

test('every fault and variant has a name of its own and replaces rules that there are', () => {
  const all = [...faults, ...variants]
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { rules } of all) {
    const replaced = Object.keys(rules(contract))
    expect(replaced).not.toEqual([])
    expect(Object.keys(contract)).toEqual(expect.arrayContaining(replaced))
  }
})

test('a replacement is made again for each start', async () => {
  let starts = 0
  const counting: Replacement = () => {
    starts += 1
    return {}
  }
  await start(counting)
  await reference.close()
  await start(counting)
  expect(starts).toBe(2)
})

test('the lost update loses an update', async () => {
  await start(faultNamed('an update is lost when two arrive at once').rules)
  const { uid } = await call('POST', `groups/${reference.groupUid}`, { name: 'one', description: 'one' })
  // on a busy machine a pair may miss each other
  let lost = false
  for (let round = 0; round < 50 && !lost; round++) {
    const wanted = { name: `name ${round}`, description: `description ${round}` }
    await Promise.all([
      call('PATCH', `groups/${uid}`, { name: wanted.name }),
      call('PATCH', `groups/${uid}`, { description: wanted.description }),
    ])
    const after = await call('GET', `groups/${uid}`)
    lost = after.name !== wanted.name || after.description !== wanted.description
  }

  expect(lost).toBe(true)
})

test('below may include the group itself', async () => {
  await start(variantNamed('below includes the group itself').rules)
  const { groups } = await call('GET', `groups?uidp.descendants_of=${reference.groupUid}`)
  expect(groups).toMatchObject([{ uid: reference.groupUid }])
})

test('a name that nothing has is answered with the nearest', () => {
  expect(() => faultNamed('skpi')).toThrow("No fault is called 'skpi'. Did you mean 'skip is not echoed'?")
  expect(() => variantNamed('delete without bytes')).toThrow("Did you mean 'a delete answers with no bytes'?")
})
