import { createHmac, createPublicKey, type JsonWebKey, X509Certificate } from 'node:crypto'
import { decodeJwt } from 'jose'
import { type Fault, fault } from '../../fault.ts'
import { keysAt } from '../../identity/discovery.ts'
import { keysKeptFor } from '../../identity/kept-keys.ts'
import { isSigned, type PublicKey, readToken } from '../../identity/tokens.ts'
import type { Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { hour } from '../durations.ts'

/** Identity tokens that are accepted in addition to those that their issuer signed. */
const alsoBelieved =
  (believed: (...given: Parameters<Rules['signedByIssuer']>) => boolean | Promise<boolean>): Replacement =>
  (contract) => ({
    signedByIssuer: async (...given) => (await contract.signedByIssuer(...given)) || believed(...given),
  })

/** Some tokens are replaced by the last one that was sent for the same identity. */
const takenForTheLast =
  (some: (token: string | undefined) => boolean): Replacement =>
  (contract) => {
    const last = new Map<string | null, string>()
    return {
      credential(headers, query, at) {
        const token = contract.credential(headers, query, at)
        if (at.operation !== 'exchange') return token
        if (some(token)) return last.get(query.get('identity')) ?? token
        // a token without a subject must not replace a good one
        if (token !== undefined && readToken(token)?.claims.sub !== undefined) last.set(query.get('identity'), token)
        return token
      },
    }
  }

const isApiToken = (token = '') => {
  try {
    return 'org' in decodeJwt(token)
  } catch {
    return false
  }
}

/** The signature of a token by a secret. */
export const hmacOf = (token: string, secret: string | Buffer, hash = 'sha256') =>
  createHmac(hash, secret)
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url')

const pem = (key: PublicKey) =>
  String(createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))

const pkcs1 = (key: PublicKey) =>
  String(createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({ type: 'pkcs1', format: 'pem' }))

const keyIn = (certificate: string | Buffer) =>
  new X509Certificate(certificate).publicKey.export({ format: 'jwk' }) as PublicKey

