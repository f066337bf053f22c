import { expect } from 'vitest'
import { contentOf } from '../../helpers/arrange/observed.ts'
import { got } from '../../helpers/arrange/optional-operations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { showOnly, stillShow, viewsOf } from '../../helpers/assertions/gone.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'roleBinding.delete.answers',
    level: 'must',
    statement: 'S4.5, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete of a role binding answers an empty body',
  },
  async ({ api, scratch }) => {
    const binding = await scratch.makeBinding(await scratch.makeIdentity())

    const answer = await api.roleBindings.delete(binding.uid)

    expect(contentOf(answer), 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'roleBinding.delete.gone',
    level: 'must',
    statement: 'S4.5, R28',
    quote: 'bindings can be deleted',
    restsOn: ['list.scope.children'],
    says: 'Only the deleted role binding disappears from Get and lists',
  },
  async ({ api, scratch, eventually }) => {
    const group = await scratch.makeGroup()
    const identity = await scratch.makeIdentity()
    const [binding, beside] = [await scratch.makeBinding(identity, group.uid), await scratch.makeBinding(identity)]
    const below = await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
    const scope = childrenOf(group.uid)
    const views = await eventually(() => viewsOf(api, 'roleBindings', scope, binding))
    const toOthers = await eventually(() => viewsOf(api, 'roleBindings', scratch.children, beside))

    await api.roleBindings.delete(binding.uid)

    await eventually(async () => {
      await showOnly(views, binding, below)
      await stillShow(toOthers, beside)
    })
    await eventually(async () =>
      accepted(await api.attempt.groups.get(group.uid), 'Get of the group of a deleted role binding'),
    )
  },
)

requirement(
  {
    id: 'roleBinding.delete.unshown',
    level: 'should',
    statement: 'S4.5, R28',
    quote: 'bindings can be deleted',
    restsOn: ['roleBinding.delete.gone', 'group.delete.gone-from-get'],
    says: 'Get refuses a deleted role binding, without showing it as deleted',
  },
  async ({ api, scratch, eventually }) => {
    const doomed = await scratch.makeBinding(await scratch.makeIdentity())
    await eventually(() => got(api, 'roleBindings', doomed.uid))

    await api.roleBindings.delete(doomed.uid)

    await eventually(async () =>
      refused(await api.attempt.roleBindings.get(doomed.uid), 'Get of a deleted role binding'),
    )
  },
)
