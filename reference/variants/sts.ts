import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { At, Caller } from '../domain/at.ts'
import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { keysKeptFor } from '../identity/kept-keys.ts'
import { readToken } from '../identity/tokens.ts'
import { type Replacement, when } from '../replace.ts'

const onlyWhereBound =
  (age: number): Replacement =>
  (contract) => ({
    objection: (uid, at) =>
      mayReach(uid, at, age)
        ? contract.objection(uid, at)
        : new Refusal('forbidden', 'identity', 'it has no role here'),
  })

const atTheExchange = (change: Replacement) => when((at) => at.operation === 'exchange', change)

/** Opaque API tokens: names under which the service stores the real ones. */
const opaque =
  (name: () => string, read = (token: string) => token): Replacement =>
  (contract) => {
    const kept = new Map<string, string>()
    return {
      issued(token) {
        const shown = name()
        kept.set(shown, token)
        return shown
      },
      async authenticate(token, reader, at) {
        const inside = kept.get(read(token))
        return inside === undefined ? undefined : contract.authenticate(inside, reader, at)
      },
    }
  }

const minute = 60_000

/** How long a token is accepted after its end, in milliseconds: a common default. */
const leeway = 5 * minute

/** Identities as they were so many milliseconds ago, deleted ones included; new ones are known at once. */
const remembered =
  (lag: number): Replacement =>
  (contract) => {
    const before = new Map<string, { item: Item; until: number }>()
    const keep = (item: Item, now: number) => before.set(item.uid, { item, until: now + lag })
    return {
      assumable(uid, at) {
        const old = before.get(uid)
        return old && old.until > at.world.now() ? old.item : contract.assumable(uid, at)
      },
      modify({ read, change, write }, at) {
        keep(read(), at.world.now())
        const next = change(read())
        write(next)
        return next
      },
      forget(steps, item, at) {
        keep(item, at.world.now())
        contract.forget(steps, item, at)
      },
    }
  }

/** New tokens that some operations accept once they are so old by some clock, in milliseconds. */
export const takenLate =
  (clock: (at: At) => number, lag = 2_000, isLate: (at: At) => boolean = () => true): Replacement =>
  (contract) => {
    const since = new Map<string, number>()
    return {
      issued(token, at) {
        const shown = contract.issued(token, at)
        // a login's token has no identity as its subject
        if (readToken(token)?.claims.sub?.includes('/')) since.set(shown, clock(at))
        return shown
      },
      authenticate: async (token, reader, at) =>
        isLate(at) && clock(at) < (since.get(token) ?? Number.NEGATIVE_INFINITY) + lag
          ? undefined
          : contract.authenticate(token, reader, at),
    }
  }

/** Calls to the exchange, of one method or of any, that are answered without being served. */
const closedTo =
  (method: string | undefined, status: number): Replacement =>
  (contract) => ({
    async transport(request, response, serve, at) {
      const closed = at.operation === 'exchange' && (method === undefined || request.method === method)
      if (!closed) return contract.transport(request, response, serve, at)
      response.writeHead(status, { 'content-length': '0' }).end()
    },
  })

/** Whether an identity has had a role in a group or above it for at least `age` milliseconds. */
function mayReach(uid: string, { world, caller }: At, age = 0): boolean {
  const identity = world.store.get('identities', caller?.subject ?? '')
  if (!identity) return true
  const old = world.store.bindingsOf(identity.uid).filter(({ createTime }) => createTime <= world.now() - age)
  return old.some(({ parent }) => `${uid}/`.startsWith(`${parent}/`))
}

