import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, apiOver } from '../api/api.ts'
import { type Entry, Journal } from '../api/journal.ts'
import { type KindName, publishedKinds } from '../api/kinds.ts'
import { Names } from '../api/names.ts'
import { isObject, isReceived } from '../api/received.ts'
import { Paths } from '../api/resource-path.ts'
import { tokenSource } from '../http/access-token.ts'
import { legible } from '../http/body.ts'
import { type Answer, type Log, succeeded } from '../http/call.ts'
import { Client } from '../http/client.ts'
import { Secrets } from '../http/secrets.ts'
import type { Config } from '../settings/configuration.ts'
import { childrenOf, descendantsOf } from './scratch.ts'

/** What lives in groups, in the order in which it has to go. */
const contents: KindName[] = ['roleBindings', ...publishedKinds, 'identities', 'groups']
/** How long is waited when a round left as much as the one before it, in milliseconds: what is deleted may stand in the way for a while. */
const pauses = [0, 100, 500, 2_000]

/**
 * Deletes everything that the journal of a run holds, and what stands in the run's own group besides; never throws.
 * `left` names what is still there, but for the groups that are spared and what they hold.
 */
export async function sweep(
  config: Config,
  journalPath: string,
  spared: readonly string[] = [],
): Promise<{ left: string[] }> {
  const entries = readEntries(journalPath)
  const roots = entries.filter(({ root }) => root)
  if (entries.length === 0) return { left: [] }
  const secrets = new Secrets()
  const client = new Client(config, secrets, tokenSource(config, secrets))
  const journal = new Journal(config.target.groupUid)
  const log: Log = { phase: 'arrange', exchanges: [] }
  const paths = new Paths(config.target.apiVersion)
  const api = apiOver({ client, paths, journal }, log)
  try {
    const left: string[] = []
    for (const root of await foundRoots(api, roots, config.target.groupUid)) {
      journal.root = root
      for (const { uid } of entries) if (uid !== undefined) journal.lend(uid)
      paths.encodesSlashes = !succeeded(await api.attempt.groups.get(root))
      // a connection that was seen to answer twice carries the deletes, which would have one each
      await api.attempt.groups.get(root)
      if (!(await swept(api, entries, root, journal, sparing(entries, spared)))) left.push(root)
    }
    return { left }
  } catch (error) {
    const answered = roots.filter(({ uid }) => uid !== undefined)
    const known = answered.length > 0 ? answered : roots
    return { left: known.map(({ uid, name }) => `${uid ?? name} (${(error as Error).message})`) }
  } finally {
    await client.close()
  }
}

function readEntries(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Entry]
    } catch {
      return []
    }
  })
}

/** The run's own groups: by the uid that was answered, or by name where no answer came. */
async function foundRoots(api: Api, roots: readonly Entry[], operatorsGroup: string): Promise<string[]> {
  const answered = roots.flatMap(({ uid }) => (uid === undefined ? [] : [uid]))
  if (answered.length > 0) return [...new Set(answered)]
  const names = roots.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const found = await Promise.all(
    names
      .flatMap((name) => [{ name }, {}])
      .map((query) => listed(api, 'groups', { ...childrenOf(operatorsGroup), page_size: 200, ...query })),
  )
  // the letters of a run are its own, also where the target writes a name in its own way
  const letters = (name: unknown) =>
    String(name)
      .toLowerCase()
      .replace(/[^a-z]/g, '')
  return [
    ...new Set(
      found.flat().flatMap(({ uid, name }) => (names.some((own) => letters(own) === letters(name)) ? [uid] : [])),
    ),
  ]
}

/** Tells what stays: the spared groups, and what stands in them by uid, by the group that it names, or by the journal. */
function sparing(entries: readonly Entry[], spared: readonly string[]): Spares | undefined {
  if (spared.length === 0) return undefined
  const kept = new Set(spared)
  for (const { uid, parent } of entries) if (uid !== undefined && kept.has(parent)) kept.add(uid)
  return (item) => [...kept].some((uid) => uid === item.uid || liesBelow(uid, item))
}

async function swept(
  api: Api,
  entries: readonly Entry[],
  root: string,
  journal: Journal,
  spares?: Spares,
): Promise<boolean> {
  const below = { ...descendantsOf(root), page_size: 200 }
  const written = (kind: KindName) =>
    entries.flatMap(({ kind: own, uid }) => (own === kind && uid && !spares?.({ uid }) ? [uid] : []))
  // what was written down needs no looking for, and leaves lists of one page
  await deleteWritten(
    api,
    entries.filter(({ uid }) => uid !== undefined && !spares?.({ uid })),
    root,
    journal,
  )
  let before = Number.POSITIVE_INFINITY
  for (let stuck = 0; stuck < pauses.length; ) {
    await sleep(pauses[stuck])
    // where nothing is left in it, the root goes at once
    const [early, ...all] = await Promise.all([
      spares ? undefined : api.attempt.groups.delete(root),
      ...contents.map((kind) => listed(api, kind, below)),
    ])
    const found = spares ? all.map((items) => items.filter((item) => item.uid !== root && !spares(item))) : all
    let deleted = 0
    for (const [index, kind] of contents.entries()) {
      const own = found[index]!.filter((item) => liesBelow(root, item) || written(kind).includes(item.uid))
      const doubtful = found[index]!.filter((item) => !own.includes(item))
      const doomed = [...own, ...(await reallyBelow(api, kind, root, doubtful))].map(({ uid }) => uid)
      await deleteAll(api, kind, [...new Set(doomed)], root, journal)
      deleted += doomed.length
    }
    // what is spared keeps the run's own group
    if (early === undefined ? deleted === 0 : await rootGoes(api, root, early, journal)) return true
    const left = found.flat().length
    stuck = left < before ? Math.min(stuck + 1, 1) : stuck + 1
    before = left
  }
  return false
}

