import { createHmac, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { decodeJwt, decodeProtectedHeader, exportJWK, type JWTPayload, SignJWT } from 'jose'
import { selfSigned } from './certificate.ts'

/** The contents of a JWT; for an opaque token, what one of the target's might contain. */
function partsOf(token: string) {
  try {
    return { claims: decodeJwt(token), header: decodeProtectedHeader(token) }
  } catch {
    const now = Math.floor(Date.now() / 1000)
    return { claims: { sub: 'somebody', iat: now, exp: now + 3600 }, header: { typ: 'JWT' } }
  }
}

/**
 * Changes a letter or digit in the middle of the last part: at its end there may be spare bits, and in a UUID the other
 * case of a letter is the same (R39).
 */
export function altered(token: string): string {
  const place = placeOf(/[a-z0-9]/i, token)
  const letter = token[place] ?? ''
  const others = /[a-z]/.test(letter) ? 'bc' : /[A-Z]/.test(letter) ? 'BC' : '12'
  return replaced(token, place, letter === others[0] ? others[1]! : others[0]!)
}

/** Changes the sixth last letter of a JWT: its signature may be compared in part. */
export function alteredNearEnd(token: string): string {
  const place = token.length - 6
  return replaced(token, place, token[place] === 'b' ? 'c' : 'b')
}

/** Swaps the case of a letter in the middle of a JWT's signature, which changes it; undefined for other tokens. */
export function inOtherCase(token: string): string | undefined {
  const place = placeOf(/[a-z]/i, token)
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]{40,}$/.test(token)) return undefined
  const letter = token[place]!
  return replaced(token, place, letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())
}

/** The place of the first wanted character after the middle of a token's last part. */
function placeOf(wanted: RegExp, token: string): number {
  const middle = Math.floor((token.lastIndexOf('.') + 1 + token.length) / 2)
  const at = [...token].findIndex((letter, index) => index >= middle && wanted.test(letter))
  return at === -1 ? middle : at
}

const replaced = (token: string, place: number, letter: string) =>
  token.slice(0, place) + letter + token.slice(place + 1)

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token with an algorithm that signs nothing (null: none at all), and no signature, or some text instead. */
export function unsigned(token: string, alg: string | null = 'none', signature = ''): string {
  const { claims, header } = partsOf(token)
  return `${part({ ...header, alg: alg ?? undefined })}.${part(claims)}.${signature}`
}

/** The token with an algorithm that signs nothing, or none, in forms that pass a check for an empty signature. */
export function barelySigned(token: string): string[] {
  const signature = token.split('.')[2] || 'c2lnbmVk'
  return [unsigned(token, 'none', signature), unsigned(token, null), unsigned(token, null, signature)]
}

/** The token with a signature of zeros alone, which fits every key of an elliptic curve in a weak check. */
export const ofZeros = (token: string) => unsigned(token, 'ES256', Buffer.alloc(64).toString('base64url'))

/** The token with other claims under its old signature. */
export function reclaimed(token: string, changed: JWTPayload): string {
  const [header, , signature] = token.split('.')
  return `${header}.${part({ ...partsOf(token).claims, ...changed })}.${signature}`
}

/** The token signed by HMAC with something public as the secret; members of the header may be changed. */
export function signedByHmac(token: string, secret: string | Buffer, alg = 'HS256', changed: object = {}): string {
  const { claims, header } = partsOf(token)
  const signed = `${part({ ...header, ...changed, alg })}.${part(claims)}`
  return `${signed}.${createHmac(`sha${alg.slice(2)}`, secret)
    .update(signed)
    .digest('base64url')}`
}

/** The HMAC algorithms that a token may claim. */
const hmacs = ['HS256', 'HS384', 'HS512'] as const

