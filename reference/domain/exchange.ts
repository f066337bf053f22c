import { type Published, readToken } from '../identity-tokens.ts'
import type { Fields } from './item.ts'
import { Refusal } from './refusal.ts'
import type { At, Caller } from './world.ts'

/** What an exchange is asked for: the two parameters, and the identity token beside them (S5.3). */
export interface Wish {
  readonly audience: string | undefined
  readonly identity: string | undefined
  readonly token: string | undefined
}

/** What the exchange needs from the world outside: keys of other issuers, and a key of its own. */
export interface Exchanger {
  /** The addresses that the service goes by; the first is its own. */
  readonly addresses: readonly string[]
  published(issuer: string): Promise<Published | undefined>
  issue(caller: Caller, audience: string, lifetime: number | undefined): Promise<string>
}

/** The exchange: an identity token becomes an API token for the identity whose claim match it meets (S5.3, S5.4). */
export async function exchange(wish: Wish, exchanger: Exchanger, at: At): Promise<Fields> {
  const { rules, store, now } = at.world
  const claims = await proved(wish.token, exchanger, at)

  const identity = wish.identity === undefined ? undefined : rules.assumable(wish.identity, at)
  const { issuer, subject } = identity?.claimMatch ?? {}
  const matches =
    subject !== undefined && rules.sameIssuer(claims.iss, issuer, at) && rules.sameSubject(claims.sub, subject, at)
  if (!identity || !matches) throw refused('assumes no such identity')

  const audience = rules.exchangedAudience(wish.audience, exchanger.addresses, at)
  if (audience === undefined) throw new Refusal('invalid', 'aud', 'an audience is required')
  const kept = store.get('identities', identity.uid)
  if (kept) store.put({ ...kept, lastSeenTime: now() })
  const caller = { subject: identity.uid, org: identity.org }
  const token = await exchanger.issue(caller, audience, rules.exchangedLifetime(at))
  return rules.exchanged(rules.issued(token, at), at)
}

/** The claims of an identity token that its issuer really signed, and that is valid here and now (R41). */
async function proved(token: string | undefined, exchanger: Exchanger, at: At) {
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
