import { minute, threeDays } from '../../api/instant.ts'
import { type KindName, kinds, ownKinds, publishedKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import { keptPages, type OnePage } from '../../expiry/kept-page-tokens.ts'
import { noCredential } from '../../http/call.ts'
import type { Query } from '../../http/url.ts'
import { askEnded, askEndedOf } from '../assumed/ended.ts'
import { type Driver, nextQuery } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { emptied, identity, makeSome, makeWorld, type Place, update, type World } from '../world.ts'
import type { Dormant } from './dormant.ts'
import { agedQueries, fewAged, foreignScopes, ownOrders } from './queries.ts'
import { openPages, usePages } from './readers-pages.ts'

/** How far from the end of their life page tokens are used: the model leaves two minutes open. */
const margin = 3 * minute
const overAnHour = 71 * minute

/** How many calls are sent at once. */
const atOnce = 16

/** How many lists are opened after a skip too, and how many to be used in another scope. */
const [skipped, strayed] = [8, 12]

/**
 * Uses tokens of every sort when their time is nearly over and when it is: API tokens on every operation, page tokens
 * of every list (R40, R42). Then reads everything, which has not changed for days. `beside` uses gRPC if it is served,
 * and `dormant` is what slept all the time.
 */
export async function askOldTokens(driver: Driver, { beside, dormant }: Besides = {}): Promise<number> {
  const { run } = driver
  const world = await makeWorld(driver)
  let asked = await askEnded(driver, world, beside)
  if (!run.clock.movable) return asked
  const foreign = await foreignScopes(driver)
  const wholes = () => inParallel(foreign, atOnce, ({ kind, query }) => driver.list(kind, { ...query, page_size: 200 }))
  await wholes()
  const gone = await deleteSome(driver)
  const idle = await makeIdle(driver)
  // where equal names are taken (R3), a list of the children with one name has two pages
  const { name } = world.shared
  await Promise.all([
    driver.group(driver.scope, { name }),
    ...[1, 2].map(() => driver.identity(driver.scope, { name })),
  ])
  const began = run.clock.read()
  const lists = agedQueries(driver, world, foreign)
  // some tokens are used just before their time is over, and the others just after
  const early = [...(await openAll(driver, lists)), ...(await openAll(driver, lists.slice(0, skipped), 1))]
  const late = await openAll(driver, lists)
  const elsewhere = await openAll(driver, lists.slice(0, strayed))
  const [earlyBeside, lateBeside] = beside
    ? [await openAll(beside, fewAged(driver)), await openAll(beside, fewAged(driver))]
    : [[], []]
  const reader = dormant?.reader
  const [earlyRead, lateRead] = [await openPages(driver, reader), await openPages(driver, reader)]
  const opened = run.clock.read()
  const passTo = (time: number) =>
    run.clock.advance(Math.round((time - run.clock.read()) / 1000), driver.log).catch(() => undefined)
  await passTo(began + threeDays - margin)
  await useAll(driver, early)
  await usePages(driver, reader, earlyRead)
  if (beside) await useAll(beside, earlyBeside)
  await wholes()
  // a list that begins again shows these too
  const homes = [driver.scope, ...(world.root ? [world.root.group.uid] : [])]
  await Promise.all(homes.map((uid) => makeSome(driver, { uid })))
  await Promise.all([world.child, world.grandchild, world.leaf].flatMap((place) => changed(driver, place)))
  // as they begin now
  const firstPages = (to: Driver, lists: readonly OnePage[]) =>
    inParallel(lists, atOnce, ({ kind, query: { page_token: _, ...query } }) => to.list(kind, query))
  await firstPages(driver, late)
  if (beside) await firstPages(beside, lateBeside)
  await passTo(opened + threeDays + margin)
  await useAll(driver, late, 2)
  await usePages(driver, reader, lateRead)
  await useElsewhere(driver, world, elsewhere)
  if (beside) await useAll(beside, lateBeside, 2)
  // some are much older than three days
  await useAll(driver, keptPages(run))
  await wholes()
  asked += early.length + late.length + earlyBeside.length + lateBeside.length
  await dormant?.wake()
  await askUnchanged(driver, world)
  await changeOld(driver, world, gone)
  await writeElsewhere(driver, beside, world, idle)
  // the hour of an API token is as long for an identity that is days old (R40)
  await passTo(run.clock.read() + overAnHour)
  await askEndedOf(driver, driver.scope)
  return asked
}

/** Uses page tokens in another scope: however old, they bring nothing of their own (R14). */
const useElsewhere = (driver: Driver, { otherRoot }: World, lists: readonly OnePage[]) =>
  inParallel(lists, atOnce, ({ kind, query: { 'uidp.descendants_of': _, 'uidp.children_of': __, ...query } }) =>
    driver.list(kind, { ...descendantsOf(otherRoot?.group.uid ?? driver.scope), ...query }),
  )

/** What else is used, if it is there. */
interface Besides {
  beside?: Driver | undefined
  dormant?: Dormant | undefined
}

/** Takes a page token from each list that has one, alternating between its first and second page, maybe after a skip. */
async function openAll(driver: Driver, lists: readonly OnePage[], skip?: number): Promise<OnePage[]> {
  const open: OnePage[] = []
  const turns = lists.map((list, index) => ({ ...list, isLater: index % 2 === 1 }))
  await inParallel(turns, atOnce, async ({ kind, query, isLater }) => {
    const first = () => nextPage(driver, kind, query, skip)
    const second = await first()
    // where the second page is the last it has no token, and the first page's is used up
    const next = second && isLater ? ((await nextPage(driver, kind, second)) ?? (await first())) : second
    if (next) open.push({ kind, query: next })
  })
  return open
}

/** Reads a page; returns the query for the next one. */
async function nextPage(driver: Driver, kind: KindName, query: Query, skip?: number): Promise<Query | undefined> {
  return nextQuery(query, await driver.list(kind, { ...query, skip }))
}

/** Reads each of these pages, and `further` more of every third list: a list that began again continues as usual. */
async function useAll(driver: Driver, lists: readonly OnePage[], further = 0): Promise<void> {
  const turns = lists.map((list, index) => ({ ...list, pages: index % 3 === 0 ? further : 0 }))
  await inParallel(turns, atOnce, async ({ kind, query, pages }) => {
    let next = await nextPage(driver, kind, query)
    for (let page = 0; page < pages && next; page++) next = await nextPage(driver, kind, next)
  })
}

/** Reads everything through every view: what nobody has touched for days may be stored elsewhere. */
async function askUnchanged(driver: Driver, { places, offered }: World): Promise<void> {
  await driver.frame(ownKinds)
  await driver.send(() => driver.v1.list(descendantsOf(driver.scope)))
  const seen = places.flatMap(({ group, identity, binding }) => [
    { kind: 'groups' as const, uid: group.uid },
    ...(identity ? [{ kind: 'identities' as const, uid: identity.uid }] : []),
    ...(binding ? [{ kind: 'roleBindings' as const, uid: binding.uid }] : []),
  ])
  const others = publishedKinds.flatMap((kind) => (offered[kind] ?? []).slice(0, 1).map(({ uid }) => ({ kind, uid })))
  await inParallel<{ kind: KindName; uid: string }>([...seen, ...others], atOnce, async ({ kind, uid }) => {
    // however old it is, nobody else sees it (R39)
    const [operation, path] = [`${kinds[kind].name}.get`, driver.path(kind, uid)]
    await driver.call({ operation, method: 'GET', path, credential: noCredential })
    await driver.send(() => driver.api[kind].get(uid))
  })
  await inParallel(places, atOnce, ({ group }) => driver.send(() => driver.v1.get(group.uid)))
}

/** Deleted things of each kind. */
type Gone = readonly { kind: 'groups' | 'identities' | 'roleBindings'; uid: string }[]

/** Makes and deletes one of each kind: days later it is still gone (R28). */
async function deleteSome(driver: Driver): Promise<Gone> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return []
  const [group, owner] = [await driver.group(home.uid), await driver.identity(home.uid)]
  const made = { roleBindings: await driver.binding(home.uid, owner), identities: owner, groups: group }
  const gone = Object.entries(made).flatMap(([kind, one]) =>
    one ? [{ kind: kind as Gone[number]['kind'], uid: one.uid }] : [],
  )
  for (const { kind, uid } of gone) await driver.send(() => driver.api[kind].delete(uid))
  return gone
}

