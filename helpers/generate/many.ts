import { type KindName, kinds, ownKinds, type PublishedKind, publishedKinds } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { ordersOf } from '../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Query } from '../http/url.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { longest } from './lists.ts'
import { besideOverGrpc } from './over-either.ts'
import { askWhole, askWholeOnceStill } from './steps/whole-lists.ts'

/** How many are made of a kind in one group: more than a usual page, and of some more than a hundred. */
const [more, most] = [53, 104]

/** How many groups below it hold a namesake of each other, which holds another one. */
const namesakes = 27

/** How many calls are sent at once. */
const atOnce = 16

/** The pages of the longest walk, and of one of role bindings. */
const [pages, manyPages] = [26, 53]

/**
 * Makes many of each kind in one group, and many groups of one name, each in a group of its own; then lists them by
 * pages of many sizes (S4.11, S4.25), and some over gRPC. Returns how many lists.
 */
export async function askMany(driver: Driver): Promise<number> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return 0
  const name = driver.name()
  const making: Promise<unknown>[] = [
    inParallel(Array.from({ length: namesakes }), atOnce, async () => {
      const parent = await driver.group(home.uid)
      const one = parent && (await driver.group(parent.uid, { name }))
      if (one) await driver.group(one.uid, { name })
    }),
    ...publishedKinds.map((kind) => makeMany(driver, kind, home)),
  ]
  // identities may share a name (R3)
  const isShared = (await driver.identity(home.uid, { name })) && (await driver.identity(home.uid, { name }))
  making.push(
    inParallel([...Array(most - 2).keys()], atOnce, async (at) =>
      driver.binding(home.uid, await driver.identity(home.uid, isShared && at % 2 === 0 ? { name } : {}), at),
    ),
  )
  await Promise.all(making)
  await driver.run.model.settled()
  const asked = [
    ...(['groups', 'identities'] as const).flatMap((kind) =>
      ordersOf(kind).map((order_by, at) => ({
        kind,
        query: { ...descendantsOf(home.uid), name, order_by, page_size: at % 2 === 0 ? undefined : 200 },
      })),
    ),
    ...ownKinds
      .filter((kind) => kind !== 'groups')
      .flatMap((kind) => listsOf(kind, home.uid, driver.living(kind, home.uid).length)),
  ]
  await askWholeOnceStill(driver, ownKinds, [home.uid])
  await inParallel(asked, atOnce, ({ kind, query }) => driver.walk(kind, query, manyPages))
  const firstPages = ownKinds.flatMap((kind) => unsizedOf(kind, home.uid))
  await inParallel(firstPages, atOnce, ({ kind, query }) => driver.list(kind, query))
  // the other protocol has page sizes of its own
  const beside = await besideOverGrpc(driver, home.uid)
  const others: { kind: KindName; query: Query }[] = beside ? ownKinds.flatMap((kind) => pagesOf(kind, home.uid)) : []
  if (beside)
    for (const query of [{ order_by: 'name' }, { order_by: 'name desc' }, { name }])
      others.push({ kind: 'groups', query: { ...descendantsOf(home.uid), page_size: undefined, ...query } })
  await inParallel(others, atOnce, async ({ kind, query }) => beside?.walk(kind, query, 2))
  await askWhole(driver, ownKinds, [home.uid])
  return asked.length + firstPages.length + others.length
}

/** First pages without a page size, in each order at the depth at which no walk has it, and after a skip (S8.1). */
const unsizedOf = (kind: KindName, home: string) =>
  ordersOf(kind).flatMap((order_by, at) => {
    const scope = at % 2 === 0 ? descendantsOf(home) : childrenOf(home)
    const skipped = at === 0 ? [{ ...childrenOf(home), page_size: undefined, skip: 2 }] : []
    return [{ ...scope, order_by, page_size: undefined }, ...skipped].map((query) => ({ kind, query }))
  })

/** Lists without a page size, or with the largest, in some order. */
const pagesOf = (kind: KindName, home: string) =>
  [{ ...descendantsOf(home) }, { ...childrenOf(home), page_size: 200 }].map((query, at) => ({
    kind,
    query: { page_size: undefined, ...query, order_by: ordersOf(kind).at(at === 0 ? -1 : 0) },
  }))

/** Makes many of a kind, unless a group takes only one. */
async function makeMany(driver: Driver, kind: PublishedKind, { uid }: Received): Promise<void> {
  const make = () => driver.offered(kind, uid)
  if ((await make()) === undefined || (await make()) === undefined) return
  await inParallel(Array.from({ length: more - 2 }), atOnce, make)
}

/** Walks of `size` items: by the usual page, by one that holds nearly all, and by one that holds few. */
function listsOf(kind: KindName, home: string, size: number) {
  const [children, descendants] = [childrenOf(home), descendantsOf(home)]
  const few = Math.max(1, Math.ceil(size / ((kind === 'roleBindings' ? manyPages : pages) - 1)))
  const queries = [
    { ...children, page_size: few, order_by: kinds[kind].dated ? 'created_at desc' : undefined },
    { ...descendants, page_size: undefined, skip: 1 },
    ...ordersOf(kind).flatMap((order_by, at) => [
      { ...(at % 2 === 0 ? children : descendants), order_by, page_size: undefined },
      { ...(at % 2 === 0 ? descendants : children), order_by, page_size: Math.max(1, size - 2) },
      { ...(at % 2 === 0 ? children : descendants), order_by, page_size: 200 },
    ]),
  ]
  return queries.map((query) => ({ kind, query }))
}

/** How many walks of a crowd are made at once. */
const walksAtOnce = 8

/** Walks a long list in pages of two, and in pages of the default size; returns how many. */
export async function askCrowd(driver: Driver, scope: Query): Promise<number> {
  const unsized: Query[] = [
    { skip: 3 },
    { order_by: 'name' },
    { order_by: 'name desc', skip: 60 },
    { order_by: 'created_at', skip: 1 },
    { order_by: 'created_at desc' },
    { skip: 49, page_size: 50 },
    { order_by: 'name', skip: 7, page_size: 199 },
    { order_by: 'created_at desc', page_size: 1_000 },
    { order_by: 'name', page_size: 201 },
  ]
  const walks = unsized.map((query) => ({ page_size: undefined, ...query, ...scope }))
  await inParallel([{ ...scope, page_size: 2 }, ...walks], walksAtOnce, (query) =>
    driver.walk('groups', query, longest),
  )
  return walks.length + 1
}
