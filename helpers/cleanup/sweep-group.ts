import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api/api.ts'
import { instant } from '../api/instant.ts'
import type { Journal } from '../api/journal.ts'
import type { Entry } from '../api/journal-lines.ts'
import { type KindName, publishedKinds } from '../api/kinds.ts'
import { Names } from '../api/names.ts'
import { isReceived, type Received } from '../api/received.ts'
import { pagesOf } from '../arrange/listings.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { Throttle } from '../http/pace/throttle.ts'
import type { Query } from '../http/url.ts'

/** What groups contain, in the order of deletion. */
const contents: KindName[] = ['roleBindings', ...publishedKinds, 'identities', 'groups']
/**
 * The waits after rounds that deleted nothing, in milliseconds: groups and lists may show deletions late. The last one is
 * for what the round before it deleted.
 */
const pauses = [0, 100, 500, 2_000, 3_000, 500]
/** The waits before looking for a deleted group again, in milliseconds: Get may lag (R52). */
const looks = [0, 200, 800, 2_000, 2_500]

/** How many deletes are begun at once: each that waits for a connection holds a few kilobytes, and a run leaves thousands. */
const mostBegun = 200

/** What a list shows. */
export type Item = Received
type Spares = (item: { uid: string; group?: unknown }) => boolean

/** What a sweep of one group needs. */
interface Sweeping {
  /** The same operations over gRPC. */
  grpc: Api
  journal: Journal
  operatorsGroup: string
  spares: Spares | undefined
}

/** Decides what stays: the spared groups, and what is in them by uid, by the group that it names, or by the journal. */
export function sparing(entries: readonly Entry[], spared: readonly string[]): Spares | undefined {
  if (spared.length === 0) return undefined
  const kept = new Set(spared)
  for (const { uid, parent } of entries) if (uid !== undefined && kept.has(parent)) kept.add(uid)
  return (item) => [...kept].some((uid) => uid === item.uid || liesBelow(uid, item))
}

/** Deletes a run's own group with everything in it; true where it was seen to be gone. */
export async function swept(
  api: Api,
  entries: readonly Entry[],
  root: string,
  { grpc, journal, operatorsGroup, spares }: Sweeping,
): Promise<boolean> {
  const below = { ...descendantsOf(root), page_size: 200 }
  const written = (kind: KindName) =>
    entries.flatMap(({ kind: own, uid }) => (own === kind && uid && !spares?.({ uid }) ? [uid] : []))
  // what was recorded need not be searched for, and leaves lists of one page
  await deleteWritten(
    api,
    entries.filter(({ uid }) => uid !== undefined && !spares?.({ uid })),
    root,
  )
  let before = Number.POSITIVE_INFINITY
  for (let [stuck, round] = [0, 0]; stuck < pauses.length; round++) {
    await sleep(pauses[stuck])
    if (round === 1) await deletePublished(grpc, written, below)
    // if nothing is left in it, the root is deleted at once
    const [early, ...all] = await Promise.all([
      spares ? undefined : removed(api, root),
      ...contents.map((kind) => listed(api, kind, below)),
    ])
    const found = spares ? all.map((items) => items.filter((item) => item.uid !== root && !spares(item))) : all
    let deleted = 0
    for (const [index, kind] of contents.entries()) {
      const own = found[index]!.filter((item) => liesBelow(root, item) || written(kind).includes(item.uid))
      const doubtful = found[index]!.filter((item) => !own.includes(item))
      const doomed = [...own, ...(await reallyBelow(api, kind, root, doubtful, journal))]
      await deleteAll(api, kind, doomed, root, journal)
      deleted += doomed.length
    }
    // what is spared keeps the run's own group
    if (spares ? deleted === 0 : await rootGoes(api, root, early, operatorsGroup)) return true
    const left = found.flat().length
    stuck = left < before ? Math.min(stuck + 1, 1) : stuck + 1
    before = left
  }
  return false
}

/** Deletes what was recorded, each thing as soon as nothing recorded blocks it. */
async function deleteWritten(api: Api, entries: readonly Entry[], root: string) {
  const gate = new Throttle(mostBegun)
  const within = new Map<string, Promise<unknown>[]>()
  const removing = (kind: KindName, inTheWayOf: (uid: string) => readonly Promise<unknown>[]) =>
    // a group is recorded before what is made in it
    entries.toReversed().flatMap((entry) => {
      const { uid, parent } = entry
      if (entry.kind !== kind || uid === undefined || uid === root) return []
      const gone = Promise.all(inTheWayOf(uid))
        .then(() => gate.pass(() => api.attempt[kind].delete(uid)))
        .catch(() => undefined)
      within.set(parent, [...(within.get(parent) ?? []), gone])
      return [gone]
    })
  const bindings = removing('roleBindings', () => [])
  const offered = publishedKinds.flatMap((kind) => removing(kind, () => []))
  // one promise for all of them: each identity waits for every role binding
  const unbound = [Promise.all(bindings)]
  const identities = removing('identities', () => unbound)
  const groups = removing('groups', (uid) => within.get(uid) ?? [])
  await Promise.all([...bindings, ...offered, ...identities, ...groups])
}

