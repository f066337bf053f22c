import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, type Log } from './call.ts'
import { Inconclusive, TokenSpent } from './case-errors.ts'
import type { IncomingResponse } from './connections.ts'

/** With fewer calls at once, the cases about simultaneous calls lack evidence: only a target that takes fewer gets them. */
const narrow = 4
/** This many refusals within this many calls show that it does. */
const [manyRefusals, fewCalls] = [8, 80]

/** Lets calls through to the target: a limited number at once and a second, none while it asks for a pause (R43). */
export class Throttle {
  #width: number
  #under = 0
  #refusedInOne = 0
  #refused = 0
  #calls = 0
  readonly #waiting: Record<'urgent' | 'usual', (() => void)[]> = { urgent: [], usual: [] }
  #spacing: number
  readonly #follows: boolean
  #next = 0
  #pausedUntil = 0

  constructor(concurrency: number, rateLimit?: number | 'auto') {
    this.#width = concurrency
    this.#follows = rateLimit === 'auto'
    this.#spacing = typeof rateLimit === 'number' ? 1000 / rateLimit : 0
  }

  /** The calls left according to an answer, where the run follows that. */
  heard(headers: Record<string, string>): void {
    const allowed = this.#follows ? allowance(headers) : undefined
    if (allowed === undefined) return
    const { remaining, ms } = allowed
    // the target does not count those under way yet
    if (remaining <= this.#under)
      this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + Math.min(ms, longestPause))
    this.#spacing = remaining <= this.#under ? this.#spacing : Math.min(ms / (remaining - this.#under), 10_000)
  }

  /** Runs one call when its turn has come; urgent ones have theirs before all others that wait. */
  async pass<T>(call: () => Promise<T>, urgency: 'urgent' | 'usual' = 'usual'): Promise<T> {
    if (this.#under < this.#width) this.#under++
    else await new Promise<void>((go) => this.#waiting[urgency].push(go))
    this.#calls++
    try {
      await this.#turn()
      return await call()
    } finally {
      this.#under--
      while (this.#under < this.#width) {
        const next = this.#waiting.urgent.shift() ?? this.#waiting.usual.shift()
        if (next === undefined) break
        this.#under++
        next()
      }
    }
  }

  /**
   * Holds back every call for `ms`, and returns whether this pause is new. Where one pause refused half of those under
   * way, fewer go at once from then on.
   */
  pause(ms: number): boolean {
    const now = Date.now()
    const begins = now >= this.#pausedUntil
    this.#refusedInOne = begins ? 1 : this.#refusedInOne + 1
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms)
    if (this.#width <= narrow) this.#narrowFurther()
    else if (this.#refusedInOne >= this.#width / 2) {
      this.#width = Math.max(narrow, Math.floor(this.#width / 2))
      this.#refusedInOne = 0
    }
    return begins && ms > 0
  }

  #narrowFurther(): void {
    if (++this.#refused < manyRefusals) return
    if (this.#calls < fewCalls) this.#width = Math.max(1, this.#width - 1)
    this.#refused = 0
    this.#calls = 0
  }

  async #turn(): Promise<void> {
    if (this.#spacing > 0) {
      this.#next = Math.max(this.#next + this.#spacing, Date.now())
      await sleep(this.#next - Date.now())
    }
    while (this.#pausedUntil > Date.now()) await sleep(this.#pausedUntil - Date.now())
  }
}

/**
 * How many more calls a target takes, and for how many milliseconds: by `RateLimit-Remaining` and `-Reset`, their `X-`
 * forms, or `RateLimit` alone. A reset is in seconds, or a moment in seconds or milliseconds since 1970.
 */
function allowance(headers: Record<string, string>): { remaining: number; ms: number } | undefined {
  const one = headers.ratelimit ?? ''
  const remaining =
    headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining'] ?? /(?:remaining=|;\s*r=)(\d+)/.exec(one)?.[1]
  const reset = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? /(?:reset=|;\s*t=)(\d+)/.exec(one)?.[1]
  if (remaining === undefined || reset === undefined || !/^\s*\d{1,12}/.test(remaining)) return undefined
  const at = /^\s*\d+(\.\d+)?\s*$/.test(reset) ? Number(reset) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const now = (Date.parse(headers.date ?? '') || Date.now()) / 1000
  // in milliseconds, such a number was a moment in 1973
  const seconds = at > 1e11 ? at / 1000 - now : at > 1e9 ? at - now : at
  return { remaining: Number.parseInt(remaining, 10), ms: Math.max(0, seconds) * 1000 }
}

/** How often a call is sent before the target counts as too busy. */
export const mostTries = 8
/** The longest that a target may ask the run to wait, in milliseconds. */
export const longestPause = 120_000

/** True where the answer asks for patience: 429 and 503 for any method, 502 and 504 where repeating is safe (R43). */
export function asksToWait(method: string, status: number): boolean {
  return status === 429 || status === 503 || (method === 'GET' && (status === 502 || status === 504))
}

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
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || (status !== 502 && status !== 504)) return
  throw new Inconclusive(`${operation} was answered ${status}: whether it arrived is open, and it is not made again`)
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
    if (!isTooEarly(answer)) return answer
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
  #quotas = 0

  /** A call got its answer. */
  answered(call: Call): void {
    this.#patient = true
    this.#refused.delete(nameOf(call))
    this.#full.delete(nameOf(call))
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

  /** The parent of a create is full: another call was answered at that time. */
  full(call: Call): void {
    this.#quotas++
    this.#full.add(nameOf(call))
  }

  /**
   * Throws `Inconclusive` where waiting again is futile. `tries`: how often the call was sent; `ms`: the wait asked
   * for.
   */
  mustBeOfUse(call: Call, { status }: Answer, { tries, ms }: { tries: number; ms: number }): void {
    const inARow = this.#inARow(call, tries)
    if (inARow >= mostTries || ms > longestPause) {
      this.#refused.set(nameOf(call), inARow)
      if (tries === inARow) this.#patient = false
    }
    const isFull = this.#full.has(nameOf(call))
    if (this.#patient && inARow < mostTries && !isFull) return
    const why = isFull ? ' while another call was answered: a quota seems to be reached' : ': the target is too busy'
    throw new Inconclusive(`${call.operation} was answered ${status} ${inARow} times${why}`)
  }

  #inARow(call: Call, tries: number): number {
    return Math.max(this.#refused.get(nameOf(call)) ?? 0, tries)
  }
}

const nameOf = ({ method, path }: Call) => `${method} ${path}`
