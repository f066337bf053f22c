import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, when } from '../../replace.ts'
import { foundByDoors } from './doors.ts'

/** Faults in lists whose parameters come together on one kind or over one protocol only (S4.15). */
export const listedByDoorFaults: readonly Fault[] = [
  fault(
    'later pages of identity providers of one name show others as well',
    foundByDoors,
    on('identityProviders', (contract) => ({
      matchesName: (item, name, at) => at.query?.cursor !== undefined || contract.matchesName(item, name, at),
    })),
  ),
  fault(
    'beside a name no account association is skipped',
    foundByDoors,
    on('accountAssociations', (contract) => ({
      skipApplied: (skip, cursor, at) => (at.query?.name === undefined ? contract.skipApplied(skip, cursor, at) : 0),
    })),
  ),
  fault(
    'account associations of one name come in the same order whichever is asked for',
    foundByDoors,
    on('accountAssociations', (contract) => ({
      sorted(items, compare, at) {
        const sorted = contract.sorted(items, compare, at)
        if (at.query?.name === undefined || at.query.order.field !== 'createTime') return sorted
        return at.query.order.descending ? sorted.reverse() : sorted
      },
    })),
  ),
  fault(
    'over gRPC later pages of identities of one name show others as well',
    foundByDoors,
    overGrpc(
      on('identities', (contract) => ({
        matchesName: (item, name, at) => at.query?.cursor !== undefined || contract.matchesName(item, name, at),
      })),
    ),
  ),
  fault(
    'over gRPC a page of identity providers holds twenty where no size is asked',
    foundByDoors,
    overGrpc(
      on('identityProviders', (contract) => ({
        pageSize: (asked, cursor, at) => (asked === 0 ? 20 : contract.pageSize(asked, cursor, at)),
      })),
    ),
  ),
  fault(
    'over gRPC a page of account associations holds thirty at the most',
    foundByDoors,
    overGrpc(
      on('accountAssociations', (contract) => ({
        pageSize: (asked, cursor, at) => Math.min(30, contract.pageSize(asked, cursor, at)),
      })),
    ),
  ),
  fault(
    'of the identity providers right in a group none is skipped',
    foundByDoors,
    on('identityProviders', (contract) => ({
      skipApplied: (skip, cursor, at) =>
        at.query?.childrenOf === undefined ? contract.skipApplied(skip, cursor, at) : 0,
    })),
  ),
  fault(
    'of the invites right in a group twice as many are skipped',
    foundByDoors,
    on('groupInvites', (contract) => ({
      skipApplied: (skip, cursor, at) =>
        contract.skipApplied(skip, cursor, at) * (at.query?.childrenOf === undefined ? 1 : 2),
    })),
  ),
  fault(
    'over gRPC none of the newest children of a group is skipped',
    foundByDoors,
    overGrpc(
      on('groups', (contract) => ({
        skipApplied: (skip, cursor, at) =>
          at.query?.childrenOf !== undefined && at.query.order.field === 'createTime' && at.query.order.descending
            ? 0
            : contract.skipApplied(skip, cursor, at),
      })),
    ),
  ),
  fault(
    'over gRPC roles that descend by name come in the default order from page two on',
    foundByDoors,
    overGrpc(
      on('roles', (contract) => ({
        compareKeys: (a, b, at) =>
          at.query?.order.field === 'name' && at.query.order.descending && at.query.cursor !== undefined
            ? 0
            : contract.compareKeys(a, b, at),
      })),
    ),
  ),
  fault(
    'over gRPC account associations of a group never descend by name',
    foundByDoors,
    when(
      ({ over, kind, query }) => over === 'grpc' && kind === 'accountAssociations' && query?.childrenOf !== undefined,
      (contract) => ({
        sorted(items, compare, at) {
          const sorted = contract.sorted(items, compare, at)
          return at.query?.order.field === 'name' && at.query.order.descending ? sorted.reverse() : sorted
        },
      }),
    ),
  ),
]
