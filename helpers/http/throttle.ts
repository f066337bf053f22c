import { setTimeout as sleep } from 'node:timers/promises'

/** Fewer calls than this at once would leave the cases about simultaneous calls nothing to tell. */
const narrowest = 4

/** Lets calls through to the target: so many at once, so many a second, and none while the target asks for a pause (R43). */
export class Throttle {
  #width: number
  #under = 0
  #refusedInOne = 0
  #waiting: (() => void)[] = []
  #spacing: number
  #next = 0
  #pausedUntil = 0

  constructor(concurrency: number, rateLimit?: number) {
    this.#width = concurrency
    this.#spacing = rateLimit === undefined ? 0 : 1000 / rateLimit
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
   * Holds every call back for so many milliseconds, and tells whether that pause is a new one. Where half of those under
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
