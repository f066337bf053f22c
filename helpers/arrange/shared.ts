import type { Log } from '../http/call.ts'
import { Lost } from '../http/case-errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { wasSentAgain } from '../http/waits.ts'

/** What was made; `at` is when the last of it was. */
interface Made<T> {
  made: T
  exchanges?: Exchange[]
}

/**
 * What a shared fixture made, or why it could not; a file-scoped fixture cannot skip. Where the cases judge the making
 * itself, its exchanges are kept as their evidence.
 */
export type Shared<T> = (Made<T> | { broken: unknown; exchanges: Exchange[] }) & { at?: number }

/** Makes something to be shared, and keeps the result. */
export async function share<T>(make: (log: Log) => Promise<T>): Promise<Shared<T>> {
  const log: Log = { phase: 'arrange', exchanges: [] }
  try {
    const made = await make(log)
    // what may have been made twice excuses the cases that read it
    const exchanges = log.exchanges.filter(wasSentAgain)
    return { made, at: performance.now(), ...(exchanges.length > 0 && { exchanges }) }
  } catch (broken) {
    const last = log.exchanges.slice(-mostShown)
    return { broken, exchanges: log.exchanges.filter((each) => wasSentAgain(each) || last.includes(each)) }
  }
}

/** How often something shared is made until no answer to a write is lost. */
const mostTries = 3

/** The same, but made again, in a new group, where an answer was lost: what the write may have made stays apart (R56). */
export const shareInNewGroup = <T>(make: (log: Log, again: boolean) => Promise<T>): Promise<Shared<T>> =>
  share(async (log) => {
    for (let tries = 1; ; tries++) {
      try {
        return await make(log, tries > 1)
      } catch (error) {
        if (!(error instanceof Lost) || tries === mostTries) throw error
      }
    }
  })

/** How many exchanges of a broken shared fixture are shown with each case that it stops. */
const mostShown = 4

/** What was made; if it broke, the case gets its last exchanges and what stopped it. */
export function handOut<T>(shared: Shared<T>, evidence: Exchange[]): T {
  evidence.push(...(shared.exchanges ?? []))
  if ('made' in shared) return shared.made
  throw shared.broken
}
