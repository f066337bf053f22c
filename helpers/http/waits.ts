import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, isGivenUp, isOfNetwork, isRedirect, isThrottled, type Log } from './call.ts'
import { Inconclusive, Lost, TokenSpent } from './case-errors.ts'
import type { Exchange } from './exchange.ts'
import type { IncomingResponse } from './wire/exchange-over.ts'

/** How often a call is sent before the target counts as too busy. */
export const mostTries = 8
/** How often a call is sent that may be answered so for what it names: a service that starts again is back by then. */
const mostBriefTries = 4
/** The longest that a target may ask the run to wait, in milliseconds. */
export const longestPause = 120_000

/** True where the answer asks for patience: 429 and 503 for any method, a gateway's where repeating is safe (R43). */
export const asksToWait = (method: string, status: number) =>
  isThrottled({ status }) && (method === 'GET' || !isGivenUp({ status }))

/** True where a gateway asks for a login, by a redirect or a page, which nothing in this API is. */
export const asksToLogIn = ({ status, headers }: IncomingResponse) =>
  isRedirect({ status }) || (status === 200 && /^text\/html\b/i.test(headers['content-type'] ?? ''))

/** Asks outside the gate, and again while the target asks to wait (R43); returns its last answer. */
export async function askPatiently(
  ask: () => Promise<IncomingResponse>,
  { tries = mostTries, pause = longestPause } = {},
): Promise<IncomingResponse> {
  for (let asked = 1; ; asked++) {
    const came = await ask()
    const ms = pauseAskedFor(came.headers, asked)
    if (!asksToWait('GET', came.status) || asked >= tries || ms > pause) return came
    await sleep(ms)
  }
}

/** True for a call by which the run itself goes on from a page token. */
export const continues = ({ query, credential }: Call) => query?.page_token !== undefined && credential === undefined

/**
 * Ends the case where a page token or an identity token was sent once more, and refused: it may work only once (R14,
 * R41). A list with another credential than the run's own is refused for that.
 */
export function mustWorkTwice(call: Call, { status }: { status: number }): void {
  const { operation, at } = call
  if (!(at === 'auth' || continues(call)) || status < 400 || asksToWait('GET', status)) return
  throw new TokenSpent(`${operation} was made again and answered ${status}: its token may work only once`)
}

/** Ends the case where a gateway gave up on a write: nobody knows whether it arrived, and it refuses nothing (R43). */
export function mustHaveArrived(call: Call, answer: Answer, tries: number): void {
  const { operation, method, renewed } = call
  const { status } = answer
  if (tries > 1 && !renewed) mustWorkTwice(call, answer)
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || !isGivenUp(answer)) return
  throw new Lost(operation, `was answered ${status}`)
}

/** The wait before a forbidden call is repeated, in milliseconds. */
export const betweenForbidden = 250

/** Makes a call, and repeats it while it may still become allowed (R56); only its last answer is kept. */
export async function onceAllowed(
  { exchanges }: Log,
  isTooEarly: (answer: Answer) => boolean,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send()
    // what is gone since the first time stays gone
    if (wasSentAgain(answer.exchange) || !isTooEarly(answer)) return answer
    exchanges.splice(exchanges.indexOf(answer.exchange), 1)
    await sleep(betweenForbidden)
  }
}

/** How long to wait, in milliseconds: as `Retry-After` says, else a second, doubling (R43). */
export function pauseAskedFor(headers: Record<string, string>, tries: number): number {
  const doubling = 1000 * 2 ** (tries - 1)
  const asked = headers['retry-after']
  if (asked === undefined) return doubling
  const floor = tries === 1 ? 0 : doubling / 10
  if (/^\s*\d+\s*$/.test(asked)) return Math.max(Number(asked) * 1000, floor)
  const until = Date.parse(asked) - (Date.parse(headers.date ?? '') || Date.now())
  return Number.isNaN(until) ? doubling : Math.max(until, floor)
}

const sentAgain = new WeakSet<Exchange>()

