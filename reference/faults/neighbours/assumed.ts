import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, inV1, on, type Replacement, when } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { alsoFrom, basicParts } from '../auth/refuses.ts'
import { minute } from '../durations.ts'

/** The replacement at the exchange. */
const atExchange = (change: Replacement) => when(({ operation }) => operation === 'exchange', change)

/** Identities that cannot be assumed. */
const closing =
  (isClosed: (identity: Item, at: At) => boolean): Replacement =>
  (contract) => ({
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      return identity && isClosed(identity, at) ? undefined : identity
    },
  })

/** The first identity token of each issuer is taken as if it were good in one respect. */
const unlessFirst = (contract: Rules): Partial<Rules> => {
  const known = new Set<unknown>()
  return {
    timely(claims, now, at) {
      const isFirst = !known.has(claims.iss)
      known.add(claims.iss)
      return isFirst || contract.timely(claims, now, at)
    },
  }
}

/** The assumed identity that calls. */
const callerIn = ({ caller, world }: At) => world.store.get('identities', caller?.subject ?? '')

const depth = (uid = '') => uid.split('/').length

/** What shows in the exchanges that the generators make. */
const exchangeRow = (aspect: string) => ({ turnsRed: [`model.exchange.${aspect}`], spreadsTo: ['model.*', 'sts.*'] })

/** Faults of exchanges and of what their tokens open, which need another place, order or form (S2.11, S5.3, R41). */
export const assumedNeighbourFaults: readonly Fault[] = [
  fault('a subject that was refused once stays refused for ten minutes', exchangeRow('answer'), (contract) => {
    const [asked, refused] = [new WeakMap<At, string>(), new Map<string, number>()]
    return {
      assumable(uid, at) {
        asked.set(at, uid)
        return contract.assumable(uid, at)
      },
      sameSubject(claimed, matched, at) {
        const key = `${asked.get(at)} ${claimed}`
        if (!contract.sameSubject(claimed, matched, at)) refused.set(key, at.world.now())
        return at.world.now() - (refused.get(key) ?? Number.NEGATIVE_INFINITY) > 10 * minute
      },
    }
  }),
  fault(
    'an API token lives as long as the identity token that it was exchanged for, and an hour at least',
    exchangeRow('lifetime'),
    (contract) => {
      const ends = new WeakMap<At, number>()
      return {
        timely(claims, now, at) {
          if (typeof claims.exp === 'number') ends.set(at, claims.exp - now / 1000)
          return contract.timely(claims, now, at)
        },
        exchangedLifetime(at) {
          const lifetime = contract.exchangedLifetime(at)
          return lifetime && Math.max(lifetime, Math.floor(ends.get(at) ?? 0))
        },
      }
    },
  ),
  fault(
    'nobody looks at the end of the first identity token that an issuer signs',
    exchangeRow('refusal'),
    unlessFirst,
  ),
  fault('an identity in a group that v1 made cannot be assumed', exchangeRow('answer'), (contract) => {
    const made = new Set<string>()
    return {
      ...inV1({
        keep(item, at) {
          made.add(item.uid)
          contract.keep(item, at)
        },
      })(contract),
      ...closing(({ parent }) => made.has(parent))(contract),
    }
  }),
  fault(
    'an identity that is bound only below its own group cannot be assumed',
    exchangeRow('answer'),
    closing(({ uid, parent }, { world }) => {
      const bound = world.store.bindingsOf(uid)
      return bound.length > 0 && bound.every((binding) => binding.parent.startsWith(`${parent}/`))
    }),
  ),
  fault(
    'to an assumed identity lists show no more than four levels below its group',
    ['model.*'],
    during('list', (contract) => ({
      withinScope(item, at) {
        const caller = callerIn(at)
        return contract.withinScope(item, at) && !(caller && depth(item.parent) - depth(caller.parent) > 4)
      },
    })),
  ),
  fault(
    'to an assumed identity a list counts no more than fifty',
    ['model.*'],
    on('identities', (contract) => ({
      totalCount(counts, at) {
        const total = contract.totalCount(counts, at)
        return callerIn(at) && Number(total) > 50 ? '50' : total
      },
    })),
  ),
  fault(
    'an exchange takes the access token of the operator for the last good identity token',
    { turnsRed: ['model.exchange.refusal'], spreadsTo: ['model.*', 'sts.*'] },
    atExchange((contract) => {
      const [sent, good] = [new WeakMap<At, string>(), new Map<string | null, string>()]
      return {
        credential(headers, query, at) {
          const token = contract.credential(headers, query, at)
          if (token === undefined) return token
          sent.set(at, token)
          const isOperators = readToken(token)?.claims.sub === at.world.operator.subject
          return (isOperators ? good.get(query.get('identity')) : undefined) ?? token
        },
        seenAt(claims, kept, now, at) {
          good.set(kept.uid, sent.get(at)!)
          return contract.seenAt(claims, kept, now, at)
        },
      }
    }),
  ),
  fault(
    'an exchange takes an identity token from another header',
    exchangeRow('refusal'),
    atExchange(alsoFrom((headers) => [headers['x-access-token'] ?? headers['x-id-token']].flat()[0])),
  ),
  fault(
    'an exchange takes an identity token as a password',
    exchangeRow('refusal'),
    atExchange(alsoFrom(({ authorization }) => basicParts(authorization)[1])),
  ),
]
