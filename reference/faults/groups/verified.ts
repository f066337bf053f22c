import { type Fault, fault } from '../../fault.ts'
import { during, on } from '../../replace.ts'

/** Faults in the member `verified` (S2.9). */
export const groupVerifiedFaults: readonly Fault[] = [
  fault(
    'a new group is verified',
    ['group.verified.*'],
    on('groups', { newborn: () => ({ description: '', resourceLimits: {}, verified: true }) }),
  ),
  fault(
    'a client may verify its group',
    ['group.verified.unchosen'],
    on('groups', { settable: () => ['name', 'description', 'verified'] }),
  ),
  fault(
    'a client may verify its group by update',
    ['group.verified.unchosen'],
    on('groups', during('update', { settable: () => ['name', 'description', 'verified'] })),
  ),
]
