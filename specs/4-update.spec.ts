import fc from 'fast-check'
import { expect } from 'vitest'
import { instant } from '../helpers/api/instant.ts'
import { uids } from '../helpers/api/received.ts'
import { comparable, same } from '../helpers/assertions/equal.ts'
import { accepted, outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { apart } from '../helpers/assertions/timestamps.ts'
import { plainUpdates } from '../helpers/auth/control-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

requirement(
  {
    id: 'group.update.keeps-omitted',
    level: 'must',
    statement: 'S4.26',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'An Update without a mask changes only the fields in its body',
  },
  async ({ api, scratch, names, settled }) => {
    const [one, other] = [
      await scratch.makeGroup({ description: 'first' }),
      await scratch.makeGroup({ description: 'kept' }),
    ]
    const renamed = names.fresh()

    await api.groups.update(one.uid, { description: 'second' })
    await api.groups.update(other.uid, { name: renamed })

    await settled(async () =>
      expect(await api.groups.get(one.uid), 'the group whose description was sent').toMatchObject({
        name: one.name,
        description: 'second',
      }),
    )
    await settled(async () =>
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
    says: 'An Update with an empty body changes no field',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await plainUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })

    await api.attempt.groups.update(before.uid, {})

    await settled(async () => same(await api.groups.get(before.uid), before, 'updateTime'))
  },
)

for (const [listed, ignored] of [
  ['name', 'description'],
  ['description', 'name'],
] as const) {
  requirement(
    {
      id: `group.update.mask.${listed}`,
      level: 'must',
      statement: 'S4.27',
      quote: 'a PATCH with `updateMask` changes only the fields that the mask lists and ignores all others in the body',
      says: `An Update with updateMask=${listed} changes only the ${listed}, despite a ${ignored} in its body`,
    },
    async ({ api, scratch, names, settled }) => {
      const before = await scratch.makeKnown({ description: 'first' })
      const body = { name: names.fresh(), description: 'second' }

      await api.groups.update(before.uid, body, { updateMask: listed })

      await settled(async () =>
        expect(await api.groups.get(before.uid), `the group after updateMask=${listed}`).toMatchObject({
          [listed]: body[listed],
          [ignored]: before[ignored],
        }),
      )
    },
  )
}

requirement(
  {
    id: 'group.update.mask.ignores-invalid',
    level: 'must',
    statement: 'S4.27, R31',
    quote: 'What the mask does not list must be ignored, be it valid or not',
    says: 'A bad name that the mask does not list is ignored',
  },
  async ({ api, scratch, names, settled }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const body = { name: `${names.fresh()}@B`, description: 'second' }

    const answer = await api.attempt.groups.update(before.uid, body, { query: { updateMask: 'description' } })

    accepted(answer, 'an Update with a bad name that its mask does not list')
    await settled(async () =>
      expect(await api.groups.get(before.uid), 'the group after the Update').toMatchObject({
        name: before.name,
        description: 'second',
      }),
    )
  },
)

requirement(
  {
    id: 'group.update.mask.clears',
    level: 'must',
    statement: 'S4.27, S2.7, R6',
    quote: 'A PATCH to `""` with the mask must clear it',
    says: 'An empty description with updateMask=description clears the description',
  },
  async ({ api, scratch, settled }) => {
    const before = await scratch.makeKnown({ description: 'to be cleared' })

    await api.groups.update(before.uid, { description: '' }, { updateMask: 'description' })

    await settled(async () => expect((await api.groups.get(before.uid)).description ?? '', 'the description').toBe(''))
  },
)

requirement(
  {
    id: 'group.update.clears-unmasked',
    level: 'should',
    statement: 'S4.26, R6',
    quote: 'without the mask it _should_ (an empty string may count as "not populated")',
    says: 'An empty description in the body clears the description even without a mask',
  },
  async ({ api, scratch, settled }) => {
    const before = await scratch.makeKnown({ description: 'to be cleared' })

    await api.groups.update(before.uid, { description: '' })

    await settled(async () => expect((await api.groups.get(before.uid)).description ?? '', 'the description').toBe(''))
  },
)

requirement(
  {
    id: 'group.update.mask.several',
    level: 'should',
    statement: 'S4.27, R31',
    quote: 'Several fields separated by commas',
    says: 'A mask of several fields separated by commas updates each of them',
  },
  async ({ api, scratch, names, settled }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const body = { name: names.fresh(), description: 'second' }

    const answer = await api.attempt.groups.update(before.uid, body, {
      query: { updateMask: 'name,description' },
    })

    accepted(answer, 'an Update with updateMask=name,description')
    await settled(async () =>
      expect(await api.groups.get(before.uid), 'the group after the Update').toMatchObject(body),
    )
  },
)

