import { type KindName, kinds } from '../api/kinds.ts'
import { cut } from '../api/names.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { scopeParameters } from '../api/resource-path.ts'
import { ordersOf } from '../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Query } from '../http/url.ts'
import { covering, type Row } from './covering.ts'
import { type Driver, nextQuery } from './driver.ts'
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
  const groups = await groupsIn(driver, registry, mostGroups)
  // the group above the others first: its children and descendants differ
  const scopes = [registry, ...groups.map(({ uid }) => uid)]
  const deeper = await groupsIn(driver, groups[0]?.uid, 1)
  for (const kind of ['repos', 'tags', 'advisories'] as const) {
    // a child of the group above is below none of the others
    for (const { uid } of groups) await driver.list(kind, { ...descendantsOf(uid), page_size: 200 })
    for (const scope of scopes.slice(0, mostScopes)) asked += await askWithin(driver, kind, scope)
    // over gRPC, askWithin covers the orders
    if (driver.run.over !== 'grpc')
      for (const scope of scopes) asked += await askOrders(driver, kind, childrenOf(scope))
    // nothing that is right in the groups above
    for (const { uid } of deeper) await driver.list(kind, { ...descendantsOf(uid), page_size: 200 })
  }
  if (driver.run.over !== 'grpc') await askTagsOf(driver, registry)
  return asked
}

/** Some groups right in a group. */
async function groupsIn(driver: Driver, uid: string | undefined, most: number): Promise<Received[]> {
  const answer = uid === undefined ? undefined : await driver.list('groups', { ...childrenOf(uid), page_size: most })
  return itemsIn(answer?.json, 'groups')
}

/** Lists the tags of two repos of one name, where uids show that neither is in the other (R15). */
async function askTagsOf(driver: Driver, registry: string): Promise<void> {
  const wholes = (['repos', 'tags'] as const).map(async (kind) =>
    itemsIn((await driver.list(kind, { ...descendantsOf(registry), page_size: 200 }))?.json, kind),
  )
  const [repos = [], tags = []] = await Promise.all(wholes)
  const tagged = repos.filter(
    ({ uid }) => uid.startsWith(`${registry}/`) && tags.some((tag) => tag.uid.startsWith(`${uid}/`)),
  )
  const shared = sharedName(tagged)
  for (const { uid } of tagged.filter(({ name }) => name === shared).slice(0, 2))
    for (const scope of [descendantsOf(uid), childrenOf(uid)]) await driver.list('tags', { ...scope, page_size: 200 })
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
  const count = below.length
  if (count < 3) return 1
  const { named } = kinds[kind]
  const overGrpc = driver.run.over === 'grpc'
  const all = parametersOf(kind, below, children, named ? driver.name() : '')
  const parameters = overGrpc ? fewerOf(all) : all
  const [scope] = within
  const name = String(below[1]!.name)
  // parts and capitals are tried by a case of their own
  for (const near of named && !overGrpc
    ? [`${cut(name, 0, -1)}*`, `${cut(name, 0, -1)}.`, ` ${name}`, `${name}|x`]
    : [])
    await driver.list(kind, { ...scope, name: near })
  // without a scope a page has a limit all the same (R19, R21)
  if (where !== undefined && !overGrpc) await driver.list(kind, { page_size: 2 })
  const rows = covering(parameters, 2, driver.draw, overGrpc ? showsMuch : fits)
  await inParallel(rows, 4, (row) => askRow(driver, kind, within, row))
  // in a Get each is as it is listed (R55)
  await driver.send(() => driver.api[kind].get(below.at(-1)!.uid))
  // rows of the array that skip and go on in an order are few
  const skipping = ordersOf(kind).map((order_by) => ({ ...scope, order_by, skip: 1, page_size: 2 }))
  await inParallel(overGrpc ? [] : skipping, 4, (query) => driver.walk(kind, query, 3))
  // a walk of limited length may end too soon
  const long = { ...scope, page_size: Math.max(1, Math.floor(count / usualPages)) }
  if (!overGrpc) await driver.walk(kind, long, mostPages)
  // those of one name in each order, page by page
  const shared = named ? sharedName(below) : undefined
  const namesakes = ordersOf(kind).map((order_by) => ({ ...scope, name: shared, order_by, page_size: 1 }))
  await inParallel(shared === undefined ? [] : namesakes, 4, (query) => driver.walk(kind, query, 3))
  for (const near of where === undefined || overGrpc ? [] : nearUids(where))
    await driver.list(kind, descendantsOf(near))
  await wholes()
  return rows.length + 2
}

const fits = ({ skip, turns }: Row) => skip === undefined || turns !== 3

/** True where an order shows in several results, and a later page is there: those of one name are walked in each order. */
const showsMuch = ({ name, order, skip, size, turns }: Row) =>
  (name === undefined || order === undefined) && (turns === 0 || (skip === undefined && size !== undefined))

/** The values of the parameters of a list with these results; `unused` is a name that nothing has. */
function parametersOf(kind: KindName, below: readonly Received[], children: readonly Received[], unused: string) {
  const count = below.length
  return {
    // the children are a list of their own, which may be stored elsewhere
    scope: children.length < 3 ? [0] : [0, 1],
    name: kinds[kind].named ? [undefined, undefined, below[1]!.name, below.at(-1)!.name, unused] : [undefined],
    order: [...ordersOf(kind)],
    skip: [undefined, undefined, 1, count - 1, count],
    size: [undefined, 1, Math.ceil(count / 3), count - 1, count],
    turns: [0, 1, 3],
  }
}

/** Sends one list of the array, and follows its page tokens as often as that says. */
async function askRow(driver: Driver, kind: KindName, within: readonly Query[], row: Row): Promise<void> {
  const query = {
    ...within[Number(row.scope)],
    name: row.name as string | undefined,
    order_by: row.order as string | undefined,
    page_size: row.size as number | undefined,
  }
  let answer = await driver.list(kind, { ...query, skip: row.skip as number | undefined })
  for (let turn = 0; turn < Number(row.turns); turn++) {
    const next = nextQuery(query, answer)
    if (next === undefined) return
    answer = await driver.list(kind, next)
  }
}

/** Uids that nearly are this one. */
const nearUids = (uid: string) => [cut(uid, 0, -1), `${uid}0`, cut(uid, 0, -1) + (uid.endsWith('0') ? '1' : '0')]

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
