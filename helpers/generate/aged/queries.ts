import { madeKinds, ownKinds, publishedKinds } from '../../api/kinds.ts'
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
  madeKinds.flatMap((kind) =>
    ordersOf(kind).map((order) => ({ kind, query: { ...descendantsOf(scope), order_by: order, page_size: 200 } })),
  )

/** Each kind in each order, at one depth or both, and by name: each may store its page tokens elsewhere (R42). */
export function agedQueries(driver: Driver, { root, shared }: World, others: readonly OnePage[]): OnePage[] {
  const scope = root?.group.uid ?? driver.scope
  const own = madeKinds.flatMap((kind) =>
    [descendantsOf(scope), childrenOf(kind === 'groups' ? driver.scope : scope)].flatMap((within) =>
      inOrders({ kind, query: within }),
    ),
  )
  const named = (['groups', 'identities'] as const).flatMap((kind) =>
    inOrders({ kind, query: { ...descendantsOf(driver.scope), name: shared.name } }),
  )
  const namesakes = (['groups', 'identities'] as const).flatMap((kind) =>
    inOrders({ kind, query: { ...childrenOf(driver.scope), name: shared.name } }),
  )
  // the tokens of larger pages may be stored elsewhere
  const large = madeKinds.flatMap((kind) =>
    [undefined, 60].map((page_size) => ({ kind, query: { ...descendantsOf(driver.scope), page_size } })),
  )
  const offered = publishedKinds.flatMap((kind) => inOrders({ kind, query: descendantsOf(driver.scope) }))
  return [...own, ...named, ...namesakes, ...large, ...offered, ...others.flatMap(inOrders)]
}

const inOrders = ({ kind, query }: OnePage): OnePage[] =>
  ordersOf(kind).map((order_by) => ({ kind, query: { ...query, order_by, page_size: 1 } }))

/** Fewer of them: calls of gRPC are expensive. */
export const fewAged = ({ scope }: Driver): OnePage[] =>
  ownKinds.flatMap((kind) =>
    [undefined, 'created_at desc'].map((order_by) => ({
      kind,
      query: { ...descendantsOf(scope), order_by, page_size: 1 },
    })),
  )
