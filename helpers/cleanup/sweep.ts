import { type Api, apiOver } from '../api/api.ts'
import { day, instant, minute } from '../api/instant.ts'
import { Journal } from '../api/journal.ts'
import { type Entry, readJournal } from '../api/journal-lines.ts'
import { kinds } from '../api/kinds.ts'
import { rootNamed, sameName } from '../api/names.ts'
import { holds, Paths } from '../api/resource-path.ts'
import { childrenOf, settleSlashes } from '../arrange/scratch.ts'
import { Grpc } from '../grpc/protocol.ts'
import { tokenSource } from '../http/access-token.ts'
import { type Log, succeeded } from '../http/call.ts'
import { Client } from '../http/client.ts'
import { longestStall } from '../http/progress.ts'
import { Secrets } from '../http/secrets.ts'
import type { Config } from '../settings/configuration.ts'
import { type Item, listed, listedWhole, sparing, swept } from './sweep-group.ts'
import { rolesLeft } from './sweep-roles.ts'

/** The result of a sweep. */
export interface Swept {
  /** What is still there. */
  left: string[]
  /** Journal lines, and things named by the journal or the target, that were not deleted, each with the reason. */
  refused: string[]
  /** True where the run's group was found and seen to be gone, or seen to be absent. */
  sure: boolean
  /** How many requests it took. */
  requests: number
}

/** A journal of another target than the one in the settings: nothing is sent for it. */
class OtherTarget extends Error {
  override readonly name = 'OtherTarget'
}

/** One of a run's own groups, as the target shows it. */
export interface RootGroup {
  uid: string
  name: string
  createTime: string
}

/**
 * Deletes everything in the journal of a run, and everything else in the run's own group. `left` names what still
 * exists, except the spared groups and their contents. Throws only `OtherTarget`.
 */
export async function sweep(config: Config, text: string, spared: readonly string[] = []): Promise<Swept> {
  const { header, entries, refused, torn } = readJournal(text)
  if (header === undefined)
    return {
      left: [],
      refused: ['line 1 is not the first line of a journal of this version'],
      sure: false,
      requests: 0,
    }
  mustFit(config, header)
  const roots = entries.filter(({ root }) => root)
  return withTarget(config, async (context) => {
    const found = await foundRoots(context, roots)
    const homes = [...found.roots, ...roots.flatMap(({ uid = [] }) => uid)]
    const outside = entries.flatMap(({ uid, kind }) =>
      uid !== undefined && holds(config.target.groupUid, uid) && !homes.some((home) => holds(home, uid))
        ? [`the journal names ${kinds[kind].label.one} '${uid}', which lies outside the run's own group`]
        : [],
    )
    // in no group, so whether that is still there does not matter
    context.journal.adopt(entries.filter(({ kind }) => kind === 'roles'))
    const left = [...found.left, ...(await rolesLeft(context.api, entries))]
    const known = [...entries, ...found.named]
    for (const root of found.roots) if (!(await sweepGroup(context, root, known, spared))) left.push(root)
    const all = [...refused, ...found.refused, ...outside]
    return { left, refused: all, sure: left.length === 0 && (all.length === 0 || (torn && all.length === 1)) }
  }).catch((error: Error) => {
    const answered = roots.filter(({ uid }) => uid !== undefined)
    const known = answered.length > 0 ? answered : roots
    const left = known.map(({ uid, name }) => `${uid ?? name} (${error.message})`)
    return { left: [...new Set(left)], refused, sure: false, requests: 0 }
  })
}

/**
 * The runs' groups directly below the operator's group, by their names, that are older than `age` milliseconds. Throws
 * where that group cannot be listed, or does not exist.
 */
export async function rootsOlderThan(config: Config, age: number): Promise<RootGroup[]> {
  const { roots } = await withTarget(config, async ({ api, paths, operatorsGroup }) => {
    const answer = await api.attempt.groups.list({ ...childrenOf(operatorsGroup), page_size: 1 })
    // a Date has whole seconds
    const now = (Date.parse(answer.headers.date ?? '') || Date.now()) + 999
    const groups = await listedWhole(api, 'groups', childrenOf(operatorsGroup))
    // the list of a group that does not exist may be empty
    if (groups.length === 0 && (await settleSlashes(api, paths, operatorsGroup, 0)).status === 404)
      throw new Error('there is no such group')
    return {
      roots: groups.flatMap(({ uid, name, createTime }) => {
        const named = rootNamed(name)
        const least = named?.stays ? Math.max(age, staysFor) : age
        // what shows no age may belong to a run in progress
        const old = now - instant(createTime) >= least
        return named && old ? [{ uid, name: String(name), createTime: String(createTime) }] : []
      }),
    }
  })
  return roots
}

/** A group for `--resume` stays for three days, and may be used a day later. */
const staysFor = 4 * day

/** Deletes runs' groups with everything in them; returns the uids of those that still exist. */
export function sweepRoots(config: Config, roots: readonly RootGroup[]): Promise<{ left: string[]; requests: number }> {
  return withTarget(config, async (context) => {
    const left: string[] = []
    for (const { uid, name } of roots) {
      const entry: Entry = { kind: 'groups', parent: config.target.groupUid, name, uid, root: true }
      if (!(await sweepGroup(context, uid, [entry], []))) left.push(uid)
    }
    return { left }
  })
}

/** How long a target may make no progress during a sweep, in milliseconds. */
const longestSweepStall = minute

interface Context {
  api: Api
  grpc: Api
  journal: Journal
  paths: Paths
  operatorsGroup: string
}

