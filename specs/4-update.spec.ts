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
    says: 'Without a mask only the fields in the body change: the name stays when the description is sent, and the reverse',
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
      expect(await api.groups.get(one.uid)).toMatchObject({ name: one.name, description: 'second' }),
    )
    await settled(async () =>
      expect(await api.groups.get(other.uid)).toMatchObject({ name: renamed, description: 'kept' }),
    )
  },
)

requirement(
  {
    id: 'group.update.nothing',
    level: 'must',
    statement: 'S4.26, R26',
    says: 'An Update with an empty body changes no field',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
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
      says: `With updateMask=${listed} only the ${listed} changes; a ${ignored} in the body is ignored`,
    },
    async ({ api, scratch, names, settled }) => {
      const before = await scratch.makeKnown({ description: 'first' })
      const body = { name: names.fresh(), description: 'second' }

      await api.groups.update(before.uid, body, { updateMask: listed })

      await settled(async () =>
        expect(await api.groups.get(before.uid)).toMatchObject({
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
    says: 'What the mask does not list is ignored even where it is invalid: updateMask=description with a bad name succeeds',
  },
  async ({ api, scratch, names, settled }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const body = { name: `${names.fresh()}@B`, description: 'second' }

    const answer = await api.attempt.groups.update(before.uid, body, { query: { updateMask: 'description' } })

    accepted(answer, 'an Update whose mask leaves the bad name out')
    await settled(async () =>
      expect(await api.groups.get(before.uid)).toMatchObject({ name: before.name, description: 'second' }),
    )
  },
)

requirement(
  {
    id: 'group.update.mask.clears',
    level: 'must',
    statement: 'S4.27, S2.7, R6',
    says: 'An empty description under updateMask=description clears it',
  },
  async ({ api, scratch, settled }) => {
    const before = await scratch.makeKnown({ description: 'to be cleared' })

    await api.groups.update(before.uid, { description: '' }, { updateMask: 'description' })

    await settled(async () => expect((await api.groups.get(before.uid)).description ?? '').toBe(''))
  },
)

requirement(
  {
    id: 'group.update.clears-unmasked',
    level: 'should',
    statement: 'S4.26, R6',
    says: 'An empty description in the body clears it also without a mask',
  },
  async ({ api, scratch, settled }) => {
    const before = await scratch.makeKnown({ description: 'to be cleared' })

    await api.groups.update(before.uid, { description: '' })

    await settled(async () => expect((await api.groups.get(before.uid)).description ?? '').toBe(''))
  },
)

requirement(
  {
    id: 'group.update.mask.several',
    level: 'should',
    statement: 'S4.27, R31',
    says: 'A mask may list several fields, divided by commas',
  },
  async ({ api, scratch, names, settled }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const body = { name: names.fresh(), description: 'second' }

    const answer = await api.attempt.groups.update(before.uid, body, {
      query: { updateMask: 'name,description' },
    })

    accepted(answer, 'an Update with updateMask=name,description')
    await settled(async () => expect(await api.groups.get(before.uid)).toMatchObject(body))
  },
)

requirement(
  {
    id: 'group.update.mask.unknown',
    level: 'must',
    statement: 'S4.27, R31',
    says: 'A mask with a field that does not exist, however alike its name, changes no field that does',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
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
    says: 'What unusual masks are answered',
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
    says: 'uid and createTime never change, whatever body and mask say',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
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

    expect([got.uid, instant(got.createTime)]).toEqual([before.uid, instant(before.createTime)])
    refused(await api.attempt.groups.get(body.uid), 'Get of the uid that the body asked for')
  },
)

requirement(
  {
    id: 'group.update.returns-result',
    level: 'must',
    statement: 'S4.28, R25, R55',
    says: 'Update answers the group as Get and the lists then show it',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroup({ description: 'first' })
    await api.groups.list(scratch.children)

    const updated = await api.groups.update(made.uid, { name: names.fresh(), description: 'second' })

    expect(updated.description).toBe('second')
    await settled(async () => {
      same(await api.groups.get(made.uid), updated)
      const { items } = await api.groups.list(scratch.children)
      expect(items.map((item) => comparable(item))).toEqual([comparable(updated)])
    })
  },
)

requirement(
  {
    id: 'group.update.returns-unmasked',
    level: 'must',
    statement: 'S4.28, S4.27, R25',
    says: 'Under a mask too, Update answers the whole group as it is afterwards',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroup({ description: 'first' })

    const updated = await api.groups.update(
      made.uid,
      { name: names.fresh(), description: 'second' },
      { updateMask: 'name' },
    )

    expect(updated.description).toBe('first')
    await settled(async () => same(await api.groups.get(made.uid), updated))
  },
)

requirement(
  {
    id: 'group.update.time.advances',
    level: 'must',
    statement: 'S2.4, R26',
    says: 'A change moves updateTime on, and createTime stays',
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
        expect(instant(after.updateTime)).toBeGreaterThan(instant(updateTime))
        expect(instant(after.createTime)).toBe(instant(createTime))
      }
    })
  },
)

