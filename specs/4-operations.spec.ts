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

/** The statements that name the operations of a kind. */
const statementOf = (kind: KindName) =>
  kind === 'repos'
    ? 'S1.1, S1.3, S4.6, S2.16'
    : kind === 'tags'
      ? 'S1.1, S1.3'
      : kind === 'advisories'
        ? 'S1.1, S1.4'
        : 'S1.1, S1.2'

for (const kind of registryKinds) {
  const { name, plural, schema, listSchema, listed } = kinds[kind]
  const profile = listed.profile

  requirement(
    {
      id: `${name}.list.answers`,
      level: listed.level,
      statement: `${statementOf(kind)}, S4.16, R49`,
      says: `List answers with ${plural} below a group, under ${plural}, with the members and types of the contract`,
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
      says: `Get answers with the one of ${plural} whose uid was asked for, as List shows it`,
      profile,
    },
    async ({ api, over }) => {
      await over(kind, async ({ items }) => {
        const sought = [items[0]!, items[Math.floor(items.length / 2)]!, items.at(-1)!]

        const shown = await Promise.all(sought.map(({ uid }) => got(api, kind, uid)))

        for (const [index, item] of shown.entries()) {
          same(item, sought[index]!)
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
      says: `Get of one of ${plural} that never was, however alike its uid, is refused`,
      profile,
    },
    async ({ api, over }) => {
      await over(kind, async ({ items }) => {
        const known = uids(items)
        const [{ uid }] = items as [{ uid: string }]
        const alike = [
          `${uid}0`,
          `${uid}/${uid.slice(-16)}`,
          `${uid.slice(0, -4)}${[...uid.slice(-4)].reverse().join('')}`,
        ]
        const unknown = alike.filter((one) => !known.includes(one))

        const answers = await Promise.all(unknown.map((one) => api.attempt[kind].get(one)))

        const others = answers.filter(({ json }, index) => !isReceived(json) || json.uid !== unknown[index])
        for (const answer of others) refused(answer, `Get of one of ${plural} that never was`)
      })
    },
  )

  requirement(
    {
      id: `${name}.write.unissued`,
      level: 'should',
      statement: `${statementOf(kind)}, R38, R49`,
      says: `Create below a group that never was, and Update of one of ${plural} that never was, are refused`,
      profile,
    },
    async ({ api, scratch, run, names }) => {
      const unissued = run.journal.lend(`${scratch.uid}/00000000000000aa`)
      const body = { name: names.fresh(), description: 'for nobody' }

      const answers = [await api.attempt[kind].create(unissued, body), await api.attempt[kind].update(unissued, body)]

      for (const answer of answers) refused(answer, `a write to ${plural} at ${unissued}, never issued,`)
    },
  )

  requirement(
    {
      id: `${name}.write.answer`,
      level: 'observe',
      statement: `${statementOf(kind)}, R49`,
      says: `What Create, Update and Delete of ${plural} are answered, by calls that cannot succeed`,
      profile,
    },
    async ({ api, scratch, run, observe }) => {
      const unissued = run.journal.lend(`${scratch.uid}/00000000000000ab`)
      const { create, update, delete: remove } = api.attempt[kind]

      const answers = [await create(unissued, {}), await update(unissued, {}), await remove(unissued)]

      observe(answers.map((answer) => `${answer.exchange.operation}: ${outcomeOf(answer)}`).join('; '))
    },
  )
}

for (const kind of ownKinds.filter(isOffered)) {
  const { name, plural, schema, listSchema } = kinds[kind]
  const header = { level: 'should', statement: `${statementOf(kind)}, R49`, profile: 'identities' } as const

  requirement(
    {
      ...header,
      id: `${name}.create.answers`,
      says: `Create answers with the new one of ${plural}, where what published definitions tell of its body is taken`,
    },
    async ({ api, scratch, names }) => {
      const body = await offeredBody(api, kind, names.fresh())

      const made = mustBeTaken(kind, await api.attempt[kind].create(scratch.uid, body))

      // an invite has no name: some targets write an empty one all the same
      const { name: sent = made.name } = body
      hasShape(made, schema)
      expect(made.name ?? sent).toBe(sent)
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.list.answers`,
      says: `List answers with the ${plural} of a group, under ${plural}, as Create answered them`,
    },
    async ({ api, scratch, settled }) => {
      mustBePresent(kind, 'list', await api.attempt[kind].list(scratch.children))
      const made = await scratch.makeOffered(kind)

      await settled(async () => {
        const page = await api[kind].list(scratch.children)
        hasShape(page.body, listSchema)
        expect(uids(page.items)).toContain(made.uid)
        same(page.items.find(({ uid }) => uid === made.uid)!, made)
      })
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.get.answers`,
      says: `Get answers with the one of ${plural} whose uid was asked for, as Create answered it`,
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
      says: `Delete of one of ${plural} succeeds with an empty body`,
    },
    async ({ api, scratch }) => {
      const made = await scratch.makeOffered(kind)

      const answer = await api.attempt[kind].delete(made.uid)

      mustBePresent(kind, 'delete', answer)
      accepted(answer, `deleting one of ${plural}`)
      expect(answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')).toBe('')
    },
  )

  requirement(
    {
      ...header,
      id: `${name}.delete.gone`,
      says: `One of ${plural} that was deleted is gone from Get and from lists, and that of another group stays`,
    },
    async ({ api, scratch, settled }) => {
      const doomed = await scratch.makeOffered(kind)
      const other = await scratch.makeOffered(kind, (await scratch.makeGroup()).uid)
      const deleted = await api.attempt[kind].delete(doomed.uid)
      mustBePresent(kind, 'delete', deleted)
      accepted(deleted, `deleting one of ${plural}`)

      await settled(async () => {
        refused(await api.attempt[kind].get(doomed.uid), `Get of one of ${plural} that was deleted`)
        const list = await api.attempt[kind].list(scratch.descendants)
        expect([[], [other.uid]]).toContainEqual(listedUids(kind, list))
      })
    },
  )
}

for (const kind of describedKinds.filter(isOffered)) {
  const { name, plural, schema } = kinds[kind]

  requirement(
    {
      id: `${name}.update.answers`,
      level: 'should',
      statement: `${statementOf(kind)}, S4.28, R49`,
      says: `Update answers with the changed one of ${plural}`,
      profile: 'identities',
    },
    async ({ api, scratch, settled }) => {
      const made = await scratch.makeOffered(kind)

      const changed = await settled(() => updated(api, kind, made.uid, { description: 'another' }))

      hasShape(changed, schema)
      expect(changed.description).toBe('another')
    },
  )
}

requirement(
  {
    id: 'role.get.answers',
    level: 'should',
    statement: 'S1.2, S2.13, R49, R55',
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
    says: 'What Create, Update and Delete of roles are answered, by calls that cannot succeed',
    profile: 'identities',
  },
  async ({ api, scratch, run, observe }) => {
    const unissued = run.journal.lend(`${scratch.uid}/00000000000000ac`)
    const { create, update, delete: remove } = api.attempt.roles

    const answers = [await create(unissued, {}), await update(unissued, {}), await remove(unissued)]

    observe(answers.map((answer) => `${answer.exchange.operation}: ${outcomeOf(answer)}`).join('; '))
  },
)

requirement(
  {
    id: 'groupInvite.update.answer',
    level: 'observe',
    statement: 'S1.2, R49',
    says: 'What Update of a group invite that never was is answered: published definitions know none',
    profile: 'identities',
  },
  async ({ api, scratch, run, observe }) => {
    const unissued = run.journal.lend(`${scratch.uid}/00000000000000ad`)

    observe(outcomeOf(await api.attempt.groupInvites.update(unissued, { singleUse: false })))
  },
)

/** The uids in a binding and in what it embeds. */
const partsOf = ({ uid, identity, group, role }: Received) => [
  uid,
  ...[identity, group, role].map((part) => isReceived(part) && [part.uid, part.name]),
]

for (const operation of ['get', 'list'] as const) {
  requirement(
    {
      id: `roleBinding.${operation}.answers`,
      level: 'should',
      statement: 'S1.2, S2.14, R49, R55',
      says: `${operation} of role bindings shows the binding as Create answered it, whole objects inside`,
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
        expect(partsOf(shown!)).toEqual(partsOf(made))
      })
    },
  )
}

requirement(
  {
    id: 'roleBinding.update.answers',
    level: 'should',
    statement: 'S1.2, S4.28, R49',
    says: 'Update of a role binding, where another role is taken, answers with what Get then shows',
    profile: 'identities',
  },
  async ({ api, scratch, settled, atLeast }) => {
    const made = await makeOne(scratch, 'roleBindings', scratch.uid)
    const { items: roles } = await api.roles.list({})
    const answer = await api.attempt.roleBindings.update(made.uid, { roleUid: roles[0]!.uid })
    atLeast(1, 'role bindings that may be changed', isReceived(answer.json) ? 1 : 0)

    expect(answer.json).toMatchObject({ uid: made.uid, role: { uid: roles[0]!.uid } })
    await settled(async () =>
      expect(await got(api, 'roleBindings', made.uid)).toMatchObject({ role: { uid: roles[0]!.uid } }),
    )
  },
)

for (const kind of ownKinds.filter((kind) => kind !== 'groups' && !isOfRegistry(kind))) {
  const { name, plural, listed } = kinds[kind]
  requirement(
    {
      id: `${name}.create.missing`,
      level: kinds[kind].shown ? 'must' : 'should',
      statement: `${kind === 'roleBindings' ? 'S4.5' : kind === 'identities' ? 'S4.3' : 'S1.2'}, S1.7, R29, R38`,
      says: `Create of ${plural} below a group that never was is refused`,
      profile: listed.profile,
    },
    async ({ api, scratch, run, names }) => {
      const unissued = run.journal.lend(`${scratch.uid}/00000000000000ae`)
      const body = await bodyFor(api, scratch, kind, names.fresh())

      refused(await api.attempt[kind].create(unissued, body), `Create of ${plural} below ${unissued}, never issued,`)
    },
  )
}
