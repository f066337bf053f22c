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
  fault(
    'Get of a binding below the group of its identity shows the claims of when it was bound',
    ['model.*'],
    (contract) => {
      const claims = new Map<string, Item['claimMatch']>()
      return {
        keep(item, at) {
          const owner = item.kind === 'roleBindings' && at.world.store.get('identities', item.identityUid ?? '')
          if (owner) claims.set(item.uid, owner.claimMatch)
          contract.keep(item, at)
        },
        hydrated(part, kind, binding, at) {
          const shown = contract.hydrated(part, kind, binding, at)
          const isElsewhere = kind === 'identities' && at.operation === 'get' && shown?.parent !== binding.parent
          const old = claims.get(binding.uid)
          return shown && isElsewhere && old ? { ...shown, claimMatch: old } : shown
        },
      }
    },
  ),
  fault('with an identity go the bindings of its namesakes in the group', ['model.*'], (contract) => ({
    alsoRemoved(item, at) {
      const { store } = at.world
      const gone = contract.alsoRemoved(item, at)
      if (item.kind !== 'identities') return gone
      const namesakes = [...store.under('identities', item.parent)].filter(
        ({ name, uid }) => name === item.name && uid !== item.uid,
      )
      return [...gone, ...namesakes.flatMap(({ uid }) => [...store.bindingsOf(uid)])]
    },
  })),
  fault('a binding with another role has its first one again when its identity changes', ['model.*'], (contract) => {
    const first = new Map<string, string | undefined>()
    return {
      keep(item, at) {
        if (item.kind === 'roleBindings') first.set(item.uid, item.roleUid)
        contract.keep(item, at)
      },
      modify(change, at) {
        const { kind, uid } = change.read()
        const { store } = at.world
        if (kind === 'identities')
          for (const binding of store.bindingsOf(uid))
            if (first.has(binding.uid)) store.put({ ...binding, roleUid: first.get(binding.uid)! })
        return contract.modify(change, at)
      },
    }
  }),
]
