import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults of exchanges in which more or less than the claim match decides (S2.11, R41). */
export const ordinaryAssumedFaults: readonly Fault[] = [
  fault('a list of subjects assumes the identity of each of them', foundByModel, (contract) => ({
    sameSubject: (claimed, matched, at) => [claimed].flat().some((one) => contract.sameSubject(one, matched, at)),
  })),
  fault(
    'an issuer that one identity of a group names opens the others of that group as well',
    { turnsRed: ['sts.refuses.other-identity'], spreadsTo: ['sts.*'] },
    (contract) => {
      const asked = new WeakMap<At, Item>()
      return {
        assumable(uid, at) {
          const item = contract.assumable(uid, at)
          if (item) asked.set(at, item)
          return item
        },
        sameIssuer(one, other, at) {
          const item = asked.get(at)
          const isOwn = other === item?.claimMatch?.issuer
          const others = item && isOwn ? [...at.world.store.under('identities', item.parent)] : []
          return contract.sameIssuer(one, other, at) || others.some(({ claimMatch }) => claimMatch?.issuer === one)
        },
      }
    },
  ),
  fault('an update of an identity that is refused closes it until the next good one', foundByModel, (contract) => {
    const closed = new Set<string>()
    return {
      ...on('identities', {
        leftByRefusedUpdate(before, wanted, at) {
          closed.add(before.uid)
          return contract.leftByRefusedUpdate(before, wanted, at)
        },
        modify(steps, at) {
          closed.delete(steps.read().uid)
          return contract.modify(steps, at)
        },
      })(contract),
      assumable: (uid, at) => (closed.has(uid) ? undefined : contract.assumable(uid, at)),
    }
  }),
]
