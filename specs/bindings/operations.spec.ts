import { expect } from 'vitest'
import type { Api } from '../../helpers/api/api.ts'
import { isReceived, type Received } from '../../helpers/api/received.ts'
import { listedItems } from '../../helpers/arrange/listings.ts'
import { got, mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { makeOne } from '../../helpers/arrange/populations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'

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
  },
  async ({ api, scratch, present, eventually, atLeast }) => {
    const made = await makeOne(scratch, 'roleBindings', scratch.uid)
    const roles = await scratch.someRoles(4)
    const others = roles.filter(({ uid }) => !(isReceived(made.role) && made.role.uid === uid)).slice(0, 3)
    const answers: Answer[] = []
    for (const { uid: roleUid } of others) {
      const asked = api.attempt.roleBindings.update(made.uid, { roleUid })
      await present(asked)
      answers.push(await asked)
    }
    const last = answers.findLastIndex((answer) => succeeded(answer))
    atLeast(1, 'role bindings that an Update changed', last + 1)

    const role = { uid: others[last]!.uid }
    expect(answers[last]!.json, 'the answer to Update').toMatchObject({ uid: made.uid, role })
    await eventually(async () =>
      expect(await got(api, 'roleBindings', made.uid), 'the role binding after the Update').toMatchObject({ role }),
    )
  },
)
