import type { Received } from '../api/received.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Answer } from '../http/call.ts'
import { coveringOrders } from './covering.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { byNobody, identity, update } from './world.ts'

/** A group with two groups, an identity and a role binding in it, and all names that the first of the two has had. */
interface Family {
  parent: Received
  child: Received
  sibling: Received
  owner: Received | undefined
  binding: Received | undefined
  names: string[]
  /** The version of the next event that both have. */
  version: 'v1' | 'v2'
}

type Event = (driver: Driver, family: Family) => Promise<unknown>

/** What may happen to a family, in any order. */
const events: readonly Event[] = [
  renameChild,
  renameChild,
  (to, { child, names, version }) => rename(to, child.uid, names[0]!, version),
  (to, { child }) => update(to, child.uid, { description: `new ${to.name()}` }, 'description'),
  async (to, { child, version }) => {
    await remove(to, child.uid, version)
    // what is gone is not counted twice
    await remove(to, child.uid, version === 'v1' ? 'v2' : 'v1')
  },
  (to, { parent }) => to.send(() => to.api.groups.create(parent.uid, { name: `Bad@${to.name()}` })),
  (to, { child }) => update(to, child.uid, { name: `Bad@${to.name()}`, description: `refused ${to.name()}` }),
  (to, { child }) => byNobody(to, 'groups', child.uid, 'PATCH', { description: `by nobody ${to.name()}` }),
  (to, { parent, version }) => remove(to, parent.uid, version),
  (to, { parent, names, version }) => make(to, parent.uid, version, { name: names[0] }),
  (to, { parent, version }) => rename(to, parent.uid, to.name(), version),
  (to, { parent, owner }) => to.binding(parent.uid, owner, 1),
  (to, { child }) => update(to, child.uid, { description: '' }, 'description'),
  async (to, { child, version }) => {
    // v1 has read it, and does not know of the change in v2
    await to.send(() => to.v1.get(child.uid))
    await update(to, child.uid, { description: `before a child ${to.name()}` })
    await make(to, child.uid, version)
  },
  async (to, { owner }) => {
    const claimMatch = { issuer: 'https://issuer.example/sequences', subject: to.name() }
    if (owner) await identity(to, owner.uid, { name: to.name(), claimMatch })
  },
  async (to, { binding }) => {
    if (binding) await to.send(() => to.api.roleBindings.delete(binding.uid))
  },
  (to, { child }) => to.send(() => to.v1.replace(child.uid, { name: String(child.name), description: to.name() })),
]

function renameChild(to: Driver, { child, names, version }: Family): Promise<unknown> {
  names.push(to.name())
  return rename(to, child.uid, names.at(-1)!, version)
}

/** Renames a group; a v1 PUT replaces everything, and this one leaves the description out (S9.4). */
const rename = (to: Driver, uid: string, name: string, version: Family['version']) =>
  version === 'v1' ? to.send(() => to.v1.replace(uid, { name })) : update(to, uid, { name })

const remove = (to: Driver, uid: string, version: Family['version']) =>
  to.send(() => (version === 'v1' ? to.v1 : to.api.groups).delete(uid))

const make = (to: Driver, above: string, version: Family['version'], body?: { name: string | undefined }) =>
  version === 'v1' ? to.groupByV1(above, body) : to.group(above, body)

/** How many families live at once. */
const atOnce = 16

/** The most orders of an identity's events: of any three, most follow each other in every order. */
const mostOrders = 5

/**
 * Makes all events happen to families and identities, in orders where any three follow each other; returns how many.
 */
export async function askSequences(driver: Driver): Promise<number> {
  const orders = coveringOrders(events.length, driver.draw)
  const others = coveringOrders(ownerEvents.length, driver.draw).slice(0, mostOrders)
  const lives = [
    ...others.map((order, at) => () => happenToOwner(driver, order, at)),
    () => changeOften(driver),
    ...orders.map((order, at) => () => happen(driver, order, versionsOf(at))),
  ]
  await inParallel(lives, atOnce, (live) => live())
  return orders.length * events.length + others.length * ownerEvents.length
}

/** More changes of one group than a number of two digits, or of seven bits, can count. */
const often = 130

/** Changes one group again and again, and reads it now and then: no change is the last that counts. */
async function changeOften(driver: Driver): Promise<void> {
  const group = await driver.group(driver.scope)
  if (group === undefined) return
  for (let times = 1; times <= often; times++) {
    await update(driver, group.uid, { description: `change ${times} of ${group.name}` })
    if (times % 10 === 0) await driver.send(() => driver.api.groups.get(group.uid))
  }
}

/** An identity bound in its group, a group below that, and the body of its first update. */
interface Bound {
  home: Received
  below: Received | undefined
  owner: Received
  binding: Received | undefined
  sent: Record<string, unknown> | undefined
  /** Counts events; each family begins at another number. */
  turn: number
}

/** Every subset of what an Update of an identity may set. */
const subsets: readonly (readonly string[])[] = [
  ['description', 'claimMatch'], ['name'], ['description'], ['name', 'description', 'claimMatch'], ['claimMatch'], ['name', 'description'], ['name', 'claimMatch'],
] // biome-ignore format: a table

