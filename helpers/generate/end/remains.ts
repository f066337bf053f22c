import { apiOver } from '../../api/api.ts'
import { day, instant } from '../../api/instant.ts'
import { type KindName, kinds, madeKinds, ownKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { listedUids } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Crowd } from '../../arrange/shared-groups.ts'
import { succeeded } from '../../http/call.ts'
import type { Query } from '../../http/url.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { servedOverGrpc } from '../over-either.ts'
import { askNames } from '../steps/named-lists.ts'
import { askGone } from './gone.ts'
import { askTakenAgain } from './taken-late.ts'

/** More bound identities than the largest page and common batches hold. */
const bound = 205

/** How many calls are sent at once. */
const atOnce = 16

/** The longest walk, in pages: enough for all that a run makes. */
const longest = 40

/** Walks all that the run made, each kind in one list; returns how many walks. */
export async function askEverything(driver: Driver): Promise<number> {
  await inParallel(homesOfOpen(driver), atOnce, (home) =>
    driver.list('roleBindings', { ...descendantsOf(home), page_size: 200 }),
  )
  const [widely] = await Promise.all([bindWidely(driver), bindMany(driver)])
  const { scope } = driver
  const queries = ownKinds.flatMap((kind) => fewOrders(kind).map((order_by) => ({ kind, query: { order_by } })))
  const below = (query: Query) => ({ ...descendantsOf(scope), page_size: 200, ...query })
  const sizes = madeKinds.map((kind) => ({
    kind,
    query: { page_size: 1_000 },
  }))
  // so many pages that a walk with a limited length ends too soon
  const short = {
    kind: 'identities' as const,
    query: { page_size: Math.max(2, Math.ceil(driver.living('identities').length / (longest - 2))) },
  }
  const further = (['identities', 'roleBindings'] as const).map((kind) => ({ kind, query: { skip: 120 } }))
  const unsized = { kind: 'roleBindings' as const, query: { page_size: undefined } }
  // the longest first
  await inParallel([short, ...queries, ...sizes, ...further, unsized], atOnce, (each) =>
    driver.walk(each.kind, below(each.query), longest),
  )
  // the usual limit holds on later pages as well (S8.1)
  await driver.walk('groups', below({ page_size: undefined }), 3)
  // with so many, an index may only look at the first ones
  await askNames(driver, 6)
  await driver.send(() => driver.v1.list(descendantsOf(scope)))
  await askLimits(driver)
  // its role bindings go with it, however many there are (R28)
  if (widely) {
    await driver.send(() => driver.api.identities.delete(widely.uid))
    await widely.look()
  }
  await askTakenAgain(driver)
  await askGone(driver)
  return queries.length + sizes.length + further.length + 3
}

/**
 * Lists without a scope, which may be refused, but has pages, names and orders like any other (R19, R21); and lists with
 * odd sizes, which lift no limit, and after a long skip.
 */
async function askLimits(driver: Driver): Promise<void> {
  const named = (kind: 'groups' | 'identities' | 'roleBindings') =>
    String(driver.run.model.hearing.judge.state.thing(driver.living(kind)[0] ?? '', kind)?.name.writes.at(-1)?.value)
  const unscoped = madeKinds.flatMap((kind) =>
    [
      {},
      { skip: 1, page_size: 7 },
      ...(kinds[kind].named ? [{ name: named(kind) }, { name: driver.name() }, { order_by: 'name' }] : []),
    ].map((query: Query) => ({ kind, query })),
  )
  const pages = madeKinds.map((kind) => driver.walk(kind, { order_by: 'created_at desc', page_size: 7 }, 2))
  const odd = madeKinds.flatMap((kind) =>
    [0, -1, 'x'].map((page_size) => ({ kind, query: { ...descendantsOf(driver.scope), page_size } })),
  )
  const deep = madeKinds.map((kind) => ({ kind, query: { ...descendantsOf(driver.scope), skip: 510 } }))
  await inParallel([...unscoped, ...odd, ...deep], atOnce, ({ kind, query }) => driver.list(kind, query))
  await Promise.all(pages)
}

