import { expect } from 'vitest'
import { got } from '../helpers/arrange/optional-operations.ts'
import { claimMatchFor } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

const profile = 'identities'

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
    id: 'identity.update.atomic',
    level: 'must',
    statement: 'S4.26, S4.3, R29',
    quote: 'A refused PATCH must change no field',
    says: 'A refused Update of an identity changes nothing',
    profile,
  },
  async ({ api, scratch, settled, atLeast }) => {
    const bodies = [{ name: '' }, { name: 5 }, { claimMatch: 'text' }, { claimMatch: [] }]
    const made = await Promise.all(bodies.map(() => scratch.makeIdentity()))
    const before = await settled(() => Promise.all(made.map(({ uid }) => got(api, 'identities', uid))))

    const answers = await Promise.all(
      bodies.map((body, index) =>
        api.attempt.identities.update(made[index]!.uid, { description: 'half done', ...body }),
      ),
    )
    const kept = before.filter((_, index) => !succeeded(answers[index]!))
    atLeast(1, 'refused updates', kept.length)

    await settled(async () => {
      for (const identity of kept) same(await got(api, 'identities', identity.uid), identity, 'updateTime')
    })
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
  async ({ api, scratch, names, settled }) => {
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
    await settled(async () => {
      const after = await Promise.all(made.map(({ uid }) => got(api, 'identities', uid)))
      expect(
        after.map(({ name }) => name),
        'the names in the answers to Get',
      ).toEqual(sent)
    })
  },
)
