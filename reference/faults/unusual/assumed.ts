import { AsyncLocalStorage } from 'node:async_hooks'
import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, withRequest } from '../../replace.ts'
import { hour } from '../durations.ts'

/** Faults of exchanges that need another one beside them, before them or with an older token (R41). */
export const unusualAssumedFaults: readonly Fault[] = [
  fault('simultaneous exchanges of one identity share their answer', ['model.*'], (contract) => {
    const flights = new Map<string, Promise<void>>()
    const accepted = new Set<string>()
    const joined = new AsyncLocalStorage<boolean>()
    return {
      async transport(request, response, serve, at) {
        if (at.operation !== 'exchange') return contract.transport(request, response, serve, at)
        const identity = new URL(request.url ?? '', 'http://x').searchParams.get('identity') ?? ''
        const flight = flights.get(identity)
        if (flight) {
          await flight
          return joined.run(accepted.has(identity), () => contract.transport(request, response, serve, at))
        }
        accepted.delete(identity)
        const own = (async () => {
          await joined.run(false, () => contract.transport(request, response, serve, at))
        })()
        flights.set(identity, own)
        await own.finally(() => flights.delete(identity))
      },
      sameSubject(claimed, matched, at) {
        return joined.getStore() === true || contract.sameSubject(claimed, matched, at)
      },
      assumable(uid, at) {
        return contract.assumable(uid, at)
      },
      issued(token, at) {
        return contract.issued(token, at)
      },
      seenAt(claims, kept, now, at) {
        accepted.add(kept.uid)
        return contract.seenAt(claims, kept, now, at)
      },
    }
  }),
  fault('an identity was last seen when its identity token was issued', ['model.*'], () => ({
    seenAt: ({ iat }, kept, now) => Math.max(kept.createTime, Math.floor((iat ?? now / 1000) * 1000)),
  })),
  fault(
    'an exchanged token cannot turn the page',
    ['model.*'],
    withRequest((request, contract) => ({
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const turns = /[?&]page_token=[^&]/.test(request()?.url ?? '')
        return turns && caller?.subject !== at.world.operator.subject ? undefined : caller
      },
    })),
  ),
  fault('binding an assumed identity sets its lastSeenTime back', ['model.*'], (contract) => ({
    keep(item, at) {
      contract.keep(item, at)
      const owner = item.kind === 'roleBindings' && at.world.store.get('identities', item.identityUid ?? '')
      if (owner) at.world.store.put({ ...owner, lastSeenTime: owner.createTime })
    },
  })),
  fault('an exchange brings back the description that the exchange before it saw', ['model.*'], (contract) => {
    const seen = new Map<string, string>()
    return {
      seenAt(claims, kept, now, at) {
        const before = seen.get(kept.uid)
        seen.set(kept.uid, kept.description)
        const after = contract.seenAt(claims, kept, now, at)
        if (before !== undefined && before !== kept.description)
          setImmediate(() => {
            const there = at.world.store.get('identities', kept.uid)
            if (there) at.world.store.put({ ...there, description: before })
          })
        return after
      },
    }
  }),
  fault('of two identities of one name in a group only the first can be assumed', ['model.*'], (contract) => ({
    assumable(uid, at) {
      const asked = contract.assumable(uid, at)
      if (!asked) return asked
      for (const one of at.world.store.under('identities', asked.parent)) if (one.name === asked.name) return one
      return asked
    },
  })),
  fault(
    'an exchange stores the identity that it read, shortly afterwards',
    { turnsRed: ['model.*'], spreadsTo: ['sts.match.updated*'] },
    (contract) => ({
      seenAt(claims, identity, now, at) {
        const lastSeenTime = contract.seenAt(claims, identity, now, at)
        setTimeout(() => {
          const { store } = at.world
          if (store.get('identities', identity.uid)) store.put({ ...identity, lastSeenTime })
        }, 150).unref()
        return lastSeenTime
      },
    }),
  ),
  fault(
    'a list of groups ignores the name that an exchanged token asks for',
    ['model.*'],
    on('groups', (contract) => ({
      matchesName: (item, name, at) =>
        at.world.store.get('identities', at.caller?.subject ?? '') !== undefined ||
        contract.matchesName(item, name, at),
    })),
  ),
  fault(
    'a list of identities shows an exchanged token all that its identity may see, whatever scope it asks for',
    ['model.*'],
    on('identities', (contract) => {
      const homeOf = (at: At) => at.world.store.get('identities', at.caller?.subject ?? '')?.parent
      const isBelow = ({ parent = '' }: Item, home: string) => parent === home || parent.startsWith(`${home}/`)
      return {
        *candidates(at) {
          const home = homeOf(at)
          if (home === undefined) yield* contract.candidates(at)
          else for (const item of at.world.store.all('identities')) if (isBelow(item, home)) yield item
        },
        withinScope(item, at) {
          const home = homeOf(at)
          return home === undefined ? contract.withinScope(item, at) : isBelow(item, home)
        },
      }
    }),
  ),
  fault(
    'an API token ends after ten calls for what is not there',
    ['model.*'],
    withRequest((request, contract) => {
      const misses = new Map<string, number>()
      const token = () => request()?.headers.authorization?.replace(/^bearer +/i, '') ?? ''
      return {
        render(answer, at) {
          const isAssumed = at.world.store.get('identities', at.caller?.subject ?? '') !== undefined
          if (answer.status === 404 && isAssumed) misses.set(token(), (misses.get(token()) ?? 0) + 1)
          return contract.render(answer, at)
        },
        authenticate: async (given, reader, at) =>
          (misses.get(given) ?? 0) >= 10 ? undefined : contract.authenticate(given, reader, at),
      }
    }),
  ),
  fault('an identity that is deleted after a day can still be assumed', ['model.*'], (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(store, item, at) {
        if (item.kind === 'identities' && at.world.now() - item.createTime > 24 * hour) gone.set(item.uid, item)
        contract.forget(store, item, at)
      },
      assumable: (uid, at) => contract.assumable(uid, at) ?? gone.get(uid),
    }
  }),
]
