import { expect } from 'vitest'
import {
  describedKinds,
  isOffered,
  isOfRegistry,
  type KindName,
  kinds,
  ownKinds,
  registryKinds,
} from '../helpers/api/kinds.ts'
import { isReceived, type Received, uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { got, mustBePresent, updated } from '../helpers/arrange/optional-operations.ts'
import { bodyFor, makeOne } from '../helpers/arrange/populations.ts'
import { mustBeTaken, offeredBody } from '../helpers/arrange/published-bodies.ts'
import { childrenOf, descendantsOf } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { accepted, outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { hasShape } from '../helpers/assertions/schema.ts'
import { requirement } from '../helpers/case/requirement.ts'

/** The statements that list the operations of a kind. */
const statementOf = (kind: KindName) =>
  kind === 'repos'
    ? 'S1.1, S1.3, S4.6, S2.16'
    : kind === 'tags'
      ? 'S1.1, S1.3'
      : kind === 'advisories'
        ? 'S1.1, S1.4'
        : 'S1.1, S1.2'

/** A label in camel case as separate words. */
const spaced = (label: string) => label.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

for (const kind of registryKinds) {
  const { name, plural, schema, listSchema, listed } = kinds[kind]
  const profile = listed.profile

  requirement(
    {
      id: `${name}.list.answers`,
      level: listed.level,
      statement: `${statementOf(kind)}, S4.16, R49`,
      quote: 'under the plural name of the resource',
      says: `List answers with the ${plural} of a group under "${plural}", in the documented shape`,
      profile,
    },
    async ({ api, registryGroup, atLeast }) => {
      const scope = descendantsOf(registryGroup)
      mustBePresent(kind, 'list', await api.attempt[kind].list(scope))

      const page = await api[kind].list(scope)

      hasShape(page.body, listSchema)
      atLeast(1, plural, page.items.length)
    },
  )

  requirement(
    {
      id: `${name}.get.answers`,
      level: 'should',
      statement: `${statementOf(kind)}, S2.1, R49, R55`,
      quote:
        'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
      says: `Get answers with the ${name} whose uid was asked for, as List shows it`,
      profile,
    },
    async ({ api, over }) => {
      await over(kind, async ({ items }) => {
        const listed = [items[0]!, items[Math.floor(items.length / 2)]!, items.at(-1)!]

        const shown = await Promise.all(listed.map(({ uid }) => got(api, kind, uid)))

        for (const [index, item] of shown.entries()) {
          same(item, listed[index]!)
          hasShape(item, schema)
        }
      })
    },
  )

  requirement(
    {
      id: `${name}.get.missing`,
      level: 'should',
      statement: `${statementOf(kind)}, R38, R49`,
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      says: `Get of an unknown ${name} uid is refused, even one that resembles a real uid`,
      profile,
    },
    async ({ api, over }) => {
      await over(kind, async ({ items }) => {
        const known = uids(items)
        const [{ uid }] = items as [{ uid: string }]
        const similar = [
          `${uid}0`,
          `${uid}/${uid.slice(-16)}`,
          `${uid.slice(0, -4)}${[...uid.slice(-4)].reverse().join('')}`,
        ]
        const unknown = similar.filter((one) => !known.includes(one))

        const answers = await Promise.all(unknown.map((one) => api.attempt[kind].get(one)))

        const others = answers.filter(({ json }, index) => !isReceived(json) || json.uid !== unknown[index])
        for (const answer of others) refused(answer, `Get of an unknown ${name} uid`)
      })
    },
  )

  requirement(
    {
      id: `${name}.write.unissued`,
      level: 'should',
      statement: `${statementOf(kind)}, R38, R49`,
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      says: `Create below an unknown group and Update of an unknown ${name} are refused`,
      profile,
    },
    async ({ api, scratch, run, names }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000aa`)
      const body = { name: names.fresh(), description: 'for no resource' }

      const answers = [
        await api.attempt[kind].create(unknownUid, body),
        await api.attempt[kind].update(unknownUid, body),
      ]

      for (const answer of answers) refused(answer, `a write to ${plural} at the unknown uid ${unknownUid}`)
    },
  )

  requirement(
    {
      id: `${name}.write.answer`,
      level: 'observe',
      statement: `${statementOf(kind)}, R49`,
      quote: 'Whether repos, tags and advisories can be written to is _observe_',
      says: `How writes to ${plural} at unknown uids are answered`,
      profile,
    },
    async ({ api, scratch, run, observe }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ab`)
      const { create, update, delete: remove } = api.attempt[kind]

      const answers = [await create(unknownUid, {}), await update(unknownUid, {}), await remove(unknownUid)]

      observe(answers.map((answer) => `${answer.exchange.operation}: ${outcomeOf(answer)}`).join('; '))
    },
  )
}

for (const kind of ownKinds.filter(isOffered)) {
  const { name, plural, schema, listSchema } = kinds[kind]
  const [one, many] = [spaced(name), spaced(plural)]
  const header = { level: 'should', statement: `${statementOf(kind)}, R49`, profile: 'identities' } as const

  requirement(
    {
      ...header,
      id: `${name}.create.answers`,
      quote: 'IdentityProviders, AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
      says: `Create answers with the new ${one}, where the published body is accepted`,
    },
    async ({ api, scratch, names }) => {
      const body = await offeredBody(api, kind, names.fresh())

      const made = mustBeTaken(kind, await api.attempt[kind].create(scratch.uid, body))

      // a group invite has no name, yet some targets write an empty one
      const { name: sent = made.name } = body
      hasShape(made, schema)
      expect(made.name ?? sent, 'the name in the answer to Create').toBe(sent)
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.list.answers`,
      statement: `${header.statement}, S4.16, R55`,
      quote:
        'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
      says: `List shows the ${many} of a group under "${plural}", as Create answered them`,
    },
    async ({ api, scratch, settled }) => {
      mustBePresent(kind, 'list', await api.attempt[kind].list(scratch.children))
      const made = await scratch.makeOffered(kind)

      await settled(async () => {
        const page = await api[kind].list(scratch.children)
        hasShape(page.body, listSchema)
        expect(uids(page.items), `the listed ${many}`).toContain(made.uid)
        same(page.items.find(({ uid }) => uid === made.uid)!, made)
      })
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.get.answers`,
      statement: `${header.statement}, R55`,
      quote:
        'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
      says: `Get answers with the ${one} whose uid was asked for, as Create answered it`,
    },
    async ({ api, scratch, settled }) => {
      const made = await scratch.makeOffered(kind)

      await settled(async () => {
        const shown = await got(api, kind, made.uid)
        same(shown, made)
        hasShape(shown, schema)
      })
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.delete.answers`,
      statement: `${header.statement}, S4.7, R27`,
      quote: 'A DELETE that succeeds answers with an empty body',
      says: `Delete of a new ${one} succeeds with an empty body`,
    },
    async ({ api, scratch }) => {
      const made = await scratch.makeOffered(kind)

      const answer = await api.attempt[kind].delete(made.uid)

      mustBePresent(kind, 'delete', answer)
      accepted(answer, `Delete of a new ${one}`)
      expect(answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, ''), 'the body of the answer to Delete').toBe('')
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.delete.gone`,
      statement: `${header.statement}, R28`,
      quote: 'Get must not answer 2xx, and lists and counts must leave it out',
      says: `A deleted ${one} disappears from Get and from lists`,
    },
    async ({ api, scratch, settled }) => {
      const doomed = await scratch.makeOffered(kind)
      const other = await scratch.makeOffered(kind, (await scratch.makeGroup()).uid)
      const deleted = await api.attempt[kind].delete(doomed.uid)
      mustBePresent(kind, 'delete', deleted)
      accepted(deleted, `Delete of a new ${one}`)

      await settled(async () => {
        refused(await api.attempt[kind].get(doomed.uid), `Get of a deleted ${one}`)
        const list = await api.attempt[kind].list(scratch.descendants)
        expect([[], [other.uid]], `the list shows at most the other ${one}`).toContainEqual(listedUids(kind, list))
      })
    },
  )
}

for (const kind of describedKinds.filter(isOffered)) {
  const { name, schema } = kinds[kind]
  const one = spaced(name)

  requirement(
    {
      id: `${name}.update.answers`,
      level: 'should',
      statement: `${statementOf(kind)}, S4.28, R49`,
      quote: 'a PATCH answers the resource as it is after the update',
      says: `Update answers with the changed ${one}`,
      profile: 'identities',
    },
    async ({ api, scratch, settled }) => {
      const made = await scratch.makeOffered(kind)

      const changed = await settled(() => updated(api, kind, made.uid, { description: 'another' }))

      hasShape(changed, schema)
      expect(changed.description, 'the description after the Update').toBe('another')
    },
  )
}

requirement(
  {
    id: 'role.get.answers',
    level: 'should',
    statement: 'S1.2, S2.13, R49, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Get answers with the role whose uid was asked for, as List shows it',
    profile: 'identities',
  },
  async ({ api, over }) => {
    await over('roles', async ({ items }) => {
      const [first, last] = [items[0]!, items.at(-1)!]

      same(await got(api, 'roles', first.uid), first)
      same(await got(api, 'roles', last.uid), last)
    })
  },
)

requirement(
  {
    id: 'role.write.answer',
    level: 'observe',
    statement: 'S1.2, S2.13, R49',
    quote:
      'Roles, RoleBindings, IdentityProviders, AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
    says: 'How writes to roles at unknown uids are answered',
    profile: 'identities',
  },
  async ({ api, scratch, run, observe }) => {
    const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ac`)
    const { create, update, delete: remove } = api.attempt.roles

    const answers = [await create(unknownUid, {}), await update(unknownUid, {}), await remove(unknownUid)]

    observe(answers.map((answer) => `${answer.exchange.operation}: ${outcomeOf(answer)}`).join('; '))
  },
)

requirement(
  {
    id: 'groupInvite.update.answer',
    level: 'observe',
    statement: 'S1.2, R49',
    quote: 'AccountAssociations and GroupInvites offers List, Get, Create, Update and Delete',
    says: 'How Update of an unknown group invite is answered',
    profile: 'identities',
  },
  async ({ api, scratch, run, observe }) => {
    const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ad`)

    observe(outcomeOf(await api.attempt.groupInvites.update(unknownUid, { singleUse: false })))
  },
)

