import type { Config } from '../settings/configuration.ts'
import type { Call, Log } from './call.ts'
import { Inconclusive, mustWrite, Stopped } from './case-errors.ts'

/** Ends a case where a call would change something that is not the run's. */
export type WriteGuard = (call: Call, log: Log) => Promise<void>

/** The one gate of every write: some owner must vouch for it, and without owners nothing is written. */
export class WriteGuards {
  readonly #guards = new Map<object, WriteGuard>()

  admit(owner: object, guard: () => WriteGuard): void {
    if (!this.#guards.has(owner)) this.#guards.set(owner, guard())
  }

  async pass(call: Call, log: Log, config: Config): Promise<void> {
    if (['GET', 'HEAD', 'OPTIONS'].includes(call.method)) return
    mustWrite(call.operation, config)
    const refusals: unknown[] = []
    for (const guard of this.#guards.values()) {
      try {
        return await guard(call, log)
      } catch (error) {
        refusals.push(error)
      }
    }
    throw refusals.find((error) => error instanceof Stopped) ?? refusals[0] ?? new Inconclusive(unowned(call))
  }
}

const unowned = ({ method, path }: Call) => `nobody answers for ${method} ${path}: nothing is written there`
