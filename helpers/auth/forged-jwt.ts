import { createHmac, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { decodeJwt, decodeProtectedHeader, exportJWK, type JWTPayload, SignJWT } from 'jose'

/** What a JWT says; for an opaque token, what one of the target's might say. */
function partsOf(token: string) {
  try {
    return { claims: decodeJwt(token), header: decodeProtectedHeader(token) }
  } catch {
    const now = Math.floor(Date.now() / 1000)
    return { claims: { sub: 'somebody', iat: now, exp: now + 3600 }, header: { typ: 'JWT' } }
  }
}

/**
 * A letter or digit in the middle of the last part is another one: the last may hold spare bits, and the same letter in
 * the other case is no other in a UUID (R39).
 */
export function altered(token: string): string {
  const place = placeOf(/[a-z0-9]/i, token)
  const letter = token[place] ?? ''
  const others = /[a-z]/.test(letter) ? 'bc' : /[A-Z]/.test(letter) ? 'BC' : '12'
  return replaced(token, place, letter === others[0] ? others[1]! : others[0]!)
}

/** A letter in the middle of a JWT's signature has the other case, which is another signature; undefined for other tokens. */
export function inOtherCase(token: string): string | undefined {
  const place = placeOf(/[a-z]/i, token)
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]{40,}$/.test(token)) return undefined
  const letter = token[place]!
  return replaced(token, place, letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())
}

/** The place of the first such character after the middle of a token's last part. */
function placeOf(wanted: RegExp, token: string): number {
  const middle = Math.floor((token.lastIndexOf('.') + 1 + token.length) / 2)
  const at = [...token].findIndex((letter, index) => index >= middle && wanted.test(letter))
  return at === -1 ? middle : at
}

const replaced = (token: string, place: number, letter: string) =>
  token.slice(0, place) + letter + token.slice(place + 1)

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token with an algorithm that signs nothing, and no signature. */
export function unsigned(token: string, alg = 'none'): string {
  const { claims, header } = partsOf(token)
  return `${part({ ...header, alg })}.${part(claims)}.`
}

/** The token with other claims under its old signature. */
export function reclaimed(token: string, changed: JWTPayload): string {
  const [header, , signature] = token.split('.')
  return `${header}.${part({ ...partsOf(token).claims, ...changed })}.${signature}`
}

/** The token signed by HMAC with something public for its secret. */
export function signedByHmac(token: string, secret: string): string {
  const { claims, header } = partsOf(token)
  const signed = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

let another: Promise<{ privateKey: KeyObject; publicKey: KeyObject }> | undefined

/** A key that the target never saw, made once. */
function anotherKey() {
  another ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return another
}

/** The public half of the key that the target never saw, under a name of its own. */
export async function anotherPublicKey() {
  const { publicKey } = await anotherKey()
  return { ...(await exportJWK(publicKey)), kid: anotherName, alg: 'RS256', use: 'sig' }
}

/** The name of the key that the target never saw. */
export const anotherName = 'a-key-of-its-own'

/** The token signed by a key that the target never saw; members of the header may be changed. */
export async function signedByAnother(token: string, changed: Record<string, unknown> = {}): Promise<string> {
  const { claims, header } = partsOf(token)
  return signedByAnotherKey(claims, { ...header, ...changed })
}

/** Some claims signed by the key that the target never saw, unless its issuer publishes it. */
export async function signedByAnotherKey(claims: JWTPayload, header: Record<string, unknown>): Promise<string> {
  const { privateKey } = await anotherKey()
  return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256' }).sign(privateKey)
}
