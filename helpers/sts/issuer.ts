import { createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calculateJwkThumbprint, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { OwnKeys } from '../api/own-keys.ts'
import { anotherCertificate, anotherName, anotherPublicKey, isForged, signedByAnotherKey } from '../auth/forged-jwt.ts'

/** The suite's own token issuer: OIDC discovery and keys over HTTP, RS256. */
export interface Issuer {
  /** The issuer: the URL at which the target finds the discovery document. */
  readonly name: string
  /** The URL of a key set that is not the issuer's; below it, of one key for an algorithm, and of its certificate. */
  readonly strangeKeys: string
  /** Another issuer, with its own key. */
  readonly stranger: { name: string; sign(claims: JWTPayload): Promise<string> }
  /** Issuers that publish no key which could sign anything, each in another way. */
  readonly keyless: readonly string[]
  /** Publishes some more keys, one of them for another algorithm, and returns what signs with the last one. */
  publishAnother(): Promise<(claims: JWTPayload) => Promise<string>>
  /** The issuer's public key, PEM text. */
  readonly publicKey: string
  /** Signs a token; members of the header may be changed. */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

/** With a dot, so that it shows if it is taken for a pattern; with letters, so that their case does. */
const path = '/issuer.main'

const spki = { type: 'spki', format: 'pem' } as const

/** The path of the other issuer, which has its own key. */
const strangePath = '/stranger'

/** The path of issuers without a key of their own; each sort of key set is answered as JSON, so it can be read. */
const keylessPath = '/keyless'

const keySets: Readonly<Record<string, object>> = {
  empty: { keys: [] },
  absent: {},
  unreadable: { keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'unreadable', n: '', e: '' }] },
}

/** Where the issuer listens: on the port in its URL, open to others only if that URL is. */
export function listensAt(issuerUrl?: string): { port: number; host: string } {
  if (issuerUrl === undefined) return { port: 0, host: '127.0.0.1' }
  const { protocol, hostname, port } = new URL(issuerUrl)
  if (hostname === '[::1]') return { port: Number(port || 8080), host: '::1' }
  const alone = protocol === 'https:' || /^(localhost|127(\.\d+){3})$/.test(hostname)
  return { port: Number(port || 8080), host: alone ? '127.0.0.1' : '0.0.0.0' }
}

/** How many keys are published beside the first: all of them count. */
const further = 5

/** A key for another algorithm, which signs nothing: the keys beside it still count. */
async function makeCurve() {
  const jwk = await exportJWK((await generateKeyPair('ES256')).publicKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig' }
}

let pair: ReturnType<typeof makeKeys> | undefined

async function makeKeys() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { privateKey, jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' }, pem: await exportSPKI(publicKey) }
}

/**
 * Opens the issuer at the URL under which the target reaches it, or at a free port of the loopback. Throws where the
 * port is taken. Any path below the URL is an issuer of its own, with the same keys.
 */
export async function openIssuer(issuerUrl?: string, keys?: OwnKeys): Promise<Issuer> {
  pair ??= makeKeys()
  const { privateKey, jwk, pem } = await pair
  const [strange, curve] = await Promise.all([anotherPublicKey(), makeCurve()])
  let base = issuerUrl ?? ''
  const published: object[] = [jwk]
  const server = createServer(({ url = '' }, response) => {
    const place = url.replace(/[?#].*/, '')
    void strangeKeyAt(place).then((key) => {
      const body = key ?? documentAt(place, base, { published, strange, curve })
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
    })
  })
  const { port, host } = listensAt(issuerUrl)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  server.unref()
  if (issuerUrl === undefined) base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  keys?.publish(base + path, pem)
  keys?.publish(base + strangePath, String(createPublicKey({ key: strange, format: 'jwk' }).export(spki)))
  keys?.publish(base + keylessPath)
  return {
    name: base + path,
    keyless: [...Object.keys(keySets), 'curve'].map((sort) => `${base}${keylessPath}/${sort}`),
    strangeKeys: `${base}/strange-keys`,
    publicKey: pem,
    stranger: {
      name: base + strangePath,
      sign: (claims) => signedByAnotherKey(claims, { typ: 'JWT', kid: anotherName }),
    },
    publishAnother: async () => {
      const made = await Promise.all(Array.from({ length: further }, makeKeys))
      const { privateKey: another, jwk: anotherJwk, pem: anotherPem } = made.at(-1)!
      published.push(await makeCurve(), ...made.map((each) => each.jwk))
      keys?.renew(anotherPem)
      const header = { alg: 'RS256', typ: 'JWT', kid: anotherJwk.kid }
      return (claims) => new SignJWT(claims).setProtectedHeader(header).sign(another)
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: jwk.kid, ...header }).sign(privateKey),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A set of one strange key for an algorithm, or its certificate as PEM text; undefined at every other path. */
async function strangeKeyAt(asked: string): Promise<object | string | undefined> {
  const [, alg = '', pem] = /\/strange-keys\/(\w+)(\.pem)?$/.exec(asked) ?? []
  if (!isForged(alg)) return undefined
  if (pem === undefined) return { keys: [await anotherPublicKey(alg)] }
  return `-----BEGIN CERTIFICATE-----\n${await anotherCertificate(alg)}\n-----END CERTIFICATE-----\n`
}

/** The document at a path: the discovery document of the issuer before it, or keys. */
function documentAt(
  asked: string,
  base: string,
  { published, strange, curve }: { published: readonly object[]; strange: object; curve: object },
) {
  const [, sort] = /\/keyless\/(\w+)\/key-set$/.exec(asked) ?? []
  if (sort !== undefined) return keySets[sort] ?? { keys: [curve] }
  if (asked.endsWith('/strange-keys')) return { keys: [strange] }
  if (asked.endsWith('/keys')) return { keys: published }
  const [, before, behind] = /^(.*)\/\.well-known\/openid-configuration(.*)$/.exec(asked) ?? []
  if (before === undefined || behind === undefined) return undefined
  // a forwarder in front of us may strip the path of the URL
  const own = new URL(base).pathname.replace(/\/$/, '')
  const below = before.startsWith(`${own}/`) ? before.slice(own.length) : before
  return {
    issuer: base + below + behind,
    jwks_uri: base + keySetOf(below),
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

const keySetOf = (issuer: string) =>
  issuer.startsWith(`${keylessPath}/`)
    ? `${issuer}/key-set`
    : issuer.startsWith(strangePath)
      ? '/strange-keys'
      : '/keys'
