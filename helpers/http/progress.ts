import { Inconclusive, TokenEnded } from './case-errors.ts'

/** How long a target may go without one whole answer before the run ends, in milliseconds, by default. */
export const longestStall = 180_000

/** What the wire has seen. */
export interface Wire {
  sent: number
}

/** Whether the calls under way still make progress; ends all of them at once if they do not. */
export class Progress {
  /** Why no more calls are sent. */
  ended: string | undefined
  /** A Get showed a group: the target knows the run's token. */
  gotGroup = false
  readonly #listeners: ((why: string) => void)[] = []
  /** Excludes calls that may last longer than anything else, such as waiting for hours. */
  #underWay = 0
  #lastAnswer = Date.now()
  #lastSeen = 'nothing came at all'
  #timer: NodeJS.Timeout | undefined
  readonly #waiting = new Set<(error: Error) => void>()
  readonly #limit: number

  constructor(limit = longestStall) {
    this.#limit = limit
  }

  /** Waits for a call, but only until the end. */
  async wait<T>(call: () => Promise<T>): Promise<T> {
    if (this.ended !== undefined) throw new Inconclusive(this.ended)
    if (this.#underWay++ === 0) this.#begin()
    let refuse: (error: Error) => void = () => {}
    try {
      return await new Promise<T>((resolve, reject) => {
        refuse = reject
        this.#waiting.add(reject)
        call().then(resolve, reject)
      })
    } finally {
      this.#waiting.delete(refuse)
      if (--this.#underWay === 0) clearInterval(this.#timer)
    }
  }

  /** A whole answer came, or a short refusal of one: the target is alive. */
  advance(): void {
    this.#lastAnswer = Date.now()
  }

  /** What came instead of an answer; it explains why the run ended. */
  saw(what: string): void {
    this.#lastSeen = what
  }

  /** Ends every waiting call, and all that would begin. */
  end(why: string): void {
    if (this.ended !== undefined) return
    this.ended = why
    clearInterval(this.#timer)
    for (const refuse of [...this.#waiting]) refuse(new Inconclusive(why))
    for (const listener of this.#listeners) listener(why)
  }

  /** Ends everything but the call whose answer shows it, which throws what this returns. */
  lockedOut(answer: { status: number }): TokenEnded {
    const gone = new TokenEnded(answer)
    setImmediate(() => this.end(gone.message))
    return gone
  }

  /** Calls this once, with the reason, when the end comes. */
  onEnded(listener: (why: string) => void): void {
    this.#listeners.push(listener)
  }

  #begin(): void {
    this.#lastAnswer = Date.now()
    this.#timer = setInterval(
      () => {
        if (Date.now() - this.#lastAnswer < this.#limit) return
        this.end(
          `the target made no progress for ${Math.round(this.#limit / 1000)} s, the bound of --max-stall: ${this.#lastSeen}`,
        )
      },
      Math.min(1_000, this.#limit / 4),
    ).unref()
  }
}
