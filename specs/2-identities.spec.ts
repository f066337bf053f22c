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
    says: 'Create answers with the created identity: its uid, and name, description and claim match as sent',
    profile,
  },
  async ({ api, scratch, names }) => {
    const name = names.fresh()
    const description = `As sent, to the ${'very '.repeat(40)}`.slice(0, 199).trimEnd().padEnd(200, '.')
    const sent = { name, description, claimMatch: claimMatchFor(name) }

    expect(await api.identities.create(scratch.uid, sent)).toMatchObject(sent)
  },
)

requirement(
  {
    id: 'identity.create.shape',
    level: 'must',
    statement: 'S2.10, S2.11, S2.12, S2.4, R8, R46',
    says: 'The answer to Create is an identity with the members and types of the contract',
    profile,
  },
  async ({ scratch }) => {
    hasShape(await scratch.makeIdentity(), 'identity')
  },
)

for (const operation of ['get', 'list', 'update'] as const) {
  requirement(
    {
      id: `identity.${operation}.answers`,
      level: 'must',
      statement: 'S4.3, S1.2, R49, R55',
      says: `${operation} of identities follows the groups' pattern and shows the identity as Create answered it`,
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
          return expect(await api.identities.update(made.uid, { description: 'again' })).toMatchObject({
            uid: made.uid,
            description: 'again',
          })
        const shown =
          operation === 'get'
            ? [await api.identities.get(made.uid)]
            : (await api.identities.list(scratch.children)).items
        expect(uids(shown)).toEqual([made.uid])
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
    const taken = sent.flatMap(({ claimMatch }, index) =>
      succeeded(answers[index]!) ? [{ claimMatch, answer: answers[index]! }] : [],
    )
    atLeast(1, 'claim matches that were taken', taken.length)

    for (const { claimMatch, answer } of taken) expect(answer.json).toMatchObject({ claimMatch })
  },
)

requirement(
  {
    id: 'identity.last-seen.new',
    level: 'must',
    statement: 'S2.12, R46',
    says: 'A new identity has a lastSeenTime near its createTime',
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
    says: 'Create of an identity without a name is refused',
    profile,
  },
  async ({ api, scratch, names }) => {
    const nameless = { description: 'nameless', claimMatch: claimMatchFor(names.fresh()) }
    await scratch.makeIdentity()

    refused(await api.attempt.identities.create(scratch.uid, nameless), 'an identity without a name')
  },
)

requirement(
  {
    id: 'identity.name.error',
    level: 'should',
    statement: 'S7.5, R36',
    says: 'An identity without a name is refused with the error of a group without one',
    profile,
  },
  async ({ api, scratch, names }) => {
    await scratch.makeIdentity()

    const answer = await api.attempt.identities.create(scratch.uid, {
      description: 'nameless',
      claimMatch: claimMatchFor(names.fresh()),
    })

    clientsMistake(answer, 'an identity without a name')
    hasShape(answer.json, 'error-invalid-name')
  },
)

requirement(
  {
    id: 'identity.delete.answers',
    level: 'must',
    statement: 'S4.3, S4.7, R27',
    says: 'Delete of an identity succeeds with an empty body',
    profile,
  },
  async ({ api, scratch }) => {
    const answer = await api.identities.delete((await scratch.makeIdentity()).uid)

    expect(answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')).toBe('')
  },
)

requirement(
  {
    id: 'identity.delete.gone',
    level: 'must',
    statement: 'S4.3, R28',
    says: 'A deleted identity is gone from Get and from lists, and its neighbour stays',
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
        expect([[], [other.uid]]).toContainEqual(listedUids('identities', answer))
    })
  },
)

requirement(
  {
    id: 'identity.delete.bindings',
    level: 'should',
    statement: 'S4.3, S4.5, R28',
    says: 'A deleted identity leaves a list of role bindings that still answers, without a binding of what is gone',
    profile,
  },
  async ({ api, scratch, settled, present, atLeast }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    const [, stays] = [await scratch.makeBinding(doomed), await scratch.makeBinding(other)]
    await present(api.attempt.roleBindings.list(scratch.children))
    const deleted = await api.attempt.identities.delete(doomed.uid)
    atLeast(1, 'bound identities that may be deleted', succeeded(deleted) ? 1 : 0)

    await settled(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const bound = items.map(({ identity }) => (isObject(identity) ? identity.uid : undefined))
      expect(uids(items)).toContain(stays.uid)
      expect(bound).not.toContain(doomed.uid)
      expect(bound).not.toContain(undefined)
    })
  },
)

requirement(
  {
    id: 'role.list.answers',
    level: 'must',
    statement: 'S4.4, S2.13, S4.16',
    says: 'A list of roles without any scope is valid and shows roles',
    profile,
  },
  async ({ api }) => {
    const page = await api.roles.list({})

    expect(page.items.length).toBeGreaterThan(0)
  },
)

requirement(
  {
    id: 'role.list.shape',
    level: 'must',
    statement: 'S2.3, S2.13, S4.16, S4.17, S4.18, R8, R9',
    says: 'The list of roles holds roles, a total and a token, with the types of the contract',
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
    says: 'A built-in role is named viewer and described',
    profile,
  },
  async ({ over }) => {
    await over('roles', async ({ items }) => {
      const viewer = items.find(({ name }) => name === 'viewer')

      expect(viewer).toMatchObject({ name: 'viewer', description: expect.stringMatching(/./) })
    })
  },
)

