import { type Answer, type Call, succeeded } from '../http/call.ts'

/** Which operations answered in the run: none of them counts as not offered (R49). */
export class AnsweredOperations {
  readonly #all = new Set<string>()
  #told = 0

  /** Notes an answer to a call with the run's own token. */
  note(answer: Answer, { operation, credential }: Call): void {
    if (succeeded(answer) && credential === undefined) this.#all.add(operation)
  }

  /** Those that were not handed out before; nothing where there are none. */
  news(): { answered?: string[] } {
    const answered = [...this.#all].slice(this.#told)
    this.#told = this.#all.size
    return answered.length > 0 ? { answered } : {}
  }
}
