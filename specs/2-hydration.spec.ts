import { expect } from 'vitest'
import { isObject, type Received } from '../helpers/api/received.ts'
import { claimMatchFor, deleteGroup } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { refused } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'

const profile = 'identities'

/** What a binding embeds, as far as the contract names it; an empty description may be absent (R7). */
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
    says: 'A role binding that is made after its identity was renamed shows the new name',
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
      expect(binding.identity).toMatchObject({ uid: identity.uid, name })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.new-claims',
    level: 'must',
    statement: 'S2.14, S2.11, R7',
    says: 'A role binding that is made after its identity got another claim match shows the new subject and issuer',
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
      expect(binding.identity).toMatchObject({ uid: identity.uid, ...claimMatch })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.live-identity',
    level: 'should',
    statement: 'S2.14, R7',
    says: 'A role binding that is older than a rename of its identity shows the new name, in Get and in lists',
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
      expect([got.identity, listed?.identity]).toMatchObject([{ name }, { name }])
    })
  },
)

requirement(
  {
    id: 'roleBinding.list.hydrated',
    level: 'should',
    statement: 'S2.14, S4.15, R49, R55',
    says: 'A list of role bindings embeds the same whole objects that Create answered',
    profile,
  },
  async ({ api, scratch, settled, present }) => {
    const made = await Promise.all([1, 2, 3].map(async () => scratch.makeBinding(await scratch.makeIdentity())))
    await present(api.attempt.roleBindings.list(scratch.children))

    await settled(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const listed = made.map(({ uid }) => items.find((item) => item.uid === uid))
      expect(listed.map(embedded)).toEqual(made.map(embedded))
    })
  },
)

requirement(
  {
    id: 'identity.wrong-kind',
    level: 'should',
    statement: 'S4.3, S2.1',
    says: 'The uid of a group is no identity: Get, Update and Delete of such an identity are refused, and the group stays',
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
    says: 'Nothing can be made in a deleted group: neither an identity nor a role binding',
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
      refused(await identities.create(home.uid, identity), 'an identity in a deleted group')
      refused(await roleBindings.create(home.uid, { identityUid, roleUid }), 'a binding in a deleted group')
    })
  },
)
