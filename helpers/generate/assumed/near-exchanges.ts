import { altered, barelySigned, ofZeros, signedByAnother, signedByHmac, unsigned } from '../../auth/forged-jwt.ts'
import type { Secrets } from '../../http/secrets.ts'
import type { Wish } from '../../sts/exchange-call.ts'
import { elsewhereIn, nearly, otherSpellings } from '../../sts/near-claims.ts'
import type { OwnExchanging } from '../../sts/token-exchange.ts'
import type { Driver } from '../driver.ts'

/** A word: no secret. */
export const garbage: Wish = { token: 'garbage', shown: 'garbage' }

/** Seconds in an hour: claims are in seconds. */
const hour = 3600

/** Exchanges of tokens whose subject, issuer or times are not right (R41). */
export async function wrongClaims({ match, sign, now }: OwnExchanging): Promise<Wish[]> {
  const misses: Wish[] = []
  const miss = async (claims: Record<string, unknown>) => misses.push({ token: await sign(claims) })
  for (const sub of nearly(match.subject)) if (sub !== match.subject) await miss({ sub })
  for (const iss of [...nearly(match.issuer), ...otherSpellings(match.issuer)])
    if (iss !== match.issuer) await miss({ iss })
  await miss({ sub: undefined })
  await miss({ iss: undefined })
  await miss({ sub: match.issuer, iss: match.subject })
  for (const claims of elsewhereIn(match)) await miss(claims)
  await miss({ iat: now() - 3 * hour, exp: now() - 2 * hour })
  // a leeway of five minutes is common (R40)
  await miss({ iat: now() - 3 * hour, exp: now() - 400 })
  for (const exp of [0, -1]) await miss({ iat: now() - 3 * hour, exp })
  await miss({ iat: now() - 3 * hour, exp: now() - 2 * hour + 0.5 })
  await miss({ iat: now() - 3 * hour + 0.25, nbf: now() - 3 * hour, exp: now() - 2 * hour })
  return misses
}

/** Exchanges of what is no token of the issuer: a good token that is altered, cut short or signed by another. */
export async function wrongTokens({ sign, keys }: OwnExchanging, token: string): Promise<Wish[]> {
  const [header, payload] = token.split('.')
  const tokens = [
    `${header}.${payload}.${(await sign()).split('.')[2]}`,
    altered(token),
    token.slice(0, -12),
    `${header}.${payload}.`,
    unsigned(token),
    ...['None', 'RSA256', 'RS255', 'unknown'].map((alg) => unsigned(token, alg)),
    ...barelySigned(token),
    signedByHmac(token, ''),
    ofZeros(token),
    signedByHmac(token, keys.own),
    await signedByAnother(token),
    await signedByAnother(token, { jku: keys.strange }),
  ]
  return [...tokens.map((each) => ({ token: each })), { token: undefined }, garbage]
}

/** Exchanges with a good token in a wrong place or for another identity, and near misses for another audience. */
export async function wrongPlaces(driver: Driver, { uid, match, sign }: OwnExchanging, token: string): Promise<Wish[]> {
  const misses: Wish[] = [
    { token, header: `Basic ${token}` },
    { token, header: token },
    { token, header: 'Bearer ' },
    await inParameters(sign),
    await inHeaders(sign),
    await asPassword(sign, driver.run.secrets),
    // who may do much does not assume others
    { token: undefined, header: `Bearer ${await driver.run.tokens.value()}` },
  ]
  for (const identity of [undefined, '', driver.scope, `${uid}0`, uid.slice(0, -1), `${uid}/x`, '*'])
    misses.push({ token: await sign(), identity })
  // another audience changes nothing of that
  for (const claims of [{ sub: `${match.subject}x` }, { iss: `${match.issuer}/x` }])
    misses.push({ token: await sign(claims), aud: `https://other.example/${driver.name()}` })
  return misses
}

/** A good token outside its header: no token (S5.3). */
async function inParameters(sign: OwnExchanging['sign']): Promise<Wish> {
  const token = await sign()
  const names = ['token', 'subject_token', 'id_token', 'access_token', 'jwt', 'assertion']
  return { token: undefined, further: Object.fromEntries(names.map((name) => [name, token])) }
}

/** A good token as the password of some user. */
async function asPassword(sign: OwnExchanging['sign'], secrets: Secrets): Promise<Wish> {
  const encoded = Buffer.from(`token:${await sign()}`).toString('base64')
  secrets.hide(encoded, '<identity token as a password>')
  return { token: undefined, header: `Basic ${encoded}` }
}

/** A good token in headers other than its own. */
async function inHeaders(sign: OwnExchanging['sign']): Promise<Wish> {
  const token = await sign()
  const names = ['x-access-token', 'x-id-token', 'x-forwarded-access-token']
  const all = Object.fromEntries(names.map((name) => [name, token]))
  return { token: undefined, beside: { ...all, cookie: `token=${token}; id_token=${token}` } }
}
