import { setTimeout as sleep } from 'node:timers/promises'
import { longestPause } from '../waits.ts'
import { allowance } from './allowance.ts'

/** With fewer calls at once, the cases about simultaneous calls lack evidence: only a target that takes fewer gets them. */
const narrow = 4
/** This many refusals within this many calls show that it does. */
const [manyRefusals, fewCalls] = [8, 80]
/** After a refusal, calls go out at this part of the rate at which they were taken. */
const slower = 0.5
/** So many slower rates show whether their rate is why calls are refused. */
const enoughTries = 8
/** The least calls a second to which refusals alone slow a run down. */
const slowest = 20
/** After so many calls without a refusal, the calls go out a little faster again. */
const [enoughTaken, faster] = [100, 0.95]
/** After so many calls without a refusal one more goes out at once; after twice as many where that was too many. */
const enoughAtOnce = 60

/** True where slower calls got no further than before, or than as many at once: a number of them is refused, and no rate. */
const isNoRate = (sent: number, before: number) =>
  sent < before / 4 || (sent >= 100 && Math.abs(sent - before) <= before / 4)

/** Lets calls through to the target: a limited number at once and a second, none while it asks for a pause (R43). */
export class Throttle {
  #width: number
  readonly #widest: number
  /** Whether one call more at once was tried since the last pause, and after how many calls that is done. */
  #isWidened = false
  #enough = enoughAtOnce
  #under = 0
  /** Of the calls that were under way at a refusal: how many were refused as well, and how many are still. */
  #refusedInOne = 0
  #left = 0
  #refused = 0
  #calls = 0
  readonly #waiting: Record<'urgent' | 'usual', (() => void)[]> = { urgent: [], usual: [] }
  /** Milliseconds between two calls, and the least that the operator or the target allows. */
  #spacing: number
  #leastSpacing: number
  /** The calls since the last pause, and in all. */
  #sent = 0
  #taken = 0
  /** The calls before the last pause, how often they were made slower, and whether that is no use. */
  #before = 0
  #tries = 0
  #isCounted = false
  /** The most calls a second that the run made, its pauses included. */
  #usual = 0
  readonly #follows: boolean
  #next = 0
  #pausedUntil = Date.now()
  readonly #began = Date.now()

  constructor(concurrency: number, rateLimit?: number | 'auto') {
    this.#width = this.#widest = concurrency
    this.#follows = rateLimit === 'auto'
    this.#leastSpacing = typeof rateLimit === 'number' ? 1000 / rateLimit : 0
    this.#spacing = this.#leastSpacing
  }

  /** The calls left according to an answer, where the run follows that. */
  heard(headers: Record<string, string>): void {
    const allowed = this.#follows ? allowance(headers) : undefined
    if (allowed === undefined) return
    const { remaining, ms } = allowed
    // the target does not count those under way yet
    if (remaining <= this.#under)
      this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + Math.min(ms, longestPause))
    if (remaining > this.#under) this.#leastSpacing = Math.min(ms / (remaining - this.#under), 10_000)
    this.#spacing = this.#leastSpacing
  }

  /** What was refused was neither too fast nor too much at once: the calls go out as they did at first. */
  restart(): void {
    this.#width = this.#widest
    this.#isWidened = false
    this.#enough = enoughAtOnce
    this.#spacing = this.#leastSpacing
    this.#refusedInOne = this.#refused = this.#tries = 0
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
      this.#left = Math.max(0, this.#left - 1)
      while (this.#under < this.#width) {
        const next = this.#waiting.urgent.shift() ?? this.#waiting.usual.shift()
        if (next === undefined) break
        this.#under++
        next()
      }
    }
  }

  /**
   * Holds back every call for `ms`, and returns whether this pause is new. A pause slows the calls down; where one
   * refused half of those under way, fewer go at once from then on.
   */
  pause(ms: number): boolean {
    const now = Date.now()
    const begins = now >= this.#pausedUntil
    // however far apart they come: they were sent together
    const isOther = begins && this.#left === 0
    if (isOther) this.#left = this.#under
    this.#refusedInOne = isOther ? 1 : this.#refusedInOne + 1
    if (begins) this.#takeBack()
    const slowed = begins && ms > 0 && this.#slowDown(now)
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms)
    if (this.#width <= narrow && !slowed) this.#narrowFurther()
    else if (this.#width > narrow && this.#refusedInOne >= this.#width / 2) {
      this.#narrowTo(Math.max(narrow, Math.floor(this.#width / 2)))
      this.#refusedInOne = this.#left = 0
    }
    return begins && ms > 0
  }

  /**
   * Makes the calls slower than they were taken; false where that does not help. It never makes a run slower than it was
   * with its pauses.
   */
  #slowDown(now: number): boolean {
    const [sent, between] = [this.#sent, (now - this.#pausedUntil) / Math.max(1, this.#sent)]
    if (now - this.#began > 3_000) this.#usual = Math.max(this.#usual, (1000 * this.#taken) / (now - this.#began))
    if (++this.#tries <= enoughTries) this.#isCounted ||= isNoRate(sent, Math.max(this.#before, this.#width))
    this.#before = sent
    this.#sent = 0
    if (this.#follows || this.#isCounted) {
      this.#spacing = this.#leastSpacing
      return false
    }
    const spacing = Math.min(Math.max(between, this.#spacing) / slower, 1000 / Math.max(slowest, this.#usual))
    if (spacing <= this.#spacing) return false
    this.#spacing = spacing
    return true
  }

  /** One call more at once was too many: that is tried again later. */
  #takeBack(): void {
    if (!this.#isWidened) return
    this.#width--
    this.#enough *= 2
    this.#isWidened = false
  }

  /** Fewer calls at once: not their rate was too high. */
  #narrowTo(width: number): void {
    this.#width = width
    this.#spacing = this.#leastSpacing
  }

  #narrowFurther(): void {
    if (++this.#refused < manyRefusals) return
    if (this.#calls < fewCalls) this.#narrowTo(Math.max(1, this.#width - 1))
    this.#refused = 0
    this.#calls = 0
  }

  async #turn(): Promise<void> {
    do {
      while (this.#pausedUntil > Date.now()) await sleep(this.#pausedUntil - Date.now())
      this.#next = Math.max(this.#next + this.#spacing, Date.now())
      if (this.#spacing > 0) await sleep(this.#next - Date.now())
    } while (this.#pausedUntil > Date.now())
    if (++this.#sent % this.#enough === 0 && this.#width < this.#widest) {
      if (this.#isWidened) this.#enough = enoughAtOnce
      this.#width++
      this.#isWidened = true
    }
    if (++this.#taken % enoughTaken === 0) this.#spacing = Math.max(this.#leastSpacing, this.#spacing * faster)
  }
}
