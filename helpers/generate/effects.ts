import { publishedKinds } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Answer } from '../http/call.ts'
import type { Driver } from './driver.ts'
import { corners } from './steps/corners.ts'
import { ownedMembers } from './steps/owned-members.ts'
import { bindAgain, type Command, emptied, identity, makeWorld, type Place, update, type World } from './world.ts'

/** No call may wait for what was refused, so each command needs no other. */
const commands: readonly Command[] = [
  (to, { places }) => update(to, places[2]?.group.uid, { name: to.name() }),
  (to, { places }) => update(to, places[4]?.group.uid, { description: `new ${to.name()}` }),
  (to, { places }) =>
    update(to, places[1]?.group.uid, { name: to.name(), description: `left out ${to.name()}` }, 'name'),
  (to, { places }) =>
    update(to, places[3]?.group.uid, { name: to.name(), description: `masked ${to.name()}` }, 'description'),
  (to, { places }) => update(to, places[4]?.group.uid, { description: '' }, 'description'),
  (to, { places }) => update(to, places[0]?.group.uid, { name: to.name(), description: `both ${to.name()}` }),
  (to, { places, shared }) => update(to, places[5]?.group.uid, { name: shared.name }),
  // what a mask leaves out is ignored, an empty text as well (R31)
  (to, { places }) => update(to, places[5]?.group.uid, { name: to.name(), description: '' }, 'name'),
  (to, { places }) => update(to, places[5]?.group.uid, { name: '', description: to.name() }, 'description'),
  (to, { places }) => identity(to, places[5]?.identity?.uid, { name: to.name(), description: '' }, 'name'),
  (to, { places }) => identity(to, places[5]?.identity?.uid, { name: '', description: to.name() }, 'description'),
  (to, { places }) => update(to, places[1]?.group.uid, { description: String(places[1]?.group.description) }),
  (to, { places }) => update(to, places[0]?.group.uid, { name: `Bad/${to.name()}`, description: `bad ${to.name()}` }),
  (to, { places }) =>
    update(
      to,
      places[0]?.group.uid,
      { uid: places[1]?.group.uid, verified: true, createTime: '2020-01-01T00:00:00Z', name: to.name() },
      'name',
    ),
  (to, { places }) => update(to, places[0]?.group.uid, { name: 'left out', colour: 'x' }, 'colour'),
  (to, { places }) => to.send(() => to.api.groups.update(places[0]!.group.uid, [])),
  (to, { places }) => to.send(() => to.api.groups.update(places[0]!.group.uid, { raw: '{"name": "cut' })),
  (to, { places }) => update(to, places[0]?.group.uid, {}),
  // what a mask does not list is ignored, a bad value or not (R31)
  (to, { places }) =>
    update(to, places[1]?.group.uid, { name: `Bad@${to.name()}`, description: `masked ${to.name()}` }, 'description'),
  (to, { places }) => update(to, places[3]?.group.uid, { name: '', description: `masked ${to.name()}` }, 'description'),
  (to, { places }) =>
    update(to, places[2]?.group.uid, { name: to.name(), description: 'x'.repeat(300), verified: true }, 'name'),
  // near a uid nothing is there (R38)
  (to, { places }) => update(to, places[1]?.group.uid.slice(0, -1), { name: to.name() }),
  (to, { places }) => update(to, `${places[1]?.group.uid}0`, { description: to.name() }),
  (to, { places }) => to.send(() => to.api.groups.get(places[1]!.group.uid.slice(0, -1))),
  (to, { places }) => to.send(() => to.api.groups.create(places[1]!.group.uid.slice(0, -1), { name: to.name() })),
  (to, { places }) => identity(to, places[4]?.identity?.uid.slice(0, -1), { name: to.name() }),
  async (to, { places }) => {
    const { uid } = places[3]!.group
    for (let times = 0; times < 2; times++) await update(to, uid, { name: to.name() })
    await to.group(uid)
    await to.children('groups', uid)
  },
  // what is not of the kind that the path names is not there (R38)
  (to, { places }) => update(to, places[0]?.identity?.uid, { name: to.name() }),
  (to, { places }) => to.send(() => to.api.identities.update(places[0]!.group.uid, { name: to.name() })),
  (to, { places }) => to.send(() => to.api.identities.delete(places[3]!.group.uid)),
  (to, { places }) => to.send(() => to.api.groups.delete(places[3]!.identity!.uid)),
  (to, { places }) => to.send(() => to.api.groups.create(places[0]!.identity!.uid, { name: to.name() })),
  (to, { places }) =>
    to.send(() => to.api.groups.create(`${places[0]!.group.uid}/00000000000000aa`, { name: to.name() })),
  (to, { places }) => to.group(places[3]!.group.uid, { name: `Bad@${to.name()}` }),
  async (to, { places }) => {
    const [{ uid: home }, name] = [places[3]!.group, to.name()]
    const first = await to.group(home, { name })
    if (first) await to.send(() => to.api.groups.delete(first.uid))
    await to.list('groups', { ...childrenOf(home), name })
    await to.group(home, { name })
    for (const scope of [childrenOf(home), descendantsOf(home)]) await to.list('groups', { ...scope, name })
  },
  (to, { places }) => to.send(() => to.api.groups.create(places[3]!.group.uid, {})),
  (to, { places }) => to.send(() => to.api.groups.create(places[3]!.group.uid, { raw: `{"name": "${to.name()}"` })),
  (to, { places, shared }) => to.group(places[3]!.group.uid, { name: shared.name, description: shared.description }),
  (to, { places }) => to.group(places[6]!.group.uid, { name: to.name(), uid: places[0]!.group.uid, verified: true }),
  (to, { places }) => to.send(() => to.api.groups.delete(places[0]!.group.uid)),
  (to, { places }) => to.send(() => to.api.groups.delete(places[4]!.group.uid)),
  (to, { places }) => identity(to, places[0]?.identity?.uid, { name: to.name() }),
  (to, { places }) => identity(to, places[1]?.identity?.uid, { description: `new ${to.name()}` }),
  (to, { places }) =>
    identity(to, places[2]?.identity?.uid, { name: to.name(), description: `left out ${to.name()}` }, 'name'),
  (to, { places, shared }) =>
    identity(to, places[1]?.identity?.uid, { claimMatch: { issuer: shared.issuer, subject: `subject-${to.name()}` } }),
  (to, { places }) => identity(to, places[0]?.identity?.uid, { description: '' }, 'description'),
  // one that stays bound
  (to, { places, shared }) =>
    identity(to, places[4]?.identity?.uid, { claimMatch: { issuer: shared.issuer, subject: `subject-${to.name()}` } }),
  (to, { places }) => to.identity(places[0]!.group.uid, { name: undefined }),
  (to, { places }) => bindAgain(to, places[0]?.group.uid, places[0]?.identity?.uid),
  (to, { places }) => bindAgain(to, places[1]?.group.uid, places[0]?.identity?.uid),
  async (to, { places }) => {
    const bind = (place?: Place) => to.binding(place!.group.uid, places[0]?.identity, 1)
    const above = await bind(places[0])
    for (const place of [places[1], places[3]]) await bind(place)
    if (above) await to.send(() => to.api.roleBindings.delete(above.uid))
  },
  (to, { places }) => bindAgain(to, places[3]?.group.uid, `${places[3]?.group.uid}/00000000000000ab`),
  (to, { places }) =>
    to.send(() =>
      to.api.roleBindings.create(places[3]!.group.uid, {
        identityUid: places[3]!.identity!.uid,
        roleUid: 'ff'.repeat(20),
      }),
    ),
  async (to, { places }) => {
    const { identity, role, uid } = places[2]!.binding as {
      identity?: { uid?: string }
      role?: { uid?: string }
      uid: string
    }
    const same = { identityUid: identity?.uid, roleUid: role?.uid }
    await to.send(() => to.api.roleBindings.update(uid, same))
  },
  (to, { places }) => to.send(() => to.api.roleBindings.delete(places[1]!.binding!.uid)),
  (to, { places }) => to.send(() => to.api.roleBindings.delete(places[1]!.binding!.uid)),
  (to, { places }) => to.send(() => to.api.identities.delete(places[1]!.identity!.uid)),
  (to, { places }) => to.send(() => to.api.identities.delete(places[2]!.identity!.uid)),
  async (to, { places }) => {
    const place = places[6]!
    if (place.binding) await to.send(() => to.api.roleBindings.delete(place.binding!.uid))
    if (place.identity) await to.send(() => to.api.identities.delete(place.identity!.uid))
    await emptied(to, place.group.uid)
  },
  (to, { places }) => to.send(() => to.api.groups.get(places[6]!.group.uid)),
  (to, { places }) => to.send(() => to.api.groups.update(places[6]!.group.uid, { name: to.name() })),
  (to, { places }) => to.send(() => to.api.groups.create(places[6]!.group.uid, { name: to.name() })),
  (to, { places }) => to.identity(places[6]!.group.uid),
  (to, { places }) => to.binding(places[6]!.group.uid, places[4]!.identity),
  (to, { places }) => to.group(places[4]!.group.uid, { name: String(places[6]!.group.name) }),
  (to, { places }) =>
    to.send(() => to.v1.replace(places[5]!.group.uid, { name: to.name(), description: `by v1 ${to.name()}` })),
  async (to, { places }) => {
    const [{ uid }, name] = [places[3]!.group, to.name()]
    await to.send(() => to.v1.replace(uid, { name }))
    await to.send(() => to.api.groups.get(uid))
    await to.askNames(6)
  },
  (to, { places }) =>
    to.send(() => to.v1.replace(places[3]!.group.uid, { name: `Bad@${to.name()}`, description: `bad ${to.name()}` })),
  (to, { places }) => to.send(() => to.v1.get(places[3]!.group.uid)),
  (to, { places }) =>
    to.send(() => to.v1.create(places[3]!.group.uid, { name: to.name(), description: `by v1 ${to.name()}` })),
]

