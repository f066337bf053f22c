import { isPublished, type KindName, kinds, madeKinds, ownKinds, publishedKinds } from '../api/kinds.ts'
import { scopeParameters } from '../api/resource-path.ts'
import { ordersOf } from '../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Query } from '../http/url.ts'
import { covering, type Row } from './covering.ts'
import { type Driver, nextOf } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { askChangedWalks, askFewChangedWalks } from './steps/changed-walks.ts'
import { askNamed } from './steps/named-lists.ts'
import { askWhole, askWholeOnceStill } from './steps/whole-lists.ts'
import { askFewNearMisses, askNearMisses } from './wire/near-misses.ts'
import { askStrangeTokens } from './wire/page-tokens.ts'
import { makeSome, makeWorld, offerNamesakes, type Place, update, type World } from './world.ts'

/** The scopes and names with which a kind is listed. */
interface ListGround {
  kind: KindName
  /** Groups with different numbers of the kind, starting with none. */
  scopes: readonly string[]
  /** Names that one, several or none of them have. */
  names: readonly string[]
  /** About how many items the largest scope holds. */
  size: number
  strength: 2 | 3
}

/** How many lists are sent at once. */
const atOnce = 8

/** Sends lists from a covering array over scope, depth, name, order, skip, page size and page; returns how many. */
async function askLists(driver: Driver, ground: ListGround): Promise<number> {
  const { kind, scopes, names, size: n, strength } = ground
  const { named } = kinds[kind]
  const parameters = {
    scope: scopes,
    depth: scopeParameters,
    name: named && names.length > 0 ? [undefined, undefined, ...names] : [undefined],
    order: ordersOf(kind),
    // with few results, fewer values differ
    skip: n < 5 ? [undefined, 1, n] : [undefined, 0, 1, n - 1, n, n + 1],
    // few match a name: pages of one and two divide them
    size: n < 5 ? [undefined, 1, n] : [undefined, 1, 2, n - 1, n, n + 1],
    page: ['first', 'second', 'last'],
  }
  const rows = covering(parameters, strength, driver.draw, fits)
  await inParallel(rows, atOnce, (row) => ask(driver, kind, row))
  return rows.length + (await askSmallWalks(driver, ground))
}

/**
 * Walks the matches of a name in pages of one, two or three, and lists without a name in twos: few drawn queries have a
 * second page.
 */
async function askSmallWalks(driver: Driver, { kind, names, scopes }: ListGround): Promise<number> {
  const { named } = kinds[kind]
  const orderings = ordersOf(kind)
  // the first is spread over the scope, the second is among siblings
  const within = [descendantsOf(driver.scope), childrenOf(scopes.at(-1)!)]
  const most = kind === 'groups' ? 3 : 2
  const asked = (at: number) => (named ? { name: names[at], page_size: at === 0 ? 1 : most } : { page_size: 2 })
  const walks = within.flatMap((scope, at) => orderings.map((order_by) => ({ ...scope, ...asked(at), order_by })))
  await inParallel(walks, atOnce, (query) => driver.walk(kind, query))
  const byName = { ...within[1], order_by: 'name', page_size: 1 }
  if (kind === 'groups' || kind === 'identities') await driver.walk(kind, byName, longest)
  return walks.length
}

const fits = ({ skip, page, size }: Row) =>
  !(page === 'last' && skip !== undefined) && !(page === 'last' && size === 1) && size !== 0 && size !== -1

/** The most pages turned for the last one. */
const mostTurns = 3

async function ask(
  driver: Driver,
  kind: KindName,
  { scope, depth, name, order, skip, size, page }: Row,
): Promise<void> {
  const query: Query = {
    [String(depth)]: String(scope),
    name: name as string | undefined,
    order_by: order as string | undefined,
    page_size: size as number | undefined,
    skip: skip as number | undefined,
  }
  let token = nextOf(await driver.list(kind, query))
  const turns = page === 'first' ? 0 : page === 'second' ? 1 : mostTurns
  for (let turn = 0; turn < turns && token !== undefined; turn++) {
    token = nextOf(await driver.list(kind, { ...query, skip: undefined, page_token: token }))
  }
}