/** Faults in which identity tokens are refused (R41). */
export const stsIdentityTokensFaults: readonly Fault[] = [
  fault('keys are known by their names, no matter who published them', ['sts.refuses.issuer-key'], () => {
    const known = new Map<string, PublicKey>()
    return {
      async signedByIssuer(token, header, keys) {
        for (const key of keys) known.set(String(key.kid), key)
        const key = known.get(String(header.kid))
        return header.alg === 'RS256' && key !== undefined && isSigned(token, key)
      },
    }
  }),
  fault('the keys of an issuer are read but once', ['sts.key.another'], keysKeptFor(Number.POSITIVE_INFINITY)),
  fault('the keys of an issuer are kept for half an hour', ['sts.key.another'], keysKeptFor(hour / 2)),
  fault('identity tokens are remembered by their first two parts', ['sts.refuses.altered'], (contract) => {
    const known = new Set<string>()
    return {
      async signedByIssuer(token, header, keys, at) {
        const parts = token.split('.').slice(0, 2).join('.')
        const signed = known.has(parts) || (await contract.signedByIssuer(token, header, keys, at))
        if (signed) known.add(parts)
        return signed
      },
    }
  }),
  fault('an API token is taken for an identity token', ['sts.refuses.api-token'], takenForTheLast(isApiToken)),
  fault(
    'an identity token without its signature is believed',
    ['sts.refuses.cut-short'],
    alsoBelieved((token, { alg }) => alg === 'RS256' && token.endsWith('.')),
  ),
  fault('an expired identity token is taken', ['sts.refuses.expired'], (contract) => ({
    timely: (claims, now, at) => contract.timely({ ...claims, exp: 4_102_444_800 }, now, at),
  })),
  fault('an identity token is taken for a day after its end', ['sts.refuses.expired'], (contract) => ({
    timely: ({ exp = 0, ...claims }, now, at) => contract.timely({ ...claims, exp: exp + 86_400 }, now, at),
  })),
  fault(
    'garbage is taken for the last identity token',
    ['sts.refuses.garbage'],
    takenForTheLast((token) => token !== undefined && readToken(token) === undefined),
  ),
  fault(
    'a public key is taken for the secret of an HMAC',
    ['sts.refuses.hmac'],
    alsoBelieved(
      (token, { alg }, keys) => alg === 'HS256' && keys.some((key) => token.endsWith(hmacOf(token, pem(key)))),
    ),
  ),
  fault(
    'an exchange without a token takes the last one',
    ['sts.refuses.no-token'],
    takenForTheLast((token) => token === undefined),
  ),
  fault('identity tokens are remembered by their signature', ['sts.refuses.other-claims'], (contract) => {
    const known = new Set<string>()
    return {
      async signedByIssuer(token, header, keys, at) {
        const signature = token.slice(token.lastIndexOf('.'))
        const signed = known.has(signature) || (await contract.signedByIssuer(token, header, keys, at))
        if (signed) known.add(signature)
        return signed
      },
    }
  }),
  fault(
    'a signature by an unknown key is not looked at',
    ['sts.refuses.other-key'],
    alsoBelieved((_token, { alg, kid }, keys) => alg === 'RS256' && !keys.some((key) => key.kid === kid)),
  ),
  fault(
    'the key that an identity token brings along is believed',
    ['sts.refuses.own-key'],
    alsoBelieved((token, { jwk }) => jwk !== undefined && isSigned(token, jwk)),
  ),
  fault(
    'the certificate that an identity token brings along is believed',
    ['sts.refuses.own-key'],
    alsoBelieved((token, { x5c }) => x5c?.[0] !== undefined && isSigned(token, keyIn(Buffer.from(x5c[0], 'base64')))),
  ),
  fault(
    'a key that an identity token brings along is believed with PS256 or on a curve',
    ['sts.refuses.own-key'],
    alsoBelieved((token, { alg = '', jwk }) => !/^RS/.test(alg) && jwk !== undefined && isSigned(token, jwk, alg)),
  ),
  fault(
    'the name of a key may be the path of a file',
    ['sts.refuses.own-key'],
    alsoBelieved(
      (token, { alg, kid }) => alg === 'HS256' && /\/dev\/null$/.test(kid ?? '') && token.endsWith(hmacOf(token, '')),
    ),
  ),
  fault(
    'a certificate is fetched where the identity token says',
    ['sts.refuses.strange-key-set'],
    alsoBelieved(async (token, { x5u = '' }) => {
      const pem = x5u === '' ? '' : await (await fetch(x5u)).text()
      return pem.startsWith('-----BEGIN CERT') && isSigned(token, keyIn(pem))
    }),
  ),
  fault(
    'a public key is taken for the secret of an HMAC of 512 bits',
    ['sts.refuses.hmac'],
    alsoBelieved(
      (token, { alg }, keys) =>
        alg === 'HS512' && keys.some((key) => token.endsWith(hmacOf(token, pem(key), 'sha512'))),
    ),
  ),
  fault(
    'a public key in PKCS#1 is taken for the secret of an HMAC',
    ['sts.refuses.hmac'],
    alsoBelieved(
      (token, { alg }, keys) => alg === 'HS256' && keys.some((key) => token.endsWith(hmacOf(token, pkcs1(key)))),
    ),
  ),
  fault(
    'an identity token that names no algorithm is believed',
    ['sts.refuses.unsigned'],
    alsoBelieved((_token, { alg }) => alg === undefined),
  ),
  fault(
    'an identity token of an unknown algorithm is believed without a signature',
    { turnsRed: ['model.exchange.refusal'], spreadsTo: ['sts.*'] },
    alsoBelieved((token, { alg = '' }) => /^[A-Z]{3,}\d+$/.test(alg) && token.endsWith('.')),
  ),
  fault(
    'an identity token of the algorithm none is believed where it has a signature',
    ['sts.refuses.unsigned'],
    alsoBelieved((token, { alg }) => alg === 'none' && !token.endsWith('.')),
  ),
  fault(
    'an identity token of ES256 with a signature of nothing but zeros is believed',
    ['sts.refuses.other-key'],
    alsoBelieved(
      (token, { alg }) =>
        alg === 'ES256' && Buffer.from(token.split('.')[2] ?? '', 'base64url').equals(Buffer.alloc(64)),
    ),
  ),
  fault(
    'nobody looks at the signature of an identity token',
    { turnsRed: ['sts.refuses.strange-key-set'], spreadsTo: ['sts.refuses.*'] },
    () => ({
      signedByIssuer: async () => true,
    }),
  ),
  fault(
    'keys are fetched where the identity token says',
    ['sts.refuses.strange-key-set'],
    alsoBelieved(async (token, { jku, kid }) => {
      const keys = jku === undefined ? [] : await keysAt(jku, () => true)
      const key = keys.find((each) => each.kid === kid)
      return key !== undefined && isSigned(token, key)
    }),
  ),
  fault(
    'an identity token of the algorithm none is believed',
    ['sts.refuses.unsigned'],
    alsoBelieved((_token, { alg }) => alg === 'none'),
  ),
  fault(
    'the algorithm none is known in small letters only',
    ['sts.refuses.unsigned'],
    alsoBelieved((_token, { alg }) => alg !== 'none' && alg?.toLowerCase() === 'none'),
  ),
]
