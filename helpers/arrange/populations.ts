import type { Api } from '../api/api.ts'
import { isOfRegistry, isPublished, type KindName, type PublishedKind, type RegistryKind } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { standingRoles } from '../api/roles.ts'
import { walk } from '../assertions/page-walk.ts'
import { apart } from '../assertions/timestamps.ts'
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

/** Groups in which things of several kinds are made side by side. */
export interface Grounds extends PopulationContext {
  homes: readonly Received[]
  /** How many of a kind are made in each group. */
  counts: readonly number[]
  /** The identities in each group, also where they cannot be listed: each may be bound. */
  identities: () => Promise<Received[][]>
}

function groundsOf(context: PopulationContext, homes: readonly Received[], counts: readonly number[]): Grounds {
  let made: Promise<Received[][]> | undefined
  const identities = () => {
    const { scratch } = context
    made ??= inEach({ homes, counts }, (home) => scratch.makeIdentity({}, home))
    return made
  }
  return { ...context, homes, counts, identities }
}

/** Makes things in each of the groups. */
const inEach = <T>({ homes, counts }: Pick<Grounds, 'homes' | 'counts'>, make: (home: string) => Promise<T>) =>
  Promise.all(homes.map(({ uid }, place) => Promise.all(Array.from({ length: counts[place] ?? 0 }, () => make(uid)))))

/** Binds each of the identities in its own group. */
async function bindEach({ api, scratch, homes, identities }: Grounds): Promise<Received[][]> {
  const roles = (await standingRoles(api)).slice(0, 5)
  const roleOf = (index: number) => roles[index % roles.length]?.uid
  const all = await identities()
  return Promise.all(
    all.map((some, place) =>
      Promise.all(some.map((one, index) => scratch.makeBinding(one, homes[place]?.uid, roleOf(index)))),
    ),
  )
}

/** Makes the groups of the populations, and somewhere else those of the neighbours. */
export async function openPopulations(context: PopulationContext): Promise<Grounds> {
  const { scratch } = context
  return groundsOf(context, [scratch.group, ...(await scratch.makeGroups(mostOffered - 1))], [13, 13, 13, 13])
}

/** Makes one in each group, half of them a moment later: a fast target makes the others at one moment. */
async function makePublished(kind: PublishedKind, { scratch, homes }: Grounds): Promise<Received[]> {
  const make = (some: readonly Received[]) => Promise.all(some.map(({ uid }) => scratch.makePublished(kind, uid)))
  const half = Math.ceil(homes.length / 2)
  const first = await make(homes.slice(0, half))
  await apart(...first)
  return [...first, ...(await make(homes.slice(half)))]
}

/** How many are made of a kind whose body is not shown: each in its own group, because a group may take only one. */
const mostOffered = 10

/** Makes the items of a kind. */
export async function makePopulation(
  kind: KindName,
  forest: () => Promise<Forest>,
  open: () => Promise<Grounds>,
): Promise<Population> {
  if (kind === 'groups') {
    const { scope, all } = await forest()
    return { kind, scope, items: all }
  }
  const grounds = await open()
  const { api, scratch, identities } = grounds
  const scope = scratch.descendants
  await mustBeThere(api, scratch, kind)
  const items = isPublished(kind)
    ? await makePublished(kind, grounds)
    : (await (kind === 'identities' ? identities() : bindEach(grounds))).flat()
  await scratch.settled(kind, scope, items)
  return { kind, scope, items: [...items, ...(await scratch.foreignIn(kind, scope))] }
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

/** Makes a group, one below it, one further down, one beside the first, and one below that. */
export async function openNeighbours(context: PopulationContext): Promise<Grounds> {
  const { scratch } = context
  const [group, sibling] = (await scratch.makeGroups(2)) as [Received, Received]
  const child = await scratch.makeGroup({}, group.uid)
  const grandchild = await scratch.makeGroup({}, child.uid)
  const nephew = await scratch.makeGroup({}, sibling.uid)
  return groundsOf(context, [group, child, grandchild, sibling, nephew], [3, 2, 1, 3, 1])
}

/** Makes items of a kind in and around a group. */
export async function makeNeighbours(kind: KindName, grounds: Grounds): Promise<Neighbours> {
  const { api, scratch, homes, identities } = grounds
  if (kind !== 'groups') await mustBeThere(api, scratch, kind)
  const [group, child, grandchild, sibling, nephew] = homes as [Received, Received, Received, Received, Received]
  const made = await (kind === 'identities'
    ? identities()
    : kind === 'roleBindings'
      ? bindEach(grounds)
      : isPublished(kind)
        ? Promise.all(homes.map(async ({ uid }) => [await scratch.makePublished(kind, uid)]))
        : inEach(grounds, (home) => scratch.makeGroup({}, home)))
  const [inside, near, deep, besides, nephews] = made as [Received[], Received[], Received[], Received[], Received[]]
  const tree = kind === 'groups'
  await scratch.settled(kind, scratch.descendants, [...made.flat(), ...(tree ? [child, grandchild, nephew] : [])])
  // groups contain groups, so those that make up the tree belong to it
  return {
    group,
    parent: scratch.uid,
    child,
    sibling,
    scope: childrenOf(group.uid),
    inside: [...inside, ...(tree ? [child] : [])],
    descendants: descendantsOf(group.uid),
    below: [...near, ...deep, ...(tree ? [grandchild] : [])],
    beside: [...besides, ...nephews, ...(tree ? [sibling, nephew] : [])],
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
  if (isPublished(kind)) return publishedBody(api, kind, name, scratch.anyRole)
  const [identity, role] = [await scratch.makeIdentity(), await scratch.anyRole()]
  return { identityUid: identity.uid, roleUid: role.uid }
}

/** Makes one thing of a kind in a group; a name is given to a group or to an identity. */
export async function makeOne(
  scratch: Scratch,
  kind: KindName,
  home: string,
  body: { name?: string } = {},
): Promise<Received> {
  if (kind === 'groups') return scratch.makeGroup(body, home)
  if (isPublished(kind)) return scratch.makePublished(kind, home)
  const identity = await scratch.makeIdentity(body, home)
  return kind === 'identities' ? identity : scratch.makeBinding(identity, home)
}
