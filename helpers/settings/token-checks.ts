import type { Complain } from './configuration.ts'
import type { SettingName } from './settings.ts'

/** How far the clocks of an issuer and of this machine may differ, in milliseconds. */
const skew = 60_000

/**
 * Complains about a token that is malformed, expired or not yet valid, and never shows it. An opaque token is fine.
 * `hasMovedClock`: the target's clock may be ahead of this machine's.
 */
export function mustBeToken(name: SettingName, token: string, complain: Complain, hasMovedClock = false): void {
  const problem = malformation(token) ?? jwtProblem(token, hasMovedClock)
  if (problem !== undefined) complain(name, problem)
}

/** Why a header cannot carry a text as a token. */
function malformation(token: string): string | undefined {
  if (/^(authorization:\s*)?bearer(\s|$)/i.test(token))
    return "begins with 'Bearer', which is no part of the token: leave that word out"
  if (/^["'`]|["'`]$/.test(token)) return 'is in quotation marks, which are no part of the token: leave them out'
  if (/\s/.test(token)) return 'holds white space or a line break: give the token alone, on one line'
  if (/[^\x21-\x7e]/.test(token)) return 'holds a character that no header can carry: only visible ASCII can be sent'
  return undefined
}

/** What is wrong with a JWT (RFC 7519); undefined where a token is not one, or is encrypted. */
function jwtProblem(token: string, hasMovedClock: boolean): string | undefined {
  const parts = token.split('.')
  const [header = '', payload = '', signature = ''] = parts
  const { alg, enc } = objectIn(header) ?? {}
  if (objectIn(header) === undefined && header.startsWith('eyJ') && parts.length === 3)
    return 'has the form of a JWT, and its first part holds no JSON object: it was cut or changed'
  if (typeof alg !== 'string') return undefined
  if (typeof enc === 'string' && parts.length === 5) return undefined
  if (parts.length !== 3)
    return `begins as a JWT and has ${parts.length} parts instead of 3: it is incomplete, or has text that does not belong to it`
  const claims = objectIn(payload)
  if (claims === undefined) return 'is a JWT whose second part holds no JSON object: it was cut or changed'
  if (!/^[\w-]*$/.test(signature)) return 'is a JWT whose signature is no base64url: it was cut or changed'
  const now = Date.now()
  const from = timeIn(claims.nbf)
  const until = timeIn(claims.exp)
  const clock = `it is ${shown(now)} by the clock of this machine`
  if (until !== undefined && until <= now) return `is a JWT that expired at ${shown(until)} (${clock}): get a new one`
  if (from !== undefined && from > now + skew && !hasMovedClock)
    return `is a JWT that is not valid before ${shown(from)} (${clock})`
  return undefined
}

/** The JSON object in base64url; undefined where it is not one. */
function objectIn(part: string): Record<string, unknown> | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** A NumericDate in milliseconds since 1970; undefined where no date can hold it. */
function timeIn(claim: unknown): number | undefined {
  return typeof claim === 'number' && Math.abs(claim) <= 8.64e12 ? claim * 1000 : undefined
}

const shown = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
