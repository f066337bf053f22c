import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose'

/** A public key as an issuer publishes it. */
export type PublicKey = JWK

/** The header of an identity token. */
export interface TokenHeader {
  readonly alg?: string
  readonly kid?: string
  readonly jwk?: PublicKey
  readonly jku?: string
  readonly x5c?: readonly string[]
  readonly x5u?: string
}

/** The claims of an identity token, unverified. Times in seconds since 1970. */
export interface Claims {
  readonly iss?: string
  readonly sub?: string
  readonly aud?: string | string[]
  readonly iat?: number
  readonly nbf?: number
  readonly exp?: number
}

/** The two readable parts of a JWT, unverified; undefined if it is not one. */
export function readToken(token: string): { header: TokenHeader; claims: Claims } | undefined {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return undefined
  }
}

/** True if the signature of a token is by this key. */
export async function isSigned(token: string, key: PublicKey, alg = 'RS256'): Promise<boolean> {
  try {
    await compactVerify(token, await importJWK(key, alg), { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}

/** True for an http address that only this machine can reach. */
export function isLoopback(address: string): boolean {
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : {}
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname ?? '')
}
