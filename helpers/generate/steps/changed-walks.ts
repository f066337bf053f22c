import { madeKinds } from '../../api/kinds.ts'
import { listedUids, ordersOf } from '../../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { OnePage } from '../../expiry/kept-page-tokens.ts'
import { type Driver, nextOf } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { update } from '../world.ts'

/** How many of each kind are walked, on pages of which size, and every which of the walks is made. */
const [usual, few] = [
  { ofEach: 9, page_size: 3, every: 1 },
  { ofEach: 3, page_size: 2, every: 3 },
]

/** How many calls are sent at once. */
const atOnce = 8

/** The longest walk, in pages: all that is made has fewer. */
const longest = 12

/**
 * Takes the first pages of many lists, changes the group above and what these pages showed, and follows the tokens: what
 * exists all the time appears once (R22). Returns how many walks.
 */
export const askChangedWalks = (driver: Driver) => walkWhileChanging(driver, usual)

/** The same with fewer things and walks. */
export const askFewChangedWalks = (driver: Driver) => walkWhileChanging(driver, few)

async function walkWhileChanging(driver: Driver, { ofEach, page_size, every }: typeof usual): Promise<number> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return 0
  const name = driver.name()
  await inParallel(Array.from({ length: ofEach }), atOnce, async () => {
    await driver.group(home.uid, { name })
    await driver.group(home.uid)
    await driver.binding(home.uid, await driver.identity(home.uid))
  })
  const walks = walksOf(home.uid, name).filter((_, at) => at % every === 0)
  // only what a list has shown must stay on it (R52)
  await inParallel(walks, atOnce, ({ kind, query }) => driver.list(kind, { ...query, page_size: 200 }))
  await driver.run.model.settled()
  const open: (OnePage & { seen: string[]; token: string | undefined })[] = []
  await inParallel(walks, atOnce, async ({ kind, query }) => {
    const first = await driver.list(kind, { ...query, page_size })
    const seen = first ? listedUids(kind, first).map(String) : []
    open.push({ kind, query, seen, token: nextOf(first) })
  })
  await update(driver, home.uid, { description: `while walked ${name}` })
  const [last] = driver.living('roleBindings', home.uid).slice(-1)
  const roleUid = (await driver.roles())[1]?.uid
  if (last) await driver.send(() => driver.api.roleBindings.update(last, { roleUid }))
  for (const kind of ['groups', 'roleBindings', 'identities'] as const) {
    const living = new Set(driver.living(kind, home.uid))
    const shown = new Set(open.flatMap((walk) => (walk.kind === kind ? walk.seen.slice(0, 1) : [])))
    for (const uid of shown) if (living.has(uid)) await driver.send(() => driver.api[kind].delete(uid))
  }
  await driver.group(home.uid)
  const follow = (some: typeof open) =>
    inParallel(some, atOnce, async ({ kind, query, token }) => {
      if (token !== undefined) await driver.walk(kind, { ...query, page_size, page_token: token }, longest)
    })
  // what the default order depends on is not stated
  await follow(open.filter(({ query }) => query.order_by === undefined))
  // a token is of a group, whatever its name
  await update(driver, home.uid, { name: driver.name() })
  await follow(open.filter(({ query }) => query.order_by !== undefined))
  return walks.length
}

/** Lists of each kind, in each order, and of groups of one name. */
function walksOf(home: string, name: string): OnePage[] {
  const whole = madeKinds.flatMap((kind) =>
    ordersOf(kind).map((order_by, at) => ({
      kind,
      query: { ...(at % 2 === 0 ? childrenOf(home) : descendantsOf(home)), order_by },
    })),
  )
  const named = [undefined, 'created_at desc'].map((order_by) => ({
    kind: 'groups' as const,
    query: { ...childrenOf(home), name, order_by },
  }))
  return [...whole, ...named]
}
