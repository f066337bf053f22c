import { type Answer, type Call, codeIn } from './call.ts'
import { Inconclusive } from './case-errors.ts'
import { longestPause, mostTries } from './throttle.ts'

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
    const enough = this.#quotas > 0 ? triesAtNext : triesAtQuota
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
