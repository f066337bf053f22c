import type { OperationCalls } from './operation-calls.ts'

/**
 * Targets for bad credentials: made once, and passed from case to case, because refused calls do not change them. One
 * case has them at a time, so that each answers only for itself.
 */
export class Turns {
  readonly #last = new Map<string, Promise<OperationCalls | undefined>>()

  /** Waits for the turn of a case. If it fails or changes something, the next case gets a new target. */
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