/** A fresh value for each of these members. */
const freshly = (to: Driver, members: readonly string[]) => {
  const name = to.name()
  const claimMatch = { issuer: 'https://issuer.example/sequences', subject: `of ${name}` }
  const all: Record<string, unknown> = { name, description: `now ${name}`, claimMatch }
  return Object.fromEntries(members.map((member) => [member, all[member]]))
}

const everyMember = ['name', 'description', 'claimMatch']

async function changeSome(to: Driver, bound: Bound): Promise<unknown> {
  const body = freshly(to, subsets[bound.turn % subsets.length]!)
  bound.sent ??= body
  return identity(to, bound.owner.uid, body)
}

/** What may happen to an identity, in any order. */
const ownerEvents: readonly ((driver: Driver, bound: Bound) => Promise<unknown>)[] = [
  changeSome,
  changeSome,
  (to, { owner }) => identity(to, owner.uid, freshly(to, everyMember), 'name'),
  (to, { owner }) => identity(to, owner.uid, freshly(to, everyMember), 'description'),
  (to, { owner }) => identity(to, owner.uid, { description: '' }, 'description'),
  (to, { owner }) => to.send(() => to.api.identities.get(owner.uid)),
  (to, { below, owner, turn }) => to.binding(below?.uid ?? to.scope, owner, turn),
  async (to, { binding }) => binding && to.send(() => to.api.roleBindings.delete(binding.uid)),
  // the very bytes that were sent before
  async (to, { owner, sent }) => sent && identity(to, owner.uid, sent),
]

async function happenToOwner(driver: Driver, order: readonly number[], at: number): Promise<void> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  const [below, owner] = [await driver.group(home.uid), await driver.identity(home.uid)]
  if (owner === undefined) return
  const bound: Bound = { home, below, owner, binding: undefined, sent: undefined, turn: at * 3 }
  await driver.identity(home.uid)
  bound.binding = await driver.binding(home.uid, owner)
  for (const index of order) {
    await driver.send(async () => (await ownerEvents[index]!(driver, bound)) as Answer)
    await lookAtOwner(driver, bound)
    // the next event would hide what shows late
    await driver.run.model.settled()
    bound.turn++
  }
  await driver.send(() => driver.api.identities.get(owner.uid))
  await driver.send(() => driver.api.identities.delete(owner.uid))
  await Promise.all([lookAtOwner(driver, bound), driver.children('identities', home.uid)])
}

/** Lists identities, in the next order each time, and bindings now and then. */
async function lookAtOwner(driver: Driver, { home, turn }: Bound): Promise<void> {
  const below = { ...descendantsOf(home.uid), page_size: 200 }
  const order_by = ['name', undefined, 'name desc', 'created_at desc'][turn % 4]
  const others = turn % 3 === 2 ? [driver.list('roleBindings', below)] : []
  await Promise.all([driver.list('identities', { ...below, order_by }), ...others])
}

/** The versions that a family uses by turns: two of three families use both. */
const versionsOf = (family: number) =>
  ([['v2'], ['v1', 'v2'], ['v2', 'v1']] as const satisfies Family['version'][][])[family % 3]!

async function happen(driver: Driver, order: readonly number[], versions: readonly Family['version'][]): Promise<void> {
  const [version] = versions as [Family['version']]
  const parent = await make(driver, driver.scope, version)
  if (parent === undefined) return
  const [child, sibling, owner] = [
    await make(driver, parent.uid, version),
    await driver.group(parent.uid),
    await driver.identity(parent.uid),
  ]
  if (child === undefined || sibling === undefined) return
  const binding = await driver.binding(parent.uid, owner)
  const family: Family = { parent, child, sibling, owner, binding, names: [String(child.name)], version }
  for (const [at, index] of order.entries()) {
    family.version = versions[at % versions.length]!
    await driver.send(async () => (await events[index]!(driver, family)) as Answer)
    await look(driver, family, at)
  }
  for (const name of family.names)
    for (const scope of [childrenOf(parent.uid), descendantsOf(driver.scope)])
      await driver.list('groups', { ...scope, name })
}

/** Reads the family, each time in another order, and in turn a name, the sibling and what else lives there. */
async function look(driver: Driver, { parent, child, sibling, names }: Family, at: number): Promise<void> {
  const below = descendantsOf(parent.uid)
  const order_by = [undefined, 'name', 'created_at desc', 'name desc'][at % 4]
  const inV1 = () => driver.send(() => driver.v1.get(child.uid))
  const doors = [
    () => driver.list('groups', { ...childrenOf(parent.uid), name: names.at(-1) }),
    inV1,
    () => driver.list('identities', { ...below, page_size: 200 }),
    () => driver.list('groups', { ...childrenOf(parent.uid), name: names[0] }),
    inV1,
    () => driver.list('roleBindings', { ...below, page_size: 200 }),
    () => driver.send(() => driver.v1.list(below)),
    inV1,
    () => driver.send(() => driver.api.groups.get(child.uid)),
    () => driver.list('groups', { ...below, name: String(sibling.name) }),
    inV1,
    () => driver.list('groups', { ...below, order_by: 'name', skip: 1, page_size: 200 }),
  ]
  await Promise.all([driver.list('groups', { ...below, order_by, page_size: 200 }), doors[at % doors.length]!()])
}
