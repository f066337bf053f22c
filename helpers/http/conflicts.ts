import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, succeeded } from './call.ts'

/** The waits before a call that conflicted with another is repeated, in milliseconds. */
const conflictPauses = [10, 40, 100, 250, 600, 1_500]

/** Repeats writes that conflicted with others, one at a time, so that they do not conflict with each other (R56). */
export class ConflictTurns {
  #last: Promise<unknown> = Promise.resolve()

  /** Makes a write, and repeats it if it conflicted with another one; returns its last answer. */
  async apart({ method }: Call, send: () => Promise<Answer>): Promise<Answer> {
    let answer = await send()
    for (const pause of method === 'GET' ? [] : conflictPauses) {
      if (!isConflict(answer)) break
      // outside its turn: a lasting conflict keeps nobody waiting
      await sleep(pause * (0.5 + Math.random()))
      const turn = this.#last.then(send)
      this.#last = turn.catch(() => {})
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
