import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../http/call.ts'
import { isConflict, isForbidden } from './soft-refusal.ts'

/** How soon a forbidden call is made again, in milliseconds. */
const between = 250
/** How long is waited before a call is made again that met with another one, in milliseconds. */
const pauses = [40, 100, 250, 600, 1_500]

/**
 * Makes valid calls again that were refused for what may be over in a moment (R56): rights that spread, for as long as
 * they may take, and writes that met with another one.
 */
export class SecondChances {
  readonly #patience: number
  /** Operations that stayed forbidden: the token lacks the right, and nobody waits for it again. */
  readonly #lacking = new Set<string>()

  /** How long rights may take to spread, in milliseconds. */
  constructor(patience: number) {
    this.#patience = patience
  }

  /** Makes a call, and again where it was refused in such a way; gives its last answer. */
  async allow(operation: string, call: () => Promise<Answer>): Promise<Answer> {
    let answer = await call()
    for (const pause of pauses) {
      if (!isConflict(answer)) break
      // those that met each other shall not meet again
      await sleep(pause * (0.5 + Math.random()))
      answer = await call()
    }
    return isForbidden(answer) ? this.#whileForbidden(operation, answer, call) : answer
  }

  async #whileForbidden(operation: string, first: Answer, call: () => Promise<Answer>): Promise<Answer> {
    const started = performance.now()
    let answer = first
    while (isForbidden(answer) && !this.#lacking.has(operation)) {
      if (performance.now() - started >= this.#patience) this.#lacking.add(operation)
      else {
        await sleep(between)
        answer = await call()
      }
    }
    return answer
  }
}
