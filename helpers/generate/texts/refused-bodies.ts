import type { Received } from '../../api/received.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { update } from '../world.ts'
import { malformed, twofold } from './bodies.ts'
import { badNames } from './samples.ts'

/** How many calls are sent at once. */
const atOnce = 8

/** Creates and renames with each bad name, in v2 and v1, with a mask and without (S2.6, R3, R4). */
export async function askBadNames(driver: Driver, target: Received): Promise<void> {
  const { scope, api } = driver
  let turn = 0
  await inParallel(badNames, atOnce, async (bad) => {
    const at = turn++
    const description = `beside a bad name ${driver.name()}`
    const body = { name: padded(bad, driver, at), description }
    await driver.send(() => api.groups.create(scope, body))
    // one that was refused may have been reserved
    if (at % 4 === 0) await driver.send(() => api.groups.create(scope, body))
    // without a mask and with one in turn, and in another length than the create
    const name = padded(bad, driver, at + 7)
    await update(driver, target.uid, at % 2 === 0 ? { name } : { name, description: 'x' }, ['name', undefined][at % 2])
    // and in v1, where every second one is a new group
    const other = padded(bad, driver, at + 3)
    if (at % 2 === 0) await driver.send(() => driver.v1.create(scope, { name: other, description }))
    else await driver.send(() => driver.v1.replace(target.uid, { name: other, description }))
  })
  await askOwnName(driver, target)
}

/** Creates and updates with bodies that are not JSON, that have two names, or a name of another type (R37). */
export async function askBadBodies(driver: Driver, target: Received): Promise<void> {
  const { scope, api } = driver
  await inParallel(malformed, atOnce, async (write) => {
    await driver.send(() => api.groups.create(scope, { raw: write(driver.name()) }))
    await driver.send(() => api.groups.update(target.uid, { raw: write(driver.name()) }))
  })
  await Promise.all(
    twofold.map(async (write) => {
      await driver.send(() => api.groups.create(scope, { raw: write(driver.name()) }))
      const group = await driver.group(scope)
      if (group) await driver.send(() => api.groups.update(group.uid, { raw: write(driver.name()) }))
    }),
  )
  for (const name of [null, 7, ['a'], {}, true]) await driver.send(() => api.groups.create(scope, { name }))
  // an identity may have any name, but has one (S2.10)
  for (const name of ['', null]) await driver.identity(scope, { name })
  // a name that only the prototype of an object has is none
  await driver.send(() => api.groups.create(scope, { raw: `{"__proto__": {"name": "${driver.name()}"}}` }))
  // no bytes change nothing (R37)
  await driver.send(() => api.groups.update(target.uid, { raw: '' }))
  // an array holds nothing that a create needs
  const [name, owner, [role]] = [driver.name(), await driver.identity(scope), await driver.roles()]
  const claimMatch = { issuer: `https://issuer.example/${name}`, subject: name }
  const bound = { identityUid: owner?.uid, roleUid: role?.uid }
  await driver.send(() => api.identities.create(scope, { raw: JSON.stringify([{ name, claimMatch }]) }))
  await driver.send(() => api.roleBindings.create(scope, { raw: JSON.stringify([bound]) }))
}

/** Lengths of bad names: around the sizes at which a buffer, a column or a check may end. */
const badLengths = [0, 31, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000]

/** A name with one bad character among good ones: first, in the middle or last, each length at each place in turn. */
function padded(bad: string, driver: Driver, turn: number): string {
  if (bad === '') return bad
  const [good, length] = [driver.name(), badLengths[turn % badLengths.length]!]
  const room = Math.max(good.length, length - bad.length)
  const before = [0, Math.floor(room / 2), room][(turn + Math.floor(turn / badLengths.length)) % 3]!
  const text = good.padEnd(room, 'x')
  return text.slice(0, before) + bad + text.slice(before)
}

/** Renames a group to bad names close to its own: a weak comparison sees no change to check (R4). */
async function askOwnName(driver: Driver, { uid, name: own }: Received): Promise<void> {
  const name = String(own)
  const accented = name.replace(/[eiou]/, (letter) => `${letter}\u0301`)
  const near = [
    name.toUpperCase(), name.slice(0, 1).toUpperCase() + name.slice(1), name.slice(0, -1) + name.slice(-1).toUpperCase(), `${name}\n`,
    `${name}\u00a0`, `${name}\u0000`, accented, accented.normalize('NFC'),
  ] // biome-ignore format: a table
  for (const [at, bad] of near.entries()) {
    const beside = at % 2 === 0 ? {} : { description: 'as it was' }
    await update(driver, uid, { name: bad, ...beside })
    await update(driver, uid, { name: bad, ...beside }, 'name')
  }
  // v1 may have a regex of its own, and one that takes a line break at the end
  for (const bad of [name.toUpperCase(), `${name}\n`, `\n${name}`]) {
    await driver.send(() => driver.v1.replace(uid, { name: bad }))
    await driver.send(() => driver.v1.create(driver.scope, { name: bad }))
  }
  for (const blank of [` ${name}`, `${name} `]) await update(driver, uid, { name: blank })
  await driver.group(driver.scope, { name: name.toUpperCase() })
}