/** The uids and names in a binding and in the objects that it embeds. */
const partsOf = ({ uid, identity, group, role }: Received) => [
  uid,
  ...[identity, group, role].map((part) => isReceived(part) && [part.uid, part.name]),
]

for (const [operation, inWords] of [
  ['get', 'Get'],
  ['list', 'List'],
] as const) {
  requirement(
    {
      id: `roleBinding.${operation}.answers`,
      level: 'should',
      statement: 'S1.2, S2.14, R49, R55',
      quote:
        'it embeds whole objects, `identity` {uid, name, description, subject, issuer}, `group` {uid, name, description} and `role` {uid, name, description}',
      says: `${inWords} shows a role binding and its embedded objects as Create answered them`,
      profile: 'identities',
    },
    async ({ api, scratch, settled }) => {
      const group = await scratch.makeGroup()
      mustBePresent('roleBindings', operation, await api.attempt.roleBindings.list(childrenOf(group.uid)))
      const made = await makeOne(scratch, 'roleBindings', group.uid)

      await settled(async () => {
        const shown =
          operation === 'get'
            ? await got(api, 'roleBindings', made.uid)
            : (await api.roleBindings.list(childrenOf(group.uid))).items.find(({ uid }) => uid === made.uid)
        hasShape(shown, 'role-binding')
        expect(partsOf(shown!), 'the uids and names in the binding').toEqual(partsOf(made))
      })
    },
  )
}

