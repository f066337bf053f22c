import { isLoopback, isSigned } from '../identity/tokens.ts'
import type { Rules } from '../rules.types.ts'

/** How far two clocks may be apart, in seconds. */
const leeway = 60

/** The rules about the token exchange (S5.3 to S5.5). */
export const exchangeRules = {
  assumable: (uid, at) => at.world.store.get('identities', uid),
  trusts: (address) => isLoopback(address),
  async signedByIssuer(token, { alg, kid }, keys) {
    const key = keys.find((each) => each.kid === kid)
    return alg === 'RS256' && key !== undefined && isSigned(token, key)
  },
  timely({ iat, nbf, exp }, now) {
    const seconds = now / 1000
    const begun = [iat, nbf].every((time) => time === undefined || time <= seconds + leeway)
    return begun && exp !== undefined && exp > seconds - leeway
  },
  meantFor: ({ aud }, addresses) => [aud].flat().some((each) => addresses.includes(String(each))),
  sameIssuer: (one, other) => one === other,
  sameSubject: (claimed, matched) => claimed === matched,
  exchangedAudience: (asked) => (asked === '' ? undefined : asked),
  exchangedLifetime: () => 60 * 60,
  seenAt: (_claims, _kept, now) => now,
  issued: (token) => token,
  exchanged: (token) => ({ token }),
} satisfies Partial<Rules>
