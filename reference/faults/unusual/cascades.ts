import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { depthOf } from '../scopes.ts'

/** Counts the role bindings of a group that went with an identity of another group. */
const goneFromElsewhere =
  (change: (gone: Map<string, number>, contract: Rules) => Partial<Rules>): Replacement =>
  (contract) => {
    const gone = new Map<string, number>()
    return {
      alsoRemoved(item, at) {
        const removed = contract.alsoRemoved(item, at)
        for (const { parent } of removed) if (parent !== item.parent) gone.set(parent, (gone.get(parent) ?? 0) + 1)
        return removed
      },
      ...change(gone, contract),
    }
  }

/** Faults in what a deletion leaves in the groups above and below. */
export const cascadeFaults: readonly Fault[] = [
  fault(
    'a role binding that went with an identity of a group above is counted still',
    ['model.*'],
    goneFromElsewhere((gone, contract) => ({
      totalCount(counts, at) {
        const { childrenOf, name } = at.query ?? {}
        const more = at.kind === 'roleBindings' && childrenOf && name === undefined ? (gone.get(childrenOf) ?? 0) : 0
        return more > 0 ? String(counts.matches + more) : contract.totalCount(counts, at)
      },
    })),
  ),
  fault(
    'a role binding that went with an identity of a group above keeps its group',
    ['group.delete.emptied.whatever', 'grpc.delete.emptied'],
    goneFromElsewhere((gone, contract) => ({
      blocksDelete: (item, living, at) => contract.blocksDelete(item, living, at) || gone.has(item.uid),
    })),
  ),
  fault('with a grandchild deleted a group can be deleted although a child lives', ['model.*'], (contract) => {
    const counts = new Map<string, number>()
    return {
      keep(item, at) {
        if (item.kind === 'groups') counts.set(item.parent, (counts.get(item.parent) ?? 0) + 1)
        contract.keep(item, at)
      },
      forget(store, item, at) {
        const levels = item.kind === 'groups' ? item.parent.split('/') : []
        for (const level of levels.keys()) {
          const above = levels.slice(0, level + 1).join('/')
          if (counts.has(above)) counts.set(above, counts.get(above)! - 1)
        }
        contract.forget(store, item, at)
      },
      blocksDelete: (item, living) =>
        living.some((kind) => kind !== 'groups') || (living.includes('groups') && (counts.get(item.uid) ?? 1) > 0),
    }
  }),
  fault(
    'with an identity go its role bindings in its group and right below it, but none further down',
    ['model.*'],
    (contract) => ({
      alsoRemoved: (item, at) =>
        contract.alsoRemoved(item, at).filter(({ parent }) => depthOf(parent) - depthOf(item.parent) < 2),
    }),
  ),
]
