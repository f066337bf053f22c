import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import type { Target } from '../settings/configuration.ts'
import { decoded, payloadOf } from './body.ts'
import { BodyShare } from './body-budget.ts'
import type { Wire } from './progress.ts'

/** A request for the wire, exactly as written here. */
export interface OutgoingRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  /** How another protocol sends it. */
  carry?: (headers: Record<string, string>) => Promise<IncomingResponse>
}

/** What came back, without its content coding. */
export interface IncomingResponse {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

/** The longest the target may take for one answer (R59), in milliseconds. */
export const answerWithin = 30_000

/**
 * One pool of connections to the target; proxies by the usual variables, never for the embedded reference. Without
 * `keepAlive` every call has its own connection. No answer may be silent for longer than `within`.
 */
export function openPool(
  target: Pick<Target, 'embedded' | 'http2' | 'ca'>,
  connections: number,
  keepAlive: boolean,
  within = answerWithin,
  watch: (pool: Pool) => Pool = (pool) => pool,
): Dispatcher {
  const options: Agent.Options = {
    factory: (origin, given) => watch(new Pool(origin, given)),
    // over HTTP/2 one connection carries them all, and may end with any of them
    connections: target.http2 && keepAlive ? 1 : connections,
    pipelining: target.http2 && keepAlive ? connections : target.http2 || keepAlive ? 1 : 0,
    headersTimeout: within,
    bodyTimeout: within,
    keepAliveTimeout: 2_000,
    // a page of policies and cookies exceeds the usual 16 kB
    maxHeaderSize: 64 * 1024,
    allowH2: target.http2 === true,
    // whatever the environment says: an unverified server is not examined
    connect: { timeout: 10_000, rejectUnauthorized: true, ...(target.ca === undefined ? {} : trusting(target.ca)) },
  }
  if (target.embedded) return new Agent(options)
  return new EnvHttpProxyAgent({ ...options, requestTls: options.connect as object })
}

/**
 * The connections of a run. If the target closes a connection just as a call goes out on it, the call is lost, which is
 * nobody's fault (R51). A read is repeated; so a write uses a kept connection only once the target has answered twice
 * on one, and never again after it closed on one.
 */
export class Connections {
  readonly #kept: Dispatcher
  readonly #fresh: Dispatcher
  readonly #within: number
  readonly #wire: Wire
  #opened = 0
  #answered = 0
  /** More answers than connections: some connection served two. */
  #keeps = false
  #closed = false

  constructor(target: Target, most: number, within = answerWithin, wire: Wire = { sent: 0 }) {
    this.#within = within
    this.#wire = wire
    this.#kept = openPool(target, most, true, within, (pool) =>
      pool
        .on('connect', () => void this.#opened++)
        .on('disconnect', (_origin, _targets, error) => {
          this.#closed ||= isHangUp(error)
        }),
    )
    this.#fresh = openPool(target, most, false, within)
  }

