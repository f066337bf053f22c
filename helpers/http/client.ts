import type { Config } from '../settings/configuration.ts'
import type { TokenSource } from './access-token.ts'
import { readJson } from './body.ts'
import { type Answer, type Call, type Credential, type Log, succeeded } from './call.ts'
import { Inconclusive, mustWrite, Stopped, TargetGone } from './case-errors.ts'
import {
  answerWithin,
  BrokenOff,
  Connections,
  HungUp,
  type IncomingResponse,
  type OutgoingRequest,
  reasonOf,
} from './connections.ts'
import { type Exchange, record, withoutCodes } from './exchange.ts'
import { requestFor } from './request.ts'
import { asksToWait, longestPause, mostTries, pauseAskedFor } from './retry-policy.ts'
import type { Secrets } from './secrets.ts'
import { Throttle } from './throttle.ts'

/** The contract's HTTP: one pool, one gate, one place where exchanges are written down. */
export class Client {
  /** Called with every answer that is not a request to wait. */
  onAnswer: (answer: Answer, call: Call) => void = () => {}
  /** Called with every call when it goes out; gives what is called when it ended, without an answer where none came. */
  onSend: (call: Call, credential: Credential) => (exchange: Exchange, answer?: Answer) => void = () => () => {}
  /** How often the target asked the run to wait (R43). */
  throttled = 0
  /** How many calls were sent. */
  sent = 0
  readonly #config: Config
  readonly #secrets: Secrets
  readonly #tokens: TokenSource
  readonly #gate: Throttle
  readonly #connections: Connections
  readonly #within: number
  readonly #sentWith = new WeakMap<Answer, Credential>()
  #patient = true
  /** In how many pauses on end each call was refused: one that always is, as where a quota is full, is not waited for again. */
  readonly #refused = new Map<string, number>()
  #interrupted = false
  #gotOne = false

  /** `within`: how long the target may take for one answer (R59), in milliseconds. */
  constructor(config: Config, secrets: Secrets, tokens: TokenSource, within = answerWithin) {
    this.#config = config
    this.#secrets = secrets
    this.#tokens = tokens
    this.#gate = new Throttle(config.concurrency, config.rateLimit)
    this.#within = within
    this.#connections = new Connections(config.target, config.concurrency, within)
    for (const [name, value] of Object.entries(config.target.headers)) secrets.hide(value, `<${name}>`)
  }

  /** Sends a call and gives its answer; throws `Stopped` where none came although a control call has one (R59). */
  async send(call: Call, log: Log): Promise<Answer> {
    const answer = await this.#patiently(call, log)
    if (answer.status !== 401 || call.credential !== undefined) return answer
    return this.#withNewToken(call, log, answer)
  }

  /** From now on no call is sent: each ends its case as inconclusive. */
  interrupt(): void {
    this.#interrupted = true
  }

