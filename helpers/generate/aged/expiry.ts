import { minute, threeDays } from '../../api/instant.ts'
import { type KindName, kinds, ownKinds, publishedKinds } from '../../api/kinds.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import { keptPages, type OnePage } from '../../expiry/kept-page-tokens.ts'
import { type Call, noCredential } from '../../http/call.ts'
import type { Query } from '../../http/url.ts'
import { askEnded, askEndedOf } from '../assumed/ended.ts'
import { type Driver, nextQuery } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { makeSome, makeWorld, type World } from '../world.ts'
import type { Dormant } from './dormant.ts'
import { changeOld, deleteSome, describeAgain, makeIdle, writeElsewhere } from './old-things.ts'
import { agedQueries, fewAged, foreignScopes } from './queries.ts'
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
  const asked = await askEnded(driver, world, beside)
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
  const { early, late, elsewhere } = await openTokens(driver, world, foreign, { beside, dormant })
  const opened = run.clock.read()
  const passTo = (time: number) =>
    run.clock.advance(Math.round((time - run.clock.read()) / 1000), driver.log).catch(() => undefined)
  await passTo(began + threeDays - margin)
  await useAll(driver, early.own)
  await usePages(driver, dormant?.reader, early.read)
  if (beside) await useAll(beside, early.beside)
  await wholes()
  await addResults(driver, world)
  await askFirstPages(driver, late.own)
  if (beside) await askFirstPages(beside, late.beside)
  await passTo(opened + threeDays + margin)
  await useAll(driver, late.own, 2)
  await usePages(driver, dormant?.reader, late.read)
  await useElsewhere(driver, world, elsewhere)
  if (beside) await useAll(beside, late.beside, 2)
  // some are much older than three days
  await useAll(driver, keptPages(run))
  await wholes()
  await dormant?.wake()
  await askUnchanged(driver, world)
  await changeOld(driver, world, gone)
  await writeElsewhere(driver, beside, world, idle)
  // the hour of an API token is as long for an identity that is days old (R40)
  await passTo(run.clock.read() + overAnHour)
  await askEndedOf(driver, world, beside)
  return asked + [early, late].reduce((sum, tokens) => sum + tokens.own.length + tokens.beside.length, 0)
}

/** Page tokens, each in the query of the page that it leads to. */
interface Tokens {
  own: OnePage[]
  /** Those of another protocol. */
  beside: OnePage[]
  /** Those of an identity that reads with an API token of its own. */
  read: Call[]
}

/** Opens the tokens that are used before their time is over, those used after it, and those used in another scope. */
async function openTokens(
  driver: Driver,
  world: World,
  foreign: readonly OnePage[],
  { beside, dormant }: Besides,
): Promise<{ early: Tokens; late: Tokens; elsewhere: OnePage[] }> {
  const lists = agedQueries(driver, world, foreign)
  const early = [...(await openAll(driver, lists)), ...(await openAll(driver, lists.slice(0, skipped), 1))]
  const late = await openAll(driver, lists)
  const elsewhere = await openAll(driver, lists.slice(0, strayed))
  const openBeside = async () => (beside ? openAll(beside, fewAged(driver)) : [])
  const [earlyBeside, lateBeside] = [await openBeside(), await openBeside()]
  const openRead = () => openPages(driver, dormant?.reader)
  const [earlyRead, lateRead] = [await openRead(), await openRead()]
  return {
    early: { own: early, beside: earlyBeside, read: earlyRead },
    late: { own: late, beside: lateBeside, read: lateRead },
    elsewhere,
  }
}

/** Makes and changes what a list shows only if it begins again. */
async function addResults(driver: Driver, { root, child, grandchild, leaf }: World): Promise<void> {
  const homes = [{ uid: driver.scope }, ...(root ? [root.group] : [])]
  await Promise.all(homes.map((home) => makeSome(driver, home)))
  await Promise.all([child, grandchild, leaf].flatMap((place) => describeAgain(driver, place)))
}

/** Lists as these lists begin now. */
const askFirstPages = (to: Driver, lists: readonly OnePage[]) =>
  inParallel(lists, atOnce, ({ kind, query: { page_token: _, ...query } }) => to.list(kind, query))

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