  /** One exchange; throws an `Error` with a short reason if no answer came, `HungUp` if nobody is to blame. */
  async exchange(out: OutgoingRequest): Promise<IncomingResponse> {
    if (out.carry) return out.carry(out.headers)
    if (out.method !== 'GET' && (!this.#keeps || this.#closed)) return this.afresh(out)
    try {
      const incoming = await exchangeOver(this.#kept, out, this.#within, this.#wire)
      this.#keeps ||= ++this.#answered > this.#opened
      return incoming
    } catch (error) {
      throw isHangUp(error) ? new HungUp((error as Error).message) : error
    }
  }

  /** One exchange over its own connection. */
  afresh(out: OutgoingRequest): Promise<IncomingResponse> {
    if (out.carry) return out.carry(out.headers)
    return exchangeOver(this.#fresh, out, this.#within, this.#wire)
  }

  /** Aborts everything under way. */
  async destroy(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#fresh.destroy()]).catch(() => undefined)
  }

  async close(): Promise<void> {
    // what was aborted is closed already
    await Promise.all([this.#kept.close(), this.#fresh.close()]).catch(() => undefined)
  }
}

/** A kept connection was closed before a byte of the answer came. */
class HungUp extends Error {
  override readonly name = 'HungUp'
}

/** An answer that began and did not end: the target is there, and the answer is its own. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
  readonly status: number
  /** True where it had begun, and trickled on without end. */
  readonly late: boolean
  /** True where it exceeds what is read of any answer. */
  readonly tooLarge: boolean

  constructor(status: number, why: string, late = false, tooLarge = false) {
    super(`the answer ${status} ${why}`)
    this.status = status
    this.late = late
    this.tooLarge = tooLarge
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

const isHangUp = (error: unknown) => /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error))

/** True where no connection came about: nothing of the call was sent. */
export const isUnsent = (error: unknown) =>
  /^(ECONNREFUSED|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error))

/** True where the target exceeded the time for an answer. */
export function isLate(error: unknown): boolean {
  const { name, code = '', late } = error as NodeJS.ErrnoException & { late?: boolean }
  return late === true || name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code)
}

/** Why no answer came, in a few words; `within` is how long the wait was, in milliseconds. */
export function reasonOf(error: unknown, within: number): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (isLate(error)) return `no answer within ${within / 1000} seconds`
  return code ? `${message} (${code})` : message
}

/** One exchange over the pool; throws an `Error` with a short reason if no answer came. */
export function exchangeOver(
  pool: Dispatcher,
  out: OutgoingRequest,
  within = answerWithin,
  wire: Wire = { sent: 0 },
): Promise<IncomingResponse> {
  return new Promise((resolve, reject) => {
    let began: { status: number; headers: Record<string, string> } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let given: Error | undefined
    const chunks: Buffer[] = []
    const share = new BodyShare()
    const giveUp = (why: Error) => {
      given = why
      controller?.abort(why)
    }
    // the pool notices silence; this is for an answer that trickles without end
    const timer = setTimeout(() => giveUp(new TimedOut('the answer took too long')), 2 * within).unref()
    const fail = (error: Error) => {
      clearTimeout(timer)
      share.release()
      const why = error instanceof TooLarge ? error.message : `broke off: ${error.message}`
      reject(began === undefined ? error : new BrokenOff(began.status, why, isLate(error), error instanceof TooLarge))
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(own) {
        controller = own
        wire.sent++
        if (given) own.abort(given)
      },
      onResponseStart(_own, status, headers) {
        if (status >= 200) began = { status, headers: flat(headers) }
      },
      onResponseData(own, chunk) {
        const full = share.take(chunk.length)
        if (full !== undefined) own.abort(new TooLarge(full))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        clearTimeout(timer)
        share.release()
        try {
          const { status, headers } = began!
          const read = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
          const incoming = { status, headers, bytes: decoded(read, headers['content-encoding']) }
          // the connection is free one turn later, and the next call should find it
          queueMicrotask(() => setImmediate(resolve, incoming))
        } catch (error) {
          reject(error)
        }
      },
      onResponseError: (_own, error) => fail(error),
    }
    const { method, url } = out
    try {
      pool.dispatch({ ...placeOf(url), method: method as Dispatcher.HttpMethod, ...payloadOf(out) }, handler)
    } catch (error) {
      fail(error as Error)
    }
  })
}

class TooLarge extends Error {}

class TimedOut extends Error {
  override readonly name = 'TimeoutError'
}

const origins = new Map<string, string>()

/** An address in two parts; the part after the origin is sent unchanged. */
function placeOf(url: string): { origin: string; path: string } {
  const [, start = '', rest = ''] = /^([^:]+:\/\/[^/?#]*)(.*)$/s.exec(url) ?? []
  const origin = origins.get(start) ?? new URL(start).origin
  origins.set(start, origin)
  return { origin, path: rest.startsWith('/') ? rest : `/${rest}` }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name in headers) all[name] = String(headers[name])
  return all
}

/** Made once: a context for each connection would read 150 certificates each time. */
function trusting(ca: string) {
  const extra = process.env.NODE_EXTRA_CA_CERTS
  const known = [...rootCertificates, ...(extra ? [readFileSync(extra, 'utf8')] : []), ca]
  return { secureContext: createSecureContext({ ca: known }) }
}