/** Gives a group and its identity another description. */
const changed = (driver: Driver, place: Place | undefined) => {
  if (place === undefined) return []
  const description = `since then ${driver.name()}`
  return [update(driver, place.group.uid, { description }), identity(driver, place.identity?.uid, { description })]
}

/** Changes and deletes what is days old: it may be stored elsewhere by then. */
async function changeOld(
  driver: Driver,
  { root, child, grandchild, otherRoot, offered }: World,
  gone: Gone,
): Promise<void> {
  const { api } = driver
  await Promise.all(gone.map(({ kind, uid }) => driver.send(() => api[kind].get(uid))))
  const [name, claimMatch] = [driver.name(), { issuer: 'https://issuer.example/old', subject: driver.name() }]
  await update(driver, root?.group.uid, { name })
  await update(driver, child?.group.uid, { name: 'left out', description: name }, 'description')
  await identity(driver, root?.identity?.uid, { name })
  await identity(driver, child?.identity?.uid, { name: 'left out', description: name }, 'description')
  await identity(driver, grandchild?.identity?.uid, { claimMatch })
  if (grandchild) await driver.binding(grandchild.group.uid, grandchild.identity, 3)
  for (const kind of publishedKinds) {
    const one = kinds[kind].described ? offered[kind]?.at(-1) : undefined
    if (one) await driver.send(() => driver.api[kind].update(one.uid, { description: `old ${name}` }))
  }
  const replaced = driver.name()
  if (grandchild) await driver.send(() => driver.v1.replace(grandchild.group.uid, { name: replaced }))
  if (root) {
    await driver.binding(root.group.uid, root.identity, 2)
    const added = await driver.group(root.group.uid)
    await driver.binding(root.group.uid, await driver.identity(root.group.uid))
    if (added) await makeSome(driver, added)
  }
  if (child?.binding) {
    await driver.send(() => api.roleBindings.delete(child.binding!.uid))
    await driver.binding(child.group.uid, child.identity, 1)
  }
  for (const place of [root, child, grandchild]) if (place) await driver.send(() => api.groups.get(place.group.uid))
  const oldRoot = otherRoot?.group
  if (oldRoot) {
    await emptied(driver, oldRoot.uid)
    await driver.send(() => api.groups.get(oldRoot.uid))
    await driver.group(driver.homeOf(oldRoot, 'groups'), { name: oldRoot.name })
  }
  // something new beside what is old
  await makeWorld(driver, 2)
  const names = [name, root?.group.name, replaced, grandchild?.group.name, oldRoot?.name].map(String)
  const named = names.map((each) => ({
    kind: 'groups' as const,
    query: { ...descendantsOf(driver.scope), name: each },
  }))
  await inParallel([...ownOrders(driver.scope), ...named], atOnce, ({ kind, query }) => driver.list(kind, query))
  await driver.frame(publishedKinds)
}

/** Groups that hold nothing for days: one that never did, and one whose child is gone. */
async function makeIdle(driver: Driver): Promise<Received[]> {
  const made = [await driver.group(driver.scope), await driver.group(driver.scope)].filter((one) => one !== undefined)
  const child = made[1] && (await driver.group(made[1].uid))
  if (child) await driver.send(() => driver.api.groups.delete(child.uid))
  return made
}

/** Changes and deletes what is days old through v1 and over gRPC, too (S1.5, S9.1, R28, R30). */
async function writeElsewhere(
  driver: Driver,
  beside: Driver | undefined,
  { leaf: old }: World,
  [empty, emptied]: readonly Received[],
): Promise<void> {
  if (empty) await driver.send(() => driver.v1.delete(empty.uid))
  if (emptied) await driver.send(() => driver.api.groups.delete(emptied.uid))
  if (beside && old) {
    await update(beside, old.group.uid, { description: `old ${driver.name()}` })
    if (old.binding) await beside.send(() => beside.api.roleBindings.delete(old.binding!.uid))
    if (old.identity) await beside.send(() => beside.api.identities.delete(old.identity!.uid))
  }
  await driver.frame()
}
