import type { Published } from '../identity/discovery.ts'
import { readToken } from '../identity/tokens.ts'
import type { Caller } from './at.ts'
import type { Fields } from './item.ts'
import { Refusal } from './refusal.ts'
import type { Context } from './service.ts'

/** A request for an exchange: the two parameters and the identity token (S5.3). */
export interface ExchangeRequest {
  readonly audience: string | undefined
  readonly identity: string | undefined
  readonly token: string | undefined
}

/** What the exchange needs from outside the domain: the keys of other issuers, and its own key. */
export interface Exchanger {
  /** The addresses of the service; the first is its own. */
  readonly addresses: readonly string[]
  published(issuer: string): Promise<Published | undefined>
  issue(caller: Caller, audience: string, lifetime: number | undefined): Promise<string>
}

/** The exchange: an identity token becomes an API token for the identity whose claim match it fits (S5.3, S5.4). */
export async function exchange(request: ExchangeRequest, exchanger: Exchanger, at: Context): Promise<Fields> {
  const { rules, store, now } = at.world
  const claims = await verifiedClaims(request.token, exchanger, at)

  const identity = request.identity === undefined ? undefined : rules.assumable(request.identity, at)
  const { issuer, subject } = identity?.claimMatch ?? {}
  const matches =
    subject !== undefined && rules.sameIssuer(claims.iss, issuer, at) && rules.sameSubject(claims.sub, subject, at)
  if (!identity || !matches) throw refused('assumes no such identity')

  const audience = rules.exchangedAudience(request.audience, exchanger.addresses, at)
  if (audience === undefined) throw new Refusal('invalid', 'aud', 'an audience is required')
  const kept = store.get('identities', identity.uid)
  if (kept) store.put({ ...kept, lastSeenTime: rules.seenAt(claims, kept, now(), at) })
  const caller = { subject: identity.uid, org: identity.org }
  const token = await exchanger.issue(caller, audience, rules.exchangedLifetime(at))
  return rules.exchanged(rules.issued(token, at), at)
}

/** The claims of an identity token that its issuer really signed and that is valid now (R41). */
async function verifiedClaims(token: string | undefined, exchanger: Exchanger, at: Context) {
  const { rules, now } = at.world
  const read = token === undefined ? undefined : readToken(token)
  if (token === undefined || !read) throw refused('is missing')
  const { header, claims } = read

  const issuer = String(claims.iss)
  const published = rules.trusts(issuer, at) ? await exchanger.published(issuer) : undefined
  const known = published && rules.sameIssuer(published.issuer, issuer, at)
  if (!known) throw refused('is of no issuer that is trusted here')
  if (!(await rules.signedByIssuer(token, header, published.keys, at))) throw refused('is not signed by its issuer')
  if (!rules.timely(claims, now(), at)) throw refused('is not valid now')
  if (!rules.meantFor(claims, exchanger.addresses, at)) throw refused('is not meant for this service')
  return claims
}

function refused(why: string): Refusal {
  return new Refusal('unauthenticated', 'identity token', why)
}
