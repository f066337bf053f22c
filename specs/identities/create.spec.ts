import { expect } from 'vitest'
import { ownIn } from '../../helpers/api/own-items.ts'
import { uids } from '../../helpers/api/received.ts'
import { mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { anotherClaim } from '../../helpers/sts/claims.ts'

requirement(
  {
    id: 'identity.wrong-kind',
    level: 'should',
    statement: 'S4.3, S2.1',
    quote: 'Every resource has a unique string `uid`',
    says: "Get and Update of an identity with a group's uid are refused, and Delete has no effect",
  },
  async ({ api, scratch, eventually }) => {
    const group = await scratch.makeKnown({ description: 'a group' })
    const { identities } = api.attempt

    refused(await identities.get(group.uid), 'Get of an identity with the uid of a group')
    refused(
      await identities.update(group.uid, { description: 'changed' }),
      'Update of an identity with the uid of a group',
    )
    // the answer to a delete of something unknown is open (R28)
    await identities.delete(group.uid)
    await eventually(async () => same(await api.groups.get(group.uid), group, 'updateTime'))
  },
)

requirement(
  {
    id: 'identity.create.answers',
    level: 'must',
    statement: 'S4.3, S1.2, R55',
    quote: 'Identities have Create under a group',
    says: 'Create answers the new identity with name, description and claim match as sent',
  },
  async ({ api, scratch, names }) => {
    const [name, other] = [names.fresh(), await scratch.makeIdentity()]
    const description = `As sent, to the ${'very '.repeat(20)}`.slice(0, 99).trimEnd().padEnd(100, '.')
    const sent = { name, description, claimMatch: anotherClaim(other, name) }

    const created = await api.identities.create(scratch.uid, sent)

    expect(created, 'the identity in the answer to Create').toMatchObject(sent)
  },
)

requirement(
  {
    id: 'identity.create.shape',
    level: 'must',
    statement: 'S2.10, S2.11, S2.12, S2.4, R8, R46',
    quote: 'it has a `uid`, a `name` that a create needs, and an optional `description`',
    says: 'Create answers an identity with the members and types of the contract',
  },
  async ({ scratch }) => {
    hasShape(await scratch.makeIdentity(), 'identity')
  },
)

requirement(
  {
    id: 'identity.description.optional',
    level: 'must',
    statement: 'S2.10, R6',
    quote: 'a `name` that a create needs',
    says: 'Create of an identity without a description succeeds and shows none',
  },
  async ({ api, scratch, names }) => {
    const [name, described] = [names.fresh(), await scratch.makeIdentity()]

    const created = await api.identities.create(scratch.uid, { name, claimMatch: anotherClaim(described, name) })

    expect(created.description ?? '', 'the description of the new identity').toBe('')
  },
)

/** The operations on an identity that was made: one that is not offered stays missing, a new identity does not. */
const answers = {
  level: 'must',
  statement: 'S4.3, S1.2, R49, R55',
  quote: 'their List, Get and Update follow the pattern of the groups',
} as const

requirement(
  { id: 'identity.get.answers', says: 'Get answers the identity as Create did', ...answers },
  async ({ api, scratch, eventually }) => {
    const made = await scratch.makeIdentity()
    await eventually(async () => mustBePresent('identities', 'get', await api.attempt.identities.get(made.uid)))

    await eventually(async () => {
      const shown = await api.identities.get(made.uid)
      same(shown, made)
      hasShape(shown, 'identity')
    })
  },
)

requirement(
  { id: 'identity.list.answers', says: 'List answers the identity as Create did', ...answers },
  async ({ api, scratch, run, eventually }) => {
    const made = await scratch.makeIdentity()
    const list = () => api.attempt.identities.list(scratch.children)
    await eventually(async () => mustBePresent('identities', 'list', await list()))

    await eventually(async () => {
      const shown = ownIn((await api.identities.list(scratch.children)).items, run)
      expect(uids(shown), 'the identities in the answer to list').toEqual([made.uid])
      same(shown[0]!, made)
      hasShape(shown[0]!, 'identity')
    })
  },
)

requirement(
  {
    id: 'identity.uid.unchosen',
    level: 'must',
    statement: 'S2.1, S2.10, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    says: 'A client cannot choose the uid of an identity or a role binding',
  },
  async ({ api, scratch, names }) => {
    const [chosenUid, name] = [`${scratch.uid}/00000000000000aa`, names.fresh()]
    const [identity, role] = [await scratch.makeIdentity(), await scratch.anyRole()]

    const answers = await Promise.all([
      api.attempt.identities.create(scratch.uid, {
        uid: chosenUid,
        name,
        description: name,
        claimMatch: anotherClaim(identity, name),
      }),
      api.attempt.roleBindings.create(scratch.uid, {
        uid: chosenUid,
        identityUid: identity.uid,
        roleUid: role.uid,
      }),
    ])

    for (const { json } of answers)
      expect(json, 'the resource in the answer to Create').not.toMatchObject({ uid: chosenUid })
  },
)

requirement(
  {
    id: 'identity.uid.form',
    level: 'observe',
    statement: 'S2.1, R10',
    quote: 'the uids of identities, bindings, repos and the rest may be opaque strings',
    says: 'How the uids of identities and role bindings relate to the uid of their group',
  },
  async ({ scratch, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)

    const form = (uid: string) => (uid.startsWith(`${scratch.uid}/`) ? 'a path below its group' : 'no such path')
    observe(`identity: ${form(identity.uid)}; role binding: ${form(binding.uid)}`)
  },
)
