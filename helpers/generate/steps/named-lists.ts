import { type KindName, kinds } from '../../api/kinds.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { ordersOf } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { type Driver, frameOrders } from '../driver.ts'
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
        scopeParameters.flatMap((depth) =>
          scopes.flatMap((scope) => names.map((name) => ({ kind, query: { [depth]: scope, order_by, name } }))),
        ),
      ),
    )
  await inParallel(queries, atOnce, ({ kind, query }) => driver.list(kind, query))
  return queries.length
}

/** Lists groups by names that they have or had, in their parent and anywhere below the scope. */
export async function askNames(driver: Driver, most: number): Promise<void> {
  const { state } = driver.run.model.hearing.judge
  const scope = state.group(driver.scope)
  if (scope === undefined) return
  const named = [...state.inside(scope, 'groups', true)].flatMap(({ name, parent }) =>
    name.writes.flatMap(({ value }) => (typeof value === 'string' ? [{ name: value, parent }] : [])),
  )
  const asked = driver.draw.some(named, most).flatMap(({ name, parent }, at) => [
    { ...childrenOf(parent), name },
    { ...descendantsOf(driver.scope), name, order_by: frameOrders[at % frameOrders.length] },
  ])
  await Promise.all(asked.map((query) => driver.list('groups', query)))
}

/** Lists a kind by each name that something renamed has or had below a group: only the last one finds it (S4.10). */
export async function askNamesHad(driver: Driver, kind: KindName, above: string): Promise<void> {
  const { state } = driver.run.model.hearing.judge
  const writes = driver.living(kind, above).map((uid) => state.thing(uid, kind)?.name.writes ?? [])
  const had = writes.filter(({ length }) => length > 1).flatMap((all) => all.map(({ value }) => value))
  const names = [...new Set(had)].filter((name) => typeof name === 'string')
  await inParallel(names, atOnce, (name) => driver.list(kind, { ...descendantsOf(above), name }))
}
