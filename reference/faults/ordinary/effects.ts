import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

const keyOf = ({ parent, name }: Item) => JSON.stringify([parent, name])

/** Faults in which a write changes what it does not name (R28, R29, R55). */
export const ordinaryEffectFaults: readonly Fault[] = [
  fault(
    'with its last role binding an identity is deleted',
    { turnsRed: ['group.delete.emptied.identities'], spreadsTo: ['group.delete.*', 'roleBinding.*'] },
    on('roleBindings', (contract) => ({
      alsoRemoved(item, at) {
        const { store } = at.world
        const { identityUid = '' } = item
        const identity = store.bindingsOf(identityUid).length > 1 ? undefined : store.get('identities', identityUid)
        return [...contract.alsoRemoved(item, at), ...(identity ? [identity] : [])]
      },
    })),
  ),
  fault(
    'a refused create of a role binding takes the role bindings that the identity has in the group',
    foundByModel,
    on('roleBindings', (contract) => ({
      leftByRefusedCreate(draft, at) {
        const { store } = at.world
        const there = store.bindingsOf(draft.identityUid ?? '').filter(({ parent }) => parent === draft.parent)
        for (const binding of there) {
          store.drop(binding)
          store.unlist(binding)
        }
        return contract.leftByRefusedCreate(draft, at)
      },
    })),
  ),
  fault(
    'a group made under the name of a deleted one has the role bindings that were deleted there',
    foundByModel,
    (contract) => {
      const deleted = new Map<string, readonly Item[]>()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          const group = item.kind === 'roleBindings' ? at.world.store.get('groups', item.parent) : undefined
          if (group) deleted.set(keyOf(group), [...(deleted.get(keyOf(group)) ?? []), item])
        },
        keep(item, at) {
          contract.keep(item, at)
          if (item.kind !== 'groups') return
          const { store } = at.world
          for (const old of deleted.get(keyOf(item)) ?? []) {
            const isAlone = !store.get('groups', old.parent) && store.get('identities', old.identityUid ?? '')
            if (isAlone) store.put({ ...old, parent: item.uid })
          }
          deleted.delete(keyOf(item))
        },
      }
    },
  ),
]
