import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose'

/** A public key as an issuer publishes it. */
export type PublicKey = JWK

/** What an identity token says of itself. */
export interface TokenHeader {
  readonly alg?: string
  readonly kid?: string
  readonly jwk?: PublicKey
  readonly jku?: string
}

/** What an identity token claims; whoever wrote it may have put anything there. Times in seconds since 1970. */
export interface Claims {
  readonly iss?: string
  readonly sub?: string
  readonly aud?: string | string[]
  readonly iat?: number
  readonly nbf?: number
  readonly exp?: number
}

/** The two readable parts of a JWT, nothing proved; undefined where it is none. */
export function readToken(token: string): { header: TokenHeader; claims: Claims } | undefined {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    return undefined
  }
}

/** True where a key made the signature of a token, by RS256. */
export async function isSigned(token: string, key: PublicKey): Promise<boolean> {
  try {
    await compactVerify(token, await importJWK(key, 'RS256'), { algorithms: ['RS256'] })
    return true
  } catch {
    return false
  }
}

/** True for an http address of this machine alone. */
export function isLoopback(address: string): boolean {
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : {}
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname ?? '')
}

/** What an issuer publishes about itself. */
export interface Published {
  /** As its discovery document writes it. */
  readonly issuer: unknown
  readonly keys: readonly PublicKey[]
}

/** How long what was published is believed, in milliseconds. */
const believed = 60_000
const patience = 2_000

/**
 * Reads what issuers publish, by OIDC discovery, and keeps it for a minute; undefined where nothing can be read.
 * `trusts` says which addresses are asked at all.
 */
export function publishedBy(now: () => number, trusts: (address: string) => boolean) {
  const known = new Map<string, { at: number; published: Promise<Published | undefined> }>()
  return (issuer: string): Promise<Published | undefined> => {
    const kept = known.get(issuer)
    if (kept && Math.abs(now() - kept.at) < believed) return kept.published
    const published = discover(issuer, trusts).catch(() => {
      known.delete(issuer)
      return undefined
    })
    if (known.size < 1000) known.set(issuer, { at: now(), published })
    return published
  }
}

async function discover(issuer: string, trusts: (address: string) => boolean): Promise<Published> {
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = await fetchObject(place, trusts)
  return { issuer: document.issuer, keys: await keysAt(String(document.jwks_uri), trusts) }
}

/** The keys that an address publishes. */
export async function keysAt(address: string, trusts: (address: string) => boolean): Promise<PublicKey[]> {
  const { keys } = await fetchObject(address, trusts)
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : []
}

async function fetchObject(address: string, trusts: (address: string) => boolean) {
  if (!trusts(address)) throw new Error(`${address} is not trusted`)
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patience) })
  const body: unknown = answer.ok ? await answer.json() : undefined
  if (typeof body !== 'object' || body === null) throw new Error(`${address} tells nothing`)
  return body as Record<string, unknown>
}