/** True for the answer to a write that was answered 503 before: behind a proxy it may have taken effect twice (R43). */
export const wasSentAgain = (exchange: Exchange): boolean => sentAgain.has(exchange)

/** After how many requests to wait in a row a create may be over a quota: at first, and once a quota was reached. */
const [triesAtQuota, triesAtNext] = [4, 1]

/** What a target asked to wait for, and whether waiting still helps (R43). */
export class Waits {
  /** False while the last call that waited to the end got no other answer. */
  #patient = true
  /** In how many consecutive pauses each call was refused. */
  readonly #refused = new Map<string, number>()
  /** Creates that alone were refused: their parent is full. */
  readonly #full = new Set<string>()
  /** Writes that were answered 503. */
  readonly #open = new WeakSet<Call>()
  /** Operations of which a brief call waited in vain. */
  readonly #vain = new Set<string>()
  #quotas = 0

  /** A call got its answer. */
  answered(call: Call, { exchange }: Answer): void {
    if (this.#open.delete(call)) sentAgain.add(exchange)
    this.#patient = true
    this.#refused.delete(nameOf(call))
    this.#full.delete(nameOf(call))
  }

  /** How long the whole run waits after an answer, in milliseconds: not at all where only the network lost it. */
  pauseAfter(call: Call, answer: Answer, tries: number): number {
    if (answer.status === 503 && call.method !== 'GET') this.#open.add(call)
    return isOfNetwork(answer) ? 0 : pauseAskedFor(answer.headers, tries)
  }

  /** A call began a new pause. */
  began(call: Call): void {
    this.#refused.set(nameOf(call), (this.#refused.get(nameOf(call)) ?? 0) + 1)
  }

  /** True where there may be too many things rather than calls: code 8 to a create, again and again. */
  mayBeFull(call: Call, answer: Answer, tries: number): boolean {
    // a rate limit says when it ends
    const isNext = this.#quotas > 0 && answer.headers['retry-after'] === undefined
    const enough = isNext ? triesAtNext : triesAtQuota
    const isCandidate = call.method === 'POST' && codeIn(answer) === 8 && !this.#full.has(nameOf(call))
    return isCandidate && this.#inARow(call, tries) >= enough
  }

  /** The parent of a create is full: another call was answered at that time. True for the first one of the run. */
  full(call: Call): boolean {
    this.#full.add(nameOf(call))
    return this.#quotas++ === 0
  }

  /**
   * Throws `Inconclusive` where waiting again is futile. `tries`: how often the call was sent; `ms`: the wait asked for,
   * by the whole run. What only the network lost keeps no other call waiting.
   */
  async mustBeOfUse(call: Call, { status }: Answer, { tries, ms }: { tries: number; ms: number }): Promise<void> {
    const inARow = this.#inARow(call, tries)
    if (call.brief && status !== 429 && !isOfNetwork({ status }) && ms <= longestPause)
      return this.#mustBeBrief(call, status, tries)
    if (inARow >= mostTries || ms > longestPause) {
      this.#refused.set(nameOf(call), inARow)
      if (tries === inARow) this.#patient = false
    }
    const isFull = this.#full.has(nameOf(call))
    if (this.#patient && inARow < mostTries && !isFull) {
      if (isOfNetwork({ status })) await sleep(250 * tries)
      return
    }
    const why = isFull ? ' while another call was answered: a quota seems to be reached' : ': the target is too busy'
    throw new Inconclusive(
      `${call.operation} was answered ${status} ${inARow === 1 ? 'once' : `${inARow} times`}${why}`,
    )
  }

  /** The same for a call that may be refused so for ever: once one was, no other of the operation is made again. */
  #mustBeBrief({ operation }: Call, status: number, tries: number): void {
    if (tries < (this.#vain.has(operation) ? 1 : mostBriefTries)) return
    this.#vain.add(operation)
    throw new Inconclusive(`${operation} was answered ${status}, and waiting is in vain`)
  }

  #inARow(call: Call, tries: number): number {
    return Math.max(this.#refused.get(nameOf(call)) ?? 0, tries)
  }
}

const nameOf = ({ method, path }: Call) => `${method} ${path}`
