import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, codeIn, succeeded } from './call.ts'
import { continues } from './waits.ts'

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
  /** How many calls gave a group each name. */
  readonly #named = new Map<string, number>()

  /** Makes a call, and repeats it if it conflicted with a write; returns its last answer. */
  async apart(call: Call, send: () => Promise<Answer>): Promise<Answer> {
    const isReading = call.method === 'GET'
    const isRepeatable = !isReading || (call.at !== 'auth' && !continues(call))
    const name = nameIn(call)
    if (name !== undefined) this.#named.set(name, (this.#named.get(name) ?? 0) + 1)
    // a name that no other call gave a group is not taken
    const isFree = () => hasImpossibleName(call) || (name !== undefined && this.#named.get(name) === 1)
    let answer = await send()
    for (const pause of isRepeatable ? (isReading ? readingPauses : conflictPauses) : []) {
      if (!isConflict(answer, isFree)) break
      // outside its turn: a lasting conflict keeps nobody waiting
      await sleep(pause * (0.5 + Math.random()))
      const turn = isReading ? send() : this.#last.then(send)
      if (!isReading) this.#last = turn.catch(() => {})
      answer = await turn
    }
    return answer
  }
}

/** True for a refusal that simultaneous calls may cause: code 10, or a 409 or code 6 that no taken name explains. */
export function isConflict(answer: Answer, isFree: () => boolean = () => false): boolean {
  if (succeeded(answer)) return false
  const code = codeIn(answer)
  if (code === 6) return isFree()
  return code === 10 || (answer.status === 409 && code !== 9)
}

/** The name that a call gives a group, in the form in which names may be compared; undefined where it gives none. */
function nameIn({ operation, body }: Call): string | undefined {
  if (!/^(grpc\.|v1\.)?group\.(create|update)$/.test(operation)) return undefined
  const { name } = Object(body) as { name?: unknown }
  return typeof name === 'string' ? name.trim().toLowerCase() : undefined
}

/** True for a create of a group with a name that no group can have: it is not taken (S2.6). */
function hasImpossibleName({ operation, body }: Call): boolean {
  if (!/^(grpc\.|v1\.)?group\.create$/.test(operation)) return false
  const { raw, name } = Object(body) as { raw?: unknown; name?: unknown }
  return raw === undefined && !(typeof name === 'string' && /^[a-z0-9 ._-]+$/i.test(name))
}
