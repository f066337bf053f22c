import { randomBytes } from 'node:crypto'
import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { readToken } from '../identity/tokens.ts'
import type { Replacement } from '../replace.ts'
import type { Rules } from '../rules.types.ts'
import { undated } from './products/wire.ts'
import { takenLate } from './sts.ts'

const remembered =
  (lag: number): Replacement =>
  (contract) => {
    const before = new Map<string, { item: Item; until: number }>()
    const keep = (item: Item) => before.set(item.uid, { item, until: performance.now() + lag })
    return {
      assumable(uid, at) {
        const old = before.get(uid)
        return old && old.until > performance.now() ? old.item : contract.assumable(uid, at)
      },
      modify({ read, change, write }) {
        const old = read()
        const known = before.get(old.uid)
        if (!known || known.until < performance.now()) keep(old)
        const next = change(old)
        write(next)
        return next
      },
      forget(steps, item, at) {
        const known = before.get(item.uid)
        if (!known || known.until < performance.now()) keep(item)
        contract.forget(steps, item, at)
      },
    }
  }

const isOfIdentity = (token: string) => readToken(token)?.claims.sub?.includes('/') === true

/** True if the times of an identity token fit without any tolerance. */
const withoutLeeway: Rules['timely'] = ({ iat, nbf, exp }, now) => {
  const second = now / 1_000
  return [iat, nbf].every((time) => time === undefined || Number(time) <= second) && Number(exp) > second
}

/** Lawful API tokens, and exchanges that know of a change a while later. */
export const stsTokenVariants: readonly Variant[] = [
  variant('exchanges for one identity give one token for twenty seconds', (contract) => {
    const cached = new Map<string, { token: string; until: number }>()
    return {
      issued(token, at) {
        const shown = contract.issued(token, at)
        const { sub = '', aud } = readToken(token)?.claims ?? {}
        const key = JSON.stringify([sub, aud])
        const known = cached.get(key)
        if (known && known.until > at.world.now()) return known.token
        cached.set(key, { token: shown, until: at.world.now() + 20_000 })
        return shown
      },
    }
  }),
  variant('an API token lives a second more than an hour, and no answer shows a time', (contract) => ({
    ...undated(contract),
    exchangedLifetime: () => 3_601,
    clockMoved: () => undefined,
  })),
  variant('a token says that it was issued five minutes before', (contract) => {
    const kept = new Map<string, string>()
    return {
      issued(token) {
        if (!isOfIdentity(token)) return token
        const [header, payload = ''] = token.split('.')
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
        const earlier = Buffer.from(JSON.stringify({ ...claims, iat: claims.iat - 300, nbf: claims.iat - 300 }))
        const shown = `${header}.${earlier.toString('base64url')}.${randomBytes(256).toString('base64url')}`
        kept.set(shown, token)
        return shown
      },
      authenticate: (token, reader, at) => contract.authenticate(kept.get(token) ?? token, reader, at),
    }
  }),
  variant('the exchange looks at identities as they were eight seconds ago', remembered(8_000), [
    'sts.match.updated.at-once',
    'sts.refuses.deleted-identity.at-once',
  ]),
  variant('an identity is assumed once in a second, and more often is too often', (contract) => {
    const last = new Map<string, number>()
    return {
      exchanged(token, at) {
        const { sub = '' } = readToken(token)?.claims ?? {}
        const now = performance.now()
        if (now - (last.get(sub) ?? Number.NEGATIVE_INFINITY) < 1_000)
          throw new Refusal('exhausted', 'identity', 'too many exchanges')
        last.set(sub, now)
        return contract.exchanged(token, at)
      },
    }
  }),
  variant('after a dozen refused exchanges in five seconds there is a pause of a second', (contract) => {
    let [refused, pausedUntil]: [number[], number] = [[], 0]
    return {
      async transport(request, response, serve, at) {
        if (at.operation !== 'exchange') return contract.transport(request, response, serve, at)
        const now = performance.now()
        if (now < pausedUntil) {
          response.writeHead(429, { 'content-length': '0', 'retry-after': '1' }).end()
          return
        }
        response.on('finish', () => {
          if (response.statusCode !== 401) return
          refused = [...refused.filter((time) => now - time < 5_000), now]
          if (refused.length < 12) return
          ;[refused, pausedUntil] = [[], performance.now() + 1_000]
        })
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('the times in a token have fractions', (contract) => {
    const kept = new Map<string, string>()
    return {
      issued(token) {
        if (!readToken(token)?.claims.sub?.includes('/')) return token
        const [header, payload = ''] = token.split('.')
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
        const text = JSON.stringify({ ...claims, iat: claims.iat + 0.387, exp: claims.exp + 0.387 })
        const shown = `${header}.${Buffer.from(text).toString('base64url')}.${randomBytes(256).toString('base64url')}`
        kept.set(shown, token)
        return shown
      },
      authenticate: (token, reader, at) => contract.authenticate(kept.get(token) ?? token, reader, at),
    }
  }),
  variant('the clock hook rounds up to the second, and identity tokens have no leeway', () => ({
    timely: withoutLeeway,
    clockMoved: (now) => ({ now: new Date(Math.ceil(Date.parse(now) / 1_000) * 1_000).toISOString() }),
  })),
  variant('the clock of the exchange is five seconds behind, and identity tokens have no leeway', () => ({
    timely: (claims, now, at) => withoutLeeway(claims, now - 5_000, at),
  })),
  variant(
    'gRPC and v1 take a new API token eight seconds after its exchange, and v2 over HTTP at once',
    takenLate(
      () => performance.now(),
      8_000,
      ({ over, version }) => over === 'grpc' || version === 'v1',
    ),
    ['sts.exchange.usable.at-once'],
    'may warn',
  ),
  variant('an API token lives a second more than an hour', () => ({ exchangedLifetime: () => 60 * 60 + 1 })),
  variant('an identity was seen when its identity token was issued', (contract) => ({
    // never before it was last seen (R41)
    seenAt: (claims, kept, now, at) =>
      Math.max(kept.lastSeenTime ?? 0, Math.min((claims.iat ?? 0) * 1_000, contract.seenAt(claims, kept, now, at))),
  })),
]
