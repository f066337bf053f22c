import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { update, updateIdentity } from '../world.ts'
import { badNames, descriptions } from './samples.ts'

/** Lengths of descriptions that may be refused, and are kept as sent if accepted (R6). */
const lengths = [65, 129, 257]

/** How many texts are sent at once. */
const atOnce = 4

/**
 * Sends odd texts through the codec of another protocol, to a group and an identity in turn, in a Create and in an
 * Update; returns how many.
 */
export async function askTexts(driver: Driver): Promise<number> {
  const { scope } = driver
  const [group, identity] = await Promise.all([driver.group(scope), driver.identity(scope)])
  const long = lengths.map((length) => `${`${driver.name()}-`.padEnd(length - 1, 'x')}z`)
  const ways = [
    (description: string) => driver.group(scope, { description }),
    (description: string) => updateIdentity(driver, identity?.uid, { description }),
    (description: string) => update(driver, group?.uid, { description }),
    (description: string) => driver.identity(scope, { description }),
    (description: string) => update(driver, group?.uid, { description }, 'description'),
    (description: string) => updateIdentity(driver, identity?.uid, { description }, 'description'),
  ]
  const all = [
    ...long.flatMap((text) => ways.map((way) => ({ text, way }))),
    // to a kind each
    ...[0, 3].flatMap((turn) => descriptions.map((text, at) => ({ text, way: ways[(at + turn) % ways.length]! }))),
  ]
  await inParallel(all, atOnce, ({ text, way }) => way(text))
  // every second one, and every second of these as the new name of something that exists
  await inParallel([...badNames.filter((_, at) => at % 2 === 0).entries()], atOnce, async ([at, bad]) => {
    const name = bad === '' ? bad : `${driver.name()}${bad}`
    if (at % 2 === 0) await driver.send(() => driver.api.groups.create(scope, { name, description: driver.name() }))
    else await update(driver, group?.uid, { name })
  })
  await driver.frame()
  return all.length + badNames.length
}