/** The longest walk, in pages: more than some servers allow. */
export const longest = 130

/** A list whose results are skipped: in a group, of all and of one name. */
interface Skipping {
  kind: KindName
  scope: string
  name?: string
  /** Each order at one depth, and beside a name at the other. */
  isBrief?: boolean
  skips: readonly number[]
}

/** How many pages are read after a skip. */
const pagesSkipped = 3

/**
 * Skips some of one name and of all, at either depth and in every order, and goes on: five parameters at once, where a
 * covering array has three. Returns how many walks.
 */
async function askSkips(driver: Driver, { kind, scope, name, isBrief, skips }: Skipping): Promise<number> {
  const names = name === undefined ? [undefined] : [undefined, name]
  // what one protocol leaves out, the other has
  const turnOf = driver.run.over === 'grpc' ? 1 : 0
  const asked = scopeParameters.flatMap((depth, deeper) =>
    ordersOf(kind).flatMap((order_by, turn) =>
      names
        .filter((_, named) => !isBrief || (turn + named + deeper + turnOf) % 2 === 0)
        .flatMap((name) =>
          skips.map((skip) => ({ [depth]: scope, name, order_by, skip, page_size: name ? skip : skip + 1 })),
        ),
    ),
  )
  await inParallel(asked, atOnce, (query) => driver.walk(kind, query, pagesSkipped))
  return asked.length
}

/** How many sibling groups there are, and where calls are expensive. */
const [flockSize, fewSiblings] = [23, 9]

/** Lists every kind that the run makes, in a full world and in a flock of siblings; returns how many lists. */
export async function askAllLists(driver: Driver): Promise<number> {
  const world = await makeWorld(driver)
  const uidOf = (place: Place | undefined) => place?.group.uid ?? driver.scope
  const { flock, twins, label } = await makeFlock(driver)
  await inParallel(publishedKinds, atOnce, (kind) => offerNamesakes(driver, kind, flock, label))
  const lists = [descendantsOf(uidOf(world.root)), ...[flock, driver.scope].map((uid) => childrenOf(uid))]
  const quiet = [uidOf(world.root), flock]
  await askWholeOnceStill(driver, ownKinds, quiet)
  const asked = await Promise.all([
    ...ownKinds.map((kind) => {
      const isGroup = kind === 'groups'
      const scopes = [driver.scope, uidOf(world.root), flock]
      const size = isGroup ? flockSize : kind === 'identities' ? 14 : kind === 'roleBindings' ? 7 : 3
      const names = [nameIn(world, kind), isGroup ? twins : label, driver.name()]
      return askLists(driver, { kind, scopes, names, size, strength: isGroup ? 3 : 2 })
    }),
    askSkips(driver, { kind: 'groups', scope: flock, name: twins, skips: [1, 4] }),
    askSkips(driver, { kind: 'identities', scope: flock, name: label, skips: [1, 2] }),
    askSkips(driver, { kind: 'roleBindings', scope: flock, skips: [1, 2] }),
    ...publishedKinds.map((kind) =>
      askSkips(driver, { kind, scope: flock, ...(kinds[kind].named && { name: label }), isBrief: true, skips: [1] }),
    ),
    askNearMisses(driver, uidOf(world.root), [world.shared.name, twins], ['groups', 'identities']),
    askStrangeTokens(driver, lists, uidOf(world.otherRoot), madeKinds),
    askChangedWalks(driver),
    askNamed(driver, [uidOf(world.root), uidOf(world.child)], [world.shared.name], ['groups', 'identities']),
  ])
  await askWhole(driver, ownKinds, quiet)
  return asked.reduce((sum, number) => sum + number, 0)
}

