import type { KindName } from './kinds.ts'
import { walk } from './paging.ts'
import type { Query } from './paths.ts'
import { isMissing } from './refusal.ts'
import { type Api, type Received, uids } from './resources.ts'
import { childrenOf, descendantsOf, type Scratch } from './scratch.ts'
import type { Forest, Groundwork } from './shared-groups.ts'
import { Inconclusive, Stopped } from './stopped.ts'

/** What the list families are asked of: all that one query lists. */
export interface Population {
  kind: KindName
  /** The query that lists exactly the items. */
  scope: Query
  items: Received[]
}

/** Makes the items of a kind, or reads those of a foreign one. */
export async function makePopulation(
  kind: KindName,
  forest: () => Promise<Forest>,
  ground: Groundwork,
): Promise<Population> {
  if (kind === 'groups') {
    const { scope, all } = await forest()
    return { kind, scope, items: all }
  }
  if (kind === 'roles') return { kind, scope: {}, items: await readAll(ground.api, kind, {}) }
  await mustBeThere(ground.api, ground.scratch, kind)
  const { scratch } = ground
  const homes = [scratch.uid, ...(await scratch.makeGroups(3)).map(({ uid }) => uid)]
  const makers = Array.from({ length: 5 }, () => homes).flat()
  const identities = await Promise.all(makers.map((home) => scratch.makeIdentity({}, home)))
  const items = kind === 'identities' ? identities : await bindEach(ground, identities, homes)
  await ground.settled(async () => {
    if (!ground.lagging) return
    const shown = await ground.api[kind].list({ ...scratch.descendants, page_size: 200 })
    if (shown.items.length < items.length)
      throw new Stopped({ operation: `${kind}.list`, phase: 'arrange', why: 'lags' })
  })
  return {
    kind,
    scope: scratch.descendants,
    items: [...items, ...(await scratch.strangersIn(kind, scratch.descendants))],
  }
}

async function bindEach(
  { api, scratch }: Groundwork,
  identities: readonly Received[],
  homes: readonly string[],
) {
  const { items: roles } = await api.roles.list({})
  const roleOf = (index: number) => roles[index % roles.length]?.uid
  return Promise.all(
    identities.map((identity, index) =>
      scratch.makeBinding(identity, homes[index % homes.length], roleOf(index)),
    ),
  )
}

/** Ends the case where a list whose path the contract does not print is missing (R49). */
export async function mustBeThere(api: Api, scratch: Scratch, kind: KindName): Promise<void> {
  const answer = await api.attempt[kind].list(scratch.children)
  if (isMissing(answer)) {
    throw new Inconclusive(`this target has no List of ${kind}: it was answered ${answer.status}`)
  }
}

const mostForeign = 2_000

/** Everything that a query lists, as far as a walk over foreign data may go (R24). */
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
  /** A group below it, and one beside it. */
  child: Received
  sibling: Received
  /** The query that lists what stands directly in the group. */
  scope: Query
  inside: Received[]
  /** The query that lists everything below the group. */
  descendants: Query
  /** At depth two and three, seen from the group. */
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
  const [strangersInside, strangersBelow] = await Promise.all([
    scratch.strangersIn(kind, scope),
    scratch.strangersIn(kind, descendants),
  ])
  const deeper = strangersBelow.filter(({ uid }) => !uids(strangersInside).includes(uid))
  // groups hold groups: those that make the tree belong to it
  const tree = kind === 'groups'
  return {
    group: group!,
    child,
    sibling: sibling!,
    scope,
    inside: [...inside, ...strangersInside, ...(tree ? [child] : [])],
    descendants,
    below: [...near, ...deep, ...deeper, ...(tree ? [grandchild] : [])],
    beside: [...besides, ...nephews, ...(tree ? [sibling!, nephew] : [])],
  }
}

async function makeSome(scratch: Scratch, kind: KindName, home: string, count: number): Promise<Received[]> {
  if (kind === 'groups') return scratch.makeGroups(count, home)
  const identities = await Promise.all(Array.from({ length: count }, () => scratch.makeIdentity({}, home)))
  return kind === 'identities'
    ? identities
    : Promise.all(identities.map((identity) => scratch.makeBinding(identity, home)))
}
