import { kinds, madeKinds, publishedKinds } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { emptyAndDelete, makeSome, makeWorld, type Place, update, updateIdentity, type World } from '../world.ts'
import { ownOrders } from './queries.ts'

/** How many calls are sent at once. */
const atOnce = 16

/** Deleted things of each kind. */
type Gone = readonly { kind: 'groups' | 'identities' | 'roleBindings'; uid: string }[]

/** Makes and deletes one of each kind: days later it is still gone (R28). */
export async function deleteSome(driver: Driver): Promise<Gone> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return []
  const [group, owner] = [await driver.group(home.uid), await driver.identity(home.uid)]
  const made = { roleBindings: await driver.binding(home.uid, owner), identities: owner, groups: group }
  const gone = Object.entries(made).flatMap(([kind, one]) =>
    one ? [{ kind: kind as Gone[number]['kind'], uid: one.uid }] : [],
  )
  for (const { kind, uid } of gone) await driver.send(() => driver.api[kind].delete(uid))
  return gone
}

/** Gives a group and its identity another description. */
export const describeAgain = (driver: Driver, place: Place | undefined) => {
  if (place === undefined) return []
  const description = `since then ${driver.name()}`
  return [
    update(driver, place.group.uid, { description }),
    updateIdentity(driver, place.identity?.uid, { description }),
  ]
}

/** Changes and deletes what is days old: it may be stored elsewhere by then. */
export async function changeOld(
  driver: Driver,
  { root, child, grandchild, otherRoot, offered }: World,
  gone: Gone,
): Promise<void> {
  const { api } = driver
  await Promise.all(gone.map(({ kind, uid }) => driver.send(() => api[kind].get(uid))))
  const [name, claimMatch] = [driver.name(), { issuer: 'https://issuer.example/old', subject: driver.name() }]
  await update(driver, root?.group.uid, { name })
  await update(driver, child?.group.uid, { name: 'left out', description: name }, 'description')
  await updateIdentity(driver, root?.identity?.uid, { name })
  await updateIdentity(driver, child?.identity?.uid, { name: 'left out', description: name }, 'description')
  await updateIdentity(driver, grandchild?.identity?.uid, { claimMatch })
  if (grandchild) await driver.binding(grandchild.group.uid, grandchild.identity, 3)
  for (const kind of publishedKinds) {
    const one = kinds[kind].described ? offered[kind]?.at(-1) : undefined
    if (one) await driver.send(() => driver.api[kind].update(one.uid, { description: `old ${name}` }))
    const other = offered[kind]?.[1]
    if (other) await driver.send(() => driver.api[kind].delete(other.uid))
  }
  const bound = root?.binding
  const roleUid = (await driver.roles())[3]?.uid
  if (bound && roleUid) await driver.send(() => api.roleBindings.update(bound.uid, { roleUid }))
  const replaced = driver.name()
  if (grandchild) await driver.send(() => driver.v1.replace(grandchild.group.uid, { name: replaced }))
  if (root) {
    await driver.binding(root.group.uid, root.identity, 2)
    const added = await driver.group(root.group.uid)
    await driver.binding(root.group.uid, await driver.identity(root.group.uid))
    if (added) await makeSome(driver, added)
  }
  if (child?.binding) {
    await driver.send(() => api.roleBindings.delete(child.binding!.uid))
    await driver.binding(child.group.uid, child.identity, 1)
  }
  for (const place of [root, child, grandchild]) if (place) await driver.send(() => api.groups.get(place.group.uid))
  const oldRoot = otherRoot?.group
  if (oldRoot) {
    await emptyAndDelete(driver, oldRoot.uid)
    await driver.send(() => api.groups.get(oldRoot.uid))
    await driver.group(driver.homeOf(oldRoot, 'groups'), { name: oldRoot.name })
  }
  // something new beside what is old
  await makeWorld(driver, 2)
  const names = [name, root?.group.name, replaced, grandchild?.group.name, oldRoot?.name].map(String)
  const named = names.map((each) => ({
    kind: 'groups' as const,
    query: { ...descendantsOf(driver.scope), name: each },
  }))
  await inParallel([...ownOrders(driver.scope), ...named], atOnce, ({ kind, query }) => driver.list(kind, query))
  await driver.frame(publishedKinds)
}

/** Groups that hold nothing for days: one that never did, and one whose child is gone. */
export async function makeIdle(driver: Driver): Promise<Received[]> {
  const made = [await driver.group(driver.scope), await driver.group(driver.scope)].filter((one) => one !== undefined)
  const child = made[1] && (await driver.group(made[1].uid))
  if (child) await driver.send(() => driver.api.groups.delete(child.uid))
  return made
}

/** Changes and deletes what is days old through v1 and over gRPC, too (S1.5, S9.1, R28, R30). */
export async function writeElsewhere(
  driver: Driver,
  beside: Driver | undefined,
  world: World,
  [empty, emptied]: readonly Received[],
): Promise<void> {
  const { leaf: old } = world
  if (empty) await driver.send(() => driver.v1.delete(empty.uid))
  if (emptied) await driver.send(() => driver.api.groups.delete(emptied.uid))
  if (beside && old) {
    await update(beside, old.group.uid, { description: `old ${driver.name()}` })
    if (old.binding) await beside.send(() => beside.api.roleBindings.delete(old.binding!.uid))
    // its identity would take it along
    await driver.children('roleBindings', old.group.uid)
    await driver.run.model.settled()
    if (old.identity) await beside.send(() => beside.api.identities.delete(old.identity!.uid))
  }
  await driver.frame()
  await writeInOld(driver, beside ?? driver, world)
}

/** Writes in a group that is days old and on what lives there, each call in another way than `changeOld` (S1.5, S9.1, R28). */
async function writeInOld(driver: Driver, beside: Driver, { deep, deepest, offered }: World): Promise<void> {
  if (deep === undefined || deepest === undefined) return
  const [home, name] = [deep.group.uid, driver.name()]
  const roleUid = (await driver.roles())[2]?.uid
  await Promise.all([
    driver.groupByV1(home),
    beside.identity(home),
    beside.binding(home, deep.identity, 3),
    updateIdentity(beside, deep.identity?.uid, { description: `old over gRPC ${name}` }),
    deep.binding && beside.send(() => beside.api.roleBindings.update(deep.binding!.uid, { roleUid })),
    update(driver, deepest.group.uid, { name: driver.name() }, 'name'),
    updateIdentity(driver, deepest.identity?.uid, { name }),
    ...(offered.identityProviders ?? [])
      .slice(-1)
      .map(({ uid }) => driver.send(() => driver.api.identityProviders.update(uid, { name: driver.name() }))),
  ])
  await driver.frame([...madeKinds, 'identityProviders'])
  await driver.list('identities', { ...descendantsOf(driver.scope), name })
  await driver.send(() => driver.v1.replace(home, { name: driver.name() }))
  await driver.send(() => driver.api.groups.get(home))
  // it is still full (S7.6)
  await driver.send(() => driver.v1.delete(home))
  await beside.send(() => beside.api.groups.delete(home))
  await driver.frame()
}
