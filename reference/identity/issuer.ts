import { decodeJwt, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Caller } from '../domain/at.ts'
import type { Exchanger } from '../domain/exchange.ts'
import type { Context, Service } from '../domain/service.ts'
import type { TokenReader } from '../rules/values.ts'
import { publishedBy } from './discovery.ts'

const algorithm = 'RS256'
/** How long an API token without `exp` lives, in seconds (S5.5). */
const statedLifetime = 60 * 60

let pair: ReturnType<typeof generateKeyPair> | undefined

// Made once per process, because an RSA key takes longer than the rest of a start.
const keys = () => {
  pair ??= generateKeyPair(algorithm)
  return pair
}

/** Signs and reads the API tokens of one service (S5.1, S5.3). */
export type Issuer = TokenReader & Exchanger

/** The issuer of the service at an address; the address is issuer and audience of its tokens. */
export async function createIssuer(address: string, world: Service): Promise<Issuer> {
  const { privateKey, publicKey } = await keys()
  const addresses = [address, address.replace('127.0.0.1', 'localhost')]
  // a signature that was verified once stays valid until the token ends
  const proved = new Map<string, JWTPayload>()
  const payloadOf = async (token: string): Promise<JWTPayload | undefined> => {
    const known = proved.get(token)
    if (known && endOf(known) > world.now()) return known
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: [algorithm],
        issuer: address,
        requiredClaims: ['sub', 'org', 'iat'],
        currentDate: new Date(world.now()),
      })
      if (endOf(payload) <= world.now()) return undefined
      if (proved.size < 100) proved.set(token, payload)
      return payload
    } catch {
      return undefined
    }
  }
  return {
    addresses,
    published: publishedBy(
      () => world.now(),
      (asked) => world.rules.trusts(asked, exchangeIn(world)),
    ),
    issue({ subject, org }, audience, lifetime) {
      const seconds = Math.floor(world.now() / 1000)
      const token = new SignJWT({ org })
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(address)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(seconds)
        .setJti(crypto.randomUUID())
      if (lifetime !== undefined) token.setExpirationTime(seconds + lifetime)
      return token.sign(privateKey)
    },
    async verified(token) {
      const payload = await payloadOf(token)
      const ours = [payload?.aud].flat().some((audience) => addresses.includes(String(audience)))
      return payload && ours ? callerOf(payload) : undefined
    },
    async ofAnyAudience(token) {
      const payload = await payloadOf(token)
      return payload && callerOf(payload)
    },
    unverified(token) {
      try {
        return callerOf(decodeJwt(token))
      } catch {
        return undefined
      }
    },
  }
}

/** The context in which the token exchange asks its rules. */
export function exchangeIn(world: Service): Context {
  const nobody = { caller: undefined, page: 0, query: undefined }
  return { world, kind: 'none', operation: 'exchange', version: '', ...nobody }
}

/** In milliseconds since 1970. */
function endOf({ exp, iat = 0 }: JWTPayload): number {
  return (exp ?? iat + statedLifetime) * 1000
}

function callerOf({ sub, org }: JWTPayload): Caller | undefined {
  return typeof sub === 'string' && typeof org === 'string' ? { subject: sub, org } : undefined
}
