import { readJson } from '../http/body.ts'
import type { Log } from '../http/call.ts'
import { Inconclusive, mustWrite, NotOffered } from '../http/case-errors.ts'
import { openPool } from '../http/connections.ts'
import { type Exchange, record } from '../http/exchange.ts'
import type { Wire } from '../http/progress.ts'
import { withAgent } from '../http/request.ts'
import type { Secrets } from '../http/secrets.ts'
import { exchangeOver, type IncomingResponse } from '../http/wire/exchange-over.ts'
import type { Config } from '../settings/configuration.ts'
import { instant } from './instant.ts'
import { isObject } from './received.ts'

/** How far the hook's time may be off, in milliseconds, not counting the time elapsed: hooks may round. */
const tolerance = 5_000

/** The target's clock, if the operator lets it be moved; the hook is the operator's, so it fails no case (R2). */
export class Clock {
  /** Called when the clock was moved, with the seconds. */
  onMoved: (seconds: number) => void = () => {}
  /** Called with every exchange with the hook. */
  onCalled: (exchange: Exchange, seconds: number) => void = () => {}
  readonly #config: Config
  readonly #secrets: Secrets
  readonly #client: { sent: number; wire: Wire }
  #moved = 0
  #last: { now: number; at: number } | undefined

  /** Calls of the hook are numbered among those of a client. */
  constructor(config: Config, secrets: Secrets, client: { sent: number; wire: Wire }) {
    this.#config = config
    this.#secrets = secrets
    this.#client = client
  }

  /** True where the operator gave a hook. */
  get movable(): boolean {
    return this.#config.target.clockUrl !== undefined
  }

  /**
   * Moves the clock forward by whole seconds; 0 only reads the time. Returns the hook's time, in milliseconds since
   * 1970, or undefined where it gives none. Throws `Inconclusive` where the hook refuses, answers nonsense, or did not
   * move as asked.
   */
  async advance(seconds: number, log: Log): Promise<number | undefined> {
    const before = this.#last
    const now = this.#timeIn(await this.#post(seconds, log))
    const at = performance.now()
    this.#moved += seconds * 1000
    this.onMoved(seconds)
    this.#last = now === undefined ? undefined : { now, at }
    if (before && now !== undefined) {
      const off = now - before.now - seconds * 1000
      if (off < -tolerance || off > at - before.at + tolerance)
        throw new Inconclusive(
          `the clock hook was asked to move by ${seconds} s, and its time moved by ${Math.round((now - before.now) / 1000)} s`,
        )
    }
    return now
  }

  /**
   * The hook's time, in milliseconds since 1970; undefined where it gives none. Throws `NotOffered` where neither a hook
   * nor the Date of an answer shows the target's clock (R2).
   */
  async now(isDated: boolean, log: Log): Promise<number | undefined> {
    if (this.movable) return this.advance(0, log).catch(() => undefined)
    if (isDated) return undefined
    throw new NotOffered('a clock', 'no answer has a Date header, and RMAPI_CLOCK_URL is not set')
  }

  /** A time in milliseconds that advances like the target's clock, whatever the hook shows; only differences count. */
  read(): number {
    return this.#moved + performance.now()
  }

  /** The target's current time, by the hook's last answer; undefined where it gave none. */
  lastKnown(): number | undefined {
    return this.#last && this.#last.now + performance.now() - this.#last.at
  }

  #timeIn({ status, bytes }: IncomingResponse): number | undefined {
    const { json, text } = readJson(bytes)
    if (status < 200 || status > 299) throw new Inconclusive(`the clock hook answered ${status}: ${text.slice(0, 100)}`)
    if (!isObject(json) || json.now === undefined) return undefined
    const now = instant(json.now)
    if (!Number.isNaN(now)) return now
    throw new Inconclusive(
      `the clock hook gives a 'now' that is no RFC 3339 time: ${JSON.stringify(json.now).slice(0, 100)}`,
    )
  }

  async #post(advanceSeconds: number, log: Log): Promise<IncomingResponse> {
    mustWrite('clock.advance', this.#config)
    const { target, agent } = this.#config
    const out = {
      method: 'POST',
      url: target.clockUrl ?? '',
      headers: { ...target.headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds }),
    }
    const sentAt = new Date()
    const write = (came: Pick<Exchange, 'response' | 'silence'>) => {
      const sent = { number: ++this.#client.sent, sentAt: sentAt.toISOString(), ms: Date.now() - +sentAt }
      const raw = { ...sent, operation: 'clock.advance', phase: log.phase, request: out, ...came }
      const exchange = record(raw, this.#secrets)
      log.exchanges.push(exchange)
      this.onCalled(exchange, advanceSeconds)
    }
    const pool = openPool(target, 1, false)
    try {
      const incoming = await exchangeOver(
        pool,
        { ...out, headers: withAgent(out.headers, agent, 'clock hook') },
        undefined,
        this.#client.wire,
      )
      const { status, headers, bytes } = incoming
      write({ response: { status, headers, body: readJson(bytes).text, bytes: bytes.length } })
      return incoming
    } catch (error) {
      write({ silence: (error as Error).message })
      throw new Inconclusive(`the clock hook does not answer: ${(error as Error).message}`)
    } finally {
      await pool.close()
    }
  }
}
