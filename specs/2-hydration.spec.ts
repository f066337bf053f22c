import { expect } from 'vitest'
import { isObject, type Received } from '../helpers/api/received.ts'
import { claimMatchFor, deleteGroup } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { refused } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'

const profile = 'identities'

/** The embedded objects with the members that the contract names; an empty description may be absent (R7). */
const embedded = (binding: Received | undefined) =>
  ['identity', 'group', 'role'].map((part) => {
    const { uid, name, description, subject, issuer } = (binding?.[part] ?? {}) as Record<string, unknown>
    return { uid, name, description: description ?? '', subject, issuer }
  })

requirement(
  {
    id: 'roleBinding.hydrated.renamed-identity',
    level: 'must',
    statement: 'S2.14, R7',
    quote: 'a binding made after a rename must show the new name',
    says: 'A role binding made after a rename of its identity shows the new name',
    profile,
  },
  async ({ api, scratch, names, settled, present }) => {
    const identity = await scratch.makeIdentity()
    await scratch.makeBinding(identity)
    await present(api.attempt.identities.update(identity.uid, { description: 'still the old name' }))
    const name = names.fresh()
    await api.identities.update(identity.uid, { name })

    await settled(async () => {
      const binding = await scratch.makeBinding(identity, (await scratch.makeGroup()).uid)
      expect(binding.identity, 'the embedded identity').toMatchObject({ uid: identity.uid, name })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.new-claims',
    level: 'must',
    statement: 'S2.14, S2.11, R7',
    quote: '`identity.subject` and `identity.issuer` must equal the claim match of the identity',
    says: 'A role binding made after a change of claim match shows the new subject and issuer',
    profile,
  },
  async ({ api, scratch, names, settled, present, atLeast }) => {
    const identity = await scratch.makeIdentity()
    await scratch.makeBinding(identity)
    await present(api.attempt.identities.update(identity.uid, { description: 'still the old claim match' }))
    const claimMatch = claimMatchFor(names.fresh())
    const { json } = await api.attempt.identities.update(identity.uid, { claimMatch })
    const changed = isObject(json) && isObject(json.claimMatch) && json.claimMatch.subject === claimMatch.subject
    atLeast(1, 'claim matches that an Update changed', changed ? 1 : 0)

    await settled(async () => {
      const binding = await scratch.makeBinding(identity, (await scratch.makeGroup()).uid)
      expect(binding.identity, 'the embedded identity').toMatchObject({ uid: identity.uid, ...claimMatch })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.live-identity',
    level: 'should',
    statement: 'S2.14, R7',
    quote: 'an older binding that goes on showing the old name is a warning',
    says: 'An older role binding shows the new name of its renamed identity, in Get and lists',
    profile,
  },
  async ({ api, scratch, names, settled, present }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)
    await present(api.attempt.roleBindings.get(binding.uid))
    await present(api.attempt.roleBindings.list(scratch.children))
    await present(api.attempt.identities.update(identity.uid, { description: 'still the old name' }))
    const name = names.fresh()
    await api.identities.update(identity.uid, { name })

    await settled(async () => {
      const got = await api.roleBindings.get(binding.uid)
      const { items } = await api.roleBindings.list(scratch.children)
      const listed = items.find(({ uid }) => uid === binding.uid)
      expect([got.identity, listed?.identity], 'the embedded identity in Get and in the list').toMatchObject([
        { name },
        { name },
      ])
    })
  },
)

requirement(
  {
    id: 'roleBinding.list.hydrated',
    level: 'should',
    statement: 'S2.14, S4.15, R49, R55',
    quote:
      'it embeds whole objects, `identity` {uid, name, description, subject, issuer}, `group` {uid, name, description} and `role` {uid, name, description}',
    says: 'A list of role bindings embeds the same whole objects as Create',
    profile,
  },
  async ({ api, scratch, settled, present }) => {
    const made = await Promise.all([1, 2, 3].map(async () => scratch.makeBinding(await scratch.makeIdentity())))
    await present(api.attempt.roleBindings.list(scratch.children))

    await settled(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const listed = made.map(({ uid }) => items.find((item) => item.uid === uid))
      expect(listed.map(embedded), 'the objects embedded in the list').toEqual(made.map(embedded))
    })
  },
)

requirement(
  {
    id: 'identity.wrong-kind',
    level: 'should',
    statement: 'S4.3, S2.1',
    quote: 'Every resource has a unique string `uid`',
    says: "Get, Update and Delete of an identity with a group's uid are refused without effect",
    profile,
  },
  async ({ api, scratch, settled }) => {
    const group = await scratch.makeKnown({ description: 'a group' })
    const { identities } = api.attempt

    refused(await identities.get(group.uid), 'Get of an identity with the uid of a group')
    refused(
      await identities.update(group.uid, { description: 'changed' }),
      'Update of an identity with the uid of a group',
    )
    refused(await identities.delete(group.uid), 'Delete of an identity with the uid of a group')
    await settled(async () => same(await api.groups.get(group.uid), group))
  },
)

requirement(
  {
    id: 'group.delete.gone-as-home',
    level: 'must',
    statement: 'S4.1, S4.3, S4.5, R28, R38',
    quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
    says: 'Create of an identity or role binding in a deleted group is refused',
    profile,
  },
  async ({ api, scratch, names, settled }) => {
    const home = await scratch.makeGroup()
    const roleUid = (await scratch.anyRole()).uid
    const { uid: identityUid } = await scratch.makeIdentity()
    await deleteGroup(api, scratch, home.uid)

    await settled(async () => {
      const name = names.fresh()
      const identity = { name, description: name, claimMatch: claimMatchFor(name) }
      const { identities, roleBindings } = api.attempt
      refused(await identities.create(home.uid, identity), 'creating an identity in a deleted group')
      refused(
        await roleBindings.create(home.uid, { identityUid, roleUid }),
        'creating a role binding in a deleted group',
      )
    })
  },
)