requirement(
  {
    id: 'roleBinding.update.answers',
    level: 'should',
    statement: 'S1.2, S4.28, R49',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'An accepted Update of a role binding answers with what Get then shows',
    profile: 'identities',
  },
  async ({ api, scratch, settled, atLeast }) => {
    const made = await makeOne(scratch, 'roleBindings', scratch.uid)
    const { items: roles } = await api.roles.list({})
    const answer = await api.attempt.roleBindings.update(made.uid, { roleUid: roles[0]!.uid })
    atLeast(1, 'role bindings that an Update changed', isReceived(answer.json) ? 1 : 0)

    expect(answer.json, 'the answer to Update').toMatchObject({ uid: made.uid, role: { uid: roles[0]!.uid } })
    await settled(async () =>
      expect(await got(api, 'roleBindings', made.uid), 'the role binding after the Update').toMatchObject({
        role: { uid: roles[0]!.uid },
      }),
    )
  },
)

for (const kind of ownKinds.filter((kind) => kind !== 'groups' && !isOfRegistry(kind))) {
  const { name, plural, listed } = kinds[kind]
  const many = spaced(plural)
  requirement(
    {
      id: `${name}.create.missing`,
      level: kinds[kind].shown ? 'must' : 'should',
      statement: `${kind === 'roleBindings' ? 'S4.5' : kind === 'identities' ? 'S4.3' : 'S1.2'}, S1.7, R29, R38`,
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      says: `Create of ${many} below an unknown group is refused`,
      profile: listed.profile,
    },
    async ({ api, scratch, run, names }) => {
      const unknownUid = run.journal.lend(`${scratch.uid}/00000000000000ae`)
      const body = await bodyFor(api, scratch, kind, names.fresh())

      refused(await api.attempt[kind].create(unknownUid, body), `Create of ${many} below the unknown uid ${unknownUid}`)
    },
  )
}