requirement(
  {
    id: 'role.times',
    level: 'should',
    statement: 'S2.4, R1',
    says: 'A role has createTime and updateTime like every resource',
    profile,
  },
  async ({ api }) => {
    const { items } = await api.roles.list({})

    expect(items[0]).toMatchObject({ createTime: expect.any(String), updateTime: expect.any(String) })
  },
)

requirement(
  {
    id: 'roleBinding.create.answers',
    level: 'must',
    statement: 'S4.5, S2.15',
    says: 'Create under a group answers with the new role binding',
    profile,
  },
  async ({ scratch }) => {
    const [one, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    const made = [await scratch.makeBinding(one), await scratch.makeBinding(other)]

    expect(new Set(uids(made)).size).toBe(2)
  },
)

requirement(
  {
    id: 'roleBinding.create.shape',
    level: 'must',
    statement: 'S2.14, S2.4, R7, R8, R46',
    says: 'The answer to Create is a role binding with the members and types of the contract',
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
    says: 'A role binding embeds its identity with subject and issuer, the group of the path, and its role, as they are',
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
      expect(binding.identity).toMatchObject({ uid, name, description, ...claimsOf(identity) })
      expect(binding.group).toMatchObject({
        uid: group.uid,
        name: group.name,
        description: 'holds a binding',
      })
      const described = role.description ? { description: role.description } : {}
      expect(binding.role).toMatchObject({ uid: role.uid, name: role.name, ...described })
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
    says: 'A role binding that is made after its group was renamed shows the new name',
    profile,
  },
  async ({ api, scratch, names, settled }) => {
    const group = await scratch.makeGroup()
    await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
    const { name } = await api.groups.update(group.uid, { name: names.fresh() })

    await settled(async () => {
      const binding = await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
      expect(binding.group).toMatchObject({ uid: group.uid, name })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.live',
    level: 'should',
    statement: 'S2.14, R7',
    says: 'A role binding that is older than a rename of its group or identity shows the new name',
    profile,
  },
  async ({ api, scratch, names, settled, present }) => {
    const [group, identity] = [await scratch.makeGroup(), await scratch.makeIdentity()]
    const binding = await scratch.makeBinding(identity, group.uid)
    await present(api.attempt.roleBindings.get(binding.uid))
    const { name } = await api.groups.update(group.uid, { name: names.fresh() })

    await settled(async () => expect((await api.roleBindings.get(binding.uid)).group).toMatchObject({ name }))
  },
)

requirement(
  {
    id: 'roleBinding.create.unknown',
    level: 'must',
    statement: 'S2.15, R29, R38',
    says: 'A binding of an identity or a role that never was is refused and leaves nothing behind',
    profile,
  },
  async ({ api, scratch }) => {
    const identity = await scratch.makeIdentity()
    const role = await scratch.anyRole()
    await scratch.makeBinding(await scratch.makeIdentity())
    // sixteen digits more than any that was issued, for a short uid may have neighbours
    const bodies = [
      { identityUid: `${identity.uid}${role.uid.slice(0, 16).padEnd(16, '0')}`, roleUid: role.uid },
      { identityUid: identity.uid, roleUid: `${role.uid}0000000000000000` },
      { identityUid: identity.uid },
      { roleUid: role.uid },
    ]

    const answers = await Promise.all(bodies.map((body) => api.attempt.roleBindings.create(scratch.uid, body)))
    const after = await api.attempt.roleBindings.list({ ...scratch.children, page_size: 200 })

    for (const [index, answer] of answers.entries()) refused(answer, `a binding of ${JSON.stringify(bodies[index])}`)
    const items = isObject(after.json) && Array.isArray(after.json.roleBindings) ? after.json.roleBindings : []
    expect(items.filter((item) => isObject(item?.identity) && item.identity.uid === identity.uid)).toEqual([])
  },
)

requirement(
  {
    id: 'roleBinding.create.deleted-identity',
    level: 'should',
    statement: 'S2.15, R28, R38',
    says: 'A binding of an identity that was deleted is refused',
    profile,
  },
  async ({ api, scratch, settled }) => {
    const identity = await scratch.makeIdentity()
    const role = await scratch.anyRole()
    await scratch.makeBinding(await scratch.makeIdentity())
    await api.identities.delete(identity.uid)

    await settled(async () => {
      const body = { identityUid: identity.uid, roleUid: role.uid }
      refused(await api.attempt.roleBindings.create(scratch.uid, body), 'a binding of a deleted identity')
    })
  },
)

requirement(
  {
    id: 'roleBinding.delete.answers',
    level: 'must',
    statement: 'S4.5, S4.7, R27',
    says: 'Delete of a role binding succeeds with an empty body',
    profile,
  },
  async ({ api, scratch }) => {
    const binding = await scratch.makeBinding(await scratch.makeIdentity())

    const answer = await api.roleBindings.delete(binding.uid)

    expect(answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')).toBe('')
  },
)

requirement(
  {
    id: 'roleBinding.delete.gone',
    level: 'must',
    statement: 'S4.5, R28',
    says: 'A deleted role binding is gone from Get and from lists; its group and the other bindings of its identity stay',
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
      expect(await others(), 'the other bindings of its identity').toEqual(before)
      refused(await api.attempt.roleBindings.get(binding.uid), 'Get of a deleted role binding')
      expect(
        listedUids('roleBindings', await api.attempt.roleBindings.list({ 'uidp.children_of': group.uid })),
      ).not.toContain(binding.uid)
    })
    accepted(await api.attempt.groups.get(group.uid), 'Get of the group of a deleted binding')
  },
)
