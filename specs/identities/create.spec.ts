import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { claimMatchFor } from '../../helpers/arrange/scratch.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { clientsMistake, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const profile = 'identities'

requirement(
  {
    id: 'identity.wrong-kind',
    level: 'should',
    statement: 'S4.3, S2.1',
    quote: 'Every resource has a unique string `uid`',
    says: "Get, Update and Delete of an identity with a group's uid are refused without effect",
    profile,
  },
  async ({ api, scratch, eventually }) => {
    const group = await scratch.makeKnown({ description: 'a group' })
    const { identities } = api.attempt

    refused(await identities.get(group.uid), 'Get of an identity with the uid of a group')
    refused(
      await identities.update(group.uid, { description: 'changed' }),
      'Update of an identity with the uid of a group',
    )
    refused(await identities.delete(group.uid), 'Delete of an identity with the uid of a group')
    await eventually(async () => same(await api.groups.get(group.uid), group))
  },
)

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
    async ({ api, scratch, eventually, present }) => {
      const made = await scratch.makeIdentity()
      const { get, list, update } = api.attempt.identities
      await present(
        operation === 'get'
          ? get(made.uid)
          : operation === 'list'
            ? list(scratch.children)
            : update(made.uid, { description: 'changed' }),
      )

      await eventually(async () => {
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
    id: 'identity.uid.unchosen',
    level: 'must',
    statement: 'S2.1, S2.10, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    says: 'A client cannot choose the uid of an identity or a role binding',
    profile,
  },
  async ({ api, scratch, names }) => {
    const [chosenUid, name] = [`${scratch.uid}/00000000000000aa`, names.fresh()]
    const [identity, role] = [await scratch.makeIdentity(), await scratch.anyRole()]

    const answers = await Promise.all([
      api.attempt.identities.create(scratch.uid, {
        uid: chosenUid,
        name,
        description: name,
        claimMatch: claimMatchFor(name),
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
    id: 'identity.name.kept',
    level: 'must',
    statement: 'S2.10, R3, R54',
    quote:
      'they must be accepted, with each of the allowed punctuation characters (space, `.`, `_`, `-`) between letters, and must come back as sent',
    says: 'The name of an identity is kept as sent, with each allowed punctuation character',
    profile,
  },
  async ({ api, scratch, names, eventually }) => {
    const sent = [' ', '.', '_', '-'].map((mark) => `a${mark}${names.fresh()}${mark}9`)

    const made = await Promise.all(
      sent.map((name) => {
        const claimMatch = claimMatchFor(names.fresh())
        return api.identities.create(scratch.uid, { name, description: name, claimMatch })
      }),
    )

    expect(
      made.map(({ name }) => name),
      'the names in the answers to Create',
    ).toEqual(sent)
    await eventually(async () => {
      const after = await Promise.all(made.map(({ uid }) => got(api, 'identities', uid)))
      expect(
        after.map(({ name }) => name),
        'the names in the answers to Get',
      ).toEqual(sent)
    })
  },
)

requirement(
  {
    id: 'identity.uid.form',
    level: 'observe',
    statement: 'S2.1, R10',
    quote: 'the uids of identities, bindings, repos and the rest may be opaque strings',
    says: 'How the uids of identities and role bindings relate to the uid of their group',
    profile,
  },
  async ({ scratch, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)

    const form = (uid: string) => (uid.startsWith(`${scratch.uid}/`) ? 'a path below its group' : 'no such path')
    observe(`identity: ${form(identity.uid)}; role binding: ${form(binding.uid)}`)
  },
)
