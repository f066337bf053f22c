import { isMissing } from '../assertions/refused.ts'
import { type Answer, type Call, succeeded } from '../http/call.ts'
import { NotOffered } from '../http/case-errors.ts'

/** Which operations answered in the run: these do not count as not offered (R49). */
export class AnsweredOperations {
  readonly #all = new Set<string>()
  readonly #missing = new Map<string, Answer>()
  #handedOut = 0

  /** Notes an answer to a call with the run's own token. */
  note(answer: Answer, { operation, credential }: Call): void {
    if (credential !== undefined) return
    if (succeeded(answer)) this.#all.add(operation)
    else if (isMissing(answer)) this.#missing.set(operation, answer)
  }

  /** True for an operation that was answered with 2xx. */
  has(operation: string): boolean {
    return this.#all.has(operation)
  }

  /** Those not handed out before; empty where there are none. */
  news(): { answered?: string[] } {
    const answered = [...this.#all].slice(this.#handedOut)
    this.#handedOut = this.#all.size
    return answered.length > 0 ? { answered } : {}
  }

  /** Ends the case where too little was seen because none of its operations ever answered. */
  explain(tooLittle: boolean, operations: readonly string[]): void {
    const missing = operations.filter((operation) => this.#missing.has(operation))
    if (!tooLittle || missing.length === 0 || operations.some((operation) => this.#all.has(operation))) return
    throw new NotOffered(missing, this.#missing.get(missing[0]!)!)
  }
}
