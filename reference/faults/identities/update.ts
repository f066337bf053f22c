import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { changed, foundByModel } from '../run/histories.ts'

/** Faults in Update of an identity (S4.3). */
export const identityUpdateFaults: readonly Fault[] = [
  fault(
    'a new identity was last seen in 1970',
    ['identity.last-seen.new'],
    on('identities', { born: (now) => ({ createTime: now, updateTime: now, lastSeenTime: 0 }) }),
  ),
  fault(
    'an update forgets when an identity was last seen',
    ['identity.last-seen.stays'],
    on('identities', (contract) => ({
      modify: ({ read, change, write }, at) =>
        contract.modify({ read, change: (old) => ({ ...change(old), lastSeenTime: 0 }), write }, at),
    })),
  ),
  fault(
    'an update of an identity says that it was last seen when it was made',
    foundByModel,
    on('identities', (contract) => changed(contract, (_old, next) => ({ ...next, lastSeenTime: next.createTime }))),
  ),
  fault(
    'a client says when an identity was last seen',
    foundByModel,
    on('identities', (contract) => ({
      settable: (at) => [...contract.settable(at), 'lastSeenTime'],
      stored: (value, field, at) =>
        field === 'lastSeenTime' ? Date.parse(String(value)) : contract.stored(value, field, at),
    })),
  ),
  fault(
    'a mask on the name lets the claim match beside it through',
    foundByModel,
    on('identities', (contract) => ({
      changed(sent, mask, settable, at) {
        const more = mask?.includes('name') && sent.includes('claimMatch') ? ['claimMatch'] : []
        return [...contract.changed(sent, mask, settable, at), ...more]
      },
    })),
  ),
  fault(
    'an update of an identity answers the state before',
    ['identity.update.answers', 'update.keeps-omitted@identities'],
    on('identities', {
      modify({ read, change, write }) {
        const old = read()
        write(change(old))
        return old
      },
    }),
  ),
  fault(
    'a refused update of an identity keeps the good half',
    ['identity.update.atomic'],
    on('identities', {
      leftByRefusedUpdate: (before, wanted) => ({ ...before, description: wanted.description }),
    }),
  ),
]
