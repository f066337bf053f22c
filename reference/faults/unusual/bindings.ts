import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { overGrpc } from '../../replace.ts'

/** Faults of what role bindings embed and of what goes with them (S2.14). */
export const unusualBindingFaults: readonly Fault[] = [
  fault('a binding shows the deleted identity that had the claims before', ['model.*'], (contract) => {
    const byClaims = new Map<string, Item>()
    return {
      hydrated(part, kind, binding, at) {
        if (kind !== 'identities' || !part?.claimMatch) return contract.hydrated(part, kind, binding, at)
        const key = `${part.claimMatch.issuer} ${part.claimMatch.subject}`
        const kept = byClaims.get(key)
        if (kept && kept.uid !== part.uid && !at.world.store.get('identities', kept.uid)) return kept
        byClaims.set(key, part)
        return part
      },
    }
  }),
  fault(
    'deleting a binding deletes that of the same role in groups above',
    { turnsRed: ['roleBinding.delete.gone'], spreadsTo: ['model.*', 'roleBinding.*'] },
    (contract) => ({
      alsoRemoved(item, at) {
        const others = item.kind === 'roleBindings' ? at.world.store.bindingsOf(item.identityUid ?? '') : []
        const above = others.filter(
          ({ roleUid, parent }) => roleUid === item.roleUid && item.parent.startsWith(`${parent}/`),
        )
        return [...contract.alsoRemoved(item, at), ...above]
      },
    }),
  ),
  fault('gRPC shows the identity of a binding as it first did', ['model.*'], (contract) => {
    const first = new Map<string, Item>()
    return {
      ...overGrpc({
        hydrated(part, kind, binding, at) {
          if (kind !== 'identities' || !part) return contract.hydrated(part, kind, binding, at)
          const kept = first.get(part.uid) ?? part
          first.set(part.uid, kept)
          return kept
        },
      })(contract),
    }
  }),
]
