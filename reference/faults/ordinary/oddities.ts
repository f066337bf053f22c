import { type Fault, fault } from '../../fault.ts'
import { both, during, on } from '../../replace.ts'
import { bindsCreators } from '../../variants/bindings.ts'
import { fills, identity } from '../../variants/groups-contents.ts'
import { numbersForUids } from '../../variants/identities.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults of servers that lawfully differ from most besides (R10, R50). */
export const oddityFaults: readonly Fault[] = [
  fault(
    'where the creator of a group is bound in it a walk of role bindings ends after sixteen pages',
    foundByModel,
    both(
      bindsCreators(false),
      on('roleBindings', (contract) => ({
        more: (left, shown, size, at) => at.page < 16 && contract.more(left, shown, size, at),
      })),
    ),
  ),
  fault(
    'where each group has a default identity a page holds a hundred identities',
    foundByModel,
    both(
      fills('identities', () => 0, identity),
      on('identities', (contract) => ({
        pageSize: (asked, cursor, at) => Math.min(contract.pageSize(asked, cursor, at), 100),
      })),
    ),
  ),
  fault(
    'where uids are numbers Get of an identity or a role binding forgives a digit too many',
    foundByModel,
    both(
      numbersForUids,
      during('get', (contract) => ({
        found: (uid, kind, at) =>
          contract.found(uid, kind, at) ??
          (['identities', 'roleBindings'].includes(kind) ? contract.found(uid.slice(0, -1), kind, at) : undefined),
      })),
    ),
  ),
]
