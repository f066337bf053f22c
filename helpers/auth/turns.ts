import type { OperationCalls } from './operation-calls.ts'

/**
 * What bad credentials are aimed at: made once, and handed from case to case, because what is refused leaves it as it
 * was. One case at a time has it, so that each answers for what it did itself.
 */
export class Turns {
  readonly #last = new Map<string, Promise<OperationCalls | undefined>>()

  /** Waits for the turn of a case. What it failed on or changed is not handed on: the next gets another. */
  take<T>(
    key: string,
    open: () => Promise<OperationCalls>,
    use: (operationCalls: OperationCalls) => Promise<T>,
  ): Promise<T> {
    const turn = this.#after(this.#last.get(key), open, use)
    const left = turn.then(({ operationCalls }) => (operationCalls.seen.changed ? undefined : operationCalls))
    this.#last.set(
      key,
      left.catch(() => undefined),
    )
    return turn.then(({ result }) => result)
  }

  async #after<T>(
    before: Promise<OperationCalls | undefined> | undefined,
    open: () => Promise<OperationCalls>,
    use: (operationCalls: OperationCalls) => Promise<T>,
  ): Promise<{ operationCalls: OperationCalls; result: T }> {
    const operationCalls = (await before) ?? (await open())
    return { operationCalls, result: await use(operationCalls) }
  }
}
