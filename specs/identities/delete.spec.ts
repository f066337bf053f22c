import { expect } from 'vitest'
import { isObject, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { contentOf } from '../../helpers/arrange/observed.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { showOnly, viewsOf } from '../../helpers/assertions/gone.ts'
import { outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'identity.delete.answers',
    level: 'must',
    statement: 'S4.3, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete of an identity answers an empty body',
  },
  async ({ api, scratch }) => {
    const answer = await api.identities.delete((await scratch.makeIdentity()).uid)

    expect(contentOf(answer), 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'identity.delete.gone',
    level: 'must',
    statement: 'S4.3, R28',
    quote: 'Identities have Create under a group, and Delete',
    restsOn: ['list.order.name', 'list.order.created_at-desc'],
    says: 'Only the deleted identity disappears from Get and lists',
  },
  async ({ api, scratch, eventually }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    const views = await eventually(() => viewsOf(api, 'identities', scratch.children, doomed))
    await eventually(() => viewsOf(api, 'identities', scratch.children, other))

    await api.identities.delete(doomed.uid)

    await eventually(() => showOnly(views, doomed, other))
  },
)

requirement(
  {
    id: 'identity.delete.unshown',
    level: 'should',
    statement: 'S4.3, R28',
    quote: 'Identities have Create under a group, and Delete',
    restsOn: ['identity.delete.gone', 'group.delete.gone-from-get'],
    says: 'Get refuses a deleted identity, without showing it as deleted',
  },
  async ({ api, scratch, eventually }) => {
    const doomed = await scratch.makeIdentity()
    await eventually(() => got(api, 'identities', doomed.uid))

    await api.identities.delete(doomed.uid)

    await eventually(async () => refused(await api.attempt.identities.get(doomed.uid), 'Get of a deleted identity'))
  },
)

requirement(
  {
    id: 'identity.delete.bindings',
    level: 'should',
    statement: 'S4.3, S4.5, R28',
    quote: 'lists and counts must leave it out',
    restsOn: ['list.scope.children'],
    says: 'A list of role bindings leaves out those of a deleted identity',
  },
  async ({ api, scratch, eventually, present, atLeast }) => {
    const [doomed, other] = [await scratch.makeIdentity(), await scratch.makeIdentity()]
    const [goes, stays] = [await scratch.makeBinding(doomed), await scratch.makeBinding(other)]
    await present(api.attempt.roleBindings.list(scratch.children))
    const deleted = await api.attempt.identities.delete(doomed.uid)
    atLeast(1, 'bound identities that can be deleted', succeeded(deleted) ? 1 : 0)

    await eventually(async () => {
      const { items } = await api.roleBindings.list(scratch.children)
      const bound = items.map(({ identity }) => (isObject(identity) ? identity.uid : undefined))
      expect(uids(items), 'the listed role bindings').toContain(stays.uid)
      expect(bound, 'the identities of the listed role bindings').not.toContain(doomed.uid)
      expect(uids(items), 'the listed role bindings').not.toContain(goes.uid)
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
  },
  async ({ api, scratch, eventually, present, observe }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)
    await present(api.attempt.roleBindings.list(scratch.children))

    const deleted = await api.attempt.identities.delete(identity.uid)
    const left = () => api.attempt.roleBindings.list(scratch.children)
    const gone = eventually(async () => expect(listedUids('roleBindings', await left())).not.toContain(binding.uid))
    const fate = await gone.then(
      () => 'is deleted with it',
      () => 'stays',
    )

    observe(`${outcomeOf(deleted)}; the binding ${fate}`)
  },
)