/** Opens what a sweep needs of a target, and closes it afterwards. */
async function withTarget<T>(config: Config, use: (context: Context) => Promise<T>): Promise<T & { requests: number }> {
  const secrets = new Secrets()
  const wire = { sent: 0 }
  // a target that hangs is given up sooner than in a run, and no budget prevents the deletion of what was made
  const patient = { ...config, maxStall: Math.min(config.maxStall ?? longestStall, longestSweepStall) }
  delete patient.maxRequests
  const grpcCalls = new Grpc(patient.target, wire)
  const client = new Client(patient, secrets, tokenSource(patient, secrets, wire), undefined, { wire, grpc: grpcCalls })
  const { groupUid, apiVersion } = config.target
  const [journal, paths] = [new Journal(groupUid), new Paths(apiVersion)]
  const log: Log = { phase: 'arrange', exchanges: [] }
  // nobody reads the exchanges of a sweep, and a run leaves thousands
  client.onAnswer = () => void log.exchanges.splice(0)
  const api = apiOver({ client, paths, journal, over: 'http' }, log)
  const grpc = apiOver({ client, paths, journal, over: 'grpc' }, log)
  try {
    const came = await use({ api, grpc, journal, paths, operatorsGroup: groupUid })
    return { ...came, requests: wire.sent }
  } finally {
    await client.close()
    grpcCalls.destroy()
  }
}

function mustFit({ target }: Config, header: { baseUrl: string; apiVersion: string; groupUid: string }): void {
  const same =
    header.baseUrl === target.baseUrl &&
    header.apiVersion === target.apiVersion &&
    header.groupUid.toLowerCase() === target.groupUid.toLowerCase()
  if (same) return
  const described = ({ baseUrl, apiVersion, groupUid }: typeof header) =>
    `the group ${groupUid} at ${baseUrl} (${apiVersion})`
  throw new OtherTarget(
    `The journal is of ${described(header)}, and the settings name ${described(target)}: nothing was sent.`,
  )
}

async function sweepGroup(
  { api, grpc, journal, paths, operatorsGroup }: Context,
  root: string,
  entries: readonly Entry[],
  spared: readonly string[],
): Promise<boolean> {
  journal.restart()
  journal.adopt(entries.filter(({ uid, shown }) => uid !== undefined && (shown === undefined || uid === root)))
  journal.root = root
  paths.encodesSlashes = false
  paths.encodesSlashes = !succeeded(await api.attempt.groups.get(root))
  // deletes share a connection once it was seen to answer twice; otherwise each gets its own
  const shown = await api.attempt.groups.get(root)
  journal.rootCreated = (shown.json as { createTime?: unknown } | undefined)?.createTime
  return swept(api, entries, root, { grpc, journal, operatorsGroup, spares: sparing(entries, spared) })
}

/**
 * The run's own groups that still exist: by the uid in the answer, or by name where no answer came. What was only found
 * by name is in `named` as well, so that a Get has to confirm it before anything is deleted.
 */
async function foundRoots({ api, paths, operatorsGroup }: Context, roots: readonly Entry[]) {
  const [uids, refused, left]: [Set<string>, string[], string[]] = [new Set(), [], []]
  const named: Entry[] = []
  if (roots.length === 0) return { roots: [], named, refused, left }
  const answered = roots.filter((entry): entry is Entry & { uid: string } => entry.uid !== undefined)
  for (const { uid, name = '' } of answered) {
    const shown = await shownGroup(api, paths, operatorsGroup, uid)
    if (shown === 'unknown') left.push(`${uid} (neither its Get nor the list of ${operatorsGroup} answers)`)
    else if (shown !== 'absent' && !sameName(name, shown.name))
      refused.push(
        `the group '${uid}' of the journal is called '${String(shown.name).slice(0, 100)}', not '${name}' as the run named its own`,
      )
    else if (shown !== 'absent') uids.add(uid)
  }
  const lost = roots.filter(({ uid, name }) => uid === undefined && !answered.some((other) => other.name === name))
  for (const entry of new Map(lost.map((one) => [one.name, one])).values()) {
    const { name = '' } = entry
    const [byName, all] = [{ ...childrenOf(operatorsGroup), name }, childrenOf(operatorsGroup)]
    const wasRefused = lost.some((one) => one.name === name && one.refused)
    const found = await listed(api, 'groups', byName)
    // a refusal counts if the list is also refused
    const whole = await listedWhole(api, 'groups', all).catch((error) => {
      if (wasRefused) return []
      throw error
    })
    const own = [...found, ...whole].filter(({ name: shown }) => sameName(name, shown)).map(({ uid }) => uid)
    for (const uid of new Set(own)) {
      if (holds(uid, operatorsGroup))
        refused.push(`a list shows the run's group '${name}' as '${uid}', which is or contains the operator's group`)
      else {
        uids.add(uid)
        named.push({ ...entry, uid })
      }
    }
  }
  return { roots: [...uids], named, refused, left }
}

/** A group by its Get, or else from the list of the operator's group; `absent` where that answers without it. */
async function shownGroup(api: Api, paths: Paths, operatorsGroup: string, uid: string) {
  for (const encoded of uid.includes('/') ? [false, true] : [false]) {
    paths.encodesSlashes = encoded
    const got = await api.attempt.groups.get(uid)
    if (succeeded(got) && (got.json as Item | undefined)?.uid === uid) return got.json as Item
  }
  paths.encodesSlashes = false
  const beside = await listedWhole(api, 'groups', childrenOf(operatorsGroup)).catch(() => undefined)
  return beside === undefined ? 'unknown' : (beside.find((item) => item.uid === uid) ?? 'absent')
}
