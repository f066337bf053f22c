import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement } from '../../replace.ts'
import { hour } from '../durations.ts'
import { changed, foundByModel, onGroups } from './histories.ts'

/** What is changed is stamped by a clock that is ahead. */
const stampedAhead =
  (ahead: number): Replacement =>
  (contract) => ({ touched: (old, differs, now, at) => contract.touched(old, differs, now + ahead, at) })

/** What is new is stamped by a clock that is off. */
const bornApart =
  (apart: number): Replacement =>
  (contract) => ({ born: (now, at) => contract.born(now + apart, at) })

/** Faults in the times that calls set, or move where they should not (S2.4, R2, R26, R29). */
export const stampFaults: readonly Fault[] = [
  fault(
    'an update of nothing but the oidc of an identity provider does not move its updateTime',
    foundByModel,
    on('identityProviders', (contract) =>
      changed(contract, (old, next) => {
        const isDescribedAlike = old.name === next.name && old.description === next.description
        return isDescribedAlike ? { ...next, updateTime: old.updateTime } : next
      }),
    ),
  ),
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
  fault('the clock of account associations is an hour off', foundByModel, on('accountAssociations', bornApart(-hour))),
  fault('the clock of invites is an hour off', foundByModel, on('groupInvites', bornApart(hour))),
  fault(
    'a Get in v1 moves the updateTime of its group',
    foundByModel,
    onGroups(
      inV1(
        during('get', (contract) => ({
          v1Group(item, time, at) {
            at.world.store.put({ ...item, updateTime: at.world.now() })
            return contract.v1Group(item, time, at)
          },
        })),
      ),
    ),
  ),
  fault(
    'a refused update of an identity moves its updateTime',
    ['identity.update.atomic.time'],
    on('identities', {
      leftByRefusedUpdate: (before, _wanted, at) => ({ ...before, updateTime: at.world.now() }),
    }),
  ),
]
