import fc from 'fast-check'
import type { Answer } from './client.ts'
import { type KindName, kinds } from './kinds.ts'
import { orders } from './paging.ts'
import type { Query } from './paths.ts'
import type { Population } from './populations.ts'
import { isObject, type Page, uids } from './resources.ts'

/** The kinds whose List the families are asked of. */
export const listedKinds: readonly KindName[] = ['groups', 'identities', 'roles', 'roleBindings']
/** Those of them whose items the run makes itself. */
export const ownKinds: readonly KindName[] = listedKinds.filter((kind) => !kinds[kind].foreign)

/** The orders that a kind can be asked for: by name only where it has one. */
export function ordersOf(kind: KindName): readonly (string | undefined)[] {
  return orders.filter((order) => kinds[kind].named || !order?.startsWith('name'))
}

/** A way to ask for a list. */
export interface Listing {
  pageSize: number
  order: string | undefined
}

/** Page sizes around the edges of so many items, in every order that the kind has. */
export function listings({ kind, items }: Population, smallest = 1): fc.Arbitrary<Listing> {
  const count = items.length
  const edges = [1, 2, 3, 7, Math.ceil(count / 2), count - 1, count, count + 1, 200]
  const sizes = edges.filter((size) => size >= smallest && size <= 200)
  return fc.record({
    pageSize: fc.oneof(
      fc.constantFrom(...sizes),
      fc.integer({ min: smallest, max: Math.max(smallest, Math.min(count + 1, 200)) }),
    ),
    order: fc.constantFrom(...ordersOf(kind)),
  })
}

/** The query that asks for a listing. */
export function queryFor(scope: Query, { pageSize, order }: Listing): Query {
  return { ...scope, page_size: pageSize, order_by: order }
}

/** The smallest page that walks so many items in no more than 25 calls. */
export function smallestPage({ items }: Population): number {
  return Math.max(1, Math.ceil(items.length / 50))
}

/** The uids that an answer to List shows, whatever it is; none where it was refused. */
export function listedUids(kind: KindName, { json }: Answer): unknown[] {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.map((item) => (isObject(item) ? item.uid : item)) : []
}

/** What a page shows below a group, the group itself left out of it and of the total, for its place there is open (R15). */
export function below({ items, totalCount }: Page, group: string): { uids: string[]; total: unknown } {
  const others = items.filter(({ uid }) => uid !== group)
  return {
    uids: uids(others).sort(),
    total: others.length < items.length ? String(Number(totalCount) - 1) : totalCount,
  }
}
