import type { Api } from '../api/api.ts'
import { isOfRegistry, isPublished, type KindName, type PublishedKind, type RegistryKind } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { standingRoles } from '../api/roles.ts'
import { walk } from '../assertions/page-walk.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import { listedItems } from './listings.ts'
import { mustBePresent } from './optional-operations.ts'
import type { Population } from './population.ts'
import { publishedBody } from './published-bodies.ts'
import { childrenOf, descendantsOf, type Scratch } from './scratch.ts'
import type { Forest, PopulationContext } from './shared-groups.ts'

/** Reads the items of a kind that a run cannot make; undefined for other kinds. */
export async function readPopulation(
  kind: KindName,
  api: Api,
  registryGroup: string | undefined,
): Promise<Population | undefined> {
  if (kind === 'roles') return { kind, scope: {}, items: await readAll(api, kind, {}) }
  return isOfRegistry(kind) ? { kind, ...(await readRegistry(api, kind, registryGroup)) } : undefined
}

/** Makes the items of a kind. */
export async function makePopulation(
  kind: KindName,
  forest: () => Promise<Forest>,
  context: PopulationContext,
): Promise<Population> {
  if (kind === 'groups') {
    const { scope, all } = await forest()
    return { kind, scope, items: all }
  }
  await mustBeThere(context.api, context.scratch, kind)
  const { scratch } = context
  if (isPublished(kind)) return { kind, scope: scratch.descendants, items: await makePublished(context, kind) }
  const homes = [scratch.uid, ...(await scratch.makeGroups(3)).map(({ uid }) => uid)]
  const makers = Array.from({ length: 5 }, () => homes).flat()
  const identities = await Promise.all(makers.map((home) => scratch.makeIdentity({}, home)))
  const items = kind === 'identities' ? identities : await bindEach(context, identities, homes)
  await scratch.settled(kind, scratch.descendants, items)
  return {
    kind,
    scope: scratch.descendants,
    items: [...items, ...(await scratch.foreignIn(kind, scratch.descendants))],
  }
}

/** How many are made of a kind whose body is not shown: each in its own group, because a group may take only one. */
const mostOffered = 8

async function makePublished({ scratch }: PopulationContext, kind: PublishedKind): Promise<Received[]> {
  const first = await scratch.makePublished(kind)
  const homes = await scratch.makeGroups(mostOffered - 1)
  const others = await Promise.all(homes.map(({ uid }) => scratch.makePublished(kind, uid)))
  await scratch.settled(kind, scratch.descendants, [first, ...others])
  return [first, ...others, ...(await scratch.foreignIn(kind, scratch.descendants))]
}

/** All items of a kind that a run cannot make below the group that the operator names. */
async function readRegistry(
  api: Api,
  kind: RegistryKind,
  group: string | undefined,
): Promise<{ scope: Query; items: Received[] }> {
  const { scope } = await readFirst(api, kind, registryGroupIn(group))
  return { scope, items: await readAll(api, kind, scope) }
}

/** The first item below a group, if this target lists the kind at all (R49). */
export async function readFirst(
  api: Api,
  kind: RegistryKind,
  group: string,
): Promise<{ scope: Query; items: Received[] }> {
  const scope = descendantsOf(group)
  const first = await api.attempt[kind].list({ ...scope, page_size: 1 })
  mustBePresent(kind, 'list', first)
  return { scope, items: listedItems(kind, first) }
}

/** The group that the operator names; without one the case is inconclusive. */
export function registryGroupIn(group: string | undefined): string {
  if (group !== undefined) return group
  throw new Inconclusive('RMAPI_REGISTRY_GROUP_UID is not set: without a group that holds some, nothing can be read')
}

async function bindEach(
  { api, scratch }: PopulationContext,
  identities: readonly Received[],
  homes: readonly string[],
) {
  const roles = (await standingRoles(api)).slice(0, 5)
  const roleOf = (index: number) => roles[index % roles.length]?.uid
  return Promise.all(
    identities.map((identity, index) => scratch.makeBinding(identity, homes[index % homes.length], roleOf(index))),
  )
}

