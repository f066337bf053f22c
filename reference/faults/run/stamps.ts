import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement } from '../../replace.ts'
import { hour } from '../durations.ts'

/** What is changed is stamped by a clock that is ahead. */
const stampedAhead =
  (ahead: number): Replacement =>
  (contract) => ({ touched: (old, differs, now, at) => contract.touched(old, differs, now + ahead, at) })

/** Faults in the times that calls set, or move where they should not (S2.4, R2, R26, R29). */
export const stampFaults: readonly Fault[] = [
  fault(
    'updates of identities are stamped in a zone two hours ahead',
    ['time.clock.updates'],
    on('identities', stampedAhead(2 * hour)),
  ),
  fault(
    'updates of role bindings are stamped an hour ahead',
    ['time.clock.updates'],
    on('roleBindings', stampedAhead(hour)),
  ),
  fault(
    'a refused update of an identity moves its updateTime',
    ['identity.update.atomic.time'],
    on('identities', {
      leftByRefusedUpdate: (before, _wanted, at) => ({ ...before, updateTime: at.world.now() }),
    }),
  ),
]
