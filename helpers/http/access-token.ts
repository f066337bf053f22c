import { decodeJwt } from 'jose'
import type { Config } from '../settings/configuration.ts'
import type { Credential } from './call.ts'
import { TargetGone } from './case-errors.ts'
import { openPool } from './connections.ts'
import { readIdentityToken } from './identity-token.ts'
import type { Wire } from './progress.ts'
import { withAgent } from './request.ts'
import type { Secrets } from './secrets.ts'
import { queryString } from './url.ts'
import { askPatiently } from './waits.ts'
import { exchangeOver } from './wire/exchange-over.ts'

/** Where the run's API token comes from. */
export interface TokenSource {
  credential(): Promise<Credential>
  /** Gets another token unless one newer than that moment is there; false where that is impossible. */
  renew(refusedAt: string): Promise<boolean>
  /** The token itself, from which cases make invalid ones. */
  value(): Promise<string>
}

/** An exchange that gave no token, with what came instead. Without a token nothing can be said of the target (R56). */
export class ExchangeRefused extends TargetGone {}

/** Where an identity token is exchanged, relative to the auth URL (S5.3). */
export const exchangePath = '/sts/exchange'
/** How long before its end a token is renewed, in milliseconds; one with less than twice that lifetime, halfway. */
const margin = 5 * 60_000
/** The lifetime of a token that does not state it (S5.5), in milliseconds. */
const statedLifetime = 60 * 60_000

/** The token that was set, or one exchanged for the identity token and renewed before it expires (S5.3). */
export function tokenSource(config: Config, secrets: Secrets, wire: Wire = { sent: 0 }): TokenSource {
  const { credentials } = config
  if ('accessToken' in credentials) {
    secrets.hide(credentials.accessToken, '$RMAPI_ACCESS_TOKEN')
    const only = bearer(credentials.accessToken)
    return {
      credential: async () => only,
      renew: async () => false,
      value: async () => credentials.accessToken,
    }
  }
  let current: Promise<{ token: string; from: number; until: number }> | undefined
  const fetchNew = () => {
    const asked = exchangeToken(config, secrets, wire)
    current = asked
    asked.catch(() => {
      if (current === asked) current = undefined
    })
    return asked
  }
  // of many callers at once, only the first exchanges
  const replaced = (old: typeof current) => (current === old ? fetchNew() : (current ?? fetchNew()))
  const valid = async () => {
    const asked = current ?? fetchNew()
    const held = await asked
    if (Date.now() <= held.until - Math.min(margin, (held.until - held.from) / 2)) return held
    return replaced(asked)
  }
  return {
    credential: async () => bearer((await valid()).token),
    value: async () => (await valid()).token,
    renew: async (refusedAt) => {
      const asked = current
      const held = await valid()
      if (held.from <= Date.parse(refusedAt)) await replaced(asked)
      return true
    },
  }
}

/** The Authorization header for a token, shown as the variable that holds it. */
function bearer(token: string): Credential {
  return { header: `Bearer ${token}`, shown: 'Bearer $RMAPI_ACCESS_TOKEN' }
}

async function exchangeToken({ target, credentials, agent }: Config, secrets: Secrets, wire: Wire) {
  if ('accessToken' in credentials) throw new Error('an API token is set: nothing is exchanged')
  const { identityUid, audience, identityToken } = credentials
  const given = await readIdentityToken(identityToken, secrets)
  const pool = openPool(target, 1, false)
  try {
    const from = Date.now()
    const url = target.authUrl + exchangePath + queryString({ aud: audience, identity: identityUid })
    const sent = { ...target.headers, authorization: `Bearer ${given}`, accept: 'application/json' }
    const out = { method: 'GET', url, headers: withAgent(sent, agent, 'token exchange') }
    const { status, bytes } = await askPatiently(() => exchangeOver(pool, out, undefined, wire))
    const token = tokenIn(bytes.toString('utf8'))
    if (status < 200 || status > 299 || token === undefined) {
      throw new ExchangeRefused(
        `the exchange at ${target.authUrl}${exchangePath} answered ${status} without a token: ${secrets.redact(bytes.toString('utf8')).slice(0, 200)}`,
      )
    }
    secrets.hide(token, '$RMAPI_ACCESS_TOKEN')
    return { token, from, until: from + lifetime(token) }
  } finally {
    await pool.close()
  }
}

/** The API token in the answer of an exchange (S5.4). */
export function tokenIn(body: string): string | undefined {
  try {
    const token: unknown = (JSON.parse(body) as { token?: unknown } | null)?.token
    return typeof token === 'string' && token !== '' ? token : undefined
  } catch {
    return undefined
  }
}

function lifetime(token: string): number {
  try {
    const { iat, exp } = decodeJwt(token)
    return iat && exp ? (exp - iat) * 1000 : statedLifetime
  } catch {
    return statedLifetime
  }
}
