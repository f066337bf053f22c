import type { At } from '../../domain/at.ts'
import type { ClaimMatch, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, withBody } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { minute } from '../durations.ts'
import { changed, foundByModel } from '../run/histories.ts'

const isEqual = (one?: ClaimMatch, other?: ClaimMatch) =>
  one?.issuer === other?.issuer && one?.subject === other?.subject

/** Keeps which identity token each exchange brought, and which identity it asked for. */
const watched = (contract: Rules) => {
  const tokens = new WeakMap<At, string>()
  const asked = new WeakMap<At, Item>()
  return {
    tokenOf: (at: At) => tokens.get(at) ?? '',
    identityOf: (at: At) => asked.get(at),
    asks(at: At, item: Item | undefined) {
      if (item) asked.set(at, item)
      return item
    },
    signedByIssuer(...given: Parameters<Rules['signedByIssuer']>) {
      tokens.set(given[3], given[0])
      return contract.signedByIssuer(...given)
    },
  }
}

/** Calls `seen` on every update of an identity, with the claim match that was sent. */
const changedWith = (seen: (old: Item, next: Item, sent: ClaimMatch | undefined) => void): Replacement =>
  withBody((sent, contract) =>
    on('identities', (rules) =>
      changed(rules, (old, next, at) => {
        seen(old, next, sent(at).claimMatch as ClaimMatch | undefined)
        return next
      }),
    )(contract),
  )

/** An exchange that looks identities up by their uids with other claims than they have. */
const withClaims = (contract: Rules, claims: ReadonlyMap<string, ClaimMatch>): Partial<Rules> => ({
  assumable(uid, at) {
    const identity = contract.assumable(uid, at)
    const claimMatch = claims.get(uid)
    return identity && claimMatch ? { ...identity, claimMatch } : identity
  },
})

/** Moves the updateTime of an identity, which only an update may do. */
const move = (at: At, uid = '') => {
  const item = at.world.store.get('identities', uid)
  if (item) at.world.store.put({ ...item, updateTime: at.world.now() })
}

const refusedMoves: Replacement = (contract) => {
  const exchanges = watched(contract)
  return {
    assumable: (uid, at) => exchanges.asks(at, contract.assumable(uid, at)),
    sameSubject(claimed, matched, at) {
      const is = contract.sameSubject(claimed, matched, at)
      if (!is) move(at, exchanges.identityOf(at)?.uid)
      return is
    },
  }
}

/** Faults in what an exchange knows of its identity after other calls, and leaves of it (S2.11, R41). */
export const stsObservedFaults: readonly Fault[] = [
  fault('an exchange is remembered by its identity token alone', foundByModel, (contract) => {
    const exchanges = watched(contract)
    const known = new Map<string, Item>()
    return {
      signedByIssuer: exchanges.signedByIssuer,
      assumable: (uid, at) => exchanges.asks(at, known.get(exchanges.tokenOf(at)) ?? contract.assumable(uid, at)),
      issued(token, at) {
        const item = exchanges.identityOf(at)
        if (item) known.set(exchanges.tokenOf(at), item)
        return contract.issued(token, at)
      },
    }
  }),
  fault('an identity token that opened an identity once opens it for five minutes', foundByModel, (contract) => {
    const exchanges = watched(contract)
    const known = new Map<string, { item: Item; time: number }>()
    const keyOf = (uid: string, at: At) => `${exchanges.tokenOf(at)} ${uid}`
    return {
      signedByIssuer: exchanges.signedByIssuer,
      assumable(uid, at) {
        const kept = known.get(keyOf(uid, at))
        const isYoung = kept !== undefined && at.world.now() - kept.time < 5 * minute
        return exchanges.asks(at, isYoung ? kept.item : contract.assumable(uid, at))
      },
      issued(token, at) {
        const item = exchanges.identityOf(at)
        const key = item && keyOf(item.uid, at)
        if (key && !known.has(key)) known.set(key, { item, time: at.world.now() })
        return contract.issued(token, at)
      },
    }
  }),
  fault('an issuer that changes alone is not noticed by the exchange', foundByModel, (contract) => {
    const first = new Map<string, string>()
    return {
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        if (!identity?.claimMatch) return identity
        const issuer = first.get(uid) ?? identity.claimMatch.issuer
        first.set(uid, issuer)
        return { ...identity, claimMatch: { issuer, subject: identity.claimMatch.subject } }
      },
    }
  }),
  fault('a claim match that is sent again unchanged opens its identity no more', foundByModel, (contract) => {
    const lost = new Set<string>()
    return {
      ...changedWith((old, next, sent) => {
        if (sent === undefined) return
        if (isEqual(old.claimMatch, next.claimMatch)) lost.add(old.uid)
        else lost.delete(old.uid)
      })(contract),
      assumable: (uid, at) => (lost.has(uid) ? undefined : contract.assumable(uid, at)),
    }
  }),
  fault('the exchange knows the claims of an update that was refused', foundByModel, (contract) => {
    const wrong = new Map<string, ClaimMatch>()
    return {
      leftByRefusedUpdate(before, wanted, at) {
        if (before.kind === 'identities' && wanted.claimMatch) wrong.set(before.uid, wanted.claimMatch)
        return contract.leftByRefusedUpdate(before, wanted, at)
      },
      ...changed(contract, (old, next) => {
        wrong.delete(old.uid)
        return next
      }),
      ...withClaims(contract, wrong),
    }
  }),
  fault('the exchange knows the claims that a mask left out', foundByModel, (contract) => {
    const wrong = new Map<string, ClaimMatch>()
    return {
      ...changedWith((old, next, sent) => {
        if (sent && !isEqual(sent, next.claimMatch)) wrong.set(old.uid, sent)
        else wrong.delete(old.uid)
      })(contract),
      ...withClaims(contract, wrong),
    }
  }),
  fault('a refused exchange moves the updateTime of its identity', ['model.identity.time'], refusedMoves),
  fault(
    'an exchange half an hour after the last one moves the updateTime of its identity',
    foundByModel,
    (contract) => {
      const exchanges = watched(contract)
      return {
        assumable: (uid, at) => exchanges.asks(at, contract.assumable(uid, at)),
        issued(token, at) {
          const { uid, lastSeenTime = 0 } = exchanges.identityOf(at) ?? {}
          if (uid !== undefined && at.world.now() - lastSeenTime > 30 * minute) move(at, uid)
          return contract.issued(token, at)
        },
      }
    },
  ),
]