requirement(
  {
    id: 'group.update.time.of-nothing',
    level: 'observe',
    statement: 'S4.26, R26',
    says: 'What an Update of nothing is answered, and whether it moves updateTime',
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
    says: 'A refused Update changes nothing: a good description beside a bad name is not taken',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
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
    says: 'A refused Update does not move updateTime',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })
    await apart()

    await api.attempt.groups.update(before.uid, { name: `${names.fresh()}@B` })
    const after = await api.groups.get(before.uid)

    expect(instant(after.updateTime)).toBe(instant(before.updateTime))
  },
)

requirement(
  {
    id: 'group.update.renamed-in-lists',
    level: 'must',
    statement: 'S4.10, S4.22, S4.26',
    says: 'After a rename the name filter and the order by name follow the new name; the order of creation stays',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroups(4)
    const last = `z${names.fresh()}`
    await api.groups.update(made[0]!.uid, { name: last })

    const wanted = uids([...made.slice(1), made[0]!])

    const queries = [{ order_by: 'name' }, { order_by: 'name desc' }, { name: last }, { name: String(made[0]!.name) }]
    await settled(async () => {
      const pages = await Promise.all(queries.map((query) => api.groups.list({ ...scratch.children, ...query })))
      expect(pages.map(({ items }) => uids(items))).toEqual([wanted, [...wanted].reverse(), [made[0]!.uid], []])
    })
  },
)

requirement(
  {
    id: 'group.update.order-of-creation',
    level: 'must',
    statement: 'S4.22, S4.13, R26',
    says: 'An Update leaves the order of creation alone, a rename like any other',
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

    expect(uids(page.items)).toEqual(uids(made))
  },
)

requirement(
  {
    id: 'group.update.default-order',
    level: 'should',
    statement: 'S4.20, R22',
    says: 'An Update of one group leaves the default order of its list alone',
  },
  async ({ api, scratch }) => {
    const made = await scratch.makeGroups(8)
    const before = await api.groups.list(scratch.children)

    await api.groups.update(before.items[2]?.uid ?? made[0]!.uid, { description: 'touched' })
    const after = await api.groups.list(scratch.children)

    expect(uids(after.items)).toEqual(uids(before.items))
  },
)

requirement(
  {
    id: 'group.update.neighbours',
    level: 'must',
    statement: 'S4.26, S4.1',
    says: 'Update changes the group that was named, and neither its parent nor a sibling nor a child',
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
    says: 'The path names the group that Update changes: a uid in the body changes neither that one nor another',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain updates that are taken', await plainUpdates({ api, scratch }))
    const [named, other] = [await scratch.makeKnown(), await scratch.makeKnown()]

    await api.attempt.groups.update(named.uid, { uid: other.uid, description: 'changed' })

    await settled(async () => {
      same(await api.groups.get(other.uid), other)
      expect(await api.groups.get(named.uid)).toMatchObject({ uid: named.uid, name: named.name })
    })
  },
)

requirement(
  {
    id: 'group.update.many',
    level: 'must',
    statement: 'S4.26, S4.28, R55',
    says: 'Of many groups that are updated at the same moment, each holds its own change',
  },
  async ({ api, scratch, settled }) => {
    const made = await scratch.makeGroups(24)
    const described = (uid: string) => ({ uid, description: `of ${uid.slice(-8)}` })

    const updated = await Promise.all(
      made.map(({ uid }) => api.groups.update(uid, { description: described(uid).description })),
    )

    const wanted = made.map(({ uid, name }) => expect.objectContaining({ ...described(uid), name }))
    expect(updated).toEqual(wanted)
    await settled(async () => expect(await Promise.all(made.map(({ uid }) => api.groups.get(uid)))).toEqual(wanted))
  },
)

requirement(
  {
    id: 'group.update.concurrent',
    level: 'must',
    statement: 'S4.26, R31',
    says: 'Two Updates of different fields at the same moment, both answered 2xx, both hold',
  },
  async ({ api, scratch, names, settled }) => {
    const rounds = (await scratch.makeGroups(16)).map(async (group, index) => {
      const sent = { name: names.fresh(), description: `for ${group.uid.slice(-6)}` }

      const bodies = [{ name: sent.name }, { description: sent.description }]
      const inTurn = index % 2 === 0 ? bodies : bodies.reverse()
      const answers = await Promise.all(inTurn.map((body) => api.attempt.groups.update(group.uid, body)))

      const held = Object.assign({}, ...inTurn.filter((_, which) => succeeded(answers[which]!)))
      await settled(async () => expect(await api.groups.get(group.uid)).toMatchObject(held))
    })
    await Promise.all(rounds)
  },
)

requirement(
  {
    id: 'group.update.any-text',
    level: 'must',
    statement: 'S4.26, S4.28, R54',
    says: 'Whatever ordinary name and description are sent, alone or together, they hold and nothing else changes',
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