/** Walks each kind that the run makes, in the largest pages; returns how many walks. */
export async function walkEverything(driver: Driver): Promise<number> {
  const query = { ...descendantsOf(driver.scope), page_size: 200 }
  await Promise.all(madeKinds.map((kind) => driver.walk(kind, query, longest)))
  const odd = madeKinds.flatMap((kind) => [-1, 1_000].map((page_size) => ({ kind, query: { ...query, page_size } })))
  await Promise.all(odd.map(({ kind, query }) => driver.list(kind, query)))
  await askGone(driver)
  return madeKinds.length
}

/** The living groups nearest above role bindings that may have gone with an identity: they leave longer lists open. */
function homesOfOpen(driver: Driver): string[] {
  const { state } = driver.run.model.hearing.judge
  const open = state.ofKind('roleBindings').filter(({ alive }) => alive.certain(Infinity, Infinity) === undefined)
  const homes = open.flatMap((thing) => state.upwards(thing).find(({ alive }) => alive.writes.at(-1)?.value) ?? [])
  return [...new Set(homes.map(({ uid }) => uid))].filter((uid) => uid !== driver.scope)
}

function fewOrders(kind: KindName): (string | undefined)[] {
  if (kind === 'groups') return ['name']
  return kinds[kind].shown ? [undefined, 'created_at desc', ...(kinds[kind].named ? ['name desc'] : [])] : [undefined]
}

/** Binds the identities that are not bound, and makes more if they are too few. */
async function bindMany(driver: Driver): Promise<void> {
  const { judge } = driver.run.model.hearing
  const thing = (uid: string, kind: KindName) => judge.state.thing(uid, kind)
  const taken = new Set(driver.living('roleBindings').map((uid) => thing(uid, 'roleBindings')?.identityUid))
  const free = driver.living('identities').filter((uid) => !taken.has(uid))
  const missing = Math.max(0, bound - taken.size)
  const homes = free.slice(0, missing).map((uid) => ({ uid, home: thing(uid, 'identities')?.parent ?? driver.scope }))
  const home = missing > free.length ? await driver.group(driver.scope) : undefined
  const made: typeof homes = []
  await inParallel(Array.from({ length: home ? missing - free.length : 0 }), atOnce, async () => {
    const identity = await driver.identity(home!.uid)
    if (identity) made.push({ uid: identity.uid, home: home!.uid })
  })
  await inParallel([...homes, ...made], atOnce, ({ uid, home }) => driver.binding(home, { uid }))
}

/** How many roles from across their list one identity gets in each group, and about how many role bindings in all. */
const [rolesEach, bindingsOfOne] = [12, 54]
/** In how many groups it is bound at most, however few roles there are. */
const mostHomes = 18

/** What others made recently they may also delete (R24). */
const isOld = ({ createTime }: Received) => instant(createTime) < Date.now() - day

/**
 * Binds one identity to many roles in several groups: each role binding stays, and shows its own role (S2.14, S2.15).
 * `look` lists them.
 */
