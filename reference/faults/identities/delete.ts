import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in Delete of an identity (S4.3). */
export const identityDeleteFaults: readonly Fault[] = [
  fault(
    'a delete of an identity answers a message',
    ['identity.delete.answers'],
    on('identities', {
      deleted: () => ({ message: 'deleted' }),
    }),
  ),
  fault(
    'a deleted identity leaves its bindings behind',
    ['identity.delete.bindings', 'model.roleBinding.orphan'],
    () => ({
      alsoRemoved: () => [],
    }),
  ),
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
  fault('a deleted identity is taken off the total once for each of its bindings', foundByModel, (contract) => {
    const over = new Map<string, number>()
    return {
      alsoRemoved(item, at) {
        const also = contract.alsoRemoved(item, at)
        if (item.kind !== 'identities' || also.length < 2) return also
        for (let place = item.parent; place.includes('/'); place = place.slice(0, place.lastIndexOf('/')))
          over.set(place, (over.get(place) ?? 0) + also.length - 1)
        return also
      },
      totalCount(counts, at) {
        const scope = at.query?.childrenOf ?? at.query?.descendantsOf ?? ''
        const less = at.kind === 'identities' ? (over.get(scope) ?? 0) : 0
        return contract.totalCount({ ...counts, matches: Math.max(0, counts.matches - less) }, at)
      },
    }
  }),
]
