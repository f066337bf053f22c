import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { job, on, type Replacement } from '../../replace.ts'

/** Something moves the updateTime of all things of a kind every so many milliseconds. */
const moving = (kind: 'accountAssociations' | 'repos', every: number): Replacement =>
  job(every, ({ world: { store, now } }) => {
    for (const item of [...store.all(kind)]) store.put({ ...item, updateTime: Math.max(now(), item.updateTime + 1) })
  })

/** Lawful ways of kinds other than groups: the contract shows little of most of them. */
export const kindVariants: readonly Variant[] = [
  variant(
    'an account association has the uid of its group, which has no second one',
    on('accountAssociations', (contract) => ({
      mintUid: (parent) => parent.uid,
      objection: (uid, at) =>
        at.operation === 'create' && !at.world.store.isEmpty('accountAssociations', uid)
          ? new Refusal('taken', 'group', 'this group has one')
          : contract.objection(uid, at),
    })),
  ),
  variant('the updateTime of a role binding is that of the newest thing it embeds', (contract) => ({
    roleBinding(item, parts, time, at) {
      const times = [item, parts.identity, parts.group, parts.role].map((one?: Item) => one?.updateTime ?? 0)
      return contract.roleBinding({ ...item, updateTime: Math.max(...times) }, parts, time, at)
    },
  })),
  variant(
    'accounts are looked at every two seconds, which moves the updateTime of their associations',
    moving('accountAssociations', 2_000),
  ),
  variant('repos are pulled all the time, which moves their updateTime', moving('repos', 700)),
  variant(
    'lists show no updateTime of repos, roles and advisories',
    (contract) => {
      const short = (fields: Record<string, unknown>, operation: string) => {
        const { updateTime, ...others } = fields
        return operation === 'list' ? others : { ...others, updateTime }
      }
      return {
        repo: (item, time, at) => short(contract.repo(item, time, at), at.operation),
        role: (item, time, at) => short(contract.role(item, time, at), at.operation),
        advisory: (item, time, at) => short(contract.advisory(item, time, at), at.operation),
      }
    },
    ['role.times'],
  ),
  variant(
    'a tag is right in its repo and right in the group of that repo',
    on('tags', (contract) => ({
      *candidates(at) {
        yield* contract.candidates(at)
        const group = at.query?.childrenOf
        for (const repo of group === undefined ? [] : at.world.store.under('repos', group))
          yield* at.world.store.under('tags', repo.uid)
      },
      withinScope(item, at) {
        const { childrenOf } = at.query ?? {}
        const repo = at.world.store.get('repos', item.parent)
        return contract.withinScope(item, at) || (childrenOf !== undefined && repo?.parent === childrenOf)
      },
    })),
  ),
]
