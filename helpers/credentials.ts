import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import type { Call, Credential } from './client.ts'
import type { Secrets } from './exchange.ts'
import type { Query } from './paths.ts'

/** A credential that must be refused, and where else than in the header it may stand (R39). */
export interface BadCredential {
  credential: Credential
  query?: Query
}

/** The bad credentials by the last part of the ids of their requirements. */
export const badCredentials = {
  'no-header': async () => ({ credential: { shown: 'none' } }),
  'in-query': async (token: string) => ({
    credential: { shown: 'none' },
    query: { access_token: token, authorization: `Bearer ${token}` },
  }),
  'empty-token': async () => shownAs('Bearer ', 'Bearer '),
  garbage: async () => shownAs('Bearer garbage', 'Bearer garbage'),
  'cut-short': async (token: string, secrets: Secrets) => spoilt(token.slice(0, -8), cutShort, secrets),
  extended: async (token: string, secrets: Secrets) => spoilt(`${token}xxxx`, extendedByFour, secrets),
  altered: async (token: string, secrets: Secrets) =>
    spoilt(
      altered(token),
      '<RMAPI_ACCESS_TOKEN, one letter in the middle of its last part in another case>',
      secrets,
    ),
  'other-signer': async (token: string, secrets: Secrets) =>
    spoilt(await signedByAnother(token), '<RMAPI_ACCESS_TOKEN, signed by another key>', secrets),
  unsigned: async (token: string, secrets: Secrets) =>
    spoilt(unsigned(token), '<RMAPI_ACCESS_TOKEN with alg none and no signature>', secrets),
  bare: async (token: string) => shownAs(token, '$RMAPI_ACCESS_TOKEN'),
  'other-scheme': async (token: string) => shownAs(`Basic ${token}`, 'Basic $RMAPI_ACCESS_TOKEN'),
} as const satisfies Record<string, (token: string, secrets: Secrets) => Promise<BadCredential>>

/** The name of a bad credential. */
export type BadCredentialName = keyof typeof badCredentials

/** The call as it would go out with a bad credential. */
export function spoil(call: Call, { credential, query }: BadCredential): Call {
  return { ...call, credential, query: { ...call.query, ...query } }
}

function shownAs(header: string, shown: string): BadCredential {
  return { credential: { header, shown } }
}

function spoilt(token: string, shown: string, secrets: Secrets): BadCredential {
  secrets.hide(token, shown)
  return shownAs(`Bearer ${token}`, `Bearer ${shown}`)
}

/** As a shell writes four characters behind it. */
const extendedByFour = `$\{RMAPI_ACCESS_TOKEN}xxxx`

/** As a shell takes the last eight characters off. */
const cutShort = `$\{RMAPI_ACCESS_TOKEN%????????}`

/** The letter nearest to the middle of the last part has another case; the last one may hold spare bits (R39). */
function altered(token: string): string {
  const start = token.lastIndexOf('.') + 1
  const middle = Math.floor((start + token.length) / 2)
  const at = [...token].findIndex((letter, index) => index >= middle && /[a-z]/i.test(letter))
  const place = at === -1 ? middle : at
  const letter = token[place] ?? ''
  const other = /[a-z]/.test(letter)
    ? letter.toUpperCase()
    : /[A-Z]/.test(letter)
      ? letter.toLowerCase()
      : 'A'
  return token.slice(0, place) + other + token.slice(place + 1)
}

let another: Promise<KeyObject> | undefined

/** A key that the target never saw, made once. */
async function anotherKey(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey
}

async function signedByAnother(token: string): Promise<string> {
  another ??= anotherKey()
  const { claims, header } = partsOf(token)
  return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256' }).sign(await another)
}

function unsigned(token: string): string {
  const { claims, header } = partsOf(token)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ ...header, alg: 'none' })}.${part(claims)}.`
}

/** What a JWT says; for an opaque token, what one of the target's might say. */
function partsOf(token: string) {
  try {
    return { claims: decodeJwt(token), header: decodeProtectedHeader(token) }
  } catch {
    const now = Math.floor(Date.now() / 1000)
    return { claims: { sub: 'somebody', iat: now, exp: now + 3600 }, header: { typ: 'JWT' } }
  }
}
