import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, type Log, succeeded } from './call.ts'
import { Inconclusive } from './case-errors.ts'
import type { IncomingResponse } from './connections.ts'

/** Fewer calls than this at once would leave the cases about simultaneous calls without evidence. */
const narrowest = 4

/** Lets calls through to the target: so many at once, so many a second, and none while the target asks for a pause (R43). */
export class Throttle {
  #width: number
  #under = 0
  #refusedInOne = 0
  #waiting: (() => void)[] = []
  #spacing: number
  readonly #follows: boolean
  #next = 0
  #pausedUntil = 0

  constructor(concurrency: number, rateLimit?: number | 'auto') {
    this.#width = concurrency
    this.#follows = rateLimit === 'auto'
    this.#spacing = typeof rateLimit === 'number' ? 1000 / rateLimit : 0
  }

  /** What an answer says of the calls that are left, where the run follows that. */
  heard(headers: Record<string, string>): void {
    const allowed = this.#follows ? allowance(headers) : undefined
    if (allowed === undefined) return
    const { remaining, ms } = allowed
    // those under way are not counted by the target yet
    if (remaining <= this.#under)
      this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + Math.min(ms, longestPause))
    this.#spacing = remaining <= this.#under ? this.#spacing : Math.min(ms / (remaining - this.#under), 10_000)
  }

  /** Runs one call when its turn has come. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    if (this.#under < this.#width) this.#under++
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      await this.#turn()
      return await call()
    } finally {
      this.#under--
      while (this.#under < this.#width && this.#waiting.length > 0) {
        this.#under++
        this.#waiting.shift()!()
      }
    }
  }

  /**
   * Holds every call back for so many milliseconds, and returns whether that pause is a new one. Where half of those under
   * way were refused in one, fewer go at once from then on.
   */
  pause(ms: number): boolean {
    const now = Date.now()
    const begins = now >= this.#pausedUntil
    this.#refusedInOne = begins ? 1 : this.#refusedInOne + 1
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms)
    if (this.#refusedInOne >= this.#width / 2 && this.#width > narrowest) {
      this.#width = Math.max(narrowest, Math.floor(this.#width / 2))
      this.#refusedInOne = 0
    }
    return begins && ms > 0
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
 * How many calls a target still takes, and for how many milliseconds: by `RateLimit-Remaining` and `-Reset`, their
 * forms with `X-`, or `RateLimit` alone, whose reset is in seconds or, where that is a moment, since 1970.
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
  return { remaining: Number.parseInt(remaining, 10), ms: Math.max(0, at > 1e9 ? at - now : at) * 1000 }
}

/** How often a call is sent before the target counts as too busy. */
const mostTries = 8
/** The longest that a target may ask the run to wait, in milliseconds. */
export const longestPause = 120_000

/** True where the answer asks for patience: 429 and 503 for any method, 502 and 504 where asking twice is safe (R43). */
export function asksToWait(method: string, status: number): boolean {
  return status === 429 || status === 503 || (method === 'GET' && (status === 502 || status === 504))
}

/** Asks outside of the gate, and again while the target asks to wait (R43); gives its last answer. */
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

/** Ends the case where a page token or an identity token was sent once more, and refused: it may work only once (R14, R41). */
export function mustWorkTwice({ operation, query, at }: Call, { status }: { status: number }): void {
  const isUsedUp = query?.page_token !== undefined || at === 'auth'
  if (!isUsedUp || status < 400 || asksToWait('GET', status)) return
  throw new Inconclusive(`${operation} was made again and answered ${status}: its token may work only once`)
}

/** Ends the case where a gateway gave up on a write: nobody knows whether it arrived, and it refuses nothing (R43). */
export function mustHaveArrived(call: Call, answer: Answer, tries: number): void {
  const { operation, method } = call
  const { status } = answer
  if (tries > 1) mustWorkTwice(call, answer)
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || (status !== 502 && status !== 504)) return
  throw new Inconclusive(`${operation} was answered ${status}: whether it arrived is open, and it is not made again`)
}

/** How soon a forbidden call is made again, in milliseconds. */
export const betweenForbidden = 250

/** Makes a call, and again as long as it may be allowed a moment later (R56); only its last answer is kept. */
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

/** The wait before a call that conflicted with another one is made again, in milliseconds. */
const conflictPauses = [10, 40, 100, 250, 600, 1_500]

/** Makes writes that conflicted with others again, one at a time: so they do not conflict with each other (R56). */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Makes a write, and again where it conflicted with another one; gives its last answer. */
  async apart({ method }: Call, send: () => Promise<Answer>): Promise<Answer> {
    let answer = await send()
    for (const pause of method === 'GET' ? [] : conflictPauses) {
      if (!isConflict(answer)) break
      // outside of its turn: what conflicts for ever keeps nobody waiting
      await sleep(pause * (0.5 + Math.random()))
      const turn = this.#last.then(send)
      this.#last = turn.catch(() => {})
      answer = await turn
    }
    return answer
  }
}

/** True for a refusal that calls made at the same moment may cause: code 10, or a 409 that speaks of no taken name. */
export function isConflict(answer: Answer): boolean {
  const code = codeIn(answer)
  return !succeeded(answer) && (code === 10 || (answer.status === 409 && code !== 6 && code !== 9))
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

/** How often in a row a create is asked to wait until a quota is thought of: at first, and once one was met. */
const [triesAtQuota, triesAtNext] = [4, 1]

/** What a target asked to wait for, and whether that still is of use (R43). */
export class Waits {
  /** False while the last call that was waited for to the end got no other answer. */
  #patient = true
  /** In how many pauses on end each call was refused. */
  readonly #refused = new Map<string, number>()
  /** Creates that alone were refused: what they are made in is full. */
  readonly #full = new Set<string>()
  #quotas = 0

  /** A call got its answer. */
  answered(call: Call): void {
    this.#patient = true
    this.#refused.delete(nameOf(call))
    this.#full.delete(nameOf(call))
  }

  /** A pause of its own began for a call. */
  began(call: Call): void {
    this.#refused.set(nameOf(call), (this.#refused.get(nameOf(call)) ?? 0) + 1)
  }

  /** True where not the calls may be too many, but the things: code 8 to a create, again and again. */
  mayBeFull(call: Call, answer: Answer, tries: number): boolean {
    // a limit of the rate says when it ends
    const isNext = this.#quotas > 0 && answer.headers['retry-after'] === undefined
    const enough = isNext ? triesAtNext : triesAtQuota
    const isCandidate = call.method === 'POST' && codeIn(answer) === 8 && !this.#full.has(nameOf(call))
    return isCandidate && this.#inARow(call, tries) >= enough
  }

  /** What a create is made in is full: another call was answered at that time. */
  full(call: Call): void {
    this.#quotas++
    this.#full.add(nameOf(call))
  }

  /** Throws `Inconclusive` where another wait is in vain. `tries` is how often the call was sent, `ms` the wait asked for. */
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
