import { expect } from 'vitest'
import { ownUids } from '../../helpers/api/own-items.ts'
import { isObject, uids } from '../../helpers/api/received.ts'
import { contentOf } from '../../helpers/arrange/observed.ts'
import { deleteGroup } from '../../helpers/arrange/scratch.ts'
import { isMarkedDeleted } from '../../helpers/assertions/deletion-marks.ts'
import { goneFromGet } from '../../helpers/assertions/gone.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { makeLine } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { anotherClaim } from '../../helpers/sts/claims.ts'

requirement(
  {
    id: 'group.delete.gone-as-home',
    level: 'must',
    statement: 'S4.1, S4.3, S4.5, R28, R38',
    quote: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'Create of an identity or role binding in a deleted group is refused',
    profile: 'identities',
  },
  async ({ api, scratch, names, eventually }) => {
    const home = await scratch.makeGroup()
    const roleUid = (await scratch.anyRole()).uid
    const identity = await scratch.makeIdentity()
    await scratch.makeBinding(await scratch.makeIdentity(), scratch.uid, roleUid)
    accepted(await deleteGroup(api, scratch, home.uid), 'deleting an empty group')

    await eventually(async () => {
      const name = names.fresh()
      const { identities, roleBindings } = api.attempt
      // where Get still shows the group as deleted, its contents are open
      const isShown = isMarkedDeleted(await api.attempt.groups.get(home.uid))
      const answers = [
        await identities.create(home.uid, { name, description: name, claimMatch: anotherClaim(identity, name) }),
        await roleBindings.create(home.uid, { identityUid: identity.uid, roleUid }),
      ]
      for (const answer of isShown ? [] : answers) refused(answer, 'a create in a deleted group')
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
    accepted(await deleteGroup(api, scratch, (await scratch.makeGroup()).uid), 'deleting an empty group')
  },
)

requirement(
  {
    id: 'group.delete.empty-body',
    level: 'must',
    statement: 'S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'A successful Delete answers no bytes or {}',
  },
  async ({ api, scratch, atLeast }) => {
    const doomed = await scratch.makeGroup()

    const answer = await deleteGroup(api, scratch, doomed.uid)
    atLeast(1, 'groups that were deleted', succeeded(answer) ? 1 : 0)

    expect(contentOf(answer), 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'group.delete.gone-from-get',
    level: 'must',
    statement: 'S4.1, R28',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    restsOn: ['list.empty.answer'],
    says: 'Get, Update and Create refuse the uid of a deleted group, or Get marks it as deleted',
  },
  async ({ api, scratch, names, eventually }) => {
    const doomed = await scratch.makeKnown()
    await api.groups.update(doomed.uid, { description: 'seen and changed before' })
    accepted(await deleteGroup(api, scratch, doomed.uid), 'deleting an empty group')

    await eventually(async () => {
      const got = await api.attempt.groups.get(doomed.uid)
      goneFromGet(got, 'Get of a deleted group')
      const answers = [
        await api.attempt.groups.update(doomed.uid, { description: 'late' }),
        await api.attempt.groups.create(doomed.uid, { name: names.fresh() }),
      ]
      for (const answer of isMarkedDeleted(got) ? [] : answers) refused(answer, 'a write to a deleted group')
    })
  },
)

requirement(
  {
    id: 'group.delete.unshown',
    level: 'should',
    statement: 'S4.1, R28',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    restsOn: ['group.delete.gone-from-get'],
    says: 'Get refuses a deleted group, without showing it as deleted',
  },
  async ({ api, scratch, eventually }) => {
    const doomed = await scratch.makeGroup()
    accepted(await deleteGroup(api, scratch, doomed.uid), 'deleting an empty group')

    await eventually(async () => refused(await api.attempt.groups.get(doomed.uid), 'Get of a deleted group'))
  },
)

requirement(
  {
    id: 'group.delete.gone-from-lists',
    level: 'must',
    statement: 'S4.1, S4.18, R28',
    quote: 'lists and counts must leave it out',
    restsOn: ['group.delete.gone-from-get'],
    says: 'Every list and its total leave out only the deleted group',
  },
  async ({ api, scratch, run, eventually }) => {
    const [doomed, ...rest] = await scratch.makeGroups(3)
    const { children, descendants } = scratch
    accepted(await deleteGroup(api, scratch, doomed!.uid), 'deleting an empty group')

    const queries = [
      children,
      descendants,
      { ...children, order_by: 'name' },
      { ...descendants, order_by: 'created_at desc' },
    ]

    await eventually(async () => {
      for (const query of queries) {
        const { items, totalCount } = await api.groups.list(query)
        const shown = ownUids(items, run).filter((uid) => uid !== scratch.uid)
        expect(shown.sort(), 'the groups in the list').toEqual(uids(rest).sort())
        expect(totalCount, 'the total beside all that is listed').toBe(String(items.length))
      }
      const named = await api.groups.list({ ...children, name: String(doomed!.name) })
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
    restsOn: ['group.delete.gone-from-lists'],
    says: 'Delete removes only the named group, leaving its parent and siblings',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const [doomed, sibling] = await scratch.makeGroups(2)
    const nephews = await makeLine(scratch, sibling!, 1)

    const deleted = await deleteGroup(api, scratch, doomed!.uid)
    atLeast(1, 'groups that were deleted', succeeded(deleted) ? 1 : 0)

    await eventually(async () => {
      for (const { uid } of [scratch.group, sibling!, ...nephews])
        expect((await api.groups.get(uid)).uid, 'a group that is left').toBe(uid)
    })
  },
)

requirement(
  {
    id: 'group.delete.uid-stays-dead',
    level: 'should',
    statement: 'S2.1, R28',
    quote: 'Every resource has a unique string `uid`',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'A new group never gets the uid of a deleted one, whatever its name',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const gone = [await scratch.makeGroup(), await scratch.makeGroup()]
    for (const { uid } of gone) accepted(await deleteGroup(api, scratch, uid), 'deleting an empty group')

    const other = await scratch.makeGroup()
    const again = await api.attempt.groups.create(scratch.uid, { name: gone[0]!.name })
    atLeast(1, 'names that can be used again', again.status < 300 ? 1 : 0)

    const made = [other.uid, isObject(again.json) ? again.json.uid : undefined]
    expect(
      uids(gone).filter((uid) => made.includes(uid)),
      'uids of deleted groups that new ones have',
    ).toEqual([])
    await eventually(async () => {
      for (const { uid } of gone) goneFromGet(await api.attempt.groups.get(uid), 'Get of the deleted uid')
    })
  },
)

requirement(
  {
    id: 'group.delete.twice',
    level: 'observe',
    statement: 'S4.1, R28',
    quote: 'Deleting it again, or deleting what never existed: _observe_',
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
    restsOn: ['group.delete.gone-from-lists'],
    says: 'Of many simultaneous Deletes each accepted one removes its group and no other',
  },
  async ({ api, scratch, run, eventually, atLeast }) => {
    const made = await scratch.makeGroups(16)
    const doomed = made.filter((_, index) => index % 2 === 0)

    const answers = await Promise.all(doomed.map(({ uid }) => deleteGroup(api, scratch, uid)))

    const deleted = doomed.filter((_, index) => succeeded(answers[index]!))
    atLeast(1, 'groups that were deleted', deleted.length)
    const left = made.filter((group) => !deleted.includes(group))
    await eventually(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      expect(ownUids(items, run).sort(), 'the groups that are left').toEqual(uids(left).sort())
    })
  },
)
