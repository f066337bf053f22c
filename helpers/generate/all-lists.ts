import { ownKinds } from '../api/kinds.ts'
import type { Driver } from './driver.ts'
import { askLists, askNearMisses, askStrangeTokens } from './lists.ts'
import { makeWorld } from './world.ts'

/** How many sibling groups there are. */
const flockSize = 23

/** Asks for lists of every kind that the run makes, in a full world and in a flock of siblings; gives how many. */
export async function askAllLists(driver: Driver): Promise<number> {
  const world = await makeWorld(driver)
  const place = (index: number) => world.places[index]?.group.uid ?? driver.scope
  const { flock, twins } = await makeFlock(driver)
  const names = [world.shared.name, twins, driver.name()]
  let asked = 0
  for (const kind of ownKinds) {
    const isGroup = kind === 'groups'
    const scopes = [driver.scope, place(0), isGroup || kind === 'identities' ? flock : place(2)]
    const size = isGroup ? flockSize : kind === 'identities' ? 14 : kind === 'roleBindings' ? 7 : 3
    asked += await askLists(driver, { kind, scopes, names, size, strength: isGroup ? 3 : 2 })
  }
  await askNearMisses(driver, place(0), world.shared.name, ['groups', 'identities'])
  const lists = [
    { 'uidp.descendants_of': place(0) },
    ...[flock, driver.scope].map((uid) => ({ 'uidp.children_of': uid })),
  ]
  await askStrangeTokens(driver, lists, place(5), ['groups', 'identities', 'roleBindings'])
  return asked
}

/** How many of the siblings have one name, where the target lets them, and how many identities beside them. */
const twinsMade = 3

/**
 * Makes siblings, half of them with names alike for twenty letters and some with one name, and changes each; gives the
 * group above them and that name.
 */
async function makeFlock(driver: Driver): Promise<{ flock: string; twins: string }> {
  const home = (await driver.group(driver.scope))?.uid ?? driver.scope
  const [flock, twins] = [[] as Awaited<ReturnType<Driver['group']>>[], driver.name()]
  for (let made = 0; made < flockSize; made++) {
    const name = made % 2 === 0 ? driver.longName() : made < 2 * twinsMade ? twins : driver.name()
    flock.push((await driver.group(home, { name })) ?? (await driver.group(home)))
  }
  for (const each of flock)
    if (each) await driver.send(() => driver.api.groups.update(each.uid, { description: `of ${each.name}` }))
  for (let made = 0; made < twinsMade; made++) await driver.identity(home, { name: twins })
  return { flock: home, twins }
}
