import type { Journal } from './journal.ts'
import type { Received } from './received.ts'

/** Those items of a list that the run made: whatever else is there is the target's business (R50). */
export function ownIn(items: readonly Received[], { journal }: { journal: Journal }): Received[] {
  return items.filter(({ uid }) => journal.made(uid))
}

/** The uids of the run's own items, in the order of the list. */
export function ownUids(items: readonly Received[], run: { journal: Journal }): string[] {
  return ownIn(items, run).map(({ uid }) => uid)
}
