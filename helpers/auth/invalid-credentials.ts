import { type Call, type Credential, noCredential } from '../http/call.ts'
import type { Secrets } from '../http/secrets.ts'
import type { Query } from '../http/url.ts'
import {
  altered,
  alteredNearEnd,
  anotherName,
  barelySigned,
  inOtherCase,
  ofZeros,
  reclaimed,
  signedByAnother,
  signedByHmac,
  unsigned,
} from './forged-jwt.ts'

/** A credential that must be refused, and where it may be sent besides its header (R39). */
export interface BadCredential {
  credential: Credential
  query?: Query
}

/** The bad credentials, by the last part of their requirements' ids. */
export const badCredentials = {
  'no-header': async () => ({ credential: noCredential }),
  'in-query': async (token: string) => ({
    credential: noCredential,
    query: { access_token: token, authorization: `Bearer ${token}` },
  }),
  'in-other-headers': async (token: string) => ({
    credential: {
      shown: 'none',
      beside: {
        cookie: `access_token=${token}; token=${token}; session=${token}`,
        'x-access-token': token,
        'x-api-key': token,
        'x-authorization': `Bearer ${token}`,
        'x-auth-token': token,
        'x-forwarded-access-token': token,
        'x-forwarded-authorization': `Bearer ${token}`,
        'proxy-authorization': `Bearer ${token}`,
        // gRPC gateways use this name
        'grpcgateway-authorization': `Bearer ${token}`,
        'grpc-metadata-authorization': `Bearer ${token}`,
        'authorization-bin': Buffer.from(`Bearer ${token}`).toString('base64'),
        // browsers can set no other header on a WebSocket
        'sec-websocket-protocol': `bearer, ${token}`,
      },
    },
  }),
  'empty-token': async () => shownAs('Bearer ', 'Bearer '),
  garbage: async () => shownAs('Bearer garbage', 'Bearer garbage'),
  'cut-short': async (token: string, secrets: Secrets) => spoilt(token.slice(0, -8), cutShort, secrets),
  extended: async (token: string, secrets: Secrets) => spoilt(`${token}xxxx`, extendedByFour, secrets),
  altered: async (token: string, secrets: Secrets) =>
    spoilt(altered(token), '<RMAPI_ACCESS_TOKEN, one letter in the middle of its last part changed>', secrets),
  'other-signer': async (token: string, secrets: Secrets) =>
    spoilt(await signedByAnother(token), '<RMAPI_ACCESS_TOKEN, signed by another key>', secrets),
  'unknown-key': async (token: string, secrets: Secrets) =>
    spoilt(
      await signedByAnother(token, { kid: anotherName }),
      '<RMAPI_ACCESS_TOKEN, signed by another key of another name>',
      secrets,
    ),
  unsigned: async (token: string, secrets: Secrets) =>
    spoilt(unsigned(token), '<RMAPI_ACCESS_TOKEN with alg none and no signature>', secrets),
  bare: async (token: string) => shownAs(token, '$RMAPI_ACCESS_TOKEN'),
  'other-scheme': async (token: string) => shownAs(`Basic ${token}`, 'Basic $RMAPI_ACCESS_TOKEN'),
} as const satisfies Record<string, (token: string, secrets: Secrets) => Promise<BadCredential>>

/** The token as the password of some user. */
export const asPassword = (token: string, secrets: Secrets) => inBase64(['token:', token, ''], secrets)

/** The token as the name of a user without a password. */
export const asUser = (token: string, secrets: Secrets) => inBase64(['', token, ':'], secrets)

function inBase64([before, token, after]: [string, string, string], secrets: Secrets): BadCredential {
  const encoded = Buffer.from(before + token + after).toString('base64')
  const shown = `<${before}RMAPI_ACCESS_TOKEN${after} in base64>`
  secrets.hide(encoded, shown)
  return { credential: { header: `Basic ${encoded}`, shown: `Basic ${shown}` } }
}

/** Other schemes, under which an API token is not valid (R39). */
const otherSchemes = ['Token', 'JWT', 'OAuth', 'ApiKey', 'Digest', 'Negotiate']

/** The token in ways that other services accept, and as a password: each call of an operation gets another (R39). */
export function inOtherForms(token: string, secrets: Secrets): BadCredential[] {
  const schemes = otherSchemes.map((scheme) => shownAs(`${scheme} ${token}`, `${scheme} $RMAPI_ACCESS_TOKEN`))
  return [
    asPassword(token, secrets),
    asUser(token, secrets),
    ...schemes,
    shownAs(`Bearer${token}`, 'Bearer$RMAPI_ACCESS_TOKEN'),
  ]
}

/** The token with a letter of its signature in the other case; undefined where that may be the same token (R39). */
export function withOtherCase(token: string, secrets: Secrets): BadCredential | undefined {
  const other = inOtherCase(token)
  if (other === undefined) return undefined
  return spoilt(other, '<RMAPI_ACCESS_TOKEN, one letter of its signature in the other case>', secrets)
}

/** For a JWT: other claims under its signature, and forms in which its signature is worthless (R39). */
export function inForgedForms(token: string, secrets: Secrets): [form: string, BadCredential][] {
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return []
  const later = reclaimed(token, { jti: 'another', exp: 4_102_444_800 })
  const [none, nameless, signed] = barelySigned(token) as [string, string, string]
  const forged = {
    'and other claims': later,
    'and alg none': none,
    'without alg': signed,
    'without alg or signature': nameless,
    'by HMAC with an empty secret': signedByHmac(token, ''),
    'of zeros': ofZeros(token),
    'altered near its end': alteredNearEnd(token),
    'and an unknown alg': unsigned(token, 'RSA256'),
  }
  return Object.entries(forged).map(([how, text]) => [
    how,
    spoilt(text, `<RMAPI_ACCESS_TOKEN, its signature ${how}>`, secrets),
  ])
}

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
  secrets.hideSignature(token, shown)
  return shownAs(`Bearer ${token}`, `Bearer ${shown}`)
}

/** how a shell appends four characters */
const extendedByFour = `$\{RMAPI_ACCESS_TOKEN}xxxx`

/** how a shell removes the last eight characters */
const cutShort = `$\{RMAPI_ACCESS_TOKEN%????????}`