/** Deletes what was written down, each thing as soon as nothing that was written down stands in its way. */
async function deleteWritten(api: Api, entries: readonly Entry[], root: string, journal: Journal) {
  const within = new Map<string, Promise<unknown>[]>()
  const removing = (kind: KindName, inTheWayOf: (uid: string) => readonly Promise<unknown>[]) =>
    // a group is written down before what is made in it
    entries.toReversed().flatMap((entry) => {
      const { uid, parent } = entry
      if (entry.kind !== kind || uid === undefined || uid === root) return []
      const gone = Promise.all(inTheWayOf(uid))
        .then(() => api.attempt[kind].delete(journal.lend(uid)))
        .catch(() => undefined)
      within.set(parent, [...(within.get(parent) ?? []), gone])
      return [gone]
    })
  const bindings = removing('roleBindings', () => [])
  const offered = publishedKinds.flatMap((kind) => removing(kind, () => []))
  const identities = removing('identities', () => bindings)
  const groups = removing('groups', (uid) => within.get(uid) ?? [])
  await Promise.all([...bindings, ...offered, ...identities, ...groups])
}

async function rootGoes(api: Api, root: string, early: Answer, { operatorsGroup }: Journal): Promise<boolean> {
  const deleted = succeeded(early) ? early : await api.attempt.groups.delete(root)
  return isGone(api, root, deleted, operatorsGroup)
}

/** A Get that is refused is not enough where the Delete was refused, too: then the list must no longer show it. */
async function isGone(api: Api, root: string, deleted: Answer, operatorsGroup: string): Promise<boolean> {
  if (succeeded(await api.attempt.groups.get(root))) return false
  if (succeeded(deleted)) return true
  const beside = { ...childrenOf(operatorsGroup), page_size: 200 }
  if (!succeeded(await api.attempt.groups.list(beside))) return false
  const siblings = await listed(api, 'groups', beside)
  return !siblings.some(({ uid }) => uid === root)
}

/** What a server that drops the scope lists under an empty group as well is a stranger's: never touched. */
async function reallyBelow(api: Api, kind: KindName, root: string, doubtful: Item[]): Promise<Item[]> {
  if (doubtful.length === 0 || kind === 'groups') return []
  const { json } = await api.attempt.groups.create(root, { name: new Names().fresh() })
  if (!isReceived(json)) return []
  const empty = { ...descendantsOf(json.uid), page_size: 200 }
  const answers = succeeded(await api.attempt[kind].list(empty))
  const strangers = answers ? await listed(api, kind, empty) : []
  await api.attempt.groups.delete(json.uid)
  if (!answers) return []
  return doubtful.filter(({ uid }) => !strangers.some((stranger) => stranger.uid === uid))
}

function liesBelow(root: string, { uid, group }: Item): boolean {
  const home = isReceived(group) ? group.uid : ''
  return uid.startsWith(`${root}/`) || home === root || home.startsWith(`${root}/`)
}

async function deleteAll(api: Api, kind: KindName, uids: string[], root: string, journal: Journal) {
  // of groups the deepest goes first
  const depth = (uid: string) => (kind === 'groups' ? uid.split('/').length : 0)
  const levels = [...new Set(uids.map(depth))].sort((a, b) => b - a)
  for (const level of levels) {
    const doomed = uids.filter((uid) => depth(uid) === level && uid !== root)
    await Promise.all(doomed.map((uid) => api.attempt[kind].delete(journal.lend(uid)).catch(() => undefined)))
  }
}

type Item = { uid: string; group?: unknown; name?: unknown }
type Spares = (item: Item) => boolean

/** What a list holds, all of its pages; nothing where it does not answer. */
async function listed(api: Api, kind: KindName, query: Record<string, string | number>) {
  const items: Item[] = []
  let token: string | undefined
  for (let page = 0; page < 50; page++) {
    const asked: Answer = await api.attempt[kind].list({ ...query, page_token: token })
    const answer = legible(asked)
    const body = isObject(answer) ? answer : {}
    const found = Array.isArray(body[kind]) ? body[kind].filter(isReceived) : []
    items.push(...found)
    const next = body.nextPageToken
    if (typeof next !== 'string' || next === '' || found.length === 0) break
    token = next
  }
  return items
}
