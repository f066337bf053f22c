import { type KindName, madeKinds, type PublishedKind, publishedKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import type { Driver } from '../driver.ts'
import { besideOverGrpc } from '../over-either.ts'
import { changeAndDelete } from '../world.ts'

/**
 * What a group may hold when it is deleted: groups, identities, bindings and others of each kind (S7.6, R30). The first
 * identity has the first binding, the second the next two, and so on. Those `together` go with their identity, and some
 * identities live `above` the group in which they are bound.
 */
const fillings: readonly Filling[] = [
  { groups: 1 },
  { groups: 2 },
  { groups: 3 },
  { groups: 5 },
  { groups: 12 },
  { groups: 1, identities: 1, others: 1 },
  { identities: 1 },
  { identities: 3 },
  { identities: 1, bindings: 1 },
  { identities: 4, bindings: 6, together: true },
  {},
  { identities: 1, bindings: 1, above: true },
]

/** Deletes groups that hold something; then what they hold, and then the groups again. */
export async function askDeletes(driver: Driver): Promise<number> {
  const beside = await besideOverGrpc(driver)
  // the other protocol makes some, and tries to delete each
  const drivers = (at: number) => ({ driver, beside, maker: beside && at % 3 === 1 ? beside : driver })
  await Promise.all(fillings.map((filling, at) => deleteFilled(drivers(at), filling)))
  await driver.frame()
  return fillings.length
}

/** How many of each a group holds. */
type Filling = Partial<Record<'groups' | 'identities' | 'bindings' | 'others', number>> & {
  together?: true
  above?: true
}

/** Who reads and deletes, who deletes beside that, and who makes what the group holds. */
interface Drivers {
  driver: Driver
  beside: Driver | undefined
  maker: Driver
}

type Made = (Received | undefined)[]

/** A group, and what it holds. */
interface Filled {
  home: Received
  groups: Made
  identities: Made
  bindings: Made
  /** The kinds of the others, one of each. */
  offered: readonly PublishedKind[]
  others: Made
}

async function fill({ driver, maker }: Drivers, filling: Filling): Promise<Filled | undefined> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return undefined
  const most = { groups: 0, identities: 0, bindings: 0, others: 0, ...filling }
  const [groups, identities, bindings]: [Made, Made, Made] = [[], [], []]
  // every second one through the other version
  for (let made = 0; made < most.groups; made++)
    groups.push(
      (made + most.groups) % 2 > 0 && maker === driver ? await driver.groupByV1(home.uid) : await maker.group(home.uid),
    )
  const place = filling.above ? driver.scope : home.uid
  while (identities.length < most.identities) identities.push(await maker.identity(place))
  for (let at = 0; at < most.bindings; at++) bindings.push(await driver.binding(home.uid, identities[ownerOf(at)], at))
  const offered = most.others > 0 ? publishedKinds : []
  const others = await Promise.all(offered.map((kind) => driver.offered(kind, home.uid)))
  return { home, groups, identities, bindings, offered, others }
}

async function deleteFilled(drivers: Drivers, filling: Filling): Promise<void> {
  const { driver, beside } = drivers
  const filled = await fill(drivers, filling)
  if (filled === undefined) return
  const { home, groups } = filled
  const remove = () => driver.send(() => driver.api.groups.delete(home.uid))
  const look = () => driver.frame([...madeKinds, ...filled.offered], home.uid)
  // what was shown once is known everywhere (R52)
  await look()
  // what v1 deletes is gone in v2 as well
  if (groups.length % 2 === 0 || filled.offered.length > 0) await driver.send(() => driver.v1.delete(home.uid))
  if (beside) await beside.send(() => beside.api.groups.delete(home.uid))
  const first = await remove()
  // a repeated refusal is still a refusal
  for (let again = 0; again < 2 && first !== undefined && first.status > 299; again++) await remove()
  await look()
  if (first === undefined || first.status < 300) return
  const { together = false } = filling
  // the other protocol has to know what goes with an identity as well
  const by = together && beside ? beside : driver
  const removeEach = async (kind: KindName, all: Made) => {
    for (const [index, one] of all.entries()) {
      if (one) await by.send(() => by.api[kind].delete(one.uid))
      // a list decides whether its bindings went with it
      if (kind === 'identities' && together) await look()
      // the others still keep it
      if (index === 0 && all.length > 1) await remove()
    }
  }
  if (!together) await removeEach('roleBindings', filled.bindings)
  await removeEach('identities', filled.identities.toReversed())
  for (const [index, kind] of filled.offered.entries()) await changeAndDelete(driver, kind, filled.others[index])
  await removeEach('groups', groups)
  await remove()
  await driver.send(() => driver.api.groups.get(home.uid))
  await driver.send(() => driver.v1.get(home.uid))
}

/** Which identity has a binding, counted from 0: the first one, the next two, the next three. */
const ownerOf = (binding: number) => Math.floor((Math.sqrt(8 * binding + 1) - 1) / 2)
