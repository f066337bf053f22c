import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Item } from './domain/item.ts'
import { isSigned, keysAt, type PublicKey, readToken } from './identity-tokens.ts'
import { type Fault, fault, type Replacement } from './replace.ts'
import type { Rules } from './rules.ts'

/** Two subjects, or two issuers, that count as one although they are not equal. */
const alike = (one: unknown, other: unknown, same: (one: string, other: string) => boolean) =>
  typeof one === 'string' && typeof other === 'string' && same(one, other)

const subjects =
  (same: (claimed: string, matched: string) => boolean): Replacement =>
  () => ({ sameSubject: (claimed, matched) => alike(claimed, matched, same) })

const issuers =
  (same: (one: string, other: string) => boolean): Replacement =>
  () => ({ sameIssuer: (one, other) => alike(one, other, same) })

/** Tokens that are believed besides those that their issuer signed. */
const alsoBelieved =
  (believed: (...given: Parameters<Rules['signedByIssuer']>) => boolean | Promise<boolean>): Replacement =>
  (contract) => ({
    signedByIssuer: async (...given) => (await contract.signedByIssuer(...given)) || believed(...given),
  })

/** In place of some tokens the last one is taken that was sent for the same identity. */
const takenForTheLast =
  (some: (token: string | undefined) => boolean): Replacement =>
  (contract) => {
    const last = new Map<string | null, string>()
    return {
      credential(headers, query, at) {
        const token = contract.credential(headers, query, at)
        if (at.operation !== 'exchange') return token
        if (some(token)) return last.get(query.get('identity')) ?? token
        // garbage that can be read must not take the place of a good token
        if (token !== undefined && readToken(token)?.claims.sub !== undefined) last.set(query.get('identity'), token)
        return token
      },
    }
  }

const isApiToken = (token = '') => {
  try {
    return 'org' in decodeJwt(token)
  } catch {
    return false
  }
}

const hmacOf = (token: string, secret: string | Buffer) =>
  createHmac('sha256', secret)
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url')

const pem = (key: PublicKey) =>
  String(createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))

const hour = 60 * 60

/** API tokens that say something else than what holds: each ends an hour after its exchange. */
const endedByHour =
  (exchangedLifetime: Rules['exchangedLifetime']): Replacement =>
  (contract) => ({
    exchangedLifetime,
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const isExchanged = caller && at.world.store.get('identities', caller.subject) !== undefined
      const age = at.world.now() / 1000 - (caller ? (decodeJwt(token).iat ?? 0) : 0)
      return isExchanged && age >= hour ? undefined : caller
    },
  })

