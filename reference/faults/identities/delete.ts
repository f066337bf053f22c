import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'

/** Faults in Delete of an identity (S4.3). */
export const identityDeleteFaults: readonly Fault[] = [
  fault(
    'a delete of an identity answers a message',
    ['identity.delete.answers'],
    on('identities', {
      deleted: () => ({ message: 'deleted' }),
    }),
  ),
  fault('a deleted identity leaves its bindings behind', ['identity.delete.bindings'], () => ({
    alsoRemoved: () => [],
  })),
  fault(
    'a deleted identity is still found',
    {
      turnsRed: ['identity.delete.gone', 'roleBinding.create.deleted-identity', 'sts.refuses.deleted-identity'],
      spreadsTo: ['identity.delete.unshown'],
    },
    on('identities', {
      forget: ({ unlist }) => unlist(),
    }),
  ),
]
