import fc from 'fast-check'
import type { Api } from '../api/api.ts'
import type { Journal } from '../api/journal.ts'
import { isOfRegistry, type KindName, kinds } from '../api/kinds.ts'
import { isObject, isReceived, type Page, type Received, uids } from '../api/received.ts'
import { among, type List, orders } from '../assertions/page-walk.ts'
import { legible } from '../http/body.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import type { Population } from './population.ts'

/** The orders for a kind: by name and by creation only where it has such a member. */
export function ordersOf(kind: KindName): readonly (string | undefined)[] {
  const { named, dated } = kinds[kind]
  return orders.filter((order) => order === undefined || (order.startsWith('name') ? named : dated))
}

/** The orders for a population: by members that its items have, where the contract shows none. */
export function ordersFor({ kind, items }: Pick<Population, 'kind' | 'items'>): readonly (string | undefined)[] {
  const has = (member: string) => kinds[kind].shown || items.every((item) => typeof item[member] === 'string')
  return ordersOf(kind).filter((order) => order === undefined || has(order.startsWith('name') ? 'name' : 'createTime'))
}

/** Ends the case where the items have no member to judge an order by. */
export function mustShow(population: Population, order: string): void {
  if (ordersFor(population).includes(order)) return
  throw new Inconclusive(`the ${population.kind} of this target show nothing to order by '${order}'`)
}

/** A way to list. */
export interface Listing {
  pageSize: number
  order: string | undefined
}

/**
 * The listings of each order: one of many small pages, where equal keys fall on both sides of a boundary, and for kinds
 * that the contract shows in full, one of a drawn page size.
 */
export function listings({ kind, items }: Population): fc.Arbitrary<Listing>[] {
  const { length } = items
  const small = Math.max(isWhole(kind) ? 1 : 2, Math.ceil(length / (isWhole(kind) ? mostPages : fewerPages)))
  const [half, third] = [2, 3].map((parts) => Math.ceil(length / parts))
  const drawn = [third!, half!, length - 1, length, length + 1, 200].filter((size) => size >= small && size <= 200)
  return ordersFor({ kind, items }).flatMap((order) =>
    [[small], ...(isWhole(kind) ? [drawn] : [])].map((sizes) =>
      fc.record({ pageSize: fc.constantFrom(...sizes), order: fc.constant(order) }, { noNullPrototype: true }),
    ),
  )
}

/** The most pages of a walk by small pages, and of one over other kinds. */
const [mostPages, fewerPages] = [13, 8]

/** True for a kind that the contract shows in full. */
const isWhole = (kind: KindName) => kinds[kind].shown && !isOfRegistry(kind)

/** How many inputs are drawn: `most` for kinds that the contract shows in full, half for others. */
export function triesOf(kind: KindName, most: number): number {
  return isWhole(kind) ? most : Math.ceil(most / 2)
}

/** The query for a listing. */
export function queryFor(scope: Query, { pageSize, order }: Listing): Query {
  return { ...scope, page_size: pageSize, order_by: order }
}

/** The uids in any answer to List; none where it was refused. */
export function listedUids(kind: KindName, { json }: Answer): unknown[] {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.map((item) => (isObject(item) ? item.uid : item)) : []
}

/** The resources in any answer to List; none where it was refused. */
export function listedItems(kind: KindName, { json }: Answer): Received[] {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.filter(isReceived) : []
}

/** How many other things there are where the run made some: they also count (R50). */
export async function strangersBeside({ kind, scope, items }: Population, api: Api): Promise<number> {
  if (kinds[kind].foreign) return 0
  const whole = await listedInAll(api, kind, scope)
  return whole.length - among(whole, items).length
}

/** How many pages of a list are put together. */
const mostTogether = 10

/** All that a list shows, however many pages that takes. */
export async function listedInAll(api: Api, kind: KindName, scope: Query): Promise<Received[]> {
  const all: Received[] = []
  for await (const { items } of pagesOf(api, kind, scope, mostTogether)) all.push(...items)
  return all
}

/** The pages of a list, at most `most`, until the last one or one that fails: that one has no `page`. */
export async function* pagesOf(api: Api, kind: KindName, query: Query, most: number) {
  let token: string | undefined
  for (let pages = 0; pages < most; pages++) {
    // a token continues after what was skipped (R11)
    const onward = token === undefined ? {} : { page_token: token, skip: undefined }
    const answer = await api.attempt[kind].list({ page_size: 200, ...query, ...onward })
    const read = legible(answer)
    const page = succeeded(answer) && isObject(read) ? read : undefined
    token = typeof page?.nextPageToken === 'string' && page.nextPageToken !== '' ? page.nextPageToken : undefined
    const items = page?.[kind]
    yield { answer, page, items: Array.isArray(items) ? items.filter(isReceived) : [], isLast: token === undefined }
    if (token === undefined) return
  }
}

/**
 * The page that a token gives with another page_size than its own; inconclusive where that is refused, because it is
 * open what a token does with changed parameters (R14).
 */
export async function goingOn(list: List, query: Query): Promise<Page> {
  return list(query).catch((error) => {
    const { status = 0 } = error instanceof Stopped ? error.stop : {}
    throw status >= 400 && status < 500 ? new Inconclusive('a token is refused under another page_size (R14)') : error
  })
}

/** The uids of what the target itself put into the scope of a population (R50). */
export async function strangersIn({ kind, scope }: Population, api: Api, journal: Journal): Promise<string[]> {
  const found = uids(await listedInAll(api, kind, scope))
  // an item from elsewhere is a fault of the list, not an arrival
  const [home] = Object.values(scope)
  const isHere = (uid: string) => kind !== 'groups' || uid.startsWith(`${home}/`)
  return found.filter((uid) => isHere(uid) && !journal.made(uid)).sort()
}