requirement(
  {
    id: 'group.update.mask.unknown',
    level: 'must',
    statement: 'S4.27, R31',
    quote: 'A mask with an unknown field is refused or ignored, _observe_, but nothing else may change',
    says: 'A mask with an unknown field changes no known field, even one with a similar name',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await plainUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })
    const body = { name: names.fresh(), description: 'changed', colour: 'red' }

    for (const updateMask of ['colour', 'nickname', 'names', 'descriptions', 'display_name']) {
      await api.attempt.groups.update(before.uid, body, { query: { updateMask } })
    }

    await settled(async () => same(await api.groups.get(before.uid), before, 'updateTime'))
  },
)

requirement(
  {
    id: 'group.update.mask.unknown.answer',
    level: 'observe',
    statement: 'S4.27, R31',
    quote: 'A mask with an unknown field is refused or ignored, _observe_',
    says: 'How unusual masks are answered',
  },
  async ({ api, scratch, observe }) => {
    const masks = ['colour', '*', 'name', 'uid', 'update_time', 'description,description']

    const answers = await Promise.all(
      masks.map((updateMask) =>
        api.attempt.groups.update(scratch.uid, { description: 'same' }, { query: { updateMask } }),
      ),
    )

    observe(answers.map((answer, index) => `${masks[index]}: ${outcomeOf(answer)}`).join(', '))
  },
)

requirement(
  {
    id: 'group.update.immutable',
    level: 'must',
    statement: 'S2.5, S2.4, R5, R26',
    quote: '`createTime` and `uid` must never change',
    says: 'The uid and createTime of a group never change, whatever the body and the mask say',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await plainUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'first' })
    const body = {
      uid: `${scratch.uid}/00000000000000aa`,
      createTime: '2001-02-03T04:05:06.007Z',
      description: 'second',
    }

    for (const updateMask of [undefined, 'uid', 'createTime', 'uid,createTime', '*']) {
      await api.attempt.groups.update(before.uid, body, { query: { updateMask } })
    }
    const got = await api.groups.get(before.uid)

    expect([got.uid, instant(got.createTime)], 'uid and createTime').toEqual([before.uid, instant(before.createTime)])
    refused(await api.attempt.groups.get(body.uid), 'Get of the uid in the body of the Update')
  },
)

requirement(
  {
    id: 'group.update.returns-result',
    level: 'must',
    statement: 'S4.28, R25, R55',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'Update answers with the group as Get and the lists then show it',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroup({ description: 'first' })
    await api.groups.list(scratch.children)

    const updated = await api.groups.update(made.uid, { name: names.fresh(), description: 'second' })

    expect(updated.description, 'the description in the answer').toBe('second')
    await settled(async () => {
      same(await api.groups.get(made.uid), updated)
      const { items } = await api.groups.list(scratch.children)
      expect(
        items.map((item) => comparable(item)),
        'the listed groups',
      ).toEqual([comparable(updated)])
    })
  },
)

requirement(
  {
    id: 'group.update.returns-unmasked',
    level: 'must',
    statement: 'S4.28, S4.27, R25',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'An Update with a mask answers with the whole group as it is afterwards',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroup({ description: 'first' })

    const updated = await api.groups.update(
      made.uid,
      { name: names.fresh(), description: 'second' },
      { updateMask: 'name' },
    )

    expect(updated.description, 'the description in the answer').toBe('first')
    await settled(async () => same(await api.groups.get(made.uid), updated))
  },
)

requirement(
  {
    id: 'group.update.time.advances',
    level: 'must',
    statement: 'S2.4, R26',
    quote: '`updateTime` must not go back, and it must advance on a real change',
    says: 'A change advances updateTime and leaves createTime alone',
  },
  async ({ api, scratch, names, settled }) => {
    const changes = [
      { body: { description: 'second' } },
      { body: { name: names.fresh() } },
      { body: { description: 'second' }, updateMask: 'description' },
      { body: { name: names.fresh() }, updateMask: 'name' },
    ]
    const before = await Promise.all(changes.map(() => scratch.makeKnown({ description: 'first' })))
    await apart()

    await Promise.all(
      changes.map(({ body, updateMask }, index) =>
        api.groups.update(before[index]!.uid, body, updateMask ? { updateMask } : undefined),
      ),
    )

    await settled(async () => {
      for (const { uid, createTime, updateTime } of before) {
        const after = await api.groups.get(uid)
        expect(instant(after.updateTime), 'updateTime in milliseconds').toBeGreaterThan(instant(updateTime))
        expect(instant(after.createTime), 'createTime in milliseconds').toBe(instant(createTime))
      }
    })
  },
)

