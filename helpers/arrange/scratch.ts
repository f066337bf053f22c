import type { Api, ApiContext, Body } from '../api/api.ts'
import type { Journal } from '../api/journal.ts'
import type { KindName, PublishedKind } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import { isObject, isReceived, livesIn, type Received, uids } from '../api/received.ts'
import type { Paths } from '../api/resource-path.ts'
import { anyRole, standingRoles } from '../api/roles.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import { type Eventually, measureLag } from './eventually.ts'
import { OverflowGroups } from './overflow-groups.ts'
import { mustBeTaken, publishedBody } from './published-bodies.ts'

/** The run's own scratch group: nothing outside it is ever written. */
export interface RunGroup {
  uid: string
  /** How long a list takes to show a new group, in milliseconds (R52). */
  lag: number
  overflow: OverflowGroups
}

/** A throw-away group of one case, and what may be made in it. Calls made here count as arrangement. */
export interface Scratch {
  readonly uid: string
  readonly group: Received
  /** The query that lists what stands directly in it. */
  readonly children: Query
  /** The query that lists everything below it. */
  readonly descendants: Query
  /** Makes a group, in the scratch group unless a parent is given. */
  makeGroup(body?: Record<string, unknown>, parent?: string): Promise<Received>
  /** Makes a group and gives it as Get shows it: what later readings are compared with. */
  makeKnown(body?: Record<string, unknown>, parent?: string): Promise<Received>
  /** Makes so many groups side by side; in the order of their names, which are letters only. */
  makeGroups(count: number, parent?: string): Promise<Received[]>
  /** Makes an identity with a claim match of its own (R54). */
  makeIdentity(body?: Record<string, unknown>, parent?: string): Promise<Received>
  /** Binds an identity to a role, any that is listed unless one is given. */
  makeBinding(identity: Received, parent?: string, roleUid?: string): Promise<Received>
  /** Makes something of a kind whose body is not shown; where the target refuses that, the case is inconclusive (R49). */
  makePublished(kind: PublishedKind, parent?: string): Promise<Received>
  /** The last role that the target lists on its first page. */
  anyRole(): Promise<Received>
  /** So many different roles, or as many as the first page shows. */
  someRoles(count: number): Promise<Received[]>
  /** What a scope lists although the run did not make it there: a binding for its creator, the scope itself (R15, R50). */
  foreignIn(kind: KindName, scope: Query): Promise<Received[]>
  /** Deletes the bindings that the target put into a group itself (R50); false where there was nothing to do or wait for. */
  deleteForeign(uid: string): Promise<boolean>
}

/** Opens the run's scratch group, settles how slashes stand in paths (R48), and measures the lag (R52). */
export async function openRunGroup(api: Api, { paths, journal }: ApiContext, names: Names): Promise<RunGroup> {
  const known = await settleSlashes(api, paths, journal.operatorsGroup)
  const isSettled = succeeded(known) && journal.operatorsGroup.includes('/')
  const written = isReceived(known.json) ? known.json.uid : ''
  if (written.toLowerCase() === journal.operatorsGroup.toLowerCase()) journal.operatorsGroup = written
  const { operatorsGroup } = journal
  const there = succeeded(known)
  const group = await api.groups.create(operatorsGroup, { name: names.run }).catch((error) => {
    const missing = error instanceof Stopped && (error.stop.status === 404 || error.stop.code === 5)
    throw !there && missing ? new Inconclusive(noSuchGroup(operatorsGroup)) : error
  })
  if (`${operatorsGroup}/`.startsWith(`${group.uid}/`)) {
    const why = `was answered with something else than the group that was asked for: ${JSON.stringify(group).slice(0, 200)}`
    throw new Stopped({ operation: 'group.create', phase: 'arrange', why, status: 200 })
  }
  journal.root = group.uid
  if (!isSettled) await settleSlashes(api, paths, group.uid)
  const probes: Received[] = []
  const lag = await measureLag(async () => {
    const probe = await api.groups.create(group.uid, { name: names.fresh() })
    probes.push(probe)
    return async () => {
      const answer = await api.attempt.groups.list({ 'uidp.children_of': group.uid })
      return !succeeded(answer) || answer.text.includes(JSON.stringify(probe.uid).slice(1, -1))
    }
  })
  return { uid: group.uid, lag, overflow: new OverflowGroups(probes[0]!.uid) }
}

/** What the operator has to hear where the named group is not there at all. */
const noSuchGroup = (uid: string) =>
  `the group ${uid} that RMAPI_GROUP_UID names is not there: its Get is refused, and so is a Create below it`

/** Gets a group; goes on with `%2F` where a slash is refused in the path and that is not (R48). */
async function settleSlashes(api: Api, paths: Paths, uid: string): Promise<Answer> {
  const raw = await api.attempt.groups.get(uid)
  if (succeeded(raw) || !uid.includes('/')) return raw
  paths.encodesSlashes = true
  const encoded = await api.attempt.groups.get(uid)
  paths.encodesSlashes = succeeded(encoded)
  return paths.encodesSlashes ? encoded : raw
}

/** The query that lists what stands directly in a group. */
export const childrenOf = (uid: string): Query => ({ 'uidp.children_of': uid })
/** The query that lists everything below a group. */
export const descendantsOf = (uid: string): Query => ({ 'uidp.descendants_of': uid })

/** The kinds that are made in a scratch group. */
type Made = 'groups' | 'identities' | 'roleBindings' | PublishedKind

