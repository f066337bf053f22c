import { type PublishedKind, publishedKinds } from '../../api/kinds.ts'
import { listedItems, ordersOf } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { OnePage } from '../../expiry/kept-page-tokens.ts'
import type { Driver } from '../driver.ts'
import type { World } from '../world.ts'

/** Lists of what the run did not make (R24), some in scopes that hold more than a page. */
export async function foreignScopes(driver: Driver): Promise<OnePage[]> {
  const registry = driver.run.config.target.registryGroupUid
  const roles = { kind: 'roles' as const, query: {} }
  if (registry === undefined) return [roles]
  const first = await driver.list('groups', { ...childrenOf(registry), page_size: 1 })
  const scopes = [...(first ? listedItems('groups', first).map(({ uid }) => uid) : []), registry]
  const ofRegistry = ['repos', 'tags', 'advisories'] as const
  return [roles, ...ofRegistry.flatMap((kind) => scopes.map((uid) => ({ kind, query: descendantsOf(uid) })))]
}

/** Each kind in each order, on one page. */
export const ownOrders = (scope: string): OnePage[] =>
  (['groups', 'identities', 'roleBindings'] as const).flatMap((kind) =>
    ordersOf(kind).map((order) => ({ kind, query: { ...descendantsOf(scope), order_by: order, page_size: 200 } })),
  )

/** Each kind, depth and order. */
export function oldQueries(driver: Driver, { places, shared }: World, others: readonly OnePage[]): OnePage[] {
  const scope = places[0]?.group.uid ?? driver.scope
  const own = (['groups', 'identities', 'roleBindings'] as const).flatMap((kind) =>
    [descendantsOf(scope), childrenOf(kind === 'groups' ? driver.scope : scope)].flatMap((within) =>
      ordersOf(kind).map((order) => ({
        kind,
        query: { ...within, order_by: order, page_size: 2 },
      })),
    ),
  )
  const named = (['groups', 'identities'] as const).flatMap((kind) =>
    ordersOf(kind).map((order) => {
      return { kind, query: { ...descendantsOf(driver.scope), name: shared.name, order_by: order, page_size: 1 } }
    }),
  )
  const foreign = others.map(({ kind, query }) => ({
    kind,
    query: { ...query, order_by: 'created_at desc', page_size: 2 },
  }))
  return [...own, ...named, ...offeredQueries(driver, 2), ...foreign]
}

/** Each kind, with alternating orders: each may store its tokens elsewhere. */
export function youngQueries(driver: Driver, world: World, others: readonly OnePage[]): OnePage[] {
  const all = [...ownYoung(driver, world), ...offeredQueries(driver, 1), ...others]
  return all.map(({ kind, query }) => ({ kind, query: { ...query, page_size: 1 } }))
}

/** The kinds that the run certainly makes, with one order each. */
export const ownOld = ({ scope }: Driver): OnePage[] =>
  (['groups', 'identities', 'roleBindings'] as const).flatMap((kind) =>
    [undefined, 'created_at desc'].map((order_by) => ({
      kind,
      query: { ...descendantsOf(scope), order_by, page_size: 2 },
    })),
  )

export function ownYoung(driver: Driver, { places, shared }: World): OnePage[] {
  const below = descendantsOf(places[0]?.group.uid ?? driver.scope)
  const own: OnePage[] = [
    { kind: 'groups', query: { ...childrenOf(driver.scope), order_by: 'created_at desc' } },
    { kind: 'groups', query: { ...descendantsOf(driver.scope), name: shared.name } },
    { kind: 'groups', query: { ...below, order_by: 'name desc' } },
    { kind: 'identities', query: { ...below, order_by: 'name' } },
    { kind: 'identities', query: { ...below, name: shared.name } },
    { kind: 'identities', query: { ...childrenOf(places[1]?.group.uid ?? driver.scope), order_by: 'created_at desc' } },
    { kind: 'roleBindings', query: { ...below, order_by: 'created_at' } },
    { kind: 'roleBindings', query: { ...descendantsOf(driver.scope) } },
  ]
  return own.map(({ kind, query }) => ({ kind, query: { ...query, page_size: 1 } }))
}

const offeredQueries = (driver: Driver, page_size: number): OnePage[] =>
  publishedKinds.map((kind: PublishedKind) => ({ kind, query: { ...descendantsOf(driver.scope), page_size } }))