/** Lists some kinds in a smaller world; returns how many lists. */
export async function askListsOf(driver: Driver, kindsAsked: readonly KindName[]): Promise<number> {
  const world = await makeWorld(driver, 3)
  const { flock, twins, label } = await makeFlock(driver, fewSiblings)
  await inParallel(kindsAsked.filter(isPublished), atOnce, (kind) => offerNamesakes(driver, kind, flock, label))
  const unused = driver.name()
  const scopes = [driver.scope, flock]
  const other = world.child?.group.uid ?? driver.scope
  const own = [childrenOf(flock), descendantsOf(driver.scope)]
  await askWholeOnceStill(driver, kindsAsked, scopes)
  const asked = await Promise.all([
    ...kindsAsked.map((kind) => {
      const names = [nameIn(world, kind), kind === 'groups' ? twins : label, unused]
      return askLists(driver, { kind, scopes, names, size: 4, strength: 2 })
    }),
    ...kindsAsked.map((kind) => {
      const name = kind === 'groups' ? twins : label
      const isBrief = isPublished(kind)
      return askSkips(driver, { kind, scope: flock, ...(kinds[kind].named && { name }), isBrief, skips: [1] })
    }),
    askStrangeTokens(driver, own, other, kindsAsked),
    askFewNearMisses(driver, other, world.shared.name),
    askFewChangedWalks(driver),
  ])
  await askWhole(driver, kindsAsked, scopes)
  return asked.reduce((sum, number) => sum + number, 0)
}

/** A name that things of a kind have: several where the contract shows their names. */
const nameIn = ({ shared, offered }: World, kind: KindName) =>
  isPublished(kind) ? String(offered[kind]?.[0]?.name ?? shared.name) : shared.name

/** How many identities of one issuer live beside them. */
const twinsMade = 3

/** How many first letters siblings have in common: around the sizes that an index or a page token may hold. */
const equalLetters = [36, 12, 130, 12]

/** Names that an index of few letters cannot hold. */
const foreignNames = ['Ünïcödé', '日本語', "d'zürich #1?", 'Ada@Example.COM', '𝔸+%41 & 😀', 'a:b,c;d|e="f"/g\\h']

/**
 * Makes siblings, half of them with names equal in twenty or forty letters, the others with one name if the target
 * allows it; changes each, and makes role bindings that share an identity or a role. Returns the group above, that
 * name, and one that identities share.
 */
async function makeFlock(
  driver: Driver,
  siblings = flockSize,
): Promise<{ flock: string; twins: string; label: string }> {
  const home = (await driver.group(driver.scope))?.uid ?? driver.scope
  const [flock, label] = [[] as Awaited<ReturnType<Driver['group']>>[], driver.name()]
  // each punctuation that a name may have: a page token or an index may write it in another way
  const twins = `${label} e.b_i-k`
  for (let made = 0; made < siblings; made++) {
    const name = made % 2 > 0 ? twins : driver.longName(equalLetters[(made / 2) % equalLetters.length]!)
    flock.push((await driver.group(home, { name })) ?? (await driver.group(home)))
  }
  await inParallel(flock, atOnce, async (each) => {
    if (each) await driver.send(() => driver.api.groups.update(each.uid, { description: `one of ${label}` }))
  })
  const owners = []
  for (let made = 0; made < twinsMade; made++) {
    const claimMatch = { issuer: `https://issuer.example/${label}`, subject: `subject-${made}` }
    owners.push(await driver.identity(home, { name: label, claimMatch }))
  }
  const foreign = foreignNames.map((name) => `${name} ${label}`)
  const [first] = await Promise.all(foreign.map((name) => driver.identity(home, { name })))
  await driver.binding(home, first)
  // without accents or capitals it is another name (R21)
  const near = foreign.flatMap((name) => [name, name.normalize('NFKD').replace(/\p{M}/gu, ''), name.toLowerCase()])
  await Promise.all([...new Set(near)].map((name) => driver.list('identities', { ...childrenOf(home), name })))
  // one identity with several roles, and one role of several identities
  for (const role of [0, 1, 2, 3]) await driver.binding(home, owners[0], role)
  for (const owner of owners.slice(1)) await driver.binding(home, owner)
  // a page token that loses its scope shows them among the children
  await makeSome(driver, flock.at(-1) ?? { uid: home })
  await update(driver, home, { description: `above many of ${label}` })
  return { flock: home, twins, label }
}
