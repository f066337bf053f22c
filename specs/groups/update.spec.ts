import fc from 'fast-check'
import { expect } from 'vitest'
import { ownIn } from '../../helpers/api/own-items.ts'
import { changesSince, sideBySide } from '../../helpers/arrange/observed.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { accepted } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { controlUpdates } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'group.update.shape',
    level: 'must',
    statement: 'S4.28, S2.4, S2.8, R8, R46',
    quote: 'A member that the contract names must have its type',
    restsOn: ['group.update.time.advances'],
    says: 'Update answers a group with the members and types of the contract',
  },
  async ({ api, scratch }) => {
    hasShape(await api.groups.update(scratch.uid, { description: 'another' }), 'group')
  },
)

requirement(
  {
    id: 'group.update.answers',
    level: 'must',
    statement: 'S4.1, S4.28, S1.2',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'Update answers the changed group',
  },
  async ({ api, scratch }) => {
    const updated = await api.groups.update(scratch.uid, { description: 'another' })

    expect(updated, 'the group in the answer to Update').toMatchObject({ uid: scratch.uid, description: 'another' })
  },
)

requirement(
  {
    id: 'group.update.null',
    level: 'observe',
    statement: 'S4.26, R6, R46',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'How null in place of a name or a description is treated',
  },
  async ({ api, scratch, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })

    const name = await sideBySide({ name: api.attempt.groups.update(before.uid, { name: null }) })
    const description = await sideBySide({
      description: api.attempt.groups.update(before.uid, { description: null }),
    })

    observe(`${name}; ${description}; then ${changesSince(before, await api.groups.get(before.uid))}`)
  },
)

requirement(
  {
    id: 'group.update.keeps-omitted',
    level: 'must',
    statement: 'S4.26',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'An Update without a mask changes only the fields in its body',
  },
  async ({ api, scratch, names, eventually }) => {
    const [one, other] = [
      await scratch.makeGroup({ description: 'first' }),
      await scratch.makeGroup({ description: 'kept' }),
    ]
    const renamed = names.fresh()

    await api.groups.update(one.uid, { description: 'second' })
    await api.groups.update(other.uid, { name: renamed })

    await eventually(async () =>
      expect(await api.groups.get(one.uid), 'the group whose description was sent').toMatchObject({
        name: one.name,
        description: 'second',
      }),
    )
    await eventually(async () =>
      expect(await api.groups.get(other.uid), 'the group whose name was sent').toMatchObject({
        name: renamed,
        description: 'kept',
      }),
    )
  },
)

requirement(
  {
    id: 'group.update.nothing',
    level: 'must',
    statement: 'S4.26, R26',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'An Update with an empty body changes no field',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await controlUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })

    await api.attempt.groups.update(before.uid, {})

    await eventually(async () => same(await api.groups.get(before.uid), before, 'updateTime'))
  },
)

requirement(
  {
    id: 'group.update.clears-unmasked',
    over: 'http',
    level: 'should',
    statement: 'S4.26, R6',
    quote: 'without the mask it _should_ (an empty string may count as "not populated")',
    restsOn: ['group.update.time.advances'],
    says: 'An empty description in the body clears the description even without a mask',
  },
  async ({ api, scratch, eventually }) => {
    const before = await scratch.makeKnown({ description: 'to be cleared' })

    await api.groups.update(before.uid, { description: '' })

    await eventually(async () =>
      expect((await api.groups.get(before.uid)).description ?? '', 'the description').toBe(''),
    )
  },
)

requirement(
  {
    id: 'group.update.returns-result',
    level: 'must',
    statement: 'S4.28, R25, R55',
    quote: 'a PATCH answers the resource as it is after the update',
    restsOn: ['group.list.same', 'list.total.follows', 'group.update.time.advances'],
    says: 'Update answers with the group as Get and the lists then show it',
  },
  async ({ api, scratch, run, names, eventually }) => {
    const made = await scratch.makeGroup({ description: 'first' })
    await api.groups.list(scratch.children)

    const updated = await api.groups.update(made.uid, { name: names.fresh(), description: 'second' })

    expect(updated.description, 'the description in the answer').toBe('second')
    await eventually(async () => {
      same(await api.groups.get(made.uid), updated)
      const { items } = await api.groups.list(scratch.children)
      const listed = ownIn(items, run)
      expect(listed, 'the listed groups').toHaveLength(1)
      same(listed[0]!, updated)
    })
  },
)

requirement(
  {
    id: 'group.update.returns-unmasked',
    level: 'must',
    statement: 'S4.28, S4.27, R25',
    quote: 'a PATCH answers the resource as it is after the update',
    restsOn: ['group.list.same', 'list.total.follows', 'group.update.mask.description'],
    says: 'An Update with a mask answers with the whole group as it is afterwards',
  },
  async ({ api, scratch, names, eventually }) => {
    const made = await scratch.makeGroup({ description: 'first' })

    const updated = await api.groups.update(
      made.uid,
      { name: names.fresh(), description: 'second' },
      { updateMask: 'name' },
    )

    expect(updated.description, 'the description in the answer').toBe('first')
    await eventually(async () => same(await api.groups.get(made.uid), updated))
  },
)

requirement(
  {
    id: 'group.update.any-text',
    level: 'must',
    statement: 'S4.26, S4.28, R54',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'An Update with an ordinary name, description or both changes exactly those fields',
  },
  async ({ scratch, names, forAll, eventually }) => {
    const text = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ,.-]{0,60}[A-Za-z0-9]$/)
    const change = fc.record(
      { description: text, rename: fc.boolean(), describe: fc.boolean() },
      { noNullPrototype: true },
    )

    await forAll(
      change,
      async ({ description, rename, describe }, api) => {
        const made = await scratch.makeKnown({ description: 'first' })
        const body = { ...(rename && { name: names.fresh() }), ...(describe && { description }) }

        const answer = await api.attempt.groups.update(made.uid, body)

        // an Update that changes nothing may be refused
        for (const call of rename || describe ? [answer] : []) accepted(call, 'an Update with ordinary fields')
        await eventually(async () => same(await api.groups.get(made.uid), { ...made, ...body }, 'updateTime'))
      },
      8,
    )
  },
)
