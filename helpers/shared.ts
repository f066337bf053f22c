import type { Log } from './client.ts'
import type { Exchange } from './exchange.ts'

/** What a shared fixture made, or why it could not; a file-scoped fixture cannot skip. */
export type Shared<T> = { made: T } | { broken: unknown; exchanges: Exchange[] }

/** Makes something for many cases; never throws. */
export async function share<T>(make: (log: Log) => Promise<T>): Promise<Shared<T>> {
  const log: Log = { phase: 'arrange', exchanges: [] }
  try {
    return { made: await make(log) }
  } catch (broken) {
    return { broken, exchanges: log.exchanges.slice(-mostShown) }
  }
}

/** How many exchanges of a shared fixture that broke are shown with each case that it stops. */
const mostShown = 4

/** Gives what was made, or breaks the case that needs it, with what came of it. */
export function handOut<T>(shared: Shared<T>, evidence: Exchange[]): T {
  if ('made' in shared) return shared.made
  evidence.push(...shared.exchanges)
  throw shared.broken
}
