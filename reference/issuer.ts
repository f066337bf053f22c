import { decodeJwt, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Caller } from './domain/world.ts'
import type { TokenReader } from './rules.ts'

const algorithm = 'RS256'
const lifetime = 60 * 60

let pair: ReturnType<typeof generateKeyPair> | undefined

// Made once per process: an RSA key takes longer than all the rest of a start.
const keys = () => {
  pair ??= generateKeyPair(algorithm)
  return pair
}

/** Signs the access tokens of one service, and reads them (S5.1). */
export interface Issuer extends TokenReader {
  /** A token that is valid for so many seconds: an hour unless told otherwise (S8.5). */
  issue(caller: Caller, seconds?: number): Promise<string>
}

/** The issuer of the service at an address; the address is issuer and audience of its tokens. */
export async function createIssuer(address: string, now: () => number): Promise<Issuer> {
  const { privateKey, publicKey } = await keys()
  // a signature that held once holds until the token ends
  const proved = new Map<string, JWTPayload>()
  return {
    issue({ subject, org }, valid = lifetime) {
      const seconds = Math.floor(now() / 1000)
      return new SignJWT({ org })
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(address)
        .setAudience(address)
        .setSubject(subject)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + valid)
        .setJti(crypto.randomUUID())
        .sign(privateKey)
    },
    async verified(token) {
      const known = proved.get(token)
      if (known?.exp !== undefined && known.exp * 1000 > now()) return callerOf(known)
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          algorithms: [algorithm],
          issuer: address,
          audience: address,
          requiredClaims: ['exp', 'sub', 'org'],
          currentDate: new Date(now()),
        })
        if (proved.size < 100) proved.set(token, payload)
        return callerOf(payload)
      } catch {
        return undefined
      }
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

function callerOf({ sub, org }: JWTPayload): Caller | undefined {
  return typeof sub === 'string' && typeof org === 'string' ? { subject: sub, org } : undefined
}
