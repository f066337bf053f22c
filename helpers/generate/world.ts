import { present } from '../../schemas/present.ts'
import { type KindName, kinds, listedKinds, type OwnKind, type PublishedKind, publishedKinds } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { levelsBelow } from '../api/resource-path.ts'
import { listedItems } from '../arrange/listings.ts'
import { descendantsOf } from '../arrange/scratch.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'

/** A group of the world, with its contents. */
export interface Place {
  group: Received
  identity?: Received
  binding?: Received
}

/** A full world: every kind is everywhere, and names, descriptions and parts of claims are shared. */
export interface World {
  /** All places, in the order in which they were made. */
  places: readonly Place[]
  root: Place | undefined
  child: Place | undefined
  grandchild: Place | undefined
  /** A sibling of `child`, without groups of its own. */
  leaf: Place | undefined
  /** Below `grandchild`. */
  deep: Place | undefined
  /** A sibling of `root`. */
  otherRoot: Place | undefined
  /** Below `deep`. */
  deepest: Place | undefined
  /** A name and a description that several groups and identities have. */
  shared: { name: string; description: string; issuer: string; subject: string }
  offered: Partial<Record<(typeof publishedKinds)[number], Received[]>>
  /** One of each kind that the run cannot make. */
  foreign?: Partial<Record<KindName, string>>
}

/** The world with one of each kind that the run cannot make (R24). */
export async function withForeign(driver: Driver, world: World): Promise<World> {
  const registry = driver.run.config.target.registryGroupUid
  const foreign: World['foreign'] = {}
  const asked = listedKinds.filter((kind) => kinds[kind].foreign && (kind === 'roles' || registry !== undefined))
  await inParallel(asked, 4, async (kind) => {
    const answer = await driver.list(kind, { ...(kind === 'roles' ? {} : descendantsOf(registry!)), page_size: 1 })
    const [first] = answer ? listedItems(kind, answer) : []
    if (first) foreign[kind] = first.uid
  })
  return { ...world, foreign }
}

/** Which place each is below, whether it has the shared name, and which version makes it. */
const plan = [
  { below: -1, named: true, version: 'v2' }, // root
  { below: 0, named: true, version: 'v2' }, // child
  { below: 1, named: false, version: 'v1' }, // grandchild
  { below: 0, named: false, version: 'v2' }, // leaf
  { below: 2, named: true, version: 'v2' }, // deep
  { below: -1, named: false, version: 'v1' }, // otherRoot
  { below: 4, named: false, version: 'v2' }, // deepest
] as const

/** Makes a full world in the driver's scope, or its first places alone. */
export async function makeWorld(driver: Driver, most: number = plan.length): Promise<World> {
  const [name, label] = [driver.name(), driver.name()]
  const shared = {
    name,
    description: `shared by many of ${name}`,
    issuer: `https://issuer.example/${label}`,
    subject: `subject-${label}`,
  }
  const places: Place[] = []
  const inhabiting: Promise<Place>[] = []
  for (const { below, named, version } of plan.slice(0, most)) {
    const parent = below < 0 ? driver.scope : places[below]?.group.uid
    if (parent === undefined) continue
    const own = named ? { name } : {}
    const { description } = shared
    const make = (body: Record<string, unknown>) =>
      version === 'v1' ? driver.groupByV1(parent, body) : driver.group(parent, body)
    const group = (await make({ description, ...own })) ?? (await make({ description }))
    if (group === undefined) continue
    inhabiting.push(inhabit(driver, group, places.length, shared))
    places.push({ group })
  }
  const offered: World['offered'] = {}
  const offering = publishedKinds.map(async (kind) => {
    // an invite to the role that is bound in its group
    const roles = kind === 'groupInvites' ? await driver.roles() : []
    const made = await Promise.all(
      places.slice(0, 3).map(({ group }, at) => {
        const role = roles[at % Math.max(1, roles.length)]
        const body = kind === 'groupInvites' ? role && { roleUid: role.uid } : { description: shared.description }
        return driver.offered(kind, group.uid, body)
      }),
    )
    offered[kind] = made.filter((one) => one !== undefined)
  })
  await Promise.all(offering)
  return worldOf(await Promise.all(inhabiting), shared, offered)
}

/** Names the places, in the order of the plan. */
export function worldOf(places: readonly Place[], shared: World['shared'], offered: World['offered']): World {
  const [root, child, grandchild, leaf, deep, otherRoot, deepest] = places
  return { places, root, child, grandchild, leaf, deep, otherRoot, deepest, shared, offered }
}

/** Makes two identities in a group, and binds the first. */
async function inhabit(driver: Driver, group: Received, index: number, shared: World['shared']): Promise<Place> {
  const fresh = driver.name()
  // no two have the same claim match, but issuer or subject are shared (R54)
  const claimMatch =
    index % 2 === 0
      ? { issuer: shared.issuer, subject: `subject-${fresh}` }
      : { issuer: `https://issuer.example/${fresh}`, subject: shared.subject }
  const { description } = shared
  // identities may share a name (R3)
  const name = index % 3 === 1 ? shared.name : fresh
  const [identity] = await Promise.all([
    driver.identity(group.uid, { name, description, claimMatch }),
    driver.identity(group.uid, { name: driver.name(), description }),
  ])
  const binding = await driver.binding(group.uid, identity, index)
  return { group, ...(identity ? { identity } : {}), ...(binding ? { binding } : {}) }
}

