import { type Fault, fault } from '../../fault.ts'
import { during, inV1 } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** An operation on groups of v1 that also finds an identity under its uid. */
const alsoIdentities = (operation: 'update' | 'delete') =>
  inV1(
    during(operation, (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? at.world.store.get('identities', uid),
    })),
  )

/** Faults in v1 that reach what is no group (S4.3, S9.1, R38). */
export const v1OtherKindFaults: readonly Fault[] = [
  fault(
    'a DELETE of a group in v1 with the uid of an identity deletes that identity',
    foundByModel,
    alsoIdentities('delete'),
  ),
  fault(
    'a PUT of a group in v1 with the uid of an identity changes that identity',
    foundByModel,
    alsoIdentities('update'),
  ),
]
