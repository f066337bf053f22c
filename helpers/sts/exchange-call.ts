import { present } from '../../schemas/present.ts'
import type { Run } from '../arrange/run.ts'
import { exchangePath } from '../http/access-token.ts'
import { type Call, type Credential, noCredential } from '../http/call.ts'
import { unlessRepeated } from '../http/unanswered.ts'
import { queryString } from '../http/url.ts'
import { concealTokens } from './api-token.ts'

/** How an exchange differs from a good one. */
export interface Wish {
  /** Undefined sends no Authorization header; if absent, a fresh token is sent. */
  token?: string | undefined
  /** How a report shows the token; by default the token itself. */
  shown?: string
  /** The whole Authorization header instead of `Bearer` and the token. */
  header?: string
  method?: 'GET' | 'POST'
  /** The parameters, undefined ones left out; the audience comes last if `turned`. */
  aud?: string | undefined
  identity?: string | undefined
  turned?: true
  /** Further parameters, in which an identity token does not count. */
  further?: Record<string, string>
  /** Further headers, in which it does not count. */
  beside?: Record<string, string>
}

/** Which identity is assumed, and with what. */
interface Assumed {
  uid: string
  audience: string
  fresh: () => Promise<string>
  run: Run
  /** How identity tokens are hidden; by default as those that the suite signs. */
  hides: 'hide' | undefined
}

/** The call of an exchange; `again` gives the wish for the case that it has to be sent once more. */
export async function exchangeCall(assumed: Assumed, wish: Wish, again?: () => Promise<Wish>): Promise<Call> {
  const { uid, audience, fresh, run, hides = 'hideSignature' } = assumed
  const { method = 'GET', shown = '<identity token>' } = wish
  const token = 'token' in wish ? wish.token : await fresh()
  const { aud, identity } = { aud: audience, identity: uid, ...wish }
  if (token !== undefined) run.secrets[hides](token, shown)
  for (const elsewhere of Object.values({ ...wish.further, ...wish.beside })) run.secrets[hides](elsewhere, shown)
  const header = wish.header ?? (token === undefined ? undefined : `Bearer ${token}`)
  const shownAs = header === undefined ? noCredential : { header, shown: run.secrets.redact(header) }
  const credential: Credential = { ...shownAs, ...present({ beside: wish.beside }) }
  const path = exchangePath + queryString({ ...(wish.turned ? { identity, aud } : { aud, identity }), ...wish.further })
  const conceal = (body: string) => concealTokens(body, run)
  const call: Call = {
    operation: 'sts.exchange',
    method,
    at: 'auth',
    path,
    credential,
    conceal,
    // its issuer may be one that nobody can reach
    ...('token' in wish && { brief: true as const }),
  }
  if (again === undefined) return call
  const renewed = async () => {
    const next = await exchangeCall(assumed, await again(), again)
    return 'token' in wish ? next : unlessRepeated(call, next)
  }
  return { ...call, renewed }
}