  get interrupted(): boolean {
    return this.#interrupted
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  /** Asks again as long as the target asks for patience (R43). */
  async #patiently(call: Call, log: Log): Promise<Answer> {
    const what = `${call.method} ${call.path}`
    for (let tries = 1; ; tries++) {
      const answer = await this.#gate.pass(() => this.#once(call, log))
      if (!asksToWait(call.method, answer.status)) {
        this.#patient = true
        this.#refused.delete(what)
        this.onAnswer(answer, call)
        return answer
      }
      this.throttled++
      const ms = pauseAskedFor(answer.headers, tries)
      const inARow = Math.max(this.#refused.get(what) ?? 0, tries)
      if (inARow >= mostTries || ms > longestPause) {
        this.#refused.set(what, inARow)
        if (tries === inARow) this.#patient = false
      }
      if (!this.#patient || inARow >= mostTries) {
        throw new Inconclusive(
          `${call.operation} was answered ${answer.status} ${inARow} times: the target is too busy`,
        )
      }
      log.exchanges.splice(log.exchanges.indexOf(answer.exchange), 1)
      if (this.#gate.pause(ms)) this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1)
    }
  }

  /** A token that ended in mid-run is renewed, or ends what can be said (R56). */
  async #withNewToken(call: Call, log: Log, refused: Answer): Promise<Answer> {
    // with the very token that was refused, for another call may have renewed it by now
    const credential = this.#sentWith.get(refused)!
    // a Get that never took the token does not tell that the token ended
    if (!this.#gotOne) return refused
    const control = await this.#once({ ...this.#control(), credential }, { phase: 'arrange', exchanges: [] })
    if (control.status !== 401) return refused
    if (await this.#tokens.renew(refused.exchange.sentAt)) return this.#patiently(call, log)
    throw new TargetGone('the API token is no longer accepted: it ended while the run went on')
  }

  async #once(call: Call, log: Log): Promise<Answer> {
    if (this.#interrupted) throw new Inconclusive('the run was interrupted')
    if (!['GET', 'HEAD', 'OPTIONS'].includes(call.method)) mustWrite(call.operation, this.#config)
    const credential = call.credential ?? (await this.#tokens.credential())
    const out = requestFor(call, credential, this.#config.target)
    const sentAt = new Date()
    const started = performance.now()
    const ended = this.onSend(call, credential)
    const write = (came: Pick<Exchange, 'response' | 'silence'>): Exchange => {
      const headers = {
        ...out.headers,
        ...(credential.header === undefined ? {} : { authorization: credential.shown }),
      }
      const exchange = record(
        {
          number: ++this.sent,
          operation: call.operation,
          phase: log.phase,
          sentAt: sentAt.toISOString(),
          ms: Math.round(performance.now() - started),
          request: {
            method: out.method,
            url: out.url,
            headers,
            ...(out.body === undefined ? {} : { body: out.body }),
          },
          ...came,
        },
        this.#secrets,
      )
      log.exchanges.push(exchange)
      return exchange
    }
    const incoming = await this.#overTheWire(call, log, out, (came) => {
      const exchange = write(came)
      if (call.method !== 'GET') ended(exchange)
      return exchange
    })
    const { status, headers, bytes } = incoming
    const { text: raw, ...parsed } = readJson(bytes)
    const text = withoutCodes(call.operation, raw)
    call.conceal?.(text)
    const exchange = write({ response: { status, headers, body: text, bytes: bytes.length } })
    const answer = { status, headers, text: this.#secrets.redact(text), ...parsed, exchange }
    ended(exchange, answer)
    if (status === 401) this.#sentWith.set(answer, credential)
    this.#gotOne ||= call.operation === 'group.get' && call.credential === undefined && succeeded(answer)
    return answer
  }

  async #overTheWire(
    call: Call,
    log: Log,
    out: OutgoingRequest,
    write: (came: { silence: string }) => Exchange,
  ): Promise<IncomingResponse> {
    try {
      return await this.#connections.exchange(out)
    } catch (error) {
      write({ silence: reasonOf(error, this.#within) })
      const again = call.method === 'GET' && (error as Error).name !== 'TimeoutError'
      const second = again ? await this.#connections.afresh(out).catch(() => undefined) : undefined
      if (second) return second
      if (!(error instanceof BrokenOff)) await this.#mustStillAnswer()
      if (error instanceof HungUp && call.method !== 'GET') {
        throw new Inconclusive(
          `${call.operation} went out on a kept connection that was closed at that moment: whether it arrived is open`,
        )
      }
      throw new Stopped({
        operation: call.operation,
        phase: log.phase,
        why: `got no answer: ${reasonOf(error, this.#within)}`,
      })
    }
  }

  async #mustStillAnswer(): Promise<void> {
    const credential = await this.#tokens.credential()
    await this.#connections.afresh(requestFor(this.#control(), credential, this.#config.target)).catch((error) => {
      if (error instanceof BrokenOff) return
      throw new TargetGone(`the target no longer answers at all: ${reasonOf(error, this.#within)}`)
    })
  }

  #control(): Call {
    const { apiVersion, groupUid } = this.#config.target
    return { operation: 'control', method: 'GET', path: `/iam/${apiVersion}/groups/${groupUid}` }
  }
}