/** Sign a token by HMAC, keyed with a public key in its usual forms; PEM text. */
export function hmacsKeyedWith(pem: string): ((token: string) => string)[] {
  const key = createPublicKey(pem)
  const forms = (['spki', 'pkcs1'] as const).flatMap((type) => {
    const text = String(key.export({ type, format: 'pem' })).trim()
    return [text, `${text}\n`, key.export({ type, format: 'der' })]
  })
  const secrets = [...forms, key.export({ format: 'jwk' }).n ?? '']
  return hmacs.flatMap((alg) => secrets.map((secret) => (token: string) => signedByHmac(token, secret, alg)))
}

/** The public-key algorithms that a token may claim. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const

/** One of them. */
export type ForgedAlgorithm = (typeof algorithms)[number]

/** True for the name of such an algorithm. */
export const isForged = (name: string): name is ForgedAlgorithm => algorithms.some((each) => each === name)

const curves: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

type Pair = { privateKey: KeyObject; publicKey: KeyObject }

const made = new Map<string, Promise<Pair>>()

/** A key that the target never saw, made once for each curve and once for RSA. */
function anotherKey(alg: ForgedAlgorithm = 'RS256'): Promise<Pair> {
  const form = alg.startsWith('ES') ? alg : 'RSA'
  const curve = curves[form]
  const key =
    made.get(form) ??
    (curve === undefined
      ? promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
      : promisify(generateKeyPair)('ec', { namedCurve: curve }))
  made.set(form, key)
  return key
}

/** The public half of a key that the target never saw, with its own name. */
export async function anotherPublicKey(alg: ForgedAlgorithm = 'RS256') {
  const { publicKey } = await anotherKey(alg)
  return { ...(await exportJWK(publicKey)), kid: anotherName, alg, use: 'sig' }
}

/** A certificate of such a key, in the form of a header member: DER in base64. */
export async function anotherCertificate(alg: ForgedAlgorithm = 'RS256'): Promise<string> {
  return selfSigned(await anotherKey(alg), anotherName).toString('base64')
}

/** The name of the key that the target never saw. */
export const anotherName = 'a-key-of-its-own'

/** The token signed by a key that the target never saw; members of the header may be changed. */
export async function signedByAnother(
  token: string,
  changed: Record<string, unknown> = {},
  alg: ForgedAlgorithm = 'RS256',
): Promise<string> {
  const { claims, header } = partsOf(token)
  return signedByAnotherKey(claims, { ...header, ...changed }, alg)
}

/** Some claims signed by the key that the target never saw, unless its issuer publishes it. */
export async function signedByAnotherKey(
  claims: JWTPayload,
  header: Record<string, unknown>,
  alg: ForgedAlgorithm = 'RS256',
): Promise<string> {
  const { privateKey } = await anotherKey(alg)
  return new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(privateKey)
}

/** Tokens of every algorithm, each signed by a key that its own header contains; by algorithm (R39, R41). */
export async function signedByOwnKeys(token: string): Promise<[alg: string, forged: string][]> {
  const asymmetric = algorithms.map(async (alg, index): Promise<[string, string]> => {
    const own = { jwk: await anotherPublicKey(alg), x5c: [await anotherCertificate(alg)] }
    // with the name of the good key, its own name, and none in turn
    const kid = [{}, { kid: anotherName }, { kid: undefined }][index % 3]
    return [alg, await signedByAnother(token, { ...own, ...kid }, alg)]
  })
  const symmetric = hmacs.map((alg): [string, string] => {
    const secret = Buffer.alloc(64, alg)
    return [alg, signedByHmac(token, secret, alg, { jwk: { kty: 'oct', k: secret.toString('base64url'), alg } })]
  })
  return [...(await Promise.all(asymmetric)), ...symmetric]
}

/** Tokens signed by HMAC with the content of the file or the row that their key's name points to. */
export const signedByNamedKeys = (token: string): string[] => [
  signedByHmac(token, '', 'HS256', { kid: '../../../../../../../../dev/null' }),
  signedByHmac(token, '', 'HS384', { kid: 'file:///dev/null' }),
  signedByHmac(token, 'x', 'HS512', { kid: "none' UNION SELECT 'x' -- " }),
]
