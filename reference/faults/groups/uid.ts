import { type Fault, fault } from '../../fault.ts'
import { during, on } from '../../replace.ts'
import { depthOf } from '../scopes.ts'

/** Faults in the uids of groups (S2.1, S2.2). */
export const groupUidFaults: readonly Fault[] = [
  fault('the sixteenth group in a group gets the uid of the fifteenth', ['group.create.many'], (contract) => {
    const minted = new Map<string, string[]>()
    return {
      mintUid(parent, at) {
        const uids = minted.get(parent.uid) ?? []
        const uid = uids.length === 15 && at.kind === 'groups' ? uids[14]! : contract.mintUid(parent, at)
        minted.set(parent.uid, [...uids, uid])
        return uid
      },
    }
  }),
  fault(
    'from the seventh level on a uid ends in letters that are no digits',
    ['group.uid.path'],
    on('groups', (contract) => ({
      mintUid: (parent, at) => contract.mintUid(parent, at) + (depthOf(parent.uid) >= 6 ? 'z' : ''),
    })),
  ),
  fault(
    'a client may choose the uid of its group',
    ['group.uid.unchosen'],
    on('groups', during('create', { settable: () => ['name', 'description', 'uid'] })),
  ),
  fault(
    'a client may name another parent in the body',
    ['group.uid.unchosen'],
    on('groups', during('create', { settable: () => ['name', 'description', 'parent'] })),
  ),
  fault(
    'what has no uid of its own in the index of groups is looked up among identities',
    ['group.wrong-kind'],
    on('groups', (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? at.world.store.get('identities', uid),
    })),
  ),
]