/** What goes wrong where tokens are exchanged (S5.3 to S5.5, S2.11). */
export const faultsOfTheExchange: readonly Fault[] = [
  // The answer
  fault('an exchange calls its token access_token', ['sts.exchange.token'], () => ({
    exchanged: (token) => ({ access_token: token }),
  })),
  fault('an exchange answers a number for a token', ['sts.exchange.token'], () => ({
    exchanged: () => ({ token: 42 }),
  })),
  fault('the API does not know the token of an exchange', ['sts.exchange.usable'], () => ({
    exchanged: (token) => ({ token: token.slice(0, -9) }),
  })),
  fault('a new API token ends the one before it', ['sts.exchange.again', 'sts.token.hour.lives'], (contract) => {
    const last = new Map<string, string>()
    return {
      issued(token, at) {
        last.set(String(decodeJwt(token).sub), token)
        return contract.issued(token, at)
      },
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const ended =
          at.world.store.get('identities', caller?.subject ?? '') && last.get(caller?.subject ?? '') !== token
        return ended ? undefined : caller
      },
    }
  }),
  fault('the API takes a token for any audience', ['sts.token.other-audience'], () => ({
    authenticate: (token, reader) => reader.ofAnyAudience(token),
  })),
  fault('the API takes identity tokens as they are', ['auth.refuses.identity-token*'], (contract) => ({
    async authenticate(token, reader, at) {
      const { iss, sub } = readToken(token)?.claims ?? {}
      const fits = ({ claimMatch }: Item) => claimMatch?.issuer === iss && claimMatch?.subject === sub
      const identity = iss === undefined ? undefined : [...at.world.store.all('identities')].find(fits)
      return identity ? { subject: identity.uid, org: identity.org } : contract.authenticate(token, reader, at)
    },
  })),

  // Lifetime
  fault('an exchanged token lives for a day', ['sts.token.lifetime', 'sts.token.hour.*ends'], () => ({
    exchangedLifetime: () => 24 * hour,
  })),
  fault(
    'an exchanged token lives for fifteen minutes',
    ['sts.token.lifetime', 'sts.token.hour.lives', 'sts.token.hour.own'],
    () => ({ exchangedLifetime: () => hour / 4 }),
  ),
  fault(
    'an exchanged token says that it lives for a day',
    ['sts.token.lifetime'],
    endedByHour(() => 24 * hour),
  ),
  fault(
    'the end of an exchanged token is told in milliseconds',
    ['sts.token.lifetime'],
    endedByHour(({ world }) => {
      const seconds = Math.floor(world.now() / 1000)
      return (seconds + hour) * 1000 - seconds
    }),
  ),

  // The identity
  fault('a deleted identity is still assumed', ['sts.refuses.deleted-identity'], (contract) => {
    const known = new Map<string, Item>()
    return {
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        if (identity) known.set(uid, identity)
        return identity ?? known.get(uid)
      },
    }
  }),
  fault('a claim match is read but once', ['sts.match.updated'], (contract) => {
    const known = new Map<string, Item>()
    return {
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        if (identity && !known.has(uid)) known.set(uid, identity)
        return identity && known.get(uid)
      },
    }
  }),
  fault('an identity is found by the beginning of its uid', ['sts.refuses.unknown-identity'], (contract) => ({
    assumable(uid, at) {
      const begins = (item: Item) => item.uid.startsWith(uid) || uid.startsWith(item.uid)
      return contract.assumable(uid, at) ?? [...at.world.store.all('identities')].find(begins)
    },
  })),
  fault('an exchange for an unknown identity breaks', ['sts.refusal.status', 'service.faults'], (contract) => ({
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      if (!identity) throw new TypeError('identity is undefined')
      return identity
    },
  })),
  fault(
    'any trusted token assumes any identity',
    {
      turnsRed: ['sts.refuses.other-identity'],
      spreadsTo: ['sts.refuses.subject-*', 'sts.refuses.other-identity'],
    },
    () => ({
      sameSubject: () => true,
    }),
  ),

  // The subject
  fault(
    'a subject is compared by its beginning',
    ['sts.refuses.subject-longer'],
    subjects((claimed, matched) => claimed.startsWith(matched)),
  ),
  fault(
    'a subject is compared by its end',
    ['sts.refuses.subject-longer'],
    subjects((claimed, matched) => claimed.endsWith(matched)),
  ),
  fault(
    'a part of a subject will do',
    ['sts.refuses.subject-shorter'],
    subjects((claimed, matched) => matched.includes(claimed)),
  ),
  fault(
    'capitals of a subject do not count',
    ['sts.refuses.subject-case'],
    subjects((claimed, matched) => claimed.toLowerCase() === matched.toLowerCase()),
  ),
  fault(
    'spaces around a subject do not count',
    ['sts.refuses.subject-longer'],
    subjects((claimed, matched) => claimed.trim() === matched),
  ),
  fault(
    'a subject is taken for a pattern',
    ['sts.refuses.subject-pattern'],
    subjects((claimed, matched) => new RegExp(`^${matched}$`).test(claimed)),
  ),
  fault('a token without a subject fits every identity', ['sts.refuses.subject-other'], (contract) => ({
    sameSubject: (claimed, matched, at) => claimed === undefined || contract.sameSubject(claimed, matched, at),
  })),

  // The issuer
  fault(
    'the issuer is not compared',
    { turnsRed: ['sts.refuses.issuer-other'], spreadsTo: ['sts.refuses.issuer-*'] },
    () => ({
      sameIssuer: () => true,
    }),
  ),
  fault(
    'issuers of one host are one',
    { turnsRed: ['sts.refuses.issuer-other'], spreadsTo: ['sts.refuses.issuer-*'] },
    issuers((one, other) => new URL(one).host === new URL(other).host),
  ),
  fault(
    'an issuer is compared by its beginning',
    ['sts.refuses.issuer-longer'],
    issuers((one, other) => one.startsWith(other)),
  ),
  fault(
    'the beginning of an issuer will do',
    ['sts.refuses.issuer-shorter'],
    issuers((one, other) => other.startsWith(one) && !other.endsWith('/')),
  ),
  fault(
    'capitals of an issuer do not count',
    ['sts.refuses.issuer-case'],
    issuers((one, other) => one.toLowerCase() === other.toLowerCase()),
  ),
  fault(
    'a slash at the end of an issuer does not count',
    ['sts.refuses.issuer-slash'],
    issuers((one, other) => one.replace(/\/$/, '') === other.replace(/\/$/, '')),
  ),
  fault(
    'an issuer is taken for a pattern',
    ['sts.refuses.issuer-pattern'],
    issuers((one, other) => new RegExp(`^${other}$`).test(one)),
  ),

  // The identity token
  fault(
    'nobody looks at the signature of an identity token',
    { turnsRed: ['sts.refuses.strange-key-set'], spreadsTo: ['sts.refuses.*'] },
    () => ({
      signedByIssuer: async () => true,
    }),
  ),
  fault(
    'an identity token of the algorithm none is believed',
    ['sts.refuses.unsigned'],
    alsoBelieved((_token, { alg }) => alg === 'none'),
  ),
  fault(
    'an identity token without its signature is believed',
    ['sts.refuses.cut-short'],
    alsoBelieved((token, { alg }) => alg === 'RS256' && token.endsWith('.')),
  ),
  fault(
    'the algorithm none is known in small letters only',
    ['sts.refuses.unsigned'],
    alsoBelieved((_token, { alg }) => alg !== 'none' && alg?.toLowerCase() === 'none'),
  ),
  fault(
    'a public key is taken for the secret of an HMAC',
    ['sts.refuses.hmac'],
    alsoBelieved(
      (token, { alg }, keys) => alg === 'HS256' && keys.some((key) => token.endsWith(hmacOf(token, pem(key)))),
    ),
  ),
  fault(
    'the key that an identity token brings along is believed',
    ['sts.refuses.own-key'],
    alsoBelieved((token, { jwk }) => jwk !== undefined && isSigned(token, jwk)),
  ),
  fault(
    'keys are fetched where the identity token says',
    ['sts.refuses.strange-key-set'],
    alsoBelieved(async (token, { jku, kid }) => {
      const keys = jku === undefined ? [] : await keysAt(jku, () => true)
      const key = keys.find((each) => each.kid === kid)
      return key !== undefined && isSigned(token, key)
    }),
  ),
  fault(
    'a signature by an unknown key is not looked at',
    ['sts.refuses.other-key'],
    alsoBelieved((_token, { alg, kid }, keys) => alg === 'RS256' && !keys.some((key) => key.kid === kid)),
  ),
  fault('identity tokens are remembered by their first two parts', ['sts.refuses.altered'], (contract) => {
    const known = new Set<string>()
    return {
      async signedByIssuer(token, header, keys, at) {
        const parts = token.split('.').slice(0, 2).join('.')
        const signed = known.has(parts) || (await contract.signedByIssuer(token, header, keys, at))
        if (signed) known.add(parts)
        return signed
      },
    }
  }),
  fault('identity tokens are remembered by their signature', ['sts.refuses.other-claims'], (contract) => {
    const known = new Set<string>()
    return {
      async signedByIssuer(token, header, keys, at) {
        const signature = token.slice(token.lastIndexOf('.'))
        const signed = known.has(signature) || (await contract.signedByIssuer(token, header, keys, at))
        if (signed) known.add(signature)
        return signed
      },
    }
  }),
  fault('an expired identity token is taken', ['sts.refuses.expired'], (contract) => ({
    timely: (claims, now, at) => contract.timely({ ...claims, exp: 4_102_444_800 }, now, at),
  })),
  fault('an identity token is taken for a day after its end', ['sts.refuses.expired'], (contract) => ({
    timely: ({ exp = 0, ...claims }, now, at) => contract.timely({ ...claims, exp: exp + 86_400 }, now, at),
  })),
  fault(
    'an exchange without a token takes the last one',
    ['sts.refuses.no-token'],
    takenForTheLast((token) => token === undefined),
  ),
  fault(
    'garbage is taken for the last identity token',
    ['sts.refuses.garbage'],
    takenForTheLast((token) => token !== undefined && readToken(token) === undefined),
  ),
  fault('an API token is taken for an identity token', ['sts.refuses.api-token'], takenForTheLast(isApiToken)),
]