/** Lawful token exchanges. */
export const stsVariants: readonly Variant[] = [
  variant(
    'API tokens are UUIDs, in whichever case',
    opaque(
      () => randomUUID(),
      (token) => token.toLowerCase(),
    ),
  ),
  variant(
    'API tokens are taken for five minutes after their end',
    (contract) => {
      const issued = new Map<string, number>()
      const taken = new Map<string, Caller>()
      return {
        issued(token, at) {
          const shown = contract.issued(token, at)
          issued.set(shown, at.world.now() + 60 * minute)
          return shown
        },
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          if (caller) taken.set(token, caller)
          return caller ?? (at.world.now() < (issued.get(token) ?? 0) + leeway ? taken.get(token) : undefined)
        },
      }
    },
    ['sts.token.hour.ends', 'sts.token.hour.own-ends'],
  ),
  variant(
    'the API takes a new token two seconds after its exchange',
    takenLate(({ world }) => world.now()),
    ['sts.exchange.usable.at-once'],
  ),
  variant(
    'the API takes a new token two seconds after its exchange, however far the clock is moved',
    takenLate(() => performance.now()),
    ['sts.exchange.usable.at-once'],
  ),
  variant('the exchange looks at identities as they were two seconds ago', remembered(2_000), [
    'sts.match.updated.at-once',
    'sts.refuses.deleted-identity.at-once',
  ]),
  variant('the keys of an issuer are read every ten minutes', keysKeptFor(10 * minute)),
  variant(
    'a refused exchange is answered as OAuth does',
    atTheExchange((contract) => ({
      render(answer, at) {
        const rendered = contract.render(answer, at)
        if (rendered.status < 400) return rendered
        return { ...rendered, status: 400, body: { error: 'invalid_grant', error_description: 'no such thing' } }
      },
    })),
  ),
  variant('lastSeenTime stays when an identity is assumed', (contract) => ({
    identity: (item, time, at) => ({ ...contract.identity(item, time, at), lastSeenTime: time(item.createTime) }),
  })),
  variant(
    'API tokens are opaque',
    opaque(() => randomBytes(24).toString('base64url')),
  ),
  variant(
    'API tokens are very long',
    opaque(() => randomBytes(1500).toString('base64url')),
  ),
  variant('an exchanged token does not say when it ends', () => ({ exchangedLifetime: () => undefined })),
  variant('an identity token works once', (contract) => {
    const used = new Set<unknown>()
    return {
      async signedByIssuer(token, header, keys, at) {
        const signed = await contract.signedByIssuer(token, header, keys, at)
        const { jti } = (readToken(token)?.claims ?? {}) as { jti?: unknown }
        if (!signed || used.has(jti)) return false
        used.add(jti)
        return true
      },
    }
  }),
  variant('an identity may nothing where it has no role', onlyWhereBound(0)),
  variant('a role is seen a second late', onlyWhereBound(1_000)),
  variant('an identity is assumed when it has a role somewhere', (contract) => ({
    assumable: (uid, at) => (at.world.store.bindingsOf(uid).length > 0 ? contract.assumable(uid, at) : undefined),
  })),
  variant('an identity can be assumed a second after it was made', (contract) => ({
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      return identity && identity.createTime <= at.world.now() - 1_000 ? identity : undefined
    },
  })),
  variant('issuers on the loopback are not trusted', () => ({ trusts: () => false })),
  variant('identity tokens are for an audience of their own', () => ({
    meantFor: ({ aud }) => aud === 'https://sts.reference.test',
  })),
  variant('identity tokens may be for any audience', () => ({ meantFor: () => true })),
  variant('tokens are exchanged for this API alone', () => ({
    exchangedAudience: (asked, addresses) => (addresses.includes(String(asked)) ? asked : undefined),
  })),
  variant('an exchange without an audience is for this API', () => ({
    exchangedAudience: (asked, [own]) => asked || own,
  })),
  variant('nothing is exchanged by POST', closedTo('POST', 405)),
  variant('there is no exchange', closedTo(undefined, 404)),
  variant(
    'a refused exchange is answered 403, in HTML',
    atTheExchange((contract) => ({
      errorStatus: () => 403,
      render(answer, at) {
        const rendered = contract.render(answer, at)
        if (rendered.status !== 403) return rendered
        return { ...rendered, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' }
      },
      text: (body, at) => (typeof body === 'string' ? body : contract.text(body, at)),
    })),
  ),
  variant('an exchange answers more than the token, with 201', (contract) => ({
    exchanged: (token, at) => ({ ...contract.exchanged(token, at), expires_in: 3600, refresh_token: '' }),
    successStatus: (at) => (at.operation === 'exchange' ? 201 : contract.successStatus(at)),
  })),
  variant(
    'now and then an issuer is not reached in time, and the exchange is refused after two seconds',
    (contract) => {
      let exchanges = 0
      return {
        async signedByIssuer(...given) {
          if (++exchanges % 25 > 0) return contract.signedByIssuer(...given)
          await sleep(2_000)
          return false
        },
      }
    },
  ),
]
