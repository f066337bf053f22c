import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { update, identity as updateIdentity } from '../world.ts'
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
  const all = [...long.flatMap((text) => [text, text]), ...descriptions]
  await inParallel([...all.entries()], atOnce, async ([at, description]) => {
    const ways = [
      () => driver.group(scope, { description }),
      () => updateIdentity(driver, identity?.uid, { description }),
      () => update(driver, group?.uid, { description }),
      () => driver.identity(scope, { description }),
    ]
    await ways[at % ways.length]!()
  })
  // every second one, and every second of these as the new name of something that exists
  await inParallel([...badNames.filter((_, at) => at % 2 === 0).entries()], atOnce, async ([at, bad]) => {
    const name = bad === '' ? bad : `${driver.name()}${bad}`
    if (at % 2 === 0) await driver.send(() => driver.api.groups.create(scope, { name, description: driver.name() }))
    else await update(driver, group?.uid, { name })
  })
  await driver.frame()
  return all.length + badNames.length
}
