import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { withRequest } from '../../replace.ts'
import { day } from '../durations.ts'
import { parameterIn, uidIn } from '../paths.ts'

const claimsOf = ({ claimMatch }: Item) => `${claimMatch?.issuer} ${claimMatch?.subject}`

/** Faults in exchanges and API tokens that show by what happens beside them, around them or a day later. */
export const exchangeNeighbourFaults: readonly Fault[] = [
  fault('an API token ends with the day on which it was exchanged', ['model.*'], (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      if (!caller || !at.world.store.get('identities', caller.subject)) return caller
      const dayOf = (milliseconds: number) => Math.floor(milliseconds / day)
      return dayOf(Number(readToken(token)?.claims.iat) * 1000) === dayOf(at.world.now()) ? caller : undefined
    },
  })),
  fault(
    'a rename of an identity takes the claims that it had before away from the identity that has them now',
    ['model.*'],
    (contract) => {
      const [history, blocked] = [new Map<string, Set<string>>(), new Set<string>()]
      return {
        async modify(steps, at) {
          const before = steps.read()
          const next = await contract.modify(steps, at)
          if (next.kind !== 'identities') return next
          const had = history.get(next.uid) ?? new Set()
          history.set(next.uid, had)
          if (claimsOf(before) !== claimsOf(next)) {
            had.add(claimsOf(before))
            blocked.delete(claimsOf(next))
          } else if (before.name !== next.name)
            for (const claims of had) if (claims !== claimsOf(next)) blocked.add(claims)
          return next
        },
        assumable(uid, at) {
          const identity = contract.assumable(uid, at)
          return identity && blocked.has(claimsOf(identity)) ? undefined : identity
        },
      }
    },
  ),
  fault(
    'an identity is assumed no more once a group above its own was renamed, until it is changed itself',
    ['model.*'],
    (contract) => {
      const renamed = new Map<string, number>()
      return {
        async modify(steps, at) {
          const before = steps.read()
          const next = await contract.modify(steps, at)
          if (next.kind === 'groups' && before.name !== next.name) renamed.set(next.uid, at.world.now())
          return next
        },
        assumable(uid, at) {
          const identity = contract.assumable(uid, at)
          const isLost = [...renamed].some(
            ([group, time]) => identity?.parent?.startsWith(`${group}/`) && time > identity.updateTime,
          )
          return isLost ? undefined : identity
        },
      }
    },
  ),
  fault(
    'an exchange that names the identity before the audience takes any subject',
    ['model.*'],
    withRequest((request, contract) => ({
      sameSubject: (claimed, matched, at) =>
        /[?&]identity=.*&aud=/.test(request().url ?? '') || contract.sameSubject(claimed, matched, at),
    })),
  ),
  fault('any white space counts as a blank in a subject', ['model.*'], () => {
    const plain = (text: unknown) => (typeof text === 'string' ? text.replace(/\s/g, ' ') : text)
    return { sameSubject: (claimed, matched) => plain(claimed) === plain(matched) }
  }),
  fault('a role binding that is made while its identity is being exchanged is lost', ['model.*'], (contract) => {
    const runs = new AsyncLocalStorage<Set<string>>()
    return {
      transport(request, response, serve, at) {
        const uid = at.operation === 'exchange' ? parameterIn(request.url, 'identity') : null
        if (!uid) return contract.transport(request, response, serve, at)
        const before = new Set(at.world.store.bindingsOf(uid).map((item) => item.uid))
        return runs.run(before, () => sleep(8).then(() => contract.transport(request, response, serve, at)))
      },
      seenAt(claims, kept, now, at) {
        const before = runs.getStore()
        for (const item of before ? at.world.store.bindingsOf(kept.uid) : []) {
          if (before?.has(item.uid)) continue
          at.world.store.drop(item)
          at.world.store.unlist(item)
        }
        return contract.seenAt(claims, kept, now, at)
      },
    }
  }),
  fault('an exchange stores the identity as it was twelve milliseconds before', ['model.*'], (contract) => {
    const runs = new AsyncLocalStorage<Item | undefined>()
    return {
      transport(request, response, serve, at) {
        const uid = at.operation === 'exchange' ? parameterIn(request.url, 'identity') : null
        if (!uid) return contract.transport(request, response, serve, at)
        const before = at.world.store.get('identities', uid)
        return runs.run(before, () => sleep(12).then(() => contract.transport(request, response, serve, at)))
      },
      seenAt(claims, kept, now, at) {
        const before = runs.getStore()
        const lastSeenTime = contract.seenAt(claims, kept, now, at)
        if (before) queueMicrotask(() => at.world.store.put({ ...before, lastSeenTime }))
        return lastSeenTime
      },
    }
  }),
  fault(
    'a call that has the headers of a CORS preflight needs no token',
    ['model.*'],
    withRequest((request, contract) => ({
      needsToken: (at) => request().headers['access-control-request-method'] === undefined && contract.needsToken(at),
    })),
  ),
  fault(
    'an identity can be read with the identity token that was exchanged for it',
    ['model.*'],
    withRequest((request, contract) => {
      const signed = new Set<string>()
      return {
        async signedByIssuer(token, header, keys, at) {
          const good = await contract.signedByIssuer(token, header, keys, at)
          if (good) signed.add(token)
          return good
        },
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          if (caller || at.kind !== 'identities' || at.operation !== 'get' || at.over || !signed.has(token))
            return caller
          const { iss, sub } = readToken(token)?.claims ?? {}
          const identity = at.world.store.get('identities', uidIn(request().url))
          const fits = identity?.claimMatch?.issuer === iss && identity?.claimMatch?.subject === sub
          return identity && fits ? { subject: identity.uid, org: identity.org } : undefined
        },
      }
    }),
  ),
]
