import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import { isPublished, type KindName, kinds } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import { type Page, type Received, uids } from '../api/received.ts'
import { firstPages, foundAll, only, walk } from '../assertions/page-walk.ts'
import { isViolation } from '../assertions/violation.ts'
import type { Query } from '../http/url.ts'
import { lastWord } from './eventually.ts'
import { ordersFor } from './listings.ts'
import { mustBePresent } from './optional-operations.ts'
import { deleteGroup, type Scratch } from './scratch.ts'

/** What others do during the walks. */
export type Change = 'insert' | 'delete' | 'rename' | 'touch'

/** The changes that a kind can go through. */
export const changesOf = (kind: KindName): readonly Change[] =>
  isPublished(kind) ? ['delete'] : kinds[kind].named ? ['insert', 'delete', 'rename', 'touch'] : ['insert', 'delete']

/** A walk after two pages, with the whole list as it was before. */
interface Begun {
  query: Query
  order: string | undefined
  whole: Received[]
  pages: Page[]
}

/** Where walks go on, and what was made for them. */
interface Going {
  api: Api
  scratch: Scratch
  names: Names
  kind: KindName
}

/** More where some are deleted at every cursor: enough others must be left. */
const howMany: Record<Change, number> = { insert: 12, delete: 16, rename: 12, touch: 12 }
const inserted = 4

/**
 * Begins a walk in every order, lets others make one kind of change on both sides of every cursor, walks to the end,
 * and fails unless everything that nobody touched was found exactly once (R22).
 */
export async function walkDuring(change: Change, going: Going): Promise<void> {
  try {
    await walkOnce(change, going, 0)
  } catch (error) {
    if (!isViolation(error)) throw error
    // some pages of young items may lag: the next attempt waits until they are old (R52)
    const scratch = await going.scratch.another()
    await lastWord(walkOnce(change, { ...going, scratch }, scratch.patience.readings))
  }
}

/** The same, once; first leaves what was made alone for `rest` milliseconds. */
async function walkOnce(change: Change, going: Going, rest: number): Promise<void> {
  const { api, scratch, kind } = going
  const made = await makeSeveral(going, howMany[change])
  // only a list that shows everything can be judged while it changes (R52)
  await scratch.settled(kind, scratch.children, made)
  await sleep(rest)
  const begun = await Promise.all(ordersFor({ kind, items: made }).map((order) => begin(going, order)))

  // a list that shows what others made must not lead to changes of it
  const own = begun.map(({ whole, pages, ...asked }) => {
    const { items, ...rest } = only({ items: whole, pages }, made)
    return { ...asked, ...rest, whole: items }
  })
  const touched = await make[change](going, own)

  const most = Math.max(...begun.map(({ whole }) => whole.length)) + inserted + touched.length
  const standing = made.filter(({ uid }) => !touched.includes(uid))
  const ends = begun.map(({ query, pages }) => walk(api[kind].list, query, most, pages))
  for (const found of await Promise.all(ends)) foundAll(only(found, standing), standing)

  async function begin({ kind }: Going, order: string | undefined): Promise<Begun> {
    const query = { ...scratch.children, order_by: order, page_size: 2 }
    const [whole, pages] = await Promise.all([
      api[kind].list({ ...query, page_size: 200 }),
      firstPages(api[kind].list, query, 2),
    ])
    return { query, order, whole: whole.items, pages }
  }
}

/** Makes the change, and returns the uids touched. */
const make: Record<Change, (going: Going, begun: readonly Begun[]) => Promise<string[]>> = {
  insert: async (going) => {
    const { names } = going
    const places = ['aaa', 'zzz', '', '']
    await Promise.all(places.map((place) => makeOne(going, `${place}${names.fresh()}`)))
    return []
  },
  delete: async ({ api, scratch, kind }, begun) => {
    const lastSeen = begun.flatMap(({ pages }) => pages.at(-1)?.items.at(-1) ?? [])
    const next = begun.flatMap(({ whole, pages }) => whole[pages.flatMap(({ items }) => items).length] ?? [])
    const doomed = [...new Set(uids([...lastSeen, ...next]))]
    const gone = (uid: string) => (kind === 'groups' ? deleteGroup(api, scratch, uid) : api[kind].delete(uid))
    await Promise.all(doomed.map(gone))
    return doomed
  },
  rename: async (going, begun) => {
    const { whole = [], pages = [] } = begun.find(({ order }) => order === 'name') ?? {}
    const shown = pages.flatMap(({ items }) => items).length
    // the first and the last one shown, counted from either end, because the other walk descends
    const toTheEnd = uids([whole[0], whole[shown - 1]].filter((one) => one !== undefined))
    const toTheFront = uids([whole.at(-1), whole.at(-shown)].filter((one) => one !== undefined))
    const rename = (uid: string, place: string) => update(going, uid, { name: `${place}${going.names.fresh()}` })
    await Promise.all([...toTheEnd.map((uid) => rename(uid, 'zzz')), ...toTheFront.map((uid) => rename(uid, 'aaa'))])
    return [...toTheEnd, ...toTheFront]
  },
  touch: async (going, begun) => {
    const early = [...new Set(uids(begun.flatMap(({ whole }) => whole.slice(0, 1))))]
    await Promise.all(early.map((uid) => update(going, uid, { description: 'touched' })))
    return early
  },
}

/** An update whose path the contract does not print may be missing (R49). */
async function update({ api, kind }: Going, uid: string, body: Record<string, unknown>): Promise<void> {
  mustBePresent(kind, 'update', await api.attempt[kind].update(uid, body))
}

function makeSeveral(going: Going, count: number): Promise<Received[]> {
  return Promise.all(going.names.several(count).map((name) => makeOne(going, name)))
}

async function makeOne({ scratch, kind }: Going, name: string): Promise<Received> {
  if (kind === 'groups') return scratch.makeGroup({ name })
  if (isPublished(kind)) return scratch.makePublished(kind)
  const identity = await scratch.makeIdentity({ name })
  return kind === 'identities' ? identity : scratch.makeBinding(identity)
}
