import { type Fault, fault } from '../fault.ts'
import { during, on } from '../replace.ts'

/** Faults in kinds of which the contract only publishes a definition (S1.2). */
export const publishedFaults: readonly Fault[] = [
  fault(
    'Get still finds a deleted invite',
    ['groupInvite.delete.gone'],
    on('groupInvites', { forget: ({ unlist }) => unlist() }),
  ),
  fault(
    'a provider is made below a group that is not there',
    ['identityProvider.create.missing'],
    during('create', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (at.kind === 'identityProviders' && kind === 'groups'
          ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at)
          : undefined),
    })),
  ),
]
