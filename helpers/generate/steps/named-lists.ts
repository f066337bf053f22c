import { type KindName, kinds } from '../../api/kinds.ts'
import { ordersOf } from '../../arrange/listings.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

/** How many lists are sent at once. */
const atOnce = 8

/**
 * Lists by each name at either depth and in every order, in each scope: where namesakes live at several depths, a list or
 * its total may count others (S4.8, S4.18). Returns how many.
 */
export async function askNamed(
  driver: Driver,
  scopes: readonly string[],
  names: readonly string[],
  asked: readonly KindName[],
): Promise<number> {
  const queries = asked
    .filter((kind) => kinds[kind].named)
    .flatMap((kind) =>
      ordersOf(kind).flatMap((order_by) =>
        ['uidp.descendants_of', 'uidp.children_of'].flatMap((depth) =>
          scopes.flatMap((scope) => names.map((name) => ({ kind, query: { [depth]: scope, order_by, name } }))),
        ),
      ),
    )
  await inParallel(queries, atOnce, ({ kind, query }) => driver.list(kind, query))
  return queries.length
}
