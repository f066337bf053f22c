import { type KindName, madeKinds } from '../../api/kinds.ts'
import { ordersOf } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Call, Credential } from '../../http/call.ts'
import type { Query } from '../../http/url.ts'
import { type Driver, nextQuery } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { downFrom, update, updateIdentity } from '../world.ts'
import { type Good, openAt, readOf, readWith } from './opened.ts'

/**
 * Lists with the API token of an identity what is in its group, before and after changes: what it asks for is filtered,
 * ordered and counted as for anybody (S4.15, R41). The identity has several roles: rights may be joined to each item.
 */
export async function askAsReader(driver: Driver, issuer: string, good: Good): Promise<Credential | undefined> {
  const home = await driver.group(driver.scope)
  const reader = home && (await openAt(driver, home.uid, issuer, good))
  if (home === undefined || reader === undefined) return undefined
  const [name, other] = [driver.name(), driver.name()]
  const made = [
    await driver.group(home.uid, { name }),
    (await driver.group(home.uid, { name })) ?? (await driver.group(home.uid)),
    await driver.group(home.uid),
  ]
  const [first, , last] = made
  const owners = [await driver.identity(home.uid), await driver.identity(home.uid)]
  await Promise.all([
    // another group of this name may be allowed elsewhere only (R3)
    first && driver.group(first.uid, { name }),
    first && driver.binding(first.uid, { uid: reader.uid }, 1),
    driver.binding(home.uid, { uid: reader.uid }, 2),
    ...owners.map((owner) => driver.binding(home.uid, owner)),
    // what lies outside a narrower scope is no answer to it
    first && driver.identity(first.uid),
    downFrom(driver, first, levels),
  ])
  const look = async () => {
    await readWith(driver, reader.credential, listsOf(driver, home.uid, [name, other]))
    if (first) await readWith(driver, reader.credential, narrowerLists(driver, first.uid))
    const walk = (kind: KindName, query: Query) =>
      walkWith(driver, reader.credential, kind, { ...descendantsOf(home.uid), ...query })
    for (const order_by of [undefined, 'created_at desc']) await walk('groups', { name, order_by, page_size: 1 })
    await walkWith(driver, reader.credential, 'groups', {
      ...childrenOf(home.uid),
      order_by: 'name desc',
      page_size: 2,
    })
    for (const order_by of ['name desc', 'created_at desc']) {
      await walk('groups', { order_by, page_size: 2 })
      await walk('identities', { order_by, page_size: 1 })
    }
    await walk('roleBindings', { order_by: 'created_at desc', page_size: 1 })
  }
  await look()
  await update(driver, first?.uid, { name: other, description: `read by ${reader.name}` })
  await updateIdentity(driver, owners[0]?.uid, { name: other })
  if (last) await driver.send(() => driver.api.groups.delete(last.uid))
  await Promise.all([driver.group(home.uid), driver.identity(home.uid)])
  await look()
  await driver.run.model.settled()
  return reader.credential
}

/**
 * Lists with that API token what is in the group above: what it sees there is up to the target (R41), but the run still
 * sees everything.
 */
export async function lookFromAbove(driver: Driver, credential: Credential | undefined): Promise<void> {
  if (credential === undefined) return
  const query = { ...descendantsOf(driver.scope), page_size: 200 }
  // v1 has no gRPC
  const inV1 = driver.run.over === undefined ? [readOf(driver, 'groups', { query, version: 'v1' })] : []
  const wide = [...madeKinds.map((kind) => readOf(driver, kind, { query })), ...inV1]
  await inParallel(wide, wide.length, async (call) => {
    await driver.call({ ...call, credential })
    await driver.call(call)
  })
}

/**
 * Lists with the API token of an identity that has a role in the driver's group all there is in it: it may be more than an
 * answer to others has.
 */
export async function askAllAsReader(driver: Driver, credential: Credential | undefined): Promise<void> {
  if (credential === undefined) return
  const asked: Query[] = [{ page_size: undefined }, { page_size: 200 }, { order_by: 'created_at desc', skip: 2 }]
  const lists = madeKinds.flatMap((kind) =>
    asked.map((query) => readOf(driver, kind, { query: { ...descendantsOf(driver.scope), ...query } })),
  )
  await readWith(driver, credential, lists)
}

/** Lists a kind page by page with an API token. */
async function walkWith(driver: Driver, credential: Credential, kind: KindName, query: Query): Promise<void> {
  let next: Query | undefined = query
  for (let page = 0; next && page < mostPages; page++) {
    next = nextQuery(query, await driver.call({ ...readOf(driver, kind, { query: next }), credential }))
  }
}

/** How many levels of groups are below one of those that it may read. */
const levels = 5

/** The most pages of a walk: what the identity may read is little. */
const mostPages = 6

/** Lists of each kind in a part of what it may read. */
const narrowerLists = (driver: Driver, part: string): Call[] =>
  madeKinds.flatMap((kind) => [descendantsOf(part), childrenOf(part)].map((query) => readOf(driver, kind, { query })))

/** Lists of each kind that it may read, in each order, by name, skipping and in v1. */
function listsOf(driver: Driver, home: string, names: readonly string[]): Call[] {
  const list = (kind: KindName, query: Query) => readOf(driver, kind, { query })
  const ordered = madeKinds.flatMap((kind) =>
    ordersOf(kind).map((order_by, at) =>
      list(kind, { ...(at % 2 === 0 ? descendantsOf(home) : childrenOf(home)), order_by }),
    ),
  )
  const named = names.flatMap((name) => [
    list('groups', { ...childrenOf(home), name }),
    list('groups', { ...descendantsOf(home), name, order_by: 'created_at desc' }),
    list('identities', { ...childrenOf(home), name }),
  ])
  const parts = [
    list('groups', { ...childrenOf(home), skip: 1, page_size: 2 }),
    list('identities', { ...childrenOf(home), skip: 1 }),
    list('groups', { ...descendantsOf(home), name: names[0], skip: 1 }),
    list('roleBindings', { ...descendantsOf(home), skip: 2 }),
  ]
  // v1 has no gRPC
  const isHttp = driver.run.over === undefined
  const inV1 = isHttp ? [readOf(driver, 'groups', { query: childrenOf(home), version: 'v1' })] : []
  return [...ordered, ...named, ...parts, ...inV1]
}
