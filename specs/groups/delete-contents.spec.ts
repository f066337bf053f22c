import { expect } from 'vitest'
import { kinds, registryKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { fillAndEmpty } from '../../helpers/arrange/changes.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { deleteGroup, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf, refused, saysNotEmpty } from '../../helpers/assertions/refused.ts'
import { controlDeletes, deleteFull } from '../../helpers/auth/control-calls.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { keptOf } from '../../helpers/generate/emptied.ts'
import { succeeded } from '../../helpers/http/call.ts'

/** What the error body of a group that is not empty must be. */
const errorBody = ['code', 'message', 'violation', 'shape'].map((part) => `group.delete.not-empty.${part}`)

/** What the group that may be lost holds; inconclusive where it holds no repos, or where plain Deletes fail. */
async function contents({
  api,
  scratch,
  expendableGroup,
  atLeast,
}: Pick<Context, 'api' | 'scratch' | 'expendableGroup' | 'atLeast'>) {
  atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
  const group = await api.attempt.groups.get(expendableGroup)
  const scope = descendantsOf(expendableGroup)
  const all = await Promise.all(
    registryKinds.map(async (kind) => ({ kind, before: listedUids(kind, await api.attempt[kind].list(scope)) })),
  )
  const held = all.filter(({ before }) => before.length > 0)
  const holdsRepos = succeeded(group) && held.some(({ kind }) => kind === 'repos')
  atLeast(1, `groups with repos at ${expendableGroup}`, holdsRepos ? 1 : 0)
  return held
}

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
    const held = await contents({ api, scratch, expendableGroup, atLeast })

    refused(await api.attempt.groups.delete(expendableGroup), 'Delete of a group that holds repos')

    accepted(await api.attempt.groups.get(expendableGroup), 'Get of a group whose Delete was refused')
    for (const { kind, before } of held) {
      const after = uids((await api[kind].list(descendantsOf(expendableGroup))).items)
      expect(
        after.some((uid) => before.includes(uid)),
        `whether the group still holds one of its ${kinds[kind].label.many}`,
      ).toBe(true)
    }
  },
)

requirement(
  {
    id: 'group.delete.holds-repos.error',
    level: 'must',
    statement: 'S7.1, S7.4, S7.6, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    restsOn: ['group.delete.holds-repos', ...errorBody],
    says: 'Delete of a group that holds repos has the error body of a group that is not empty',
    profile: 'registry',
  },
  async ({ api, scratch, expendableGroup, atLeast }) => {
    await contents({ api, scratch, expendableGroup, atLeast })

    const answer = await deleteFull({ api }, { uid: expendableGroup })

    refused(answer, 'Delete of a group that holds repos')
    saysNotEmpty(answer)
  },
)

requirement(
  {
    id: 'group.delete.holds-identity',
    level: 'should',
    statement: 'S7.6, S1.7, R30',
    quote: 'Child groups, identities and role bindings are child resources as repos are',
    restsOn: [...errorBody, 'group.delete.not-empty.refused'],
    says: 'Delete of a group that holds an identity is refused as not empty',
    profile: 'identities',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    await scratch.makeIdentity({}, parent.uid)

    const answer = await deleteFull({ api }, parent)

    refused(answer, 'deleting a group that holds an identity')
    saysNotEmpty(answer)
  },
)

requirement(
  {
    id: 'group.delete.holds-role-binding',
    level: 'should',
    statement: 'S7.6, S1.7, R30',
    quote: 'Child groups, identities and role bindings are child resources as repos are',
    restsOn: [...errorBody, 'group.delete.not-empty.refused'],
    says: 'Delete of a group that holds a role binding is refused as not empty',
    profile: 'identities',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    await scratch.makeBinding(await scratch.makeIdentity(), parent.uid)

    const answer = await deleteFull({ api }, parent)

    refused(answer, 'deleting a group that holds a role binding')
    saysNotEmpty(answer)
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
    id: 'group.delete.emptied.whatever',
    level: 'must',
    statement: 'S4.7, S7.6, R29, R30',
    quote: 'a group must be deletable too when its content was made by the case and deleted again',
    restsOn: ['group.delete.emptied'],
    says: 'A group that is empty again can be deleted, whatever happened in it before',
  },
  async ({ run, api, scratch, evidence, atLeast }) => {
    const driver = new Driver(run, { phase: 'act', exchanges: evidence }, scratch.uid, 'emptied')
    expect(await keptOf(driver, { api, scratch, atLeast }), 'the empty groups that stay').toEqual([])
  },
)
