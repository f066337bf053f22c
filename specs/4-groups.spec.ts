import { expect } from 'vitest'
import { uids } from '../helpers/api/received.ts'
import { below } from '../helpers/arrange/listings.ts'
import { childrenOf, deleteGroup } from '../helpers/arrange/scratch.ts'
import { unissuedUids } from '../helpers/arrange/unknown-uids.ts'
import { same } from '../helpers/assertions/equal.ts'
import { accepted, outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

requirement(
  {
    id: 'group.create.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Create answers the new group with the name and description as sent',
  },
  async ({ api, scratch, names }) => {
    const sent = { name: names.fresh(), description: 'as sent' }

    const created = await api.groups.create(scratch.uid, sent)

    expect(created, 'the group in the answer to Create').toMatchObject(sent)
    expect(created.uid, 'the uid of the new group').not.toBe(scratch.uid)
  },
)

requirement(
  {
    id: 'group.get.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Get answers the group with the given uid',
  },
  async ({ api, scratch, settled }) => {
    const [one, other] = [await api.groups.get(scratch.uid), await scratch.makeGroup()]

    expect(one, 'the group in the answer to Get').toMatchObject({ uid: scratch.uid, name: scratch.group.name })
    await settled(async () =>
      expect(await api.groups.get(other.uid), 'the group in the answer to Get').toMatchObject({
        uid: other.uid,
        name: other.name,
      }),
    )
  },
)

requirement(
  {
    id: 'group.list.answers',
    level: 'must',
    statement: 'S4.1, S4.16, S1.2',
    quote: 'under the plural name of the resource',
    says: 'List answers the groups of its scope under the member groups',
  },
  async ({ api, scratch }) => {
    const made = await scratch.makeGroups(3)

    const page = await api.groups.list(scratch.children)

    expect(uids(page.items).sort(), 'the groups in the list').toEqual(uids(made).sort())
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
    id: 'group.delete.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Delete of an empty group succeeds',
  },
  async ({ api, scratch }) => {
    const doomed = await scratch.makeGroup()

    accepted(await deleteGroup(api, scratch, doomed.uid), 'deleting an empty group')
  },
)

requirement(
  {
    id: 'group.create.persists',
    level: 'must',
    statement: 'S4.1, S4.2',
    quote: 'its parent is named in the path and nowhere else',
    says: 'A new group is listed below the parent of the path and nowhere else',
  },
  async ({ api, scratch, names, settled }) => {
    const [parent, other] = [await scratch.makeGroup(), await scratch.makeGroup()]

    const created = await api.groups.create(parent.uid, { name: names.fresh() })
    await settled(async () => {
      const [inside, elsewhere] = [
        await api.groups.list(childrenOf(parent.uid)),
        await api.groups.list(childrenOf(other.uid)),
      ]
      expect(uids(inside.items), 'the children of the parent').toEqual([created.uid])
      expect(uids(elsewhere.items), 'the children of another group').toEqual([])
    })
  },
)

for (const [operation, call] of [
  ['get', 'Get of'],
  ['update', 'Update of'],
  ['create', 'Create below'],
] as const) {
  requirement(
    {
      id: `group.${operation}.missing`,
      level: 'must',
      statement: 'S4.1, S2.1, R38',
      quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
      says: `${call} an unknown group uid is refused, even one that resembles a real uid`,
    },
    async ({ api, scratch, names, run, settled, skip, atLeast }) => {
      const made = await scratch.makeKnown()
      const unissued = (await unissuedUids(api, made.uid, scratch.uid)).map((uid) => run.journal.lend(uid))
      const body = { name: names.fresh(), description: 'for nobody' }
      atLeast(1, 'uids that were never issued', unissued.length)

      const answers = await Promise.all(
        unissued.map((uid) =>
          operation === 'get' ? api.attempt.groups.get(uid) : api.attempt.groups[operation](uid, body),
        ),
      )
      const { items } = await api.groups.list({ ...scratch.descendants, page_size: 200 })

      for (const [index, answer] of answers.entries()) {
        skip(
          operation !== 'create' && (answer.json as { uid?: unknown })?.uid === unissued[index],
          `${unissued[index]} exists after all`,
        )
        refused(answer, `${call} the unknown uid ${unissued[index]}`)
      }
      expect(
        items.map(({ name }) => name),
        'the names in the scratch group',
      ).not.toContain(body.name)
      await settled(async () => same(await api.groups.get(made.uid), made, 'updateTime'))
    },
  )
}

requirement(
  {
    id: 'group.delete.empty-body',
    level: 'must',
    statement: 'S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'A successful Delete answers no bytes or {}',
  },
  async ({ api, scratch, atLeast }) => {
    const doomed = await scratch.makeGroup()

    const answer = await deleteGroup(api, scratch, doomed.uid)
    atLeast(1, 'groups that were deleted', succeeded(answer) ? 1 : 0)

    const text = answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')
    expect(text, 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'group.delete.gone-from-get',
    level: 'must',
    statement: 'S4.1, R28',
    quote: 'After a delete that succeeded (any 2xx) of a group, an identity or a role binding, Get must not answer 2xx',
    says: 'Get, Update and Create refuse the uid of a deleted group',
  },
  async ({ api, scratch, names, settled }) => {
    const doomed = await scratch.makeKnown()
    await api.groups.update(doomed.uid, { description: 'seen and changed before' })
    await deleteGroup(api, scratch, doomed.uid)

    await settled(async () => {
      refused(await api.attempt.groups.get(doomed.uid), 'Get of a deleted group')
      refused(await api.attempt.groups.update(doomed.uid, { description: 'late' }), 'Update of a deleted group')
      refused(await api.attempt.groups.create(doomed.uid, { name: names.fresh() }), 'Create below a deleted group')
    })
  },
)

requirement(
  {
    id: 'group.delete.gone-from-lists',
    level: 'must',
    statement: 'S4.1, S4.18, R28',
    quote: 'lists and counts must leave it out',
    says: 'Every list and its total leave out only the deleted group',
  },
  async ({ api, scratch, settled }) => {
    const [doomed, ...rest] = await scratch.makeGroups(3)
    const { children, descendants } = scratch
    await deleteGroup(api, scratch, doomed!.uid)

    const queries = [
      children,
      descendants,
      { ...children, order_by: 'name' },
      { ...descendants, order_by: 'created_at desc' },
    ]

    await settled(async () => {
      const pages = await Promise.all(queries.map((query) => api.groups.list(query)))
      const named = await api.groups.list({ ...children, name: String(doomed!.name) })
      const wanted = { uids: uids(rest).sort(), total: '2' }
      const shown = pages.map((page) => below(page, scratch.uid))
      expect(shown, 'the groups and the total of each list').toEqual(queries.map(() => wanted))
      expect(uids(named.items), 'the groups with the name of the deleted one').toEqual([])
    })
  },
)

requirement(
  {
    id: 'group.delete.neighbours',
    level: 'must',
    statement: 'S4.1',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Delete removes only the named group, leaving its parent and siblings',
  },
  async ({ api, scratch, atLeast }) => {
    const [doomed, sibling] = await scratch.makeGroups(2)
    const nephew = await scratch.makeGroup({}, sibling!.uid)

    const deleted = await deleteGroup(api, scratch, doomed!.uid)
    atLeast(1, 'groups that were deleted', succeeded(deleted) ? 1 : 0)
    const left = await Promise.all([scratch.uid, sibling!.uid, nephew.uid].map((uid) => api.groups.get(uid)))

    expect(uids(left), 'the groups that are left').toEqual([scratch.uid, sibling!.uid, nephew.uid])
  },
)

requirement(
  {
    id: 'group.delete.uid-stays-dead',
    level: 'must',
    statement: 'S2.1, R28',
    quote: 'Every resource has a unique string `uid`',
    says: "Reuse of a deleted group's name does not revive its uid",
  },
  async ({ api, scratch, settled, atLeast }) => {
    const first = await scratch.makeGroup()
    await deleteGroup(api, scratch, first.uid)

    const again = await api.attempt.groups.create(scratch.uid, { name: first.name })
    atLeast(1, 'names that can be used again', again.status < 300 ? 1 : 0)

    expect(again.json, 'the new group of the same name').not.toMatchObject({ uid: first.uid })
    await settled(async () => refused(await api.attempt.groups.get(first.uid), 'Get of the deleted uid'))
  },
)

requirement(
  {
    id: 'group.delete.twice',
    level: 'observe',
    statement: 'S4.1, R28',
    quote: 'Deleting it again, or deleting what never was: _observe_',
    says: 'How Delete of a deleted or unknown group is answered',
  },
  async ({ api, scratch, run, observe }) => {
    const doomed = await scratch.makeGroup()
    await deleteGroup(api, scratch, doomed.uid)

    const second = await api.attempt.groups.delete(doomed.uid)
    const never = await api.attempt.groups.delete(run.journal.lend(`${doomed.uid}/00000000000000aa`))

    observe(`second: ${outcomeOf(second)}; never issued: ${outcomeOf(never)}`)
  },
)

requirement(
  {
    id: 'group.create.many',
    level: 'must',
    statement: 'S4.1, S2.7, R55',
    quote: 'A resource must be the same wherever it shows',
    says: 'Each of many groups created at once keeps its own name and description, in every answer',
  },
  async ({ api, scratch, names, settled }) => {
    const sent = names.several(40).map((name) => ({ name, description: `of ${name}` }))

    const made = await Promise.all(sent.map((body) => api.groups.create(scratch.uid, body)))

    const asSent = sent.map((body) => expect.objectContaining(body))
    expect(made, 'the groups in the answers to Create').toEqual(asSent)
    await settled(async () => {
      const got = await Promise.all(made.map(({ uid }) => api.groups.get(uid)))
      expect(got, 'the groups in the answers to Get').toEqual(asSent)
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      const listed = made.map(({ uid }) => items.find((item) => item.uid === uid))
      expect(listed, 'the groups in the list').toEqual(asSent)
      expect(items, 'the groups in the list, each once').toHaveLength(made.length)
    })
  },
)

requirement(
  {
    id: 'group.delete.many',
    level: 'must',
    statement: 'S4.1, R28',
    quote: 'lists and counts must leave it out',
    says: 'Many simultaneous Deletes remove the named groups and no others',
  },
  async ({ api, scratch, settled }) => {
    const made = await scratch.makeGroups(24)
    const doomed = made.filter((_, index) => index % 2 === 0)

    await Promise.all(doomed.map(({ uid }) => deleteGroup(api, scratch, uid)))

    const left = made.filter((group) => !doomed.includes(group))
    await settled(async () => {
      const page = await api.groups.list({ ...scratch.children, order_by: 'name' })
      expect(uids(page.items), 'the groups that are left').toEqual(uids(left))
    })
  },
)

requirement(
  {
    id: 'group.wrong-kind',
    level: 'should',
    statement: 'S4.1, S2.1',
    quote: 'Every resource has a unique string `uid`',
    says: "Get and Delete of a group with an identity's uid are refused without effect",
    profile: 'identities',
  },
  async ({ api, scratch, settled }) => {
    const identity = await scratch.makeIdentity()

    const got = await api.attempt.groups.get(identity.uid)
    const deleted = await api.attempt.groups.delete(identity.uid)

    refused(got, 'Get of a group with the uid of an identity')
    refused(deleted, 'Delete of a group with the uid of an identity')
    await settled(async () =>
      accepted(await api.attempt.identities.delete(identity.uid), 'Delete of the identity afterwards'),
    )
  },
)