requirement(
  {
    id: 'group.update.time.of-nothing',
    level: 'observe',
    statement: 'S4.26, R26',
    quote: 'What a PATCH of nothing does (`{}`, or the value that is there already) is _observe_',
    says: 'How an Update that changes nothing is answered, and its effect on updateTime',
  },
  async ({ api, scratch, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })

    const empty = await api.attempt.groups.update(before.uid, {})
    const equal = await api.attempt.groups.update(before.uid, { description: 'first' })
    const after = await api.groups.get(before.uid)

    const moved = instant(after.updateTime) > instant(before.updateTime) ? 'moved' : 'stayed'
    observe(`{}: ${outcomeOf(empty)}; the same value: ${outcomeOf(equal)}; updateTime ${moved}`)
  },
)

requirement(
  {
    id: 'group.update.atomic',
    level: 'must',
    statement: 'S4.26, R29',
    quote: 'A refused PATCH must change no field',
    says: 'A refused Update changes nothing, not even a good description beside a bad name',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await plainUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })
    const body = { description: 'half done', name: `${names.fresh()}@B` }

    const answers = [
      await api.attempt.groups.update(before.uid, body),
      await api.attempt.groups.update(before.uid, body, { query: { updateMask: 'name' } }),
    ]

    for (const answer of answers) refused(answer, 'an Update with a bad name')
    await settled(async () => same(await api.groups.get(before.uid), before, 'updateTime'))
  },
)

requirement(
  {
    id: 'group.update.atomic.time',
    level: 'should',
    statement: 'S2.4, R29',
    quote: 'A refused PATCH must change no field (nor `updateTime`: _should_)',
    says: 'A refused Update does not move updateTime',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await plainUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })
    await apart()

    await api.attempt.groups.update(before.uid, { name: `${names.fresh()}@B` })
    const after = await api.groups.get(before.uid)

    expect(instant(after.updateTime), 'updateTime in milliseconds').toBe(instant(before.updateTime))
  },
)

requirement(
  {
    id: 'group.update.renamed-in-lists',
    level: 'must',
    statement: 'S4.10, S4.22, S4.26',
    quote: '`name` ascends, `name desc` descends',
    says: 'The name filter and the order by name follow a rename',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroups(4)
    const last = `z${names.fresh()}`
    await api.groups.update(made[0]!.uid, { name: last })

    const sorted = uids([...made.slice(1), made[0]!])

    const queries = [{ order_by: 'name' }, { order_by: 'name desc' }, { name: last }, { name: String(made[0]!.name) }]
    await settled(async () => {
      const pages = await Promise.all(queries.map((query) => api.groups.list({ ...scratch.children, ...query })))
      expect(
        pages.map(({ items }) => uids(items)),
        'by name, by name desc, with the new name, with the old name',
      ).toEqual([sorted, [...sorted].reverse(), [made[0]!.uid], []])
    })
  },
)

requirement(
  {
    id: 'group.update.order-of-creation',
    level: 'must',
    statement: 'S4.22, S4.13, R18, R26',
    quote: '`order_by=created_at` (ascending, the oldest first) is _must_',
    says: 'An Update, even a rename, leaves the order of creation alone',
  },
  async ({ api, scratch, names }) => {
    const made = [await scratch.makeGroup()]
    for (const _ of [1, 2, 3]) {
      await apart()
      made.push(await scratch.makeGroup())
    }

    await api.groups.update(made[1]!.uid, { name: names.fresh() })
    await api.groups.update(made[0]!.uid, { description: 'touched last' })
    const page = await api.groups.list({ ...scratch.children, order_by: 'created_at' })

    expect(uids(page.items), 'the groups, oldest first').toEqual(uids(made))
  },
)

