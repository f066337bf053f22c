import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Body } from '../api/api.ts'
import type { ClaimIssuers, ClaimMatch } from '../api/claim-issuers.ts'
import type { ApiContext } from '../api/context.ts'
import type { Journal } from '../api/journal.ts'
import type { KindName, PublishedKind } from '../api/kinds.ts'
import type { Names } from '../api/names.ts'
import { isObject, isReceived, livesIn, type Received } from '../api/received.ts'
import type { Paths } from '../api/resource-path.ts'
import { anyRole, standingRoles, viewerRole } from '../api/roles.ts'
import type { Patience } from '../api/soft-refusal.ts'
import { isMissing, limited } from '../assertions/refused.ts'
import { type Answer, beginningOf, codeIn, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import type { Lateness } from '../invariants/lateness.ts'
import { type Age, type Eventually, onceKnown, settleLists } from './eventually.ts'
import { listedItems } from './listings.ts'
import { OverflowGroups } from './overflow-groups.ts'
import { mustBeTaken, publishedBody } from './published-bodies.ts'

/** The run's own scratch group: nothing outside it is ever written. */
export interface RunGroup {
  uid: string
  overflow: OverflowGroups
  /** A role that can be bound, as far as is known. */
  role?: Received
}

/** A throw-away group of one case, and what may be made in it. Calls made here count as arrangement. */
export interface Scratch {
  readonly uid: string
  readonly group: Received
  /** The query that lists its direct children. */
  readonly children: Query
  /** The query that lists everything below it. */
  readonly descendants: Query
  /** Makes another throw-away group. */
  another(): Promise<Scratch>
  /** Makes a group, in the scratch group unless a parent is given. */
  makeGroup(body?: Record<string, unknown>, parent?: string): Promise<Received>
  /** Makes a group and returns it as Get shows it, to compare later readings with. */
  makeKnown(body?: Record<string, unknown>, parent?: string): Promise<Received>
  /** Makes `count` groups side by side, and waits until lists show them; sorted by name, letters only. */
  makeGroups(count: number, parent?: string): Promise<Received[]>
  /** Makes an identity with a unique claim match (R54). */
  makeIdentity(body?: Record<string, unknown>, parent?: string): Promise<Received>
  /** A unique claim match, of an issuer that the target trusts (R54, R56). */
  claimMatchFor(name: string): Promise<ClaimMatch>
  /** Binds an identity to a role, by default to any that is listed. */
  makeBinding(identity: Received, parent?: string, roleUid?: string): Promise<Received>
  /** Makes something of a kind whose body is not shown; inconclusive where the target refuses that (R49). */
  makePublished(kind: PublishedKind, parent?: string): Promise<Received>
  /** The last role on the first page of the target's list. */
  anyRole(): Promise<Received>
  /** `count` different roles, or as many as the first page shows. */
  someRoles(count: number): Promise<Received[]>
  /** What a scope lists that the run did not make there: a binding for its creator, the scope itself (R15, R50). */
  foreignIn(kind: KindName, scope: Query): Promise<Received[]>
  /** Waits until lists show everything made, so that order, pages and totals can be judged strictly (R52). */
  settled(kind: KindName, scope: Query, items: readonly Received[]): Promise<void>
  readonly patience: Patience
  /** Deletes the bindings that the target itself put into a group (R50); false where it lists none. */
  deleteForeign(uid: string): Promise<boolean>
}

/** What is needed to make the run's own groups. */
type Opening = ApiContext & { names: Names; eventually: Eventually; patience: Patience }

/** Opens the run's scratch group, and decides how to write slashes in paths (R48). */
export async function openRunGroup(api: Api, opening: Opening): Promise<RunGroup> {
  const { paths, journal, names, eventually, patience } = opening
  const known = await settleSlashes(api, paths, journal.operatorsGroup, patience.readings)
  const isSettled = succeeded(known) && journal.operatorsGroup.includes('/')
  const written = isReceived(known.json) ? known.json.uid : ''
  if (written.toLowerCase() === journal.operatorsGroup.toLowerCase()) journal.operatorsGroup = written
  const { operatorsGroup } = journal
  const there = succeeded(known)
  const group = await api.groups.create(operatorsGroup, { name: names.root() }).catch((error) => {
    const missing = error instanceof Stopped && (error.stop.status === 404 || error.stop.code === 5)
    throw !there && missing ? new Inconclusive(noSuchGroup(operatorsGroup)) : error
  })
  if (`${operatorsGroup}/`.startsWith(`${group.uid}/`)) {
    const why = `was answered with something else than the group that was asked for: ${beginningOf(JSON.stringify(group))}`
    throw new Stopped({ operation: 'group.create', phase: 'arrange', why, status: 200 })
  }
  journal.root = group.uid
  if (!isSettled) await settleSlashes(api, paths, group.uid, patience.readings)
  return { uid: group.uid, overflow: await OverflowGroups.beside(group.uid, { api, names, eventually }) }
}

/** What the operator is shown where the named group does not exist. */
export const noSuchGroup = (uid: string) =>
  `the group ${uid} that RMAPI_GROUP_UID names is not there: its Get is refused, and so is a Create below it`

/** The wait between two tries to find a new group, in milliseconds. */
const untilFound = 200

/** Gets a group; switches to `%2F` if a slash in the path finds nothing, and that finds it, at once or late (R48, R52). */
export async function settleSlashes(api: Api, paths: Paths, uid: string, patience: number): Promise<Answer> {
  const started = performance.now()
  for (;;) {
    const began = performance.now() - started
    paths.encodesSlashes = false
    const raw = await api.attempt.groups.get(uid)
    if (succeeded(raw) || !uid.includes('/')) return raw
    paths.encodesSlashes = true
    const encoded = await api.attempt.groups.get(uid)
    // one that is only forbidden was found; a firewall's 403 has no code
    paths.encodesSlashes = succeeded(encoded) || (isMissing(raw) && codeIn(encoded) === 7)
    if (paths.encodesSlashes) return encoded
    // what is refused for another reason is not late
    if (began >= patience || !(isMissing(raw) || isMissing(encoded))) return raw
    await sleep(untilFound)
  }
}

/** The query that lists the direct children of a group. */
export const childrenOf = (uid: string): Query => ({ 'uidp.children_of': uid })
/** The query that lists everything below a group. */
export const descendantsOf = (uid: string): Query => ({ 'uidp.descendants_of': uid })

/** The kinds that are made in a scratch group. */
type Made = 'groups' | 'identities' | 'roleBindings' | PublishedKind

/** A unique claim match (R54). */
export const claimMatchFor = (name: string) => ({
  issuer: `https://issuer.example/${name}`,
  subject: `subject-${name}`,
})

/** What is needed to make a throw-away group: the run, and its own group. */
export interface ScratchContext {
  runGroup: RunGroup
  names: Names
  journal: Journal
  eventually: Eventually
  lateness: Lateness
  patience: Patience
  claimIssuers: ClaimIssuers
  age?: Age
}

/** Makes a throw-away group below the run's own. */
export async function makeScratch(api: Api, context: ScratchContext): Promise<Scratch> {
  const { runGroup, names, eventually, journal, patience } = context
  const make = (plural: Made, parent: string, body: Body) =>
    onceKnown(eventually, () => api[plural].create(parent, body))
  const makeGroup = (body: Record<string, unknown> = {}, parent = group.uid) =>
    make('groups', parent, { name: names.fresh(), ...body })
  const foreignIn = async (kind: KindName, scope: Query) => {
    const items = listedItems(kind, await api.attempt[kind].list({ ...scope, page_size: 200 }))
    const [home] = Object.values(scope)
    return items.filter((item) =>
      kind === 'groups' ? item.uid === home : !journal.made(item.uid) && livesIn(String(home), kind, item),
    )
  }
  const usualRole = async () => {
    runGroup.role ??= await anyRole(api)
    return runGroup.role
  }
  const identityNamed = (name: string) => ({ name, description: `identity ${name}` })
  const matchFor = (name: string) =>
    context.claimIssuers.matchFor(name, (claimMatch) =>
      api.attempt.identities.create(runGroup.uid, { ...identityNamed(names.fresh()), claimMatch }),
    )
  const settled: Scratch['settled'] = (kind, scope, items) => settleLists({ kind, scope, items }, { api, ...context })
  const makeIn = (parent: string) => make('groups', parent, { name: names.fresh() })
  const group = await runGroup.overflow.orElsewhere(runGroup.uid, makeIn, { api, names })
  return {
    uid: group.uid,
    group,
    another: () => makeScratch(api, context),
    children: childrenOf(group.uid),
    descendants: descendantsOf(group.uid),
    makeGroup,
    makeKnown: async (body, parent) => {
      const made = await makeGroup(body, parent)
      return eventually(() => api.groups.get(made.uid))
    },
    makeGroups: async (count, parent = group.uid) => {
      const made = await Promise.all(names.several(count).map((name) => makeGroup({ name }, parent)))
      await settled('groups', childrenOf(parent), made)
      return byName(made)
    },
    makeIdentity: async (body = {}, parent = group.uid) => {
      const name = names.fresh()
      const claimMatch = 'claimMatch' in body ? {} : { claimMatch: await matchFor(name) }
      return make('identities', parent, { ...identityNamed(name), ...claimMatch, ...body })
    },
    makeBinding: async ({ uid: identityUid }, parent = group.uid, roleUid) => {
      const role = roleUid ?? (await usualRole()).uid
      const bind = (uid: string) => make('roleBindings', parent, { identityUid, roleUid: uid })
      return bind(role).catch(async (error) => {
        delete runGroup.role
        // some roles cannot be bound, or not by everybody (R56)
        const viewer = limited(error) ? await viewerRole(api) : undefined
        if (viewer === undefined || viewer.uid === role) throw error
        return bind(viewer.uid)
      })
    },
    makePublished: async (kind, parent = group.uid) => {
      const body = await publishedBody(api, kind, names.fresh(), usualRole)
      return mustBeTaken(kind, await api.attempt[kind].create(parent, body))
    },
    claimMatchFor: matchFor,
    anyRole: usualRole,
    someRoles: async (count) => (await standingRoles(api)).slice(0, count),
    foreignIn,
    settled,
    patience,
    deleteForeign: async (uid) => {
      const own = (await foreignIn('roleBindings', childrenOf(uid))).filter(
        ({ group: home }) => isReceived(home) && home.uid === uid,
      )
      await Promise.all(own.map((binding) => api.attempt.roleBindings.delete(journal.lend(binding.uid, binding))))
      return own.length > 0
    },
  }
}

/** Sorted by names that are letters only. */
function byName(resources: readonly Received[]): Received[] {
  return [...resources].sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
}

/** The wait between two tries to empty a group, in milliseconds, and how many there are at least. */
const [between, fewest] = [250, 3]

/** Deletes a group; before that, what the target itself put into it at any time, if that blocks the deletion (R50). */
export async function deleteGroup(api: Api, { deleteForeign, patience }: Scratch, uid: string): Promise<Answer> {
  const started = performance.now()
  for (let tries = 1; ; tries++) {
    // a busy target may take longer to answer than it lags
    const isLate = performance.now() - started >= patience.readings && tries >= fewest
    const answer = await api.attempt.groups.delete(uid)
    const isFull = !succeeded(answer) && isObject(answer.json) && answer.json.code === 9
    if (!isFull || isLate) return answer
    // what came late may be listed later still
    if (!(await deleteForeign(uid))) await sleep(between)
  }
}
