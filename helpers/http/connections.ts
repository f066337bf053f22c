import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import type { Target } from '../settings/configuration.ts'
import type { Wire } from './progress.ts'
import { isHangUp } from './wire/broken-off.ts'
import { answerWithin, exchangeOver, type IncomingResponse, type OutgoingRequest } from './wire/exchange-over.ts'

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
    // over HTTP/2 one connection carries them all
    connections: target.http2 ? 1 : connections,
    pipelining: target.http2 ? connections : keepAlive ? 1 : 0,
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
  /** Opens a connection for one call, over HTTP/2. */
  readonly #own: (() => Dispatcher) | undefined
  readonly #owned = new Set<Dispatcher>()
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
    if (target.http2) this.#own = () => openPool(target, 1, false, within)
  }

  /** One exchange; throws an `Error` with a short reason if no answer came, `HungUp` if nobody is to blame. */
  async exchange(out: OutgoingRequest): Promise<IncomingResponse> {
    if (out.carry) return out.carry(out.headers)
    // the end of a connection over HTTP/2 loses what is under way on it
    const isShared = this.#own === undefined && this.#keeps && !this.#closed
    if (out.method !== 'GET' && !isShared) return this.afresh(out)
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
    const own = this.#own?.()
    if (own === undefined) return exchangeOver(this.#fresh, out, this.#within, this.#wire)
    this.#owned.add(own)
    return exchangeOver(own, out, this.#within, this.#wire).finally(() => {
      this.#owned.delete(own)
      return own.close().catch(() => undefined)
    })
  }

  /** Aborts everything under way. */
  async destroy(): Promise<void> {
    const open = [this.#kept, this.#fresh, ...this.#owned]
    await Promise.all(open.map((pool) => pool.destroy())).catch(() => undefined)
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

const contexts = new Map<string, { secureContext: SecureContext }>()

/** Made once: a context for each connection would read 150 certificates each time. */
function trusting(ca: string): { secureContext: SecureContext } {
  const made = contexts.get(ca)
  if (made !== undefined) return made
  const extra = process.env.NODE_EXTRA_CA_CERTS
  const known = [...rootCertificates, ...(extra ? [readFileSync(extra, 'utf8')] : []), ca]
  const context = { secureContext: createSecureContext({ ca: known }) }
  contexts.set(ca, context)
  return context
}