/**
 * What a group may hold when it is deleted: so many groups, identities, bindings and others of each kind (S7.6, R30). The
 * first identity has the first binding, the second two more, and so on. Those `together` go with their identity.
 */
const fillings = [
  { groups: 1 },
  { groups: 2 },
  { groups: 3 },
  { groups: 5 },
  { groups: 12 },
  { groups: 1, identities: 1, others: 1 },
  { identities: 1 },
  { identities: 1, bindings: 1 },
  { identities: 4, bindings: 6, together: 1 },
  {},
] as const

/** Deletes groups that hold something; then what they hold, and the groups once more. */
export async function askDeletes(driver: Driver): Promise<number> {
  await Promise.all(fillings.map((filling) => deleteFilled(driver, filling)))
  await driver.frame()
  return fillings.length
}

async function deleteFilled(driver: Driver, filling: Partial<Record<string, number>>): Promise<void> {
  const { groups = 0, identities = 0, bindings = 0, others = 0, together = 0 } = filling
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  const inner = []
  // every second one by the other version
  for (let made = 0; made < groups; made++)
    inner.push((made + groups) % 2 > 0 ? await driver.groupByV1(home.uid) : await driver.group(home.uid))
  const [owners, bound] = [[] as (Received | undefined)[], [] as (Received | undefined)[]]
  while (owners.length < identities) owners.push(await driver.identity(home.uid))
  for (let at = 0; at < bindings; at++) bound.push(await driver.binding(home.uid, owners[ownerOf(at)], at))
  const offered = others > 0 ? publishedKinds : []
  const beside = await Promise.all(offered.map((kind) => driver.offered(kind, home.uid)))
  const remove = () => driver.send(() => driver.api.groups.delete(home.uid))
  const look = () => driver.frame([...everything, ...offered], home.uid)
  // what was shown is known everywhere (R52)
  await look()
  const first = await remove()
  // a refusal that is asked for again is a refusal
  for (let again = 0; again < 2 && first !== undefined && first.status > 299; again++) await remove()
  await look()
  if (first === undefined || first.status < 300) return
  for (const binding of together > 0 ? [] : bound)
    if (binding) await driver.send(() => driver.api.roleBindings.delete(binding.uid))
  for (const owner of owners.toReversed()) {
    if (owner) await driver.send(() => driver.api.identities.delete(owner.uid))
    // whether its bindings went with it is open until a list shows it
    if (together > 0) await look()
  }
  for (const [index, kind] of offered.entries()) {
    const uid = beside[index]?.uid
    if (uid !== undefined) await driver.send(() => driver.api[kind].delete(uid))
  }
  for (const child of inner) if (child) await driver.send(() => driver.api.groups.delete(child.uid))
  await remove()
  await driver.send(() => driver.api.groups.get(home.uid))
  await driver.send(() => driver.v1.get(home.uid))
}

