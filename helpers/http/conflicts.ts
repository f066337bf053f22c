import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, succeeded } from './call.ts'
import { continues } from './throttle.ts'

/** The waits before a call that conflicted with another is repeated, in milliseconds. */
const conflictPauses = [10, 40, 100, 250, 600, 1_500]

/** The same for a reading: what it conflicted with is soon over. */
const readingPauses = [10, 40, 100, 250]

/**
 * Repeats calls that conflicted with others, the writes one at a time, so that they do not conflict with each other
 * (R56). What brings a token that may work only once is not repeated (R14, R41).
 */
export class ConflictTurns {
  #last: Promise<unknown> = Promise.resolve()

  /** Makes a call, and repeats it if it conflicted with a write; returns its last answer. */
  async apart(call: Call, send: () => Promise<Answer>): Promise<Answer> {
    const isReading = call.method === 'GET'
    const isRepeatable = !isReading || (call.at !== 'auth' && !continues(call))
    let answer = await send()
    for (const pause of isRepeatable ? (isReading ? readingPauses : conflictPauses) : []) {
      if (!isConflict(answer)) break
      // outside its turn: a lasting conflict keeps nobody waiting
      await sleep(pause * (0.5 + Math.random()))
      const turn = isReading ? send() : this.#last.then(send)
      if (!isReading) this.#last = turn.catch(() => {})
      answer = await turn
    }
    return answer
  }
}

/** True for a refusal that simultaneous calls may cause: code 10, or a 409 that does not mention a taken name. */
export function isConflict(answer: Answer): boolean {
  const code = codeIn(answer)
  return !succeeded(answer) && (code === 10 || (answer.status === 409 && code !== 6 && code !== 9))
}
