import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { deleteGroup, descendantsOf, fillAndEmpty } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { controlDeletes } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.delete.holds-repos',
    level: 'must',
    statement: 'S7.6, S2.16, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'Delete of a group that holds repos is refused without effect',
    profile: 'registry',
  },
  async ({ api, scratch, expendableGroup, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const scope = descendantsOf(expendableGroup)
    const group = await api.attempt.groups.get(expendableGroup)
    const before = listedUids('repos', await api.attempt.repos.list(scope))
    atLeast(1, `repos in the group ${expendableGroup}`, succeeded(group) ? before.length : 0)

    refused(await api.attempt.groups.delete(expendableGroup), 'Delete of a group that holds repos')

    accepted(await api.attempt.groups.get(expendableGroup), 'Get of a group whose Delete was refused')
    const after = await api.repos.list(scope)
    expect(
      uids(after.items).some((uid) => before.includes(uid)),
      'the group still holds one of its repos',
    ).toBe(true)
  },
)

requirement(
  {
    id: 'group.delete.emptied',
    level: 'must',
    statement: 'S7.6, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'A group can be deleted after its only child was deleted',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const [parent, untouched] = [await scratch.makeGroup(), await scratch.makeGroup()]
    const child = await scratch.makeGroup({}, parent.uid)
    await api.attempt.groups.delete(parent.uid)

    accepted(await deleteGroup(api, scratch, child.uid), 'deleting the only child')

    const plain = await deleteGroup(api, scratch, untouched.uid)
    atLeast(1, 'plain deletes that succeed', succeeded(plain) ? 1 : 0)
    await eventually(async () => {
      const deleted = await deleteGroup(api, scratch, parent.uid)
      expect(outcomeOf(deleted), 'the answer to Delete of a group that was emptied').toMatch(/^2\d\d$/)
    })
  },
)

requirement(
  {
    id: 'group.delete.emptied.identities',
    level: 'must',
    statement: 'S7.6, S1.7, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    says: 'A group can be deleted after its only identity and role binding were deleted, whichever went first',
    profile: 'identities',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const untouched = await scratch.makeGroup()
    const [one, other] = [await scratch.makeGroup(), await scratch.makeGroup()]
    await fillAndEmpty(api, scratch, one.uid, 'binding')
    await fillAndEmpty(api, scratch, other.uid, 'identity')

    const plain = await deleteGroup(api, scratch, untouched.uid)
    atLeast(1, 'plain deletes that succeed', succeeded(plain) ? 1 : 0)
    for (const parent of [one, other]) {
      await eventually(async () => {
        const deleted = await deleteGroup(api, scratch, parent.uid)
        expect(outcomeOf(deleted), 'the answer to Delete of a group that was emptied').toMatch(/^2\d\d$/)
      })
    }
  },
)

requirement(
  {
    id: 'group.delete.holds-identity',
    level: 'should',
    statement: 'S7.6, S1.7, R30',
    quote: 'Child groups, identities and role bindings are child resources as repos are',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'Delete of a group that holds an identity is refused',
    profile: 'identities',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    await scratch.makeIdentity({}, parent.uid)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that holds an identity')
  },
)

requirement(
  {
    id: 'group.delete.holds-role-binding',
    level: 'should',
    statement: 'S7.6, S1.7, R30',
    quote: 'Child groups, identities and role bindings are child resources as repos are',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'Delete of a group that holds a role binding is refused',
    profile: 'identities',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    await scratch.makeBinding(await scratch.makeIdentity(), parent.uid)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that holds a role binding')
  },
)
