import { expect } from 'vitest'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const profile = 'identities'

requirement(
  {
    id: 'roleBinding.delete.answers',
    level: 'must',
    statement: 'S4.5, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete of a role binding answers an empty body',
    profile,
  },
  async ({ api, scratch }) => {
    const binding = await scratch.makeBinding(await scratch.makeIdentity())

    const answer = await api.roleBindings.delete(binding.uid)

    const body = answer.text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')
    expect(body, 'the body of the answer to Delete').toBe('')
  },
)

requirement(
  {
    id: 'roleBinding.delete.gone',
    level: 'must',
    statement: 'S4.5, R28',
    quote: 'Get must not answer 2xx, and lists and counts must leave it out',
    says: 'Only the deleted role binding disappears from Get and lists',
    profile,
  },
  async ({ api, scratch, eventually }) => {
    const group = await scratch.makeGroup()
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity, group.uid)
    await scratch.makeBinding(identity)
    const others = async () => listedUids('roleBindings', await api.attempt.roleBindings.list(scratch.children))
    const before = await others()
    await api.roleBindings.delete(binding.uid)

    await eventually(async () => {
      expect(await others(), 'the other role bindings of its identity').toEqual(before)
      refused(await api.attempt.roleBindings.get(binding.uid), 'Get of a deleted role binding')
      expect(
        listedUids('roleBindings', await api.attempt.roleBindings.list({ 'uidp.children_of': group.uid })),
        'the role bindings of the group',
      ).not.toContain(binding.uid)
    })
    accepted(await api.attempt.groups.get(group.uid), 'Get of the group of a deleted role binding')
  },
)