/** A claim match that no other identity has (R54). */
export const claimMatchFor = (name: string) => ({
  issuer: `https://issuer.example/${name}`,
  subject: `subject ${name}`,
})

/** How many pages of a list are looked at for what was just made: the run's own group holds some hundreds. */
const mostPages = 25

/** Makes a throw-away group below the run's own; what is made in it is listed before it is handed out. */
export async function makeScratch(
  api: Api,
  {
    runGroup,
    names,
    eventually,
    journal,
  }: { runGroup: RunGroup; names: Names; eventually: Eventually; journal: Journal },
): Promise<Scratch> {
  const listed = (plural: Made, made: readonly Received[], parent: string) =>
    eventually(async () => {
      if (runGroup.lag === 0) return
      const query = { ...childrenOf(parent), page_size: 200 }
      let missing: readonly string[] = uids(made)
      let token: string | undefined
      for (let pages = 0; pages < mostPages; pages++) {
        const answer = await api.attempt[plural].list({ ...query, page_token: token })
        if (!succeeded(answer)) return
        const page = isObject(answer.json) ? answer.json : {}
        const shown = Array.isArray(page[plural]) ? uids(page[plural].filter(isReceived)) : []
        missing = missing.filter((uid) => !shown.includes(uid))
        token = typeof page.nextPageToken === 'string' ? page.nextPageToken : undefined
        if (!token || missing.length === 0) break
      }
      if (missing.length > 0) throw new Stopped({ operation: `${plural}.list`, phase: 'arrange', why: 'lags' })
    })
  const make = async (plural: Made, parent: string, bodies: Body[]) => {
    const made = await Promise.all(bodies.map((body) => api[plural].create(parent, body)))
    await listed(plural, made, parent)
    return made
  }
  const foreignIn = async (kind: KindName, scope: Query) => {
    const { json } = await api.attempt[kind].list({ ...scope, page_size: 200 })
    const items = isObject(json) && Array.isArray(json[kind]) ? json[kind].filter(isReceived) : []
    const [home] = Object.values(scope)
    return items.filter((item) =>
      kind === 'groups' ? item.uid === home : !journal.made(item.uid) && livesIn(String(home), item),
    )
  }
  const makeIn = (parent: string) => make('groups', parent, [{ name: names.fresh() }])
  const group = (await runGroup.overflow.orElsewhere(runGroup.uid, makeIn, { api, names }))[0]!
  return {
    uid: group.uid,
    group,
    children: childrenOf(group.uid),
    descendants: descendantsOf(group.uid),
    makeGroup: async (body = {}, parent = group.uid) =>
      (await make('groups', parent, [{ name: names.fresh(), ...body }]))[0]!,
    makeKnown: async (body = {}, parent = group.uid) => {
      const [made] = await make('groups', parent, [{ name: names.fresh(), ...body }])
      return eventually(() => api.groups.get(made!.uid))
    },
    makeGroups: async (count, parent = group.uid) =>
      byName(
        await make(
          'groups',
          parent,
          names.several(count).map((name) => ({ name })),
        ),
      ),
    makeIdentity: async (body = {}, parent = group.uid) => {
      const name = names.fresh()
      const sent = { name, description: `identity ${name}`, claimMatch: claimMatchFor(name), ...body }
      return (await make('identities', parent, [sent]))[0]!
    },
    makeBinding: async ({ uid: identityUid }, parent = group.uid, roleUid) => {
      const role = roleUid ?? (await anyRole(api)).uid
      return (await make('roleBindings', parent, [{ identityUid, roleUid: role }]))[0]!
    },
    makePublished: async (kind, parent = group.uid) => {
      const body = await publishedBody(api, kind, names.fresh())
      const made = mustBeTaken(kind, await api.attempt[kind].create(parent, body))
      await listed(kind, [made], parent)
      return made
    },
    anyRole: () => anyRole(api),
    someRoles: async (count) => (await standingRoles(api)).slice(0, count),
    foreignIn,
    deleteForeign: async (uid) => {
      const shown = async () =>
        (await foreignIn('roleBindings', childrenOf(uid))).filter(
          ({ group: home }) => isReceived(home) && home.uid === uid,
        )
      // where lists lag, they show a binding later than it is made, and longer than it is there
      const once = async (there: boolean) =>
        eventually(async () => {
          const found = await shown()
          if (runGroup.lag > 0 && found.length > 0 !== there) throw lagging
          return found
        }).catch((error: unknown) => {
          if (error !== lagging) throw error
          return [] as Received[]
        })
      const own = await once(true)
      await Promise.all(own.map((binding) => api.attempt.roleBindings.delete(journal.lend(binding.uid))))
      if (runGroup.lag > 0) await once(false)
      return own.length > 0 || runGroup.lag > 0
    },
  }
}

const lagging = new Stopped({ operation: 'roleBinding.list', phase: 'arrange', why: 'lags' })

/** In the order of names that are letters only. */
function byName(resources: readonly Received[]): Received[] {
  return [...resources].sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
}

/** Deletes a group; what the target put into it itself goes first where that stands in the way (R50). */
export async function deleteGroup(api: Api, { deleteForeign }: Scratch, uid: string): Promise<Answer> {
  const first = await api.attempt.groups.delete(uid)
  if (succeeded(first) || !isObject(first.json) || first.json.code !== 9) return first
  return (await deleteForeign(uid)) ? api.attempt.groups.delete(uid) : first
}
