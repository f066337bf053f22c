import { expect } from 'vitest'
import { instant } from '../helpers/api/instant.ts'
import { isObject, uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { claimMatchFor } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { accepted, clientsMistake, refused } from '../helpers/assertions/refused.ts'
import { hasShape } from '../helpers/assertions/schema.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

const profile = 'identities'

requirement(
  {
    id: 'identity.create.answers',
    level: 'must',
    statement: 'S4.3, S1.2, R55',
    quote: 'Identities have Create under a group',
    says: 'Create answers the new identity with name, description and claim match as sent',
    profile,
  },
  async ({ api, scratch, names }) => {
    const name = names.fresh()
    const description = `As sent, to the ${'very '.repeat(40)}`.slice(0, 199).trimEnd().padEnd(200, '.')
    const sent = { name, description, claimMatch: claimMatchFor(name) }

    const created = await api.identities.create(scratch.uid, sent)

    expect(created, 'the identity in the answer to Create').toMatchObject(sent)
  },
)

requirement(
  {
    id: 'identity.create.shape',
    level: 'must',
    statement: 'S2.10, S2.11, S2.12, S2.4, R8, R46',
    quote: 'it has a `uid`, a `name` that a create needs, and a `description`',
    says: 'Create answers an identity with the members and types of the contract',
    profile,
  },
  async ({ scratch }) => {
    hasShape(await scratch.makeIdentity(), 'identity')
  },
)

for (const [operation, says] of [
  ['get', 'Get answers the identity as Create did'],
  ['list', 'List answers the identity as Create did'],
  ['update', 'Update answers the changed identity'],
] as const) {
  requirement(
    {
      id: `identity.${operation}.answers`,
      level: 'must',
      statement: 'S4.3, S1.2, R49, R55',
      quote: 'their List, Get and Update follow the pattern of the groups',
      says,
      profile,
    },
    async ({ api, scratch, settled, present }) => {
      const made = await scratch.makeIdentity()
      const { get, list, update } = api.attempt.identities
      await present(
        operation === 'get'
          ? get(made.uid)
          : operation === 'list'
            ? list(scratch.children)
            : update(made.uid, { description: 'changed' }),
      )

      await settled(async () => {
        if (operation === 'update')
          return expect(
            await api.identities.update(made.uid, { description: 'again' }),
            'the identity in the answer to Update',
          ).toMatchObject({ uid: made.uid, description: 'again' })
        const shown =
          operation === 'get'
            ? [await api.identities.get(made.uid)]
            : (await api.identities.list(scratch.children)).items
        expect(uids(shown), `the identities in the answer to ${operation}`).toEqual([made.uid])
        same(shown[0]!, made)
        hasShape(shown[0]!, 'identity')
      })
    },
  )
}

requirement(
  {
    id: 'identity.claim-match.kept',
    level: 'must',
    statement: 'S2.11, R6',
    quote: 'A description or a `claimMatch` that was accepted must come back as sent, character for character',
    says: 'A claim match comes back as sent, character for character',
    profile,
  },
  async ({ api, scratch, names, atLeast }) => {
    const claims = [
      (name: string) => claimMatchFor(name),
      (name: string) => ({ issuer: `https://${name}.example/`, subject: `auth0|${name}` }),
      (name: string) => ({
        issuer: `https://issuer.example/${name}?a=1&b=<2>`,
        subject: `repo:Owner/${name}:ref "x"`,
      }),
      (name: string) => ({ issuer: `https://issuer.example:443/${name}`, subject: `a+b%2Bc:${name}` }),
      (name: string) => ({
        issuer: `https://issuer.example/${name}/ü`,
        subject: `Ζωή ${name}`.padEnd(120, 'x'),
      }),
    ]
    const sent = claims
      .map(() => names.fresh())
      .map((name, index) => ({ name, description: name, claimMatch: claims[index]!(name) }))

    const answers = await Promise.all(sent.map((body) => api.attempt.identities.create(scratch.uid, body)))
    const kept = sent.flatMap(({ claimMatch }, index) =>
      succeeded(answers[index]!) ? [{ claimMatch, answer: answers[index]! }] : [],
    )
    atLeast(1, 'claim matches that were accepted', kept.length)

    for (const { claimMatch, answer } of kept)
      expect(answer.json, 'the identity in the answer to Create').toMatchObject({ claimMatch })
  },
)

requirement(
  {
    id: 'identity.last-seen.new',
    level: 'must',
    statement: 'S2.12, R46',
    quote: '`lastSeenTime` is a timestamp and is set when the identity is created',
    says: 'A new identity has a lastSeenTime within ten minutes of its createTime',
    profile,
  },
  async ({ scratch }) => {
    const { lastSeenTime, createTime } = await scratch.makeIdentity()

    const apart = Math.abs(instant(lastSeenTime) - instant(createTime)) / 60_000
    expect(apart, `minutes between lastSeenTime ${lastSeenTime} and createTime ${createTime}`).toBeLessThan(10)
  },
)

requirement(
  {
    id: 'identity.name.required',
    level: 'must',
    statement: 'S2.10, R36',
    quote: 'a `name` that a create needs',
    says: 'Create of an identity without a name is refused',
    profile,
  },
  async ({ api, scratch, names }) => {
    const nameless = { description: 'nameless', claimMatch: claimMatchFor(names.fresh()) }
    await scratch.makeIdentity()

    refused(await api.attempt.identities.create(scratch.uid, nameless), 'creating an identity without a name')
  },
)

requirement(
  {
    id: 'identity.name.error',
    level: 'should',
    statement: 'S7.5, R36',
    quote: 'that the error is the same one is _should_',
    says: 'A nameless identity is refused with the 4xx error of a nameless group',
    profile,
  },
  async ({ api, scratch, names }) => {
    await scratch.makeIdentity()

    const answer = await api.attempt.identities.create(scratch.uid, {
      description: 'nameless',
      claimMatch: claimMatchFor(names.fresh()),
    })

    clientsMistake(answer, 'creating an identity without a name')
    hasShape(answer.json, 'error-invalid-name')
  },
)

requirement(
  {
    id: 'identity.delete.answers',
    level: 'must',
    statement: 'S4.3, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete of an identity answers an empty body',
    profile,
  },
  async ({ api, scratch }) => {
    const answer = await api.identities.delete((await scratch.makeIdentity()).uid)

    const body = answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')
    expect(body, 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'identity.delete.gone',
    level: 'must',
    statement: 'S4.3, R28',
    quote: 'Get must not answer 2xx, and lists and counts must leave it out',
    says: 'Only the deleted identity disappears from Get and lists',
    profile,
  },
  async ({ api, scratch, settled }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    await api.identities.delete(doomed.uid)

    await settled(async () => {
      const [got, list] = [
        await api.attempt.identities.get(doomed.uid),
        await api.attempt.identities.list(scratch.children),
      ]
      const ordered = await Promise.all(
        ['name', 'created_at desc'].map((order_by) => api.attempt.identities.list({ ...scratch.children, order_by })),
      )
      refused(got, 'Get of a deleted identity')
      for (const answer of [list, ...ordered])
        expect([[], [other.uid]], 'the lists that are allowed').toContainEqual(listedUids('identities', answer))
    })
  },
)

requirement(
  {
    id: 'identity.delete.bindings',
    level: 'should',
    statement: 'S4.3, S4.5, R28',
    quote: 'lists and counts must leave it out',
    says: 'A list of role bindings leaves out those of a deleted identity',
    profile,
  },
  async ({ api, scratch, settled, present, atLeast }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    const [, stays] = [await scratch.makeBinding(doomed), await scratch.makeBinding(other)]
    await present(api.attempt.roleBindings.list(scratch.children))
    const deleted = await api.attempt.identities.delete(doomed.uid)
    atLeast(1, 'bound identities that can be deleted', succeeded(deleted) ? 1 : 0)

    await settled(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const bound = items.map(({ identity }) => (isObject(identity) ? identity.uid : undefined))
      expect(uids(items), 'the listed role bindings').toContain(stays.uid)
      expect(bound, 'the identities of the listed role bindings').not.toContain(doomed.uid)
      expect(bound.includes(undefined) ? 'no identity' : 'an identity', 'what a listed role binding embeds').toBe(
        'an identity',
      )
    })
  },
)

requirement(
  {
    id: 'role.list.answers',
    level: 'must',
    statement: 'S4.4, S2.13, S4.16',
    quote: 'Roles can be listed without any scope parameter',
    says: 'List shows roles without any scope parameter',
    profile,
  },
  async ({ api }) => {
    const page = await api.roles.list({})

    expect(page.items.length, 'how many roles are listed').toBeGreaterThan(0)
  },
)

requirement(
  {
    id: 'role.list.shape',
    level: 'must',
    statement: 'S2.3, S2.13, S4.16, S4.17, S4.18, R8, R9',
    quote: 'it has `uid`, `name` and `description`',
    says: 'A list of roles has the members and types of the contract',
    profile,
  },
  async ({ api, atLeast }) => {
    const { items, body } = await api.roles.list({})

    hasShape(body, 'role-list')
    atLeast(1, 'roles', items.length)
  },
)

requirement(
  {
    id: 'role.viewer',
    level: 'must',
    statement: 'S2.13, R9',
    quote: 'some roles are built in, among them `viewer`, whose description calls it a built-in viewer role',
    says: 'A built-in role named viewer has a description',
    profile,
  },
  async ({ over }) => {
    await over('roles', async ({ items }) => {
      const viewer = items.find(({ name }) => name === 'viewer')

      expect(viewer ?? 'no such role', 'the role named viewer').toMatchObject({
        name: 'viewer',
        description: expect.stringMatching(/./),
      })
    })
  },
)

requirement(
  {
    id: 'role.times',
    level: 'should',
    statement: 'S2.4, R1',
    quote: 'Every resource has `createTime` and `updateTime`',
    says: 'A role has createTime and updateTime like every resource',
    profile,
  },
  async ({ api }) => {
    const { items } = await api.roles.list({})

    expect(items[0] ?? 'no role', 'the first role of the list').toMatchObject({
      createTime: expect.any(String),
      updateTime: expect.any(String),
    })
  },
)

requirement(
  {
    id: 'roleBinding.create.answers',
    level: 'must',
    statement: 'S4.5, S2.15',
    quote: 'Creating a role binding under a group answers the binding',
    says: 'Create under a group answers a new role binding with its own uid',
    profile,
  },
  async ({ scratch }) => {
    const [one, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    const made = [await scratch.makeBinding(one), await scratch.makeBinding(other)]

    expect(new Set(uids(made)).size, 'how many uids two role bindings have').toBe(2)
  },
)

requirement(
  {
    id: 'roleBinding.create.shape',
    level: 'must',
    statement: 'S2.14, S2.4, R7, R8, R46',
    quote: 'besides `uid` and `createTime` it embeds whole objects',
    says: 'Create answers a role binding with the members and types of the contract',
    profile,
  },
  async ({ scratch }) => {
    hasShape(await scratch.makeBinding(await scratch.makeIdentity()), 'role-binding')
  },
)

requirement(
  {
    id: 'roleBinding.hydrated',
    level: 'must',
    statement: 'S2.14, S2.15, S4.5, R7',
    quote: 'answers the binding with its embedded objects filled in',
    says: 'A new role binding embeds its identity, its role and the group of the path',
    profile,
  },
  async ({ scratch, atLeast }) => {
    const [identity, roles] = [await scratch.makeIdentity(), await scratch.someRoles(3)]
    const group = await scratch.makeGroup({ description: 'holds a binding' })
    atLeast(1, 'roles', roles.length)

    const bindings = await Promise.all(roles.map((role) => scratch.makeBinding(identity, group.uid, role.uid)))

    const { uid, name, description } = identity
    for (const [index, binding] of bindings.entries()) {
      const role = roles[index]!
      expect(binding.identity, 'the embedded identity').toMatchObject({
        uid,
        name,
        description,
        ...claimsOf(identity),
      })
      expect(binding.group, 'the embedded group').toMatchObject({
        uid: group.uid,
        name: group.name,
        description: 'holds a binding',
      })
      const described = role.description ? { description: role.description } : {}
      expect(binding.role, 'the embedded role').toMatchObject({ uid: role.uid, name: role.name, ...described })
    }
  },
)

const claimsOf = ({ claimMatch }: { [member: string]: unknown }) =>
  isObject(claimMatch) ? { issuer: claimMatch.issuer, subject: claimMatch.subject } : {}

requirement(
  {
    id: 'roleBinding.hydrated.renamed',
    level: 'must',
    statement: 'S2.14, R7',
    quote: 'a binding made after a rename must show the new name',
    says: 'A role binding made after a rename of its group shows the new name',
    profile,
  },
  async ({ api, scratch, names, settled }) => {
    const group = await scratch.makeGroup()
    await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
    const { name } = await api.groups.update(group.uid, { name: names.fresh() })

    await settled(async () => {
      const binding = await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
      expect(binding.group, 'the embedded group').toMatchObject({ uid: group.uid, name })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.live',
    level: 'should',
    statement: 'S2.14, R7',
    quote: 'an older binding that goes on showing the old name is a warning',
    says: 'An older role binding shows the new name of its renamed group',
    profile,
  },
  async ({ api, scratch, names, settled, present }) => {
    const [group, identity] = [await scratch.makeGroup(), await scratch.makeIdentity()]
    const binding = await scratch.makeBinding(identity, group.uid)
    await present(api.attempt.roleBindings.get(binding.uid))
    const { name } = await api.groups.update(group.uid, { name: names.fresh() })

    await settled(async () =>
      expect((await api.roleBindings.get(binding.uid)).group, 'the embedded group').toMatchObject({ name }),
    )
  },
)

requirement(
  {
    id: 'roleBinding.create.unknown',
    level: 'must',
    statement: 'S2.15, R29, R38',
    quote: 'Missing is every uid that was never issued, however much of it is right',
    says: 'A role binding with an unknown or missing identity or role is refused without effect',
    profile,
  },
  async ({ api, scratch }) => {
    const identity = await scratch.makeIdentity()
    const role = await scratch.anyRole()
    await scratch.makeBinding(await scratch.makeIdentity())
    // sixteen extra digits, because a changed digit of a short uid may give an issued one
    const bodies = [
      { identityUid: `${identity.uid}${role.uid.slice(0, 16).padEnd(16, '0')}`, roleUid: role.uid },
      { identityUid: identity.uid, roleUid: `${role.uid}0000000000000000` },
      { identityUid: identity.uid },
      { roleUid: role.uid },
    ]

    const answers = await Promise.all(bodies.map((body) => api.attempt.roleBindings.create(scratch.uid, body)))
    const after = await api.attempt.roleBindings.list({ ...scratch.children, page_size: 200 })

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a role binding from ${JSON.stringify(bodies[index])}`)
    const items = isObject(after.json) && Array.isArray(after.json.roleBindings) ? after.json.roleBindings : []
    const left = items.filter((item) => isObject(item?.identity) && item.identity.uid === identity.uid)
    expect(left, 'the role bindings left behind by a refused Create').toEqual([])
  },
)

requirement(
  {
    id: 'roleBinding.create.deleted-identity',
    level: 'should',
    statement: 'S2.15, R28, R38',
    quote: 'and also one that a request body names',
    says: 'Create of a role binding of a deleted identity is refused',
    profile,
  },
  async ({ api, scratch, settled }) => {
    const identity = await scratch.makeIdentity()
    const role = await scratch.anyRole()
    await scratch.makeBinding(await scratch.makeIdentity())
    await api.identities.delete(identity.uid)

    await settled(async () => {
      const body = { identityUid: identity.uid, roleUid: role.uid }
      refused(await api.attempt.roleBindings.create(scratch.uid, body), 'creating a role binding of a deleted identity')
    })
  },
)

requirement(
  {
    id: 'roleBinding.delete.answers',
    level: 'must',
    statement: 'S4.5, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete of a role binding answers an empty body',
    profile,
  },
  async ({ api, scratch }) => {
    const binding = await scratch.makeBinding(await scratch.makeIdentity())

    const answer = await api.roleBindings.delete(binding.uid)

    const body = answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')
    expect(body, 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'roleBinding.delete.gone',
    level: 'must',
    statement: 'S4.5, R28',
    quote: 'Get must not answer 2xx, and lists and counts must leave it out',
    says: 'Only the deleted role binding disappears from Get and lists',
    profile,
  },
  async ({ api, scratch, settled }) => {
    const group = await scratch.makeGroup()
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity, group.uid)
    await scratch.makeBinding(identity)
    const others = async () => listedUids('roleBindings', await api.attempt.roleBindings.list(scratch.children))
    const before = await others()
    await api.roleBindings.delete(binding.uid)

    await settled(async () => {
      expect(await others(), 'the other role bindings of its identity').toEqual(before)
      refused(await api.attempt.roleBindings.get(binding.uid), 'Get of a deleted role binding')
      expect(
        listedUids('roleBindings', await api.attempt.roleBindings.list({ 'uidp.children_of': group.uid })),
        'the role bindings of the group',
      ).not.toContain(binding.uid)
    })
    accepted(await api.attempt.groups.get(group.uid), 'Get of the group of a deleted role binding')
  },
)
