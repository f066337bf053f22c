import { type KindName, kinds } from '../api/kinds.ts'
import { cut } from '../api/names.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { scopeParameters } from '../api/resource-path.ts'
import { ordersOf } from '../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Query } from '../http/url.ts'
import { covering } from './covering.ts'
import { type Driver, nextOf } from './driver.ts'
import { inParallel } from './in-parallel.ts'

/** How many scopes of the registry are listed for each kind. */
const mostScopes = 1
/** In how many groups below it the children are listed in each order. */
const mostGroups = 2

/** Lists what the run did not make, between two answers that show all of it (R24); returns how many lists. */
export async function askForeign(driver: Driver): Promise<number> {
  const registry = driver.run.config.target.registryGroupUid
  let asked = await askWithin(driver, 'roles')
  if (registry === undefined) return asked
  const groups = itemsIn(
    (await driver.list('groups', { ...childrenOf(registry), page_size: mostGroups }))?.json,
    'groups',
  )
  // the group above the others first: its children and descendants differ
  const scopes = [registry, ...groups.map(({ uid }) => uid)]
  for (const kind of ['repos', 'tags', 'advisories'] as const) {
    // a child of the group above is below none of the others
    for (const { uid } of groups) await driver.list(kind, { ...descendantsOf(uid), page_size: 200 })
    for (const scope of scopes.slice(0, mostScopes)) asked += await askWithin(driver, kind, scope)
    // over gRPC, askWithin covers the orders
    if (driver.run.over === 'grpc') continue
    for (const scope of scopes) asked += await askOrders(driver, kind, childrenOf(scope))
  }
  return asked
}

/** About how many pages the longest walk has, and how many at most. */
const [usualPages, mostPages] = [30, 40]

async function askWithin(driver: Driver, kind: KindName, where?: string): Promise<number> {
  const within = scopeParameters.map((depth): Query => (where === undefined ? {} : { [depth]: where }))
  const wholes = () =>
    Promise.all(
      within.slice(0, where === undefined ? 1 : 2).map((scope) => driver.walk(kind, { ...scope, page_size: 200 })),
    )
  const [below = [], children = []] = (await wholes()).map((answer) => itemsIn(answer?.json, kind))
  const n = below.length
  if (n < 3) return 1
  const { named } = kinds[kind]
  const overGrpc = driver.run.over === 'grpc'
  const all = {
    // the children are a list of their own, which may be stored elsewhere
    scope: children.length < 3 ? [0] : [0, 1],
    name: named ? [undefined, undefined, below[1]!.name, below.at(-1)!.name, driver.name()] : [undefined],
    order: [...ordersOf(kind)],
    skip: [undefined, undefined, 1, n - 1, n],
    size: [undefined, 1, Math.ceil(n / 3), n - 1, n],
    turns: [0, 1, 3],
  }
  const parameters = overGrpc ? fewerOf(all) : all
  const [scope] = within
  const name = String(below[1]!.name)
  for (const near of named && !overGrpc ? [cut(name, 0, -1), cut(name, 1), name.toUpperCase(), `${name}x`] : [])
    await driver.list(kind, { ...scope, name: near })
  const rows = covering(parameters, 2, driver.draw, ({ skip, turns }) => skip === undefined || turns !== 3)
  await inParallel(rows, 4, async ({ scope, name, order, skip, size, turns }) => {
    const query = {
      ...within[Number(scope)],
      name: name as string | undefined,
      order_by: order as string | undefined,
      page_size: size as number | undefined,
    }
    let answer = await driver.list(kind, { ...query, skip: skip as number | undefined })
    for (let turn = 0; turn < Number(turns); turn++) {
      const token = nextOf(answer)
      if (token === undefined) return
      answer = await driver.list(kind, { ...query, page_token: token })
    }
  })
  // rows of the array that skip and go on in an order are few
  const skipping = ordersOf(kind).map((order_by) => ({ ...scope, order_by, skip: 1, page_size: 2 }))
  await inParallel(overGrpc ? [] : skipping, 4, (query) => driver.walk(kind, query, 3))
  // a walk of limited length may end too soon
  if (!overGrpc) await driver.walk(kind, { ...scope, page_size: Math.max(1, Math.floor(n / usualPages)) }, mostPages)
  // those of one name in each order, page by page
  const shared = named ? sharedName(below) : undefined
  const namesakes = ordersOf(kind).map((order_by) => ({ ...scope, name: shared, order_by, page_size: 1 }))
  await inParallel(shared === undefined ? [] : namesakes, 4, (query) => driver.walk(kind, query, 3))
  const end = where?.endsWith('0') ? '1' : '0'
  const near = where === undefined || overGrpc ? [] : [cut(where, 0, -1), `${where}0`, cut(where, 0, -1) + end]
  for (const other of near) await driver.list(kind, descendantsOf(other))
  await wholes()
  return rows.length + 2
}

/** A name that several items have. */
const sharedName = (items: readonly Received[]): string | undefined => {
  const names = items.map(({ name }) => String(name))
  return names.find((name, at) => names.indexOf(name) !== at)
}

/** Fewer values of each parameter: gRPC calls are expensive. */
const fewerOf = ({ scope, name, order, skip, size, turns }: Record<string, unknown[]>) => ({
  scope: scope!,
  name: name!.slice(1, 3),
  order: order!,
  skip: skip!.slice(1, 4),
  size: [undefined, size![2]],
  turns: turns!.slice(0, 2),
})

/** Reads each order once in full: random pages show few names that all collations sort alike (R17). */
async function askOrders(driver: Driver, kind: KindName, scope: Query): Promise<number> {
  const whole = () => driver.list(kind, { ...scope, page_size: 200 })
  if (itemsIn((await whole())?.json, kind).length < 2) return 1
  const orders = ordersOf(kind).slice(1)
  await inParallel(orders, 4, (order_by) => driver.list(kind, { ...scope, order_by, page_size: 200 }))
  await whole()
  return orders.length + 2
}

function itemsIn(json: unknown, kind: KindName) {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.filter(isReceived) : []
}
