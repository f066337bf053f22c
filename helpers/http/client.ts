import type { Config } from '../settings/configuration.ts'
import type { TokenSource } from './access-token.ts'
import { readJson } from './body.ts'
import { tooManyItems } from './body-budget.ts'
import { type Answer, type Call, type Credential, type Ended, type Log, noteAnswer, succeeded } from './call.ts'
import { Inconclusive } from './case-errors.ts'
import { ConflictTurns } from './conflicts.ts'
import { Connections } from './connections.ts'
import { type Exchange, record, withoutCodes } from './exchange.ts'
import { Throttle } from './pace/throttle.ts'
import { Progress, type Wire } from './progress.ts'
import { controlTo, outgoing, requestFor, type Shared, shownRequest, urgencyOf, withAgent } from './request.ts'
import type { Secrets } from './secrets.ts'
import { renewed, UnansweredCalls, whereRenewable } from './unanswered.ts'
import { asksToLogIn, asksToWait, mustHaveArrived, onceAllowed, Waits } from './waits.ts'
import { isLate, reasonOf } from './wire/broken-off.ts'
import { answerWithin, type IncomingResponse, type OutgoingRequest } from './wire/exchange-over.ts'
import { type WriteGuard, WriteGuards } from './write-guards.ts'

/** The contract's HTTP: one pool, one gate, one place where exchanges are recorded. */
export class Client {
  /** Called with every answer that is not a request to wait. */
  onAnswer: (answer: Answer, call: Call) => void = () => {}
  /** Called with every call as it goes out; returns what is called when it ends, without an answer if none came. */
  onSend: (call: Call, credential: Credential, log: Log, out: OutgoingRequest) => Ended = () => () => {}
  /** Whether a call was refused only because it came too early: it is repeated while this holds (R52, R56). */
  isTooEarly: (call: Call, answer: Answer) => boolean = () => false
  /** How often the target asked the run to wait (R43). */
  throttled = 0
  /** How many calls were recorded. */
  sent = 0
  readonly wire: Wire
  readonly #config: Config
  readonly #secrets: Secrets
  readonly #tokens: TokenSource
  readonly #gate: Throttle
  readonly #connections: Connections
  readonly #within: number
  readonly #unanswered = new UnansweredCalls((why) => this.#progress.end(why))
  readonly #sentWith = new WeakMap<Answer, Credential>()
  readonly #waits = new Waits()
  readonly #shared: Shared
  readonly #progress: Progress
  #interrupted = false

