import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { below } from '../../helpers/arrange/listings.ts'
import { claimMatchFor, deleteGroup } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const profile = 'identities'

requirement(
  {
    id: 'group.delete.gone-as-home',
    level: 'must',
    statement: 'S4.1, S4.3, S4.5, R28, R38',
    quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
    says: 'Create of an identity or role binding in a deleted group is refused',
    profile,
  },
  async ({ api, scratch, names, eventually }) => {
    const home = await scratch.makeGroup()
    const roleUid = (await scratch.anyRole()).uid
    const { uid: identityUid } = await scratch.makeIdentity()
    await deleteGroup(api, scratch, home.uid)

    await eventually(async () => {
      const name = names.fresh()
      const identity = { name, description: name, claimMatch: claimMatchFor(name) }
      const { identities, roleBindings } = api.attempt
      refused(await identities.create(home.uid, identity), 'creating an identity in a deleted group')
      refused(
        await roleBindings.create(home.uid, { identityUid, roleUid }),
        'creating a role binding in a deleted group',
      )
    })
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
  async ({ api, scratch, names, eventually }) => {
    const doomed = await scratch.makeKnown()
    await api.groups.update(doomed.uid, { description: 'seen and changed before' })
    await deleteGroup(api, scratch, doomed.uid)

    await eventually(async () => {
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
  async ({ api, scratch, eventually }) => {
    const [doomed, ...rest] = await scratch.makeGroups(3)
    const { children, descendants } = scratch
    await deleteGroup(api, scratch, doomed!.uid)

    const queries = [
      children,
      descendants,
      { ...children, order_by: 'name' },
      { ...descendants, order_by: 'created_at desc' },
    ]

    await eventually(async () => {
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
  async ({ api, scratch, eventually, atLeast }) => {
    const first = await scratch.makeGroup()
    await deleteGroup(api, scratch, first.uid)

    const again = await api.attempt.groups.create(scratch.uid, { name: first.name })
    atLeast(1, 'names that can be used again', again.status < 300 ? 1 : 0)

    expect(again.json, 'the new group of the same name').not.toMatchObject({ uid: first.uid })
    await eventually(async () => refused(await api.attempt.groups.get(first.uid), 'Get of the deleted uid'))
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
    id: 'group.delete.many',
    level: 'must',
    statement: 'S4.1, R28',
    quote: 'lists and counts must leave it out',
    says: 'Many simultaneous Deletes remove the named groups and no others',
  },
  async ({ api, scratch, eventually }) => {
    const made = await scratch.makeGroups(24)
    const doomed = made.filter((_, index) => index % 2 === 0)

    await Promise.all(doomed.map(({ uid }) => deleteGroup(api, scratch, uid)))

    const left = made.filter((group) => !doomed.includes(group))
    await eventually(async () => {
      const page = await api.groups.list({ ...scratch.children, order_by: 'name' })
      expect(uids(page.items), 'the groups that are left').toEqual(uids(left))
    })
  },
)
