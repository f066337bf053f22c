import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { descendantsOf } from '../../helpers/arrange/scratch.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
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