/** Ends the case where a list whose path the contract does not print is missing (R49). */
export async function mustBeThere(api: Api, scratch: Scratch, kind: KindName): Promise<void> {
  const answer = await api.attempt[kind].list(scratch.children)
  mustBePresent(kind, 'list', answer)
}

const mostForeign = 2_000

/** Everything that a query lists, within the limit of a walk over foreign data (R24). */
async function readAll(api: Api, kind: KindName, query: Query): Promise<Received[]> {
  const asked = { ...query, page_size: 200 }
  const { totalCount } = await api[kind].list({ ...query, page_size: 1 })
  if (Number(totalCount) > mostForeign)
    throw new Inconclusive(`there are ${totalCount} ${kind}: too many to read them all`)
  return (await walk(api[kind].list, asked, mostForeign)).items
}

/** Items of a kind in a group, deeper below it, and in groups beside it. */
export interface Neighbours {
  group: Received
  /** The uid of the group that holds it. */
  parent: string
  /** A group below it, and one beside it. */
  child: Received
  sibling: Received
  /** The query that lists the direct children of the group. */
  scope: Query
  inside: Received[]
  /** The query that lists everything below the group. */
  descendants: Query
  /** At depth two and three below the group. */
  below: Received[]
  /** In groups beside it, and above it. */
  beside: Received[]
}

/** Makes items of a kind in and around a group. */
export async function makeNeighbours(api: Api, scratch: Scratch, kind: KindName): Promise<Neighbours> {
  if (kind !== 'groups') await mustBeThere(api, scratch, kind)
  const [group, sibling] = await scratch.makeGroups(2)
  const child = await scratch.makeGroup({}, group!.uid)
  const grandchild = await scratch.makeGroup({}, child.uid)
  const nephew = await scratch.makeGroup({}, sibling!.uid)
  const make = (home: Received, count: number) => makeSome(scratch, kind, home.uid, count)
  const [inside, near, deep, besides, nephews] = await Promise.all([
    make(group!, 3),
    make(child, 2),
    make(grandchild, 1),
    make(sibling!, 3),
    make(nephew, 1),
  ])
  const [scope, descendants] = [childrenOf(group!.uid), descendantsOf(group!.uid)]
  const made = [...inside, ...near, ...deep, ...besides, ...nephews]
  const tree = kind === 'groups'
  await scratch.settled(kind, scratch.descendants, [...made, ...(tree ? [child, grandchild, nephew] : [])])
  // groups contain groups, so those that make up the tree belong to it
  return {
    group: group!,
    parent: scratch.uid,
    child,
    sibling: sibling!,
    scope,
    inside: [...inside, ...(tree ? [child] : [])],
    descendants,
    below: [...near, ...deep, ...(tree ? [grandchild] : [])],
    beside: [...besides, ...nephews, ...(tree ? [sibling!, nephew] : [])],
  }
}

/** A body with which the Create of a kind may succeed. */
export async function bodyFor(
  api: Api,
  scratch: Scratch,
  kind: KindName,
  name: string,
): Promise<Record<string, unknown>> {
  if (kind === 'groups') return { name }
  if (kind === 'identities') return { name, description: name, claimMatch: await scratch.claimMatchFor(name) }
  if (isPublished(kind)) return publishedBody(api, kind, name)
  const [identity, role] = [await scratch.makeIdentity(), await scratch.anyRole()]
  return { identityUid: identity.uid, roleUid: role.uid }
}

/** Makes one thing of a kind in a group. */
export async function makeOne(scratch: Scratch, kind: KindName, home: string): Promise<Received> {
  return (await makeSome(scratch, kind, home, 1))[0]!
}

async function makeSome(scratch: Scratch, kind: KindName, home: string, count: number): Promise<Received[]> {
  if (kind === 'groups') return scratch.makeGroups(count, home)
  if (isPublished(kind)) return [await scratch.makePublished(kind, home)]
  const identities = await Promise.all(Array.from({ length: count }, () => scratch.makeIdentity({}, home)))
  return kind === 'identities'
    ? identities
    : Promise.all(identities.map((identity) => scratch.makeBinding(identity, home)))
}