async function bindWidely(driver: Driver): Promise<{ uid: string; look: () => Promise<unknown> } | undefined> {
  const home = await driver.group(driver.scope)
  const owner = home && (await driver.identity(home.uid))
  if (home === undefined || owner === undefined) return undefined
  const all = await driver.allRoles()
  const old = all.filter(isOld)
  const roles = old.length > 0 ? old : all.slice(0, 1)
  const stride = Math.max(1, (roles.length - 1) / (rolesEach - 1))
  const chosen = new Set(Array.from({ length: rolesEach }, (_, at) => roles[Math.round(at * stride)]?.uid))
  const homes = Math.min(mostHomes, Math.ceil(bindingsOfOne / chosen.size))
  const inner = await Promise.all(Array.from({ length: homes - 1 }, () => driver.group(home.uid)))
  const bound = [home, ...inner].flatMap((group) => [...chosen].map((roleUid) => ({ uid: group?.uid, roleUid })))
  await inParallel(bound, atOnce, async ({ uid, roleUid }) => {
    if (uid && roleUid)
      await driver.send(() => driver.api.roleBindings.create(uid, { identityUid: owner.uid, roleUid }))
  })
  const look = () => driver.list('roleBindings', { ...descendantsOf(home.uid), page_size: 200 })
  await look()
  const claimMatch = { issuer: 'https://issuer.example/wide', subject: driver.name() }
  await driver.send(() => driver.api.identities.update(owner.uid, { claimMatch }))
  await look()
  await askHeavy(driver, owner.uid, { ...descendantsOf(home.uid), page_size: 200 })
  return { uid: owner.uid, look }
}

/** Lengths of a description that many role bindings embed, the longest first: together nearly four megabytes, or one. */
const heavy = [70_000, 20_000] as const

/** Lists role bindings over each protocol when a page of them has megabytes: it is as long as any other (R6, R19). */
async function askHeavy(driver: Driver, uid: string, query: Query): Promise<void> {
  const { run, log } = driver
  const describe = (length: number) =>
    driver.made(() => driver.api.identities.update(uid, { description: driver.name().padEnd(length, 'x') }))
  const described = (await describe(heavy[0])) ?? (await describe(heavy[1]))
  if (described === undefined) return
  await driver.list('roleBindings', query)
  const overGrpc = await servedOverGrpc(run)
  if (overGrpc) await driver.send(() => apiOver(overGrpc, log).attempt.roleBindings.list(query))
}

/** Every how many children one is looked for by name. */
const namedEach = 21

/** Lists groups by the names that they have, anywhere below another (S4.8, S4.10). */
async function askNamesOf(driver: Driver, above: string, uids: readonly string[]): Promise<void> {
  const { state } = driver.run.model.hearing.judge
  const names = uids.map((uid) => state.group(uid)?.name.writes.at(-1)?.value)
  await inParallel(names, atOnce, (name) => driver.list('groups', { ...descendantsOf(above), name: String(name) }))
}

/** How many children are left each time their group is deleted: nearly half, then few, then none. */
const left = [128, 3, 0]

/**
 * Deletes most of the crowd, then the group above it, again and again until it is empty; returns how often. What the
 * list shows first is deleted first: a stored copy of it may hide the others.
 */
export async function askHalfEmptied(driver: Driver, { scope }: Crowd): Promise<number> {
  const [home] = Object.values(scope).map(String)
  // what failed cases made stays
  if (home === undefined || driver.run.keepFailed) return 0
  const own = new Set(driver.living('groups', home))
  const pages = [undefined, 200].map((skip) => driver.list('groups', { ...childrenOf(home), page_size: 200, skip }))
  const shown = (await Promise.all(pages)).flatMap((page) => (page ? listedUids('groups', page) : []).map(String))
  const children = [...new Set(shown)].filter((uid) => own.has(uid))
  await driver.send(() => driver.api.groups.update(home, { name: driver.name() }))
  await driver.send(() => driver.api.groups.get(home))
  await askNamesOf(
    driver,
    driver.homeOf({ uid: home }, 'groups'),
    children.filter((_, at) => at % namedEach === 0),
  )
  // what does not fit is read again while it exists
  await driver.run.model.settled()
  for (const few of left) {
    await inParallel(children.splice(0, Math.max(0, children.length - few)), atOnce, (uid) =>
      driver.send(() => driver.api.groups.delete(uid)),
    )
    const deleted = await driver.send(() => driver.api.groups.delete(home))
    if (deleted && succeeded(deleted) && few > 0) break
    await driver.children('groups', home)
  }
  await driver.send(() => driver.api.groups.get(home))
  return left.length
}
