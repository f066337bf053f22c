import type { KindName } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import type { Query } from '../http/url.ts'

/** What the list families work on: everything that one query lists. */
export interface Population {
  kind: KindName
  /** The query that lists exactly the items. */
  scope: Query
  items: Received[]
  /** True where the query lists more: an item that is gone may only have moved to another page. */
  isPart?: boolean
  /** The uids of what the target itself had put there by then (R50). */
  strangers?: readonly string[]
  /** When others of these were first seen, as a monotonic time in milliseconds. */
  arrivedAt?: number
}
