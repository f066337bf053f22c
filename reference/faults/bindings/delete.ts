import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** How many segments the uid of a role binding has where it is still deleted. */
const deep = 13

/** Faults in Delete of a role binding (S4.5). */
export const bindingDeleteFaults: readonly Fault[] = [
  fault(
    'a delete of a binding is a fault of the server',
    ['roleBinding.delete.answers', 'service.faults'],
    on('roleBindings', during('delete', { successStatus: () => 500 })),
  ),
  fault(
    'a deleted binding is still listed',
    ['roleBinding.delete.gone'],
    on('roleBindings', {
      forget: ({ drop }) => drop(),
    }),
  ),
  fault(
    'a delete of a binding takes the other bindings of its identity',
    ['roleBinding.delete.gone'],
    on('roleBindings', {
      alsoRemoved: (item, at) =>
        at.world.store.bindingsOf(item.identityUid ?? '').filter(({ uid }) => uid !== item.uid),
    }),
  ),
  fault('a deleted binding answers again where its identity has the same role again', foundByModel, (contract) => {
    const known = new Map<string, Item>()
    return on('roleBindings', {
      keep(item, at) {
        known.set(item.uid, item)
        contract.keep(item, at)
      },
      found(uid, kind, at) {
        const old = known.get(uid)
        const isBack =
          at.operation === 'get' &&
          old &&
          [...at.world.store.all('roleBindings')].some(
            ({ identityUid, roleUid }) => identityUid === old.identityUid && roleUid === old.roleUid,
          )
        return contract.found(uid, kind, at) ?? (isBack ? old : undefined)
      },
    })(contract)
  }),
  fault(
    'a role binding that is ten levels down is not deleted',
    foundByModel,
    on('roleBindings', (contract) => ({
      forget(steps, item, at) {
        if (item.uid.split('/').length <= deep) contract.forget(steps, item, at)
      },
    })),
  ),
]
