import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import { isPublished, type KindName, kinds } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import { type Page, type Received, uids } from '../api/received.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { firstPages, foundAll, only, walk } from '../assertions/page-walk.ts'
import { succeeded } from '../http/call.ts'
import type { Query } from '../http/url.ts'
import { lastWord } from './eventually.ts'
import { ordersFor } from './listings.ts'
import { mustBePresent } from './optional-operations.ts'
import { makeOne } from './populations.ts'
import { deleteGroup, type Scratch } from './scratch.ts'

/** What others do during the walks. */
export type Change = 'insert' | 'delete' | 'rename' | 'touch'

/** The changes that a kind can go through, one after the other. */
export const changesOf = (kind: KindName): readonly Change[] =>
  isPublished(kind) ? ['delete'] : kinds[kind].named ? ['insert', 'touch', 'rename', 'delete'] : ['insert', 'delete']

/** A walk after two pages, with the whole list as it was before. */
interface Begun {
  query: Query
  order: string | undefined
  whole: Received[]
  pages: Page[]
}

/** Where walks go on, and what is made for them. */
export interface WalkContext {
  api: Api
  scratch: Scratch
  names: Names
  kind: KindName
}

/** A kind of change, and what is listed while it happens. */
interface Changing extends WalkContext {
  change: Change
  made: readonly Received[]
}

/** Enough that some are left where two are deleted at every cursor. */
const howMany = 12

/** The orders in which each change is likeliest to lead a walk astray. */
const walkedIn: Record<Change, readonly (string | undefined)[]> = {
  insert: [undefined, 'name', 'created_at desc'],
  touch: [undefined, 'name', 'created_at'],
  rename: ['name', 'name desc'],
  delete: [undefined, 'name desc', 'created_at'],
}

/** Makes what is walked over; only a list that shows all of it can be judged while it changes (R52). */
export async function makeWalked(context: WalkContext): Promise<Received[]> {
  const { scratch, kind, names } = context
  const made = await Promise.all(names.several(howMany).map((name) => makeOne(scratch, kind, scratch.uid, { name })))
  await scratch.settled(kind, scratch.children, made)
  return made
}

/** The same where nothing lags: made in another group, and left alone until it is old (R52). */
export async function walkLater(change: Change, context: WalkContext): Promise<void> {
  const made = await makeWalked(context)
  await sleep(context.scratch.patience.readings)
  await lastWord(walkDuring({ ...context, change, made }))
}

/**
 * Begins a walk in some orders, lets others make one kind of change on both sides of every cursor, walks to the end,
 * and fails unless everything that nobody touched was found exactly once (R22). Returns what is left.
 */
export async function walkDuring({ change, made, ...context }: Changing): Promise<Received[]> {
  const { api, scratch, kind } = context
  const orders = ordersFor({ kind, items: [...made] }).filter((order) => walkedIn[change].includes(order))
  const begun = await Promise.all(orders.map(begin))

  // a list that shows what others made must not lead to changes of it
  const own = begun.map(({ whole, pages, ...asked }) => {
    const { items, ...rest } = only({ items: whole, pages }, made)
    return { ...asked, ...rest, whole: items }
  })
  const { touched = [], added = [] } = await make[change](context, own)

  const most = Math.max(...begun.map(({ whole }) => whole.length)) + added.length + touched.length
  const untouched = made.filter(({ uid }) => !touched.includes(uid))
  const ends = begun.map(({ query, pages }) => walk(api[kind].list, query, most, pages))
  for (const found of await Promise.all(ends)) foundAll(only(found, untouched), untouched)
  return [...(change === 'delete' ? untouched : made), ...added]

  async function begin(order: string | undefined): Promise<Begun> {
    const query = { ...scratch.children, order_by: order, page_size: 3 }
    const [whole, pages] = await Promise.all([
      api[kind].list({ ...query, page_size: 200 }),
      firstPages(api[kind].list, query, 2),
    ])
    return { query, order, whole: whole.items, pages }
  }
}

/** What a change has touched, by uid, and what it has added. */
interface Made {
  touched?: string[]
  added?: Received[]
}

const make: Record<Change, (context: WalkContext, begun: readonly Begun[]) => Promise<Made>> = {
  insert: async ({ scratch, kind, names }) => {
    const insert = (place: string) => makeOne(scratch, kind, scratch.uid, { name: `${place}${names.fresh()}` })
    return { added: await Promise.all(['aaa', 'zzz', '', ''].map(insert)) }
  },
  delete: async ({ api, scratch, kind }, begun) => {
    const lastSeen = begun.flatMap(({ pages }) => pages.at(-1)?.items.at(-1) ?? [])
    const next = begun.flatMap(({ whole, pages }) => whole[pages.flatMap(({ items }) => items).length] ?? [])
    const doomed = [...new Set(uids([...lastSeen, ...next]))]
    const gone = (uid: string) => (kind === 'groups' ? deleteGroup(api, scratch, uid) : api[kind].delete(uid))
    await Promise.all(doomed.map(gone))
    // a list that still shows what is gone does not need to find its place without it
    for (const pause of [0, 100, 300, 900]) {
      await sleep(pause)
      const { items } = await api[kind].list({ ...scratch.children, page_size: 200 })
      if (!items.some(({ uid }) => doomed.includes(uid))) break
    }
    return { touched: doomed }
  },
  rename: async (context, begun) => {
    const { whole = [], pages = [] } = begun.find(({ order }) => order === 'name') ?? {}
    const shown = pages.flatMap(({ items }) => items).length
    // the first and the last one shown, counted from either end, because the other walk descends
    const toTheEnd = uids([whole[0], whole[shown - 1]].filter((one) => one !== undefined))
    const toTheFront = uids([whole.at(-1), whole.at(-shown)].filter((one) => one !== undefined))
    const rename = (uid: string, place: string) => update(context, uid, { name: `${place}${context.names.fresh()}` })
    await Promise.all([...toTheEnd.map((uid) => rename(uid, 'zzz')), ...toTheFront.map((uid) => rename(uid, 'aaa'))])
    return { touched: [...toTheEnd, ...toTheFront] }
  },
  touch: async (context, begun) => {
    const early = [...new Set(uids(begun.flatMap(({ whole }) => whole.slice(0, 1))))]
    await Promise.all(early.map((uid) => update(context, uid, { description: 'touched' })))
    return { touched: early }
  },
}

/** An update whose path the contract does not print may be missing (R49). */
async function update({ api, kind }: WalkContext, uid: string, body: Record<string, unknown>): Promise<void> {
  mustBePresent(kind, 'update', await api.attempt[kind].update(uid, body))
}

/**
 * Makes an identity and its binding in a group, and deletes both, the binding or the identity first. Without Get it is
 * open whether a binding went with its identity: then the binding always goes first.
 */
export async function fillAndEmpty(api: Api, scratch: Scratch, parent: string, first: 'binding' | 'identity') {
  const identity = await scratch.makeIdentity({}, parent)
  const binding = await scratch.makeBinding(identity, parent)
  const isThere = async () => {
    const got = await api.attempt.roleBindings.get(binding.uid)
    return succeeded(got) && !isMarkedDeleted(got)
  }
  if (first === 'identity' && (await isThere()) && succeeded(await api.attempt.identities.delete(identity.uid))) {
    if (await isThere()) await api.attempt.roleBindings.delete(binding.uid)
    return
  }
  await api.roleBindings.delete(binding.uid)
  await api.identities.delete(identity.uid)
}
