import { setTimeout as sleep } from 'node:timers/promises'

/** Lets calls through to the target: so many at once, so many a second, and none while the target asks for a pause (R43). */
export class Gate {
  #free: number
  #waiting: (() => void)[] = []
  #spacing: number
  #next = 0
  #pausedUntil = 0

  constructor(concurrency: number, rateLimit?: number) {
    this.#free = concurrency
    this.#spacing = rateLimit === undefined ? 0 : 1000 / rateLimit
  }

  /** Runs one call when its turn has come. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      await this.#turn()
      return await call()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  /** Holds every call back for so many milliseconds. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + ms)
  }

  async #turn(): Promise<void> {
    if (this.#spacing > 0) {
      this.#next = Math.max(this.#next + this.#spacing, Date.now())
      await sleep(this.#next - Date.now())
    }
    while (this.#pausedUntil > Date.now()) await sleep(this.#pausedUntil - Date.now())
  }
}
