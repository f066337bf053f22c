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
  const flock = await makeFlock(driver)
  const names = [world.shared.name, String(world.places[3]?.group.name), driver.name()]
  let asked = 0
  for (const kind of ownKinds) {
    const isGroup = kind === 'groups'
    const scopes = [driver.scope, place(0), isGroup ? flock : place(2)]
    const size = isGroup ? flockSize : kind === 'identities' ? 14 : kind === 'roleBindings' ? 7 : 3
    asked += await askLists(driver, { kind, scopes, names, size, strength: isGroup ? 3 : 2 })
  }
  await askNearMisses(driver, place(0), world.shared.name, ['groups', 'identities'])
  await askStrangeTokens(driver, place(0), place(5), ['groups', 'identities', 'roleBindings'])
  return asked
}

/** Makes siblings, half of them with names alike for twenty letters, and changes each; gives the group above them. */
async function makeFlock(driver: Driver): Promise<string> {
  const home = (await driver.group(driver.scope))?.uid ?? driver.scope
  const flock = []
  for (let made = 0; made < flockSize; made++)
    flock.push(await driver.group(home, made % 2 === 0 ? { name: driver.longName() } : {}))
  for (const each of flock)
    if (each) await driver.send(() => driver.api.groups.update(each.uid, { description: `of ${each.name}` }))
  return home
}
