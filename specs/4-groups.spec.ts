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
    says: 'Create answers with the created group: its uid, and the name and description that were sent',
  },
  async ({ api, scratch, names }) => {
    const sent = { name: names.fresh(), description: 'as sent' }

    const created = await api.groups.create(scratch.uid, sent)

    expect(created).toMatchObject(sent)
    expect(created.uid).not.toBe(scratch.uid)
  },
)

requirement(
  {
    id: 'group.get.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
    says: 'Get answers with the group whose uid was asked for',
  },
  async ({ api, scratch, settled }) => {
    const [one, other] = [await api.groups.get(scratch.uid), await scratch.makeGroup()]

    expect(one).toMatchObject({ uid: scratch.uid, name: scratch.group.name })
    await settled(async () =>
      expect(await api.groups.get(other.uid)).toMatchObject({ uid: other.uid, name: other.name }),
    )
  },
)

requirement(
  {
    id: 'group.list.answers',
    level: 'must',
    statement: 'S4.1, S4.16, S1.2',
    says: 'List answers with the groups that are there, under groups',
  },
  async ({ api, scratch }) => {
    const made = await scratch.makeGroups(3)

    const page = await api.groups.list(scratch.children)

    expect(uids(page.items).sort()).toEqual(uids(made).sort())
  },
)

requirement(
  {
    id: 'group.update.answers',
    level: 'must',
    statement: 'S4.1, S4.28, S1.2',
    says: 'Update answers with the group, changed as was asked',
  },
  async ({ api, scratch }) => {
    const updated = await api.groups.update(scratch.uid, { description: 'another' })

    expect(updated).toMatchObject({ uid: scratch.uid, description: 'another' })
  },
)

requirement(
  {
    id: 'group.delete.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
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
    says: 'What Create made is there afterwards: below the parent of the path, and nowhere else',
  },
  async ({ api, scratch, names, settled }) => {
    const [parent, other] = [await scratch.makeGroup(), await scratch.makeGroup()]

    const created = await api.groups.create(parent.uid, { name: names.fresh() })
    await settled(async () => {
      expect(uids((await api.groups.list(childrenOf(parent.uid))).items)).toEqual([created.uid])
      expect(uids((await api.groups.list(childrenOf(other.uid))).items)).toEqual([])
    })
  },
)

for (const operation of ['get', 'update', 'create'] as const) {
  requirement(
    {
      id: `group.${operation}.missing`,
      level: 'must',
      statement: 'S4.1, S2.1, R38',
      says: `${operation === 'create' ? 'Create below' : operation === 'get' ? 'Get of' : 'Update of'} a group that never was, however alike its uid, is refused`,
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
        refused(answer, `${operation} with the uid ${unissued[index]}, never issued,`)
      }
      expect(items.map(({ name }) => name)).not.toContain(body.name)
      await settled(async () => same(await api.groups.get(made.uid), made, 'updateTime'))
    },
  )
}

requirement(
  {
    id: 'group.delete.empty-body',
    level: 'must',
    statement: 'S4.7, R27',
    says: 'The answer to a successful Delete has an empty body: no bytes, or {}',
  },
  async ({ api, scratch, atLeast }) => {
    const doomed = await scratch.makeGroup()

    const answer = await deleteGroup(api, scratch, doomed.uid)
    atLeast(1, 'groups that were deleted', succeeded(answer) ? 1 : 0)

    expect(answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')).toBe('')
  },
)

requirement(
  {
    id: 'group.delete.gone-from-get',
    level: 'must',
    statement: 'S4.1, R28',
    says: 'A deleted group is refused by Get, by Update and as a parent',
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
    says: 'A deleted group is left out of every list and of its total; its neighbours stay',
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
      expect(pages.map((page) => below(page, scratch.uid))).toEqual(queries.map(() => wanted))
      expect(uids(named.items)).toEqual([])
    })
  },
)

requirement(
  {
    id: 'group.delete.neighbours',
    level: 'must',
    statement: 'S4.1',
    says: 'Delete takes nothing with it but the group that was named: parent and siblings stay as they are',
  },
  async ({ api, scratch, atLeast }) => {
    const [doomed, sibling] = await scratch.makeGroups(2)
    const nephew = await scratch.makeGroup({}, sibling!.uid)

    const deleted = await deleteGroup(api, scratch, doomed!.uid)
    atLeast(1, 'groups that were deleted', succeeded(deleted) ? 1 : 0)
    const left = await Promise.all([scratch.uid, sibling!.uid, nephew.uid].map((uid) => api.groups.get(uid)))

    expect(uids(left)).toEqual([scratch.uid, sibling!.uid, nephew.uid])
  },
)

requirement(
  {
    id: 'group.delete.uid-stays-dead',
    level: 'must',
    statement: 'S2.1, R28',
    says: 'A group made again under the name of a deleted one is another: the old uid stays dead',
  },
  async ({ api, scratch, settled, atLeast }) => {
    const first = await scratch.makeGroup()
    await deleteGroup(api, scratch, first.uid)

    const again = await api.attempt.groups.create(scratch.uid, { name: first.name })
    atLeast(1, 'names that may be used again', again.status < 300 ? 1 : 0)

    expect(again.json).not.toMatchObject({ uid: first.uid })
    await settled(async () => refused(await api.attempt.groups.get(first.uid), 'Get of the deleted uid'))
  },
)

requirement(
  {
    id: 'group.delete.twice',
    level: 'observe',
    statement: 'S4.1, R28',
    says: 'What a second Delete, and one of a group that never was, is answered',
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
    says: 'Of many groups that are created at the same moment, each has its own name and description, in every answer',
  },
  async ({ api, scratch, names, settled }) => {
    const sent = names.several(40).map((name) => ({ name, description: `of ${name}` }))

    const made = await Promise.all(sent.map((body) => api.groups.create(scratch.uid, body)))

    const asSent = sent.map((body) => expect.objectContaining(body))
    expect(made).toEqual(asSent)
    await settled(async () => {
      expect(await Promise.all(made.map(({ uid }) => api.groups.get(uid)))).toEqual(asSent)
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      expect(made.map(({ uid }) => items.find((item) => item.uid === uid))).toEqual(asSent)
      expect(items, 'what the list shows: no group twice').toHaveLength(made.length)
    })
  },
)

requirement(
  {
    id: 'group.delete.many',
    level: 'must',
    statement: 'S4.1, R28',
    says: 'Of many groups, those that are deleted at the same moment are gone and the others stay',
  },
  async ({ api, scratch, settled }) => {
    const made = await scratch.makeGroups(24)
    const doomed = made.filter((_, index) => index % 2 === 0)

    await Promise.all(doomed.map(({ uid }) => deleteGroup(api, scratch, uid)))

    const left = made.filter((group) => !doomed.includes(group))
    await settled(async () => {
      const page = await api.groups.list({ ...scratch.children, order_by: 'name' })
      expect(uids(page.items)).toEqual(uids(left))
    })
  },
)

requirement(
  {
    id: 'group.wrong-kind',
    level: 'should',
    statement: 'S4.1, S2.1',
    says: 'The uid of an identity is no group: Get and Delete of such a group are refused, and the identity stays',
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