requirement(
  {
    id: 'group.update.default-order',
    level: 'should',
    statement: 'S4.20, R22',
    quote: 'That a PATCH of one item leaves the default order alone is _should_',
    says: 'An Update of one group leaves the default order of its list alone',
  },
  async ({ api, scratch }) => {
    const made = await scratch.makeGroups(8)
    const before = await api.groups.list(scratch.children)

    await api.groups.update(before.items[2]?.uid ?? made[0]!.uid, { description: 'touched' })
    const after = await api.groups.list(scratch.children)

    expect(uids(after.items), 'the groups in the default order').toEqual(uids(before.items))
  },
)

requirement(
  {
    id: 'group.update.neighbours',
    level: 'must',
    statement: 'S4.26, S4.1',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'An Update changes only the group in its path, not its parent, sibling or child',
  },
  async ({ api, scratch, names }) => {
    const [one, sibling] = await scratch.makeGroups(2)
    const child = await scratch.makeGroup({ description: 'a child' }, one!.uid)
    const others = await Promise.all([scratch.uid, sibling!.uid, child.uid].map((uid) => api.groups.get(uid)))

    await api.groups.update(one!.uid, { name: names.fresh(), description: 'changed' })
    const after = await Promise.all(others.map(({ uid }) => api.groups.get(uid)))

    for (const [index, group] of after.entries()) same(group, others[index]!, 'updateTime')
  },
)

requirement(
  {
    id: 'group.update.path-wins',
    level: 'must',
    statement: 'S4.1, S2.5, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    says: 'A uid in the body of an Update has no effect',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await plainUpdates({ api, scratch }))
    const [named, other] = [await scratch.makeKnown(), await scratch.makeKnown()]

    await api.attempt.groups.update(named.uid, { uid: other.uid, description: 'changed' })

    await settled(async () => {
      same(await api.groups.get(other.uid), other)
      expect(await api.groups.get(named.uid), 'the group in the path').toMatchObject({
        uid: named.uid,
        name: named.name,
      })
    })
  },
)

requirement(
  {
    id: 'group.update.many',
    level: 'must',
    statement: 'S4.26, S4.28, R55',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'Many groups that are updated at the same moment each keep their own change',
  },
  async ({ api, scratch, settled }) => {
    const made = await scratch.makeGroups(24)
    const described = (uid: string) => ({ uid, description: `of ${uid.slice(-8)}` })

    const updated = await Promise.all(
      made.map(({ uid }) => api.groups.update(uid, { description: described(uid).description })),
    )

    const wanted = made.map(({ uid, name }) => expect.objectContaining({ ...described(uid), name }))
    expect(updated, 'the answers to the Updates').toEqual(wanted)
    await settled(async () =>
      expect(await Promise.all(made.map(({ uid }) => api.groups.get(uid))), 'the groups afterwards').toEqual(wanted),
    )
  },
)

requirement(
  {
    id: 'group.update.concurrent',
    level: 'must',
    statement: 'S4.26, R31',
    quote: 'Two PATCHes of different fields at the same moment, both answered with 2xx, must both hold',
    says: 'Two accepted Updates of different fields at the same moment both hold',
  },
  async ({ api, scratch, names, settled }) => {
    const rounds = (await scratch.makeGroups(16)).map(async (group, index) => {
      const sent = { name: names.fresh(), description: `for ${group.uid.slice(-6)}` }

      const bodies = [{ name: sent.name }, { description: sent.description }]
      const inTurn = index % 2 === 0 ? bodies : bodies.reverse()
      const answers = await Promise.all(inTurn.map((body) => api.attempt.groups.update(group.uid, body)))

      const acceptedChange = Object.assign({}, ...inTurn.filter((_, which) => succeeded(answers[which]!)))
      await settled(async () =>
        expect(await api.groups.get(group.uid), 'the group after both Updates').toMatchObject(acceptedChange),
      )
    })
    await Promise.all(rounds)
  },
)

requirement(
  {
    id: 'group.update.any-text',
    level: 'must',
    statement: 'S4.26, S4.28, R54',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'An Update with an ordinary name, description or both changes exactly those fields',
  },
  async ({ scratch, names, forAll, settled }) => {
    const text = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ,;:!?()-]{0,60}[A-Za-z0-9]$/)
    const change = fc.record({ description: text, rename: fc.boolean(), describe: fc.boolean() })

    await forAll(
      change,
      async ({ description, rename, describe }, api) => {
        const made = await scratch.makeKnown({ description: 'first' })
        const body = { ...(rename && { name: names.fresh() }), ...(describe && { description }) }

        await api.attempt.groups.update(made.uid, body)

        await settled(async () => same(await api.groups.get(made.uid), { ...made, ...body }, 'updateTime'))
      },
      16,
    )
  },
)