/** Which identity has a binding, counted from 0: one, two more, three more. */
const ownerOf = (binding: number) => Math.floor((Math.sqrt(8 * binding + 1) - 1) / 2)

const everything = ['groups', 'identities', 'roleBindings'] as const

/** Sends commands to a full world, and reads everything after each; gives how many. */
async function askEach(driver: Driver, world: World, all: readonly Command[]): Promise<number> {
  await driver.frame(everything)
  for (const command of all) {
    await driver.send(async () => (await command(driver, world)) as Answer)
    await driver.frame(everything)
  }
  return all.length
}

/** Does everything once that changes one thing in a full world; gives how many commands that takes. */
export async function askEffects(driver: Driver): Promise<number> {
  const world = await makeWorld(driver)
  const asked = await askEach(driver, world, commands)
  for (const kind of publishedKinds) {
    const [one, other] = world.offered[kind] ?? []
    if (one && kind !== 'groupInvites')
      await driver.send(() => driver.api[kind].update(one.uid, { description: `new ${driver.name()}` }))
    if (other) await driver.send(() => driver.api[kind].delete(other.uid))
    await driver.frame([...everything, kind])
  }
  await walkAll(driver)
  return asked
}

/** Sends the commands that combine to a full world; gives how many. */
export async function askCorners(driver: Driver): Promise<number> {
  const asked = await askEach(driver, await makeWorld(driver), [...corners, ...ownedMembers])
  await walkAll(driver)
  return asked
}

/** What later pages embed and show may be kept elsewhere. */
async function walkAll(driver: Driver): Promise<void> {
  for (const kind of everything) await driver.walk(kind, { ...descendantsOf(driver.scope), page_size: 4 })
}
