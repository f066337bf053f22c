import type { KindName } from '../../api/kinds.ts'
import type { Received } from '../../api/received.ts'
import { childrenOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { make, update, updateIdentity } from '../world.ts'
import { askDoors } from './doors.ts'
import { askKin } from './kin.ts'

/** How many resources live side by side. */
const atOnce = 4

/**
 * Writes through each protocol and version, and reads through every driver: what one of them keeps may be unknown to the
 * other (S1.5, R28, R60). Returns how many lives.
 */
export async function writeOverBoth(overHttp: Driver, overGrpc: Driver): Promise<number> {
  const drivers = [overHttp, overGrpc]
  const lives = [
    () => askDoors(overHttp, overGrpc),
    () => askKin(overHttp, overGrpc),
    () => refusedAlike(drivers, overHttp),
    () => keepsAcross(drivers, overHttp, overGrpc),
    () => keepsAcross(drivers, overGrpc, overHttp),
    ...drivers.flatMap((driver) =>
      (['groups', 'identities'] as const).map((kind) => () => unusual(drivers, driver, kind)),
    ),
  ]
  await inParallel(lives, atOnce, (each) => each())
  return lives.length
}

/** Long texts, and letters beyond ASCII, which one protocol may cut or replace. */
async function unusual(drivers: readonly Driver[], driver: Driver, kind: 'groups' | 'identities'): Promise<void> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  const [letters, name] = ['ünï 日本 🙂', driver.name()]
  const subject = `${letters} ${name}`
  const bodies = [
    { name, description: subject, claimMatch: { issuer: `https://issuer.example/${name}`, subject } },
    { name: driver.name().padEnd(200, 'x'), description: 'é'.repeat(700) },
    ...(kind === 'identities' ? [withLongClaims(driver.name())] : []),
  ]
  for (const { claimMatch, ...body } of bodies) {
    const made = await make(driver, kind, home.uid, kind === 'groups' || !claimMatch ? body : { ...body, claimMatch })
    if (made) await readAll(drivers, kind, home.uid, made.uid)
  }
}

/** Claims that may be longer than a column. */
const withLongClaims = (name: string) => ({
  name,
  description: `long ${name}`,
  claimMatch: { issuer: `https://issuer.example/${name}`.padEnd(140, 'i'), subject: name.padEnd(300, 's') },
})

/** Sends what both protocols refuse for one reason, which gives one code (R60). */
async function refusedAlike(drivers: readonly Driver[], overHttp: Driver): Promise<void> {
  const home = await overHttp.group(overHttp.scope)
  const owner = home && (await overHttp.identity(home.uid))
  const roleUid = await overHttp.anyRole()
  if (home === undefined || owner === undefined || roleUid === undefined) return
  for (const to of drivers) {
    const { roleBindings } = to.api
    await update(to, home.uid, { name: `Bad@${to.name()}` }, 'name')
    await updateIdentity(to, owner.uid, { claimMatch: { issuer: 'https://issuer.example/alike' } })
    await to.identity(home.uid, { claimMatch: undefined })
    await to.send(() => roleBindings.create(home.uid, { roleUid }))
    await to.send(() => roleBindings.create(home.uid, { identityUid: owner.uid }))
  }
}

/** A group keeps what the other protocol made in it, and once deleted takes nothing over either (S7.6, R28, R38). */
async function keepsAcross(drivers: readonly Driver[], driver: Driver, other: Driver): Promise<void> {
  const group = await driver.group(driver.scope)
  const child = group && (await other.group(group.uid))
  if (group === undefined || child === undefined) return
  const remove = (to: Driver, { uid }: Received) => to.send(() => to.api.groups.delete(uid))
  await readAll(drivers, 'groups', group.uid, child.uid)
  await remove(driver, group)
  await remove(other, child)
  await remove(driver, group)
  for (const to of [other, driver]) await to.group(group.uid)
}

/** Reads one resource over both protocols: each alone, then the lists. */
async function readAll(drivers: readonly Driver[], kind: KindName, home: string, uid: string): Promise<void> {
  const [overHttp] = drivers
  await Promise.all([
    ...drivers.map((driver) => driver.send(() => driver.api[kind].get(uid))),
    ...(kind === 'groups' && overHttp ? [overHttp.send(() => overHttp.v1.get(uid))] : []),
  ])
  await Promise.all(drivers.map((driver) => driver.list(kind, { ...childrenOf(home), page_size: 200 })))
  // what lags is read again before it changes once more
  await overHttp?.run.model.settled()
}
