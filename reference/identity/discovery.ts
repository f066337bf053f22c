import type { PublicKey } from './tokens.ts'

/** What an issuer publishes about itself. */
export interface Published {
  /** As its discovery document writes it. */
  readonly issuer: unknown
  readonly keys: readonly PublicKey[]
}

/** How long a published document is cached, in milliseconds. */
const cached = 60_000
const timeout = 2_000

/**
 * Reads what issuers publish, by OIDC discovery, and caches it for a minute; undefined if nothing can be read.
 * `trusts` says which addresses are asked at all.
 */
export function publishedBy(now: () => number, trusts: (address: string) => boolean) {
  const known = new Map<string, { at: number; published: Promise<Published | undefined> }>()
  return (issuer: string): Promise<Published | undefined> => {
    const kept = known.get(issuer)
    if (kept && Math.abs(now() - kept.at) < cached) return kept.published
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
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeout) })
  // read whole in any case: undici 7 ends the process where a connection ends before its body is read
  const text = await answer.text()
  const body: unknown = answer.ok ? JSON.parse(text) : undefined
  if (typeof body !== 'object' || body === null) throw new Error(`${address} publishes no JSON object`)
  return body as Record<string, unknown>
}