/** Makes one of a kind in a group; a role binding is of a new identity. */
export async function make(
  to: Driver,
  kind: OwnKind,
  home: string,
  body: Record<string, unknown> = {},
): Promise<Received | undefined> {
  if (kind === 'groups') return to.group(home, body)
  if (kind === 'identities') return to.identity(home, body)
  if (kind === 'roleBindings') return to.binding(home, await to.identity(home))
  return to.offered(kind, home, body)
}

/** Makes two of each kind in a group. */
export async function makeSome(driver: Driver, { uid }: { uid: string }): Promise<void> {
  const [first, second] = [await driver.identity(uid), await driver.identity(uid)]
  await Promise.all([driver.group(uid), driver.group(uid), driver.binding(uid, first), driver.binding(uid, second)])
}

/** How many of a kind whose body is not shown are made: so many that no order is the same by chance. */
const namesakesMade = 5

/** Makes some of a kind in a group, of one name if the target allows it and others among them. */
export async function offerNamesakes(driver: Driver, kind: PublishedKind, home: string, name: string): Promise<void> {
  for (let made = 0; made < namesakesMade; made++) {
    const named = kinds[kind].named && made !== 1 ? { name } : {}
    if ((await driver.offered(kind, home, named)) === undefined) await driver.offered(kind, home)
  }
}

/** How many levels the target takes below a group, at most `most`: three where so long an address is answered otherwise. */
export async function levelsTaken(to: Driver, above: string, most: number): Promise<number> {
  const segment = `/${'0'.repeat(above.length - above.lastIndexOf('/') - 1)}`
  const levels = Math.min(most, levelsBelow(above) - 1)
  const missing = (times: number) => to.send(() => to.api.groups.get(above + segment.repeat(times)))
  const [near, far] = await Promise.all([missing(1), missing(Math.max(1, levels))])
  return near?.status === far?.status ? levels : Math.min(levels, 3)
}

/** Nests groups below one, `levels` deep or as deep as the target allows; returns the deepest. */
export async function downFrom(to: Driver, above: Received | undefined, levels: number): Promise<Received | undefined> {
  const below = above && levels > 0 ? await to.group(above.uid) : undefined
  return below === undefined ? above : downFrom(to, below, levels - 1)
}

/** One command on a full world: each is sent once, and everything is read afterwards. */
export type Command = (driver: Driver, world: World) => Promise<unknown>

/** Updates a group. */
export const update = (to: Driver, uid: string | undefined, body: Record<string, unknown>, updateMask?: string) =>
  to.send(() => to.api.groups.update(uid!, body, { query: { updateMask } }))

/** Updates an identity. */
export const updateIdentity = (
  to: Driver,
  uid: string | undefined,
  body: Record<string, unknown>,
  updateMask?: string,
) => to.send(() => to.api.identities.update(uid!, body, { query: { updateMask } }))

const operations = { POST: 'create', PATCH: 'update', DELETE: 'delete' } as const

/** Writes without a token that is known: nothing of it may take effect, now or later (R39). */
export const byNobody = (
  to: Driver,
  kind: KindName,
  uid: string,
  method: keyof typeof operations,
  body?: Record<string, unknown>,
) =>
  to.call({
    operation: `${kinds[kind].name}.${operations[method]}`,
    method,
    path: to.path(kind, uid),
    credential: { header: 'Bearer garbage', shown: 'Bearer garbage' },
    ...present({ body }),
  })

/** Binds an identity to the fourth role. */
export async function bindAgain(
  to: Driver,
  parent: string | undefined,
  identityUid: string | undefined,
): Promise<void> {
  const [, , , roleUid] = (await to.roles()).map(({ uid }) => uid)
  if (parent && identityUid && roleUid)
    await to.send(() => to.api.roleBindings.create(parent, { identityUid, roleUid }))
}

/** Deletes something whose body is not shown, and changes it before if that can be. */
export async function changeAndDelete(to: Driver, kind: PublishedKind, made: Received | undefined): Promise<void> {
  if (made === undefined) return
  if (kinds[kind].described) await to.send(() => to.api[kind].update(made.uid, { description: to.name() }))
  await to.send(() => to.api[kind].delete(made.uid))
}

/** Deletes what was made below a group, and the group. */
export async function emptyAndDelete(to: Driver, uid: string): Promise<void> {
  // what is deeper goes first
  for (const kind of ['roleBindings', 'identities', ...publishedKinds, 'groups'] as const)
    for (const inner of to.living(kind, uid).sort((a, b) => b.length - a.length))
      await to.send(() => to.api[kind].delete(inner))
  await to.send(() => to.api.groups.delete(uid))
}