/** Deletes over gRPC what was recorded of those kinds that a target may serve there alone. */
async function deletePublished(grpc: Api, written: (kind: KindName) => readonly string[], below: Query) {
  const gate = new Throttle(mostBegun)
  const deleteEach = async (kind: KindName) => {
    const own = written(kind)
    if (own.length === 0) return
    const shown = await listedWhole(grpc, kind, below).catch(() => undefined)
    const [first, ...others] = shown ? own.filter((uid) => shown.some((item) => item.uid === uid)) : own
    const deletion = (uid: string) => gate.pass(() => grpc.attempt[kind].delete(uid)).catch(() => undefined)
    // where nothing answers, each of them would wait for half a minute
    if (first !== undefined && (await deletion(first))) await Promise.all(others.map(deletion))
  }
  await Promise.all(publishedKinds.map(deleteEach))
}

/** Deletes the run's own group; undefined where nobody knows whether the call arrived. */
function removed(api: Api, root: string): Promise<Answer | undefined> {
  return api.attempt.groups.delete(root).catch((error) => {
    if (!(error instanceof Inconclusive)) throw error
    return undefined
  })
}

async function rootGoes(api: Api, root: string, early: Answer | undefined, operatorsGroup: string): Promise<boolean> {
  const deleted = early && succeeded(early) ? early : await removed(api, root)
  return isGone(api, root, deleted, operatorsGroup)
}

/** A refused Get is not enough if the Delete was also refused: then the list must no longer show it either. */
async function isGone(api: Api, root: string, deleted: Answer | undefined, operatorsGroup: string): Promise<boolean> {
  const isDeleted = deleted !== undefined && succeeded(deleted)
  for (const pause of isDeleted ? looks : [0]) {
    await sleep(pause)
    const got = await api.attempt.groups.get(root)
    // a deleted group may still be shown as deleted (R28)
    const isShown = succeeded(got) && !isMarkedDeleted(got)
    if (!isShown && isDeleted) return true
    if (isShown && !isDeleted) return false
  }
  if (isDeleted) return false
  const siblings = await listedWhole(api, 'groups', childrenOf(operatorsGroup)).catch(() => undefined)
  return siblings !== undefined && !siblings.some(({ uid }) => uid === root)
}

/**
 * Leaves out, and never touches, strangers' things: what a server that ignores the scope also lists under an empty
 * group, and what is older than the run's group.
 */
async function reallyBelow(api: Api, kind: KindName, root: string, doubtful: Item[], { rootCreated }: Journal) {
  const younger = doubtful.filter(({ createTime }) => instant(createTime) >= instant(rootCreated))
  if (younger.length === 0 || kind === 'groups') return []
  const { json } = await api.attempt.groups.create(root, { name: new Names().fresh() })
  if (!isReceived(json)) return []
  const strangers = await listedWhole(api, kind, descendantsOf(json.uid)).catch(() => undefined)
  await api.attempt.groups.delete(json.uid)
  if (strangers === undefined) return []
  return younger.filter(({ uid }) => !strangers.some((stranger) => stranger.uid === uid))
}

function liesBelow(root: string, { uid, group }: { uid: string; group?: unknown }): boolean {
  const home = isReceived(group) ? group.uid : ''
  return uid.startsWith(`${root}/`) || home === root || home.startsWith(`${root}/`)
}

async function deleteAll(api: Api, kind: KindName, items: Item[], root: string, journal: Journal) {
  // the deepest groups go first
  const depth = ({ uid }: Item) => (kind === 'groups' ? uid.split('/').length : 0)
  const levels = [...new Set(items.map(depth))].sort((a, b) => b - a)
  for (const level of levels) {
    const doomed = items.filter((item) => depth(item) === level && item.uid !== root)
    const lent = new Set(doomed.map((item) => (journal.made(item.uid, kind) ? item.uid : journal.lend(item.uid, item))))
    await Promise.all([...lent].map((uid) => api.attempt[kind].delete(uid).catch(() => undefined)))
  }
}

const mostPages = 50

/** Everything in a list, across its pages; nothing where it does not answer. */
export async function listed(api: Api, kind: KindName, query: Query) {
  const found: Item[] = []
  for await (const { items } of pagesOf(api, kind, query, mostPages)) found.push(...items)
  return found
}

/** The same; throws where a page does not answer, or the pages do not end: what is not shown may then still exist. */
export async function listedWhole(api: Api, kind: KindName, query: Query) {
  const found: Item[] = []
  for await (const { page, items, isLast } of pagesOf(api, kind, query, mostPages)) {
    if (page === undefined) throw new Error(`the list of ${kind} does not answer`)
    found.push(...items)
    if (isLast) return found
  }
  throw new Error(`the list of ${kind} has no end`)
}