  /** `within`: the longest the target may take for one answer (R59), in milliseconds. */
  constructor(
    config: Config,
    secrets: Secrets,
    tokens: TokenSource,
    within = answerWithin,
    shared: Partial<Shared> = {},
  ) {
    this.#shared = {
      wire: { sent: 0 },
      progress: new Progress(config.maxStall),
      guards: new WriteGuards(),
      turns: new ConflictTurns(),
      grpc: undefined,
      ...shared,
    }
    this.wire = this.#shared.wire
    this.#progress = this.#shared.progress
    this.#progress.onEnded(() => void this.#connections.destroy())
    this.#config = config
    this.#secrets = secrets
    this.#tokens = tokens
    this.#gate = new Throttle(config.concurrency, config.rateLimit)
    this.#within = within
    this.#connections = new Connections(config.target, config.concurrency, within, this.wire)
    for (const [name, value] of Object.entries(config.target.headers)) secrets.hide(value, `<${name}>`)
  }

  /** Sends a call and returns its answer; throws `Stopped` if none comes while a control call gets one (R59). */
  send(call: Call, log: Log): Promise<Answer> {
    return this.#progress.wait(async () => {
      await this.#shared.guards.pass(call, log, this.#config)
      const isTooEarly = (early: Answer) => call.credential === undefined && this.isTooEarly(call, early)
      const answer = await onceAllowed(log, isTooEarly, () =>
        this.#shared.turns.apart(call, () => this.#patiently(call, log)),
      )
      if (answer.status !== 401 || call.credential !== undefined) return noteAnswer(call, answer)
      return noteAnswer(call, await this.#withNewToken(call, log, answer))
    })
  }

  /** Admits the writes that an owner vouches for; without an owner no write is sent. */
  admit(owner: object, guard: () => WriteGuard): void {
    this.#shared.guards.admit(owner, guard)
  }

  /** From now on no call is sent: each ends its case as inconclusive. */
  interrupt(): void {
    this.#interrupted = true
    // a moment for calls under way: their answers may hold uids of what was made
    setTimeout(() => this.#progress.end('the run was interrupted'), lastMoment).unref()
  }

  /** Called once with the reason why no more calls are sent, unless the operator stopped them. */
  onEnded(notify: (why: string) => void): void {
    this.#progress.onEnded((why) => !this.#interrupted && notify(why))
  }

  /** Another client with its own connections, which ends with this one. */
  narrow(concurrency: number): Client {
    return new Client({ ...this.#config, concurrency }, this.#secrets, this.#tokens, this.#within, this.#shared)
  }

  get interrupted(): boolean {
    return this.#interrupted
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  /** Asks again while the target asks for patience (R43), with another token where the call can be renewed (R41). */
  async #patiently(asked: Call, log: Log): Promise<Answer> {
    for (let [call, tries] = [asked, 1]; ; call = await renewed(call), tries++) {
      const turn = this.#gate.pass(() => this.#once(call, log), urgencyOf(log.exchanges))
      const answer = await turn.catch(whereRenewable(call, tries))
      if (answer === undefined) continue
      this.#gate.heard(answer.headers)
      if (!asksToWait(call.method, answer.status)) {
        this.#progress.advance()
        this.#waits.answered(call, answer)
        mustHaveArrived(call, answer, tries)
        this.onAnswer(answer, call)
        return answer
      }
      this.throttled++
      this.#progress.saw(`${call.operation} was answered ${answer.status}, which asks to wait`)
      const ms = this.#waits.pauseAfter(call, answer, tries)
      if (this.#waits.mayBeFull(call, answer, tries)) {
        const control = await this.#once(controlTo(this.#config.target), { phase: 'arrange', exchanges: [] })
        if (!asksToWait('GET', control.status) && this.#waits.full(call)) this.#gate.restart()
      }
      await this.#waits.mustBeOfUse(call, answer, { tries, ms })
      log.exchanges.splice(log.exchanges.indexOf(answer.exchange), 1)
      if (this.#gate.pause(ms)) this.#waits.began(call)
    }
  }

  /** Renews a token that ended in mid-run, or ends the run, because nothing more can be said (R56). */
  async #withNewToken(call: Call, log: Log, refused: Answer): Promise<Answer> {
    // with the token that was refused, because another call may have renewed it by now
    const credential = this.#sentWith.get(refused)!
    // if no Get ever accepted the token, this does not show that it ended
    if (!this.#progress.gotGroup) return refused
    const control = await this.#once(
      { ...controlTo(this.#config.target), credential },
      { phase: 'arrange', exchanges: [] },
    )
    if (control.status !== 401) return refused
    if (await this.#tokens.renew(refused.exchange.sentAt)) return this.#patiently(call, log)
    throw this.#progress.lockedOut(control)
  }

  async #once(call: Call, log: Log): Promise<Answer> {
    if (this.#interrupted) throw new Inconclusive('the run was interrupted')
    const { maxRequests, agent } = this.#config
    if (maxRequests !== undefined && this.wire.sent >= maxRequests) {
      this.#progress.end(`the run reached --max-requests ${maxRequests}`)
      throw new Inconclusive(this.#progress.ended!)
    }
    const credential = call.credential ?? (await this.#tokens.credential())
    const out = outgoing(call, credential, this.#config, this.#shared.grpc)
    const named = { ...out, headers: withAgent(out.headers, agent, log.exchanges) }
    const [sentAt, started] = [new Date(), performance.now()]
    const ended = this.onSend(call, credential, log, out)
    const write = (came: Pick<Exchange, 'response' | 'silence'>): Exchange => {
      const exchange = record(
        {
          number: ++this.sent,
          operation: call.operation,
          phase: log.phase,
          sentAt: sentAt.toISOString(),
          ms: Math.round(performance.now() - started),
          request: shownRequest(out, credential),
          ...came,
        },
        this.#secrets,
      )
      log.exchanges.push(exchange)
      return exchange
    }
    const silent = (came: { silence: string }) => {
      const exchange = write(came)
      ended(exchange)
      return exchange
    }
    const came = await this.#overTheWire(call, log, named, silent)
    if (this.#progress.gotGroup && asksToLogIn(came) && (await this.#ownGroup().then(asksToLogIn, () => false))) {
      const gone = this.#progress.lockedOut(came)
      silent({ silence: gone.message })
      throw gone
    }
    const { status, headers, bytes } = came
    const { text: raw, ...parsed } = readJson(bytes)
    const read = withoutCodes(call.operation, raw)
    call.conceal?.(read)
    const text = this.#secrets.redact(read)
    const exchange = write({ response: { status, headers, body: text, bytes: bytes.length } })
    const answer: Answer = { status, headers, ...parsed, text, exchange, ...(out.carry && { over: 'grpc' }) }
    const isTooLong = parsed.notJson === tooManyItems
    ended(exchange, isTooLong ? undefined : answer)
    if (isTooLong) throw new Inconclusive(`${call.operation} cannot be judged: ${tooManyItems}`)
    if (status === 401) this.#sentWith.set(answer, credential)
    this.#progress.gotGroup ||= call.operation === 'group.get' && call.credential === undefined && succeeded(answer)
    return answer
  }

  async #overTheWire(
    call: Call,
    log: Log,
    out: OutgoingRequest,
    write: (came: { silence: string }) => Exchange,
  ): Promise<IncomingResponse> {
    try {
      const incoming = await this.#connections.exchange(out)
      this.#unanswered.answered(call)
      // an idle connection ended as this call went out on it: nothing of it was read (RFC 9110, 15.5.9)
      return incoming.status === 408 && out.carry === undefined ? await this.#connections.afresh(out) : incoming
    } catch (error) {
      write({ silence: reasonOf(error, this.#within) })
      if (isLate(error)) this.#progress.saw(`${call.operation} got ${reasonOf(error, this.#within)}`)
      else this.#progress.advance()
      return this.#unanswered.insist(error, {
        call,
        log,
        within: this.#within,
        again: () => this.#connections.afresh(out),
        control: () => this.#ownGroup(),
      })
    }
  }

  /** Asks for the operator's group on a connection of its own, beside the gate. */
  async #ownGroup(): Promise<IncomingResponse> {
    const credential = await this.#tokens.credential()
    const { target, agent } = this.#config
    const control = requestFor(controlTo(target), credential, target)
    const headers = withAgent(control.headers, agent, 'control call')
    return this.#connections.afresh({ ...control, headers })
  }
}

/** How long an interrupted run waits for calls under way, in milliseconds. */
const lastMoment = 2_000
