import { type Fault, fault } from '../../fault.ts'
import { during, on } from '../../replace.ts'

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
]
