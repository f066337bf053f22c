import { coveringOrders } from '../covering.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { update } from '../world.ts'
import { familyEvents, happenToFamily, versionsOf } from './families.ts'
import { askHouseholds } from './households.ts'
import { happenToOwner, ownerEvents } from './owners.ts'

/** How many families live at once. */
const atOnce = 16

/** The most orders of an identity's events: of any three, most follow each other in every order. */
const mostOrders = 5

/**
 * Makes all events happen to families and identities, in orders where any three follow each other; returns how many.
 */
export async function askSequences(driver: Driver): Promise<number> {
  const orders = coveringOrders(familyEvents.length, driver.draw)
  const others = coveringOrders(ownerEvents.length, driver.draw).slice(0, mostOrders)
  const lives = [
    ...others.map((order, at) => () => happenToOwner(driver, order, at)),
    () => changeOften(driver),
    ...orders.map((order, at) => () => happenToFamily(driver, order, versionsOf(at))),
  ]
  await inParallel(lives, atOnce, (live) => live())
  await askHouseholds(driver)
  return orders.length * familyEvents.length + others.length * ownerEvents.length
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
