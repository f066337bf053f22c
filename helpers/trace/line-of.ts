import { createHash } from 'node:crypto'
import { present } from '../../schemas/present.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { isObject } from '../api/received.ts'
import { exchangePath } from '../http/access-token.ts'
import type { Answer, Call, Credential, Log } from '../http/call.ts'
import type { Exchange } from '../http/exchange.ts'
import { requirementOf } from '../http/request.ts'
import type { OutgoingRequest } from '../http/wire/exchange-over.ts'
import type { Caller } from '../model/observation.ts'
import { claimsOf, credentialOf } from './observation-of.ts'

/** What a trace needs to know of the run. */
export interface Facts {
  /** Whether the suite's own issuer signed a token; undefined for another issuer. */
  signedByOwn: (token: string, claims: Record<string, unknown>) => boolean | undefined
  /** The target's time in milliseconds since 1970; undefined where it is unknown. */
  now: () => number | undefined
}

/** A line without its number in the trace. */
export type Unnumbered = Omit<TraceExchange, 'seq'>

/** What is known of a call when it goes out. */
type SentCall = Pick<
  Unnumbered,
  'for' | 'attempt' | 'operation' | 'phase' | 'method' | 'below' | 'path' | 'query' | 'credential' | 'sent'
> &
  Pick<Partial<Unnumbered>, 'body' | 'raw' | 'contentType' | 'page' | 'rereads' | 'rpc'>

/** The claims that decide whether an exchange succeeds (S2.11, R41). */
const deciding = ['iss', 'sub', 'exp', 'iat', 'nbf']

/** Turns calls and answers into lines: tokens by name, times on one clock. */
export class Lines {
  readonly #facts: Facts
  readonly #own = new Set<string>()
  readonly #names = new Map<string, string>()
  readonly #pages = new Map<string, string>()
  readonly #attempts = new WeakMap<Call, number>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** A call as it goes out. */
  sent(call: Call, credential: Credential, log: Log, rereads: string | undefined): SentCall {
    if (call.credential === undefined && credential.header !== undefined) this.#own.add(credential.header)
    const [path, inPath] = splitAtQuery(call.path)
    const attempt = (this.#attempts.get(call) ?? 0) + 1
    this.#attempts.set(call, attempt)
    const pairs = [...new URLSearchParams(inPath), ...Object.entries(call.query ?? {})]
    const page = this.#pageOf(pairs.findLast(([name]) => name === 'page_token')?.[1])
    return {
      for: rereads === undefined ? (requirementOf(log.exchanges) ?? 'shared') : 'model',
      attempt,
      operation: call.operation,
      phase: log.phase,
      method: call.method,
      below: call.at ?? 'api',
      path,
      query: pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      credential: credentialOf(this.#callerOf(call, credential)),
      ...bodyOf(call),
      ...present({ page }),
      sent: moment(),
      ...present({ rereads }),
    }
  }

  /** The same with its answer, or without one. */
  answered(call: Call, sent: SentCall, ticket: number, n: number, exchange: Exchange, answer?: Answer): Unnumbered {
    const now = this.#facts.now()
    const answered = moment()
    const { silence, sentAt: wall } = exchange
    const { token, nextPageToken } = isObject(answer?.json) ? answer.json : {}
    const nextPage = this.#pageOf(nextPageToken)
    const identity = this.#identityOf(call)
    return {
      line: 'exchange',
      n,
      ticket,
      ...sent,
      answered,
      wall,
      ...(answer === undefined ? {} : { status: answer.status, headers: answer.headers, text: answer.text }),
      ...present({ over: answer?.over, notJson: answer?.notJson, silence }),
      ...(sent.below === 'auth' && typeof token === 'string' ? { issued: this.#nameOf(token), ...lifeOf(token) } : {}),
      ...present({ nextPage, identity, now }),
    }
  }

  /** The tokens behind names. */
  tokens(names: Iterable<string>): string[] {
    const tokens = new Map([...this.#names].map(([token, name]) => [name, token]))
    return [...names].flatMap((name) => tokens.get(name) ?? [])
  }

  #nameOf(token: string): string {
    const known = this.#names.get(token) ?? `token ${this.#names.size + 1}`
    this.#names.set(token, known)
    return known
  }

  #pageOf(token: unknown): string | undefined {
    if (typeof token !== 'string' || token === '') return undefined
    const known = this.#pages.get(token) ?? `page ${this.#pages.size + 1}`
    this.#pages.set(token, known)
    return known
  }

  #callerOf({ at, rpc, headers = {}, credential: given }: Call, { header }: Credential): Caller {
    // a message in an unusual form may be refused
    if (rpc) return { is: 'open' }
    // which form such a key has is not shown
    if (given === undefined && 'idempotency-key' in headers) return { is: 'open' }
    if (given === undefined) return { is: 'own' }
    if (header === undefined) return { is: 'bad', how: 'no Authorization header' }
    if (at === 'auth') return /^Bearer .+/i.test(header) ? { is: 'open' } : { is: 'bad', how: 'no bearer token' }
    if (this.#own.has(header)) return { is: 'own' }
    const [, scheme, token] = /^(bearer) (\S+)$/i.exec(header) ?? []
    if (token === undefined) return { is: 'bad', how: `the header '${given.shown}'` }
    return scheme === 'Bearer' ? { is: 'bearer', token: this.#nameOf(token) } : { is: 'open' }
  }

  #identityOf({ path, credential, method }: Call): Unnumbered['identity'] {
    const token = path.startsWith(exchangePath) ? /^Bearer (\S+)$/i.exec(credential?.header ?? '')?.[1] : undefined
    if (token === undefined) return undefined
    const claims = claimsOf(token, 1)
    const name = this.#nameOf(token)
    if (claims === undefined) return { claims: {}, token: name, form: '', signed: false }
    const header = claimsOf(token, 0)
    const signed = this.#facts.signedByOwn(token, claims)
    const place = path.replace(/identity=[^&]*/, '')
    const form = JSON.stringify([method, place, header, Object.keys(claims).sort(), claims.aud])
    return {
      claims: Object.fromEntries(deciding.flatMap((name) => (name in claims ? [[name, claims[name]]] : []))),
      token: name,
      form: createHash('sha256').update(form).digest('hex').slice(0, 16),
      ...present({ signed }),
    }
  }
}

/** What goes out over gRPC, whose line has the path and the body that HTTP would have. */
export function rpcOf({ carry, url, body = '{}' }: OutgoingRequest): Pick<Unnumbered, 'rpc'> {
  return carry === undefined ? {} : { rpc: { url, message: body } }
}

/** A path and what follows it from its first question mark on; further ones belong to the query. */
function splitAtQuery(path: string): [path: string, query: string] {
  const end = path.indexOf('?')
  return end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end)]
}

/** The lifetime that an API token states, if it is a JWT (R40). */
function lifeOf(token: string): Pick<Unnumbered, 'lives'> {
  const { iat, exp } = claimsOf(token, 1) ?? {}
  if (typeof exp !== 'number') return {}
  return { lives: { exp, ...(typeof iat === 'number' ? { iat } : {}) } }
}

/** The body as sent: without members that are undefined. */
function bodyOf({ body, contentType }: Call): Pick<Unnumbered, 'body' | 'raw' | 'contentType'> {
  if (body === undefined) return {}
  const raw = (body as { raw?: unknown } | null)?.raw
  if (typeof raw === 'string') return { raw, ...present({ contentType }) }
  const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>
  return { body: sent, ...present({ contentType }) }
}

/** The time on the monotonic clock, in milliseconds, with the precision of a trace. */
export const moment = () => Math.round(performance.now() * 1000) / 1000
