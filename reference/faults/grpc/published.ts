import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

const maskless = overGrpc({ mask: () => undefined })

/** Faults in kinds and operations that the contract only publishes, which only gRPC shows (S1.2, S1.5, R49, R60). */
export const grpcPublishedFaults: readonly Fault[] = [
  fault(
    'over gRPC nothing is skipped in lists of account associations',
    foundByModel,
    on('accountAssociations', overGrpc({ skipApplied: () => 0 })),
  ),
  fault(
    'over gRPC group invites are never ordered by their time',
    foundByModel,
    on(
      'groupInvites',
      overGrpc((contract) => ({
        compareKeys: (a, b, at) => (at.query?.order.field === 'createTime' ? 0 : contract.compareKeys(a, b, at)),
      })),
    ),
  ),
  fault('over gRPC updates of account associations know no mask', foundByModel, on('accountAssociations', maskless)),
  fault('over gRPC updates of role bindings know no mask', foundByModel, on('roleBindings', maskless)),
  fault(
    'over gRPC an update of an account association moves its createTime',
    foundByModel,
    on(
      'accountAssociations',
      overGrpc((contract) => ({
        touched: (old, differs, now, at) => ({ ...contract.touched(old, differs, now, at), createTime: now }),
      })),
    ),
  ),
  fault(
    'over gRPC an invite to a role that does not exist has the status UNKNOWN',
    ['service.faults'],
    on('groupInvites', overGrpc(during('create', { grpcStatus: (code, { field }) => (field === 'roles' ? 2 : code) }))),
  ),
]
