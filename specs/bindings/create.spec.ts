import { expect } from 'vitest'
import type { Api } from '../../helpers/api/api.ts'
import { isObject, isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { listedItems } from '../../helpers/arrange/listings.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { got, mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { makeOne } from '../../helpers/arrange/populations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'

const profile = 'identities'

/** The name, where it is not the uid too. */
const namesOf = ({ uid, name }: Received) => [name].filter((one) => typeof one === 'string' && one !== uid)

/** The embedded objects with the members that the contract names; an empty description may be absent (R7). */
const embedded = (binding: Received | undefined) =>
  ['identity', 'group', 'role'].map((part) => {
    const { uid, name, description, subject, issuer } = (binding?.[part] ?? {}) as Record<string, unknown>
    return { uid, name, description: description ?? '', subject, issuer }
  })

requirement(
  {
    id: 'roleBinding.list.hydrated',
    level: 'should',
    statement: 'S2.14, S4.15, R49, R55',
    quote:
      'it embeds whole objects, `identity` {uid, name, description, subject, issuer}, `group` {uid, name, description} and `role` {uid, name, description}',
    restsOn: ['list.scope.children'],
    says: 'A list of role bindings embeds the same whole objects as Create',
    profile,
  },
  async ({ api, scratch, eventually, present }) => {
    const made = await Promise.all([1, 2, 3].map(async () => scratch.makeBinding(await scratch.makeIdentity())))
    await present(api.attempt.roleBindings.list(scratch.children))

    await eventually(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const listed = made.map(({ uid }) => items.find((item) => item.uid === uid))
      expect(listed.map(embedded), 'the objects embedded in the list').toEqual(made.map(embedded))
    })
  },
)

requirement(
  {
    id: 'roleBinding.create.answers',
    level: 'must',
    statement: 'S4.5, S2.15',
    quote: 'Creating a role binding under a group answers the binding',
    says: 'Create under a group answers a new role binding with its own uid',
    profile,
  },
  async ({ scratch }) => {
    const [one, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    const made = [await scratch.makeBinding(one), await scratch.makeBinding(other)]

    expect(new Set(uids(made)).size, 'how many uids two role bindings have').toBe(2)
  },
)

requirement(
  {
    id: 'roleBinding.create.shape',
    level: 'must',
    statement: 'S2.14, S2.4, R7, R8, R46',
    quote: 'besides `uid` and `createTime` it embeds whole objects',
    says: 'Create answers a role binding with the members and types of the contract',
    profile,
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
    profile,
  },
  async ({ api, scratch }) => {
    const identity = await scratch.makeIdentity()
    const good = await scratch.makeBinding(await scratch.makeIdentity())
    const role = isReceived(good.role) ? good.role : await scratch.anyRole()
    // sixteen extra digits, because a changed digit of a short uid may give an issued one
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
    // a binding to a role that exists may be the target's own
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
    profile,
  },
  async ({ api, scratch, eventually }) => {
    const identity = await scratch.makeIdentity()
    const good = await scratch.makeBinding(await scratch.makeIdentity())
    const role = isReceived(good.role) ? good.role : await scratch.anyRole()
    await api.identities.delete(identity.uid)

    await eventually(async () => {
      const body = { identityUid: identity.uid, roleUid: role.uid }
      refused(await api.attempt.roleBindings.create(scratch.uid, body), 'creating a role binding of a deleted identity')
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
    profile,
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
    profile,
  },
  async ({ api, scratch, observe }) => {
    const [home, beside] = await scratch.makeGroups(2)
    const [one, other] = await Promise.all([1, 2].map(() => scratch.makeIdentity({}, home!.uid)))
    const roleUid = (await scratch.anyRole()).uid
    const bind = (uid: string, group: string) => api.attempt.roleBindings.create(group, { identityUid: uid, roleUid })

    observe(await sideBySide({ beside: bind(one!.uid, beside!.uid), above: bind(other!.uid, scratch.uid) }))
  },
)

/** The uids and names in a binding and in the objects that it embeds. */
const partsOf = ({ uid, identity, group, role }: Received) => [
  uid,
  ...[identity, group, role].map((part) => isReceived(part) && [part.uid, part.name]),
]

/** How Get and List show a binding. */
const ask = {
  get: (api: Api) => async (_group: string, uid: string) => {
    const answer = await api.attempt.roleBindings.get(uid)
    return { answer, items: isReceived(answer.json) ? [answer.json] : [] }
  },
  list: (api: Api) => async (group: string) => {
    const answer = await api.attempt.roleBindings.list(childrenOf(group))
    return { answer, items: listedItems('roleBindings', answer) }
  },
}

for (const [operation, inWords] of [
  ['get', 'Get'],
  ['list', 'List'],
] as const) {
  requirement(
    {
      id: `roleBinding.${operation}.answers`,
      level: 'should',
      statement: 'S1.2, S2.14, R49, R55',
      quote:
        'it embeds whole objects, `identity` {uid, name, description, subject, issuer}, `group` {uid, name, description} and `role` {uid, name, description}',
      says: `${inWords} shows a role binding and its embedded objects as Create answered them`,
      profile: 'identities',
    },
    async ({ api, scratch, eventually }) => {
      const group = await scratch.makeGroup()
      const made = await makeOne(scratch, 'roleBindings', group.uid)

      await eventually(async () => {
        const asked = await ask[operation](api)(group.uid, made.uid)
        mustBePresent('roleBindings', operation, asked.answer)
        const shown = asked.items.find(({ uid }) => uid === made.uid)
        hasShape(shown, 'role-binding')
        expect(partsOf(shown!), 'the uids and names in the binding').toEqual(partsOf(made))
      })
    },
  )
}

requirement(
  {
    id: 'roleBinding.update.answers',
    level: 'should',
    statement: 'S1.2, S4.28, R49',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'An accepted Update of a role binding answers with what Get then shows',
    profile: 'identities',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const made = await makeOne(scratch, 'roleBindings', scratch.uid)
    const { items: roles } = await api.roles.list({})
    const others = roles.filter(({ uid }) => !(isReceived(made.role) && made.role.uid === uid)).slice(0, 3)
    const answers: Answer[] = []
    for (const { uid: roleUid } of others) answers.push(await api.attempt.roleBindings.update(made.uid, { roleUid }))
    const last = answers.findLastIndex((answer) => succeeded(answer))
    atLeast(1, 'role bindings that an Update changed', last + 1)

    const role = { uid: others[last]!.uid }
    expect(answers[last]!.json, 'the answer to Update').toMatchObject({ uid: made.uid, role })
    await eventually(async () =>
      expect(await got(api, 'roleBindings', made.uid), 'the role binding after the Update').toMatchObject({ role }),
    )
  },
)
