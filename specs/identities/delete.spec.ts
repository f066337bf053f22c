import { expect } from 'vitest'
import { isObject, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const profile = 'identities'

requirement(
  {
    id: 'identity.delete.answers',
    level: 'must',
    statement: 'S4.3, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete of an identity answers an empty body',
    profile,
  },
  async ({ api, scratch }) => {
    const answer = await api.identities.delete((await scratch.makeIdentity()).uid)

    const body = answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')
    expect(body, 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'identity.delete.gone',
    level: 'must',
    statement: 'S4.3, R28',
    quote: 'Get must not answer 2xx, and lists and counts must leave it out',
    says: 'Only the deleted identity disappears from Get and lists',
    profile,
  },
  async ({ api, scratch, eventually }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    await api.identities.delete(doomed.uid)

    await eventually(async () => {
      const [got, list] = [
        await api.attempt.identities.get(doomed.uid),
        await api.attempt.identities.list(scratch.children),
      ]
      const ordered = await Promise.all(
        ['name', 'created_at desc'].map((order_by) => api.attempt.identities.list({ ...scratch.children, order_by })),
      )
      refused(got, 'Get of a deleted identity')
      for (const answer of [list, ...ordered])
        expect([[], [other.uid]], 'the lists that are allowed').toContainEqual(listedUids('identities', answer))
    })
  },
)

requirement(
  {
    id: 'identity.delete.bindings',
    level: 'should',
    statement: 'S4.3, S4.5, R28',
    quote: 'lists and counts must leave it out',
    says: 'A list of role bindings leaves out those of a deleted identity',
    profile,
  },
  async ({ api, scratch, eventually, present, atLeast }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    const [, stays] = [await scratch.makeBinding(doomed), await scratch.makeBinding(other)]
    await present(api.attempt.roleBindings.list(scratch.children))
    const deleted = await api.attempt.identities.delete(doomed.uid)
    atLeast(1, 'bound identities that can be deleted', succeeded(deleted) ? 1 : 0)

    await eventually(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const bound = items.map(({ identity }) => (isObject(identity) ? identity.uid : undefined))
      expect(uids(items), 'the listed role bindings').toContain(stays.uid)
      expect(bound, 'the identities of the listed role bindings').not.toContain(doomed.uid)
      expect(bound.includes(undefined) ? 'no identity' : 'an identity', 'what a listed role binding embeds').toBe(
        'an identity',
      )
    })
  },
)

requirement(
  {
    id: 'identity.delete.bound',
    level: 'observe',
    statement: 'S4.3, S4.5, R28',
    quote: 'Identities have Create under a group, and Delete',
    says: 'How Delete of a bound identity is answered and affects the binding',
    profile,
  },
  async ({ api, scratch, eventually, present, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)
    await present(api.attempt.roleBindings.list(scratch.children))

    const deleted = await api.attempt.identities.delete(identity.uid)
    const left = () => api.attempt.roleBindings.list(scratch.children)
    const gone = eventually(async () => expect(listedUids('roleBindings', await left())).not.toContain(binding.uid))
    const fate = await gone.then(
      () => 'goes, too',
      () => 'stays',
    )

    observe(`${outcomeOf(deleted)}; the binding ${fate}`)
  },
)
