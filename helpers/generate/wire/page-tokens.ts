import { type KindName, kinds, ownKinds } from '../../api/kinds.ts'
import { ordersOf } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Query } from '../../http/url.ts'
import { type Driver, nextOf, nextQuery } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

/** How many lists are sent at once. */
const atOnce = 8

/** Sends page tokens with parameters of other lists: items of another list never come back (R14); returns how many. */
export async function askStrangeTokens(
  driver: Driver,
  lists: readonly Query[],
  other: string,
  kinds: readonly KindName[],
): Promise<number> {
  const elsewhere: Query[] = [
    { ...descendantsOf(other), page_size: 1 },
    { ...childrenOf(other), page_size: 200 },
    descendantsOf(other),
  ]
  // the same place, but not what is deeper (S4.9)
  const shallower = ({ 'uidp.descendants_of': deep }: Query): Query[] =>
    deep === undefined ? [] : [{ ...childrenOf(String(deep)), page_size: 200 }]
  const pairs = kinds.flatMap((kind, at) =>
    lists.flatMap((own, turn) => [
      ...[...elsewhere, ...shallower(own)].map((query, which) => {
        const order_by = ordersOf(kind)[(at + turn + which) % ordersOf(kind).length]
        return { kind, from: kind, own: { ...own, order_by }, query: { ...query, order_by } }
      }),
      // a token of another kind
      { kind, from: kinds[(at + 1) % kinds.length]!, own, query: elsewhere[turn % elsewhere.length]! },
    ]),
  )
  await inParallel(pairs, atOnce, async ({ kind, from, own, query }) => {
    const token = nextOf(await driver.list(from, { ...own, page_size: 1 }))
    if (token !== undefined) await driver.list(kind, { ...query, page_token: token })
  })
  return pairs.length
}

/** Sends page tokens with a bad credential first: they go on afterwards as if nothing had been (R39). */
export async function askRefusedPages(driver: Driver): Promise<void> {
  const credential = { header: 'Bearer garbage', shown: 'Bearer garbage' }
  await inParallel(ownKinds, 4, async (kind) => {
    const query = { ...descendantsOf(driver.scope), page_size: 1 }
    const next = nextQuery(query, await driver.list(kind, query))
    if (next === undefined) return
    const [operation, path] = [`${kinds[kind].name}.list`, driver.path(kind)]
    await driver.call({ operation, method: 'GET', path, query: next, credential })
    await driver.list(kind, next)
  })
}
