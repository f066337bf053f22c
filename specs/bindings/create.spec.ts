import { expect } from 'vitest'
import { embeddedIn, isObject, isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { listedItems } from '../../helpers/arrange/listings.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { accepted, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { makeLine } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

/** The name, unless it is also the uid. */
const namesOf = ({ uid, name }: Received) => [name].filter((one) => typeof one === 'string' && one !== uid)

requirement(
  {
    id: 'roleBinding.create.answers',
    level: 'must',
    statement: 'S4.5, S2.15',
    quote: 'Creating a role binding under a group answers the binding',
    says: 'Create under a group answers a new role binding with its own uid',
  },
  async ({ scratch }) => {
    const [one, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    const made = [await scratch.makeBinding(one), await scratch.makeBinding(other)]

    expect(new Set(uids(made)).size, 'how many uids two role bindings have').toBe(2)
  },
)

requirement(
  {
    id: 'roleBinding.create.far-below',
    level: 'must',
    statement: 'S2.15, S4.5, R7, R56',
    quote: "The identity lives in the binding's group or above it",
    restsOn: ['roleBinding.create.answers'],
    says: 'An identity can be bound in a group several levels below its own',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const [identity, beside] = [await scratch.makeIdentity(), await scratch.makeBinding(await scratch.makeIdentity())]
    const line = await makeLine(scratch, { uid: scratch.uid }, 3)
    atLeast(2, 'levels of groups below the identity', line.length)
    const body = { identityUid: identity.uid, roleUid: embeddedIn(beside, 'role').uid }

    await eventually(async () => {
      const answer = await api.attempt.roleBindings.create(line.at(-1)!.uid, body)
      accepted(answer, 'binding an identity of a group far above')
    })
  },
)

requirement(
  {
    id: 'roleBinding.create.shape',
    level: 'must',
    statement: 'S2.14, S2.4, R7, R8, R46',
    quote: 'besides `uid` and `createTime` it embeds whole objects',
    says: 'Create answers a role binding with the members and types of the contract',
  },
  async ({ scratch }) => {
    hasShape(await scratch.makeBinding(await scratch.makeIdentity()), 'role-binding')
  },
)

requirement(
  {
    id: 'roleBinding.create.unknown',
    level: 'must',
    statement: 'S2.15, R29, R38',
    quote: 'Missing is every uid that was never issued, however much of it is right',
    restsOn: ['list.page-size.maximum'],
    says: 'A role binding with an unknown or missing identity or role is refused without effect',
  },
  async ({ api, scratch }) => {
    const identity = await scratch.makeIdentity()
    const good = await scratch.makeBinding(await scratch.makeIdentity())
    const role = isReceived(good.role) ? good.role : await scratch.anyRole()
    // sixteen extra digits, because changing a digit of a short uid may give an issued one
    const bodies = [
      { identityUid: `${identity.uid}${role.uid.slice(0, 16).padEnd(16, '0')}`, roleUid: role.uid },
      { identityUid: identity.uid, roleUid: `${role.uid}0000000000000000` },
      { identityUid: identity.uid },
      { roleUid: role.uid },
      ...namesOf(role).map((roleUid) => ({ identityUid: identity.uid, roleUid })),
      ...namesOf(identity).map((identityUid) => ({ identityUid, roleUid: role.uid })),
    ]

    const answers = await Promise.all(bodies.map((body) => api.attempt.roleBindings.create(scratch.uid, body)))
    const after = await api.attempt.roleBindings.list({ ...scratch.children, page_size: 200 })

    for (const [index, answer] of answers.entries())
      refused(answer, `creating a role binding from ${JSON.stringify(bodies[index])}`)
    // a binding to an existing role may be the target's own
    const isOfThese = (item: Received) => isObject(item.identity) && item.identity.uid === identity.uid
    const left = listedItems('roleBindings', after).filter(
      (item) => isOfThese(item) && !(isReceived(item.role) && item.role.uid !== bodies[1]!.roleUid),
    )
    expect(left, 'the role bindings left behind by a refused Create').toEqual([])
  },
)

requirement(
  {
    id: 'roleBinding.create.deleted-identity',
    level: 'should',
    statement: 'S2.15, R28, R38',
    quote: 'and also one that a request body names',
    says: 'Create of a role binding of a deleted identity is refused',
  },
  async ({ api, scratch, eventually }) => {
    const [known, identity] = await Promise.all([scratch.makeIdentity(), scratch.makeIdentity()])
    // one that was bound may be cached
    const good = await scratch.makeBinding(known)
    const role = isReceived(good.role) ? good.role : await scratch.anyRole()
    await api.roleBindings.delete(good.uid)
    for (const { uid } of [known, identity]) await api.identities.delete(uid)

    await eventually(async () => {
      // a second one in the same group may be refused for the first
      const home = await scratch.makeGroup()
      for (const { uid } of [identity, known]) {
        const answer = await api.attempt.roleBindings.create(home.uid, { identityUid: uid, roleUid: role.uid })
        refused(answer, 'creating a role binding of a deleted identity')
      }
    })
  },
)

requirement(
  {
    id: 'roleBinding.twice',
    level: 'observe',
    statement: 'S2.15, R54',
    quote: 'no identity bound twice to one role in one group',
    says: 'How a second binding of one identity to one role in one group is answered',
  },
  async ({ api, scratch, observe }) => {
    const identity = await scratch.makeIdentity()
    const role = await scratch.anyRole()
    await scratch.makeBinding(identity, scratch.uid, role.uid)

    const body = { identityUid: identity.uid, roleUid: role.uid }
    observe(outcomeOf(await api.attempt.roleBindings.create(scratch.uid, body)))
  },
)

requirement(
  {
    id: 'roleBinding.outside',
    level: 'observe',
    statement: 'S2.15, S5.8, R7',
    quote: "The identity lives in the binding's group or above it",
    says: 'How binding an identity beside or above its own group is answered',
  },
  async ({ api, scratch, observe }) => {
    const [home, beside] = await scratch.makeGroups(2)
    const [one, other] = await Promise.all([1, 2].map(() => scratch.makeIdentity({}, home!.uid)))
    const roleUid = (await scratch.anyRole()).uid
    const bind = (uid: string, group: string) => api.attempt.roleBindings.create(group, { identityUid: uid, roleUid })

    observe(await sideBySide({ beside: bind(one!.uid, beside!.uid), above: bind(other!.uid, scratch.uid) }))
  },
)
