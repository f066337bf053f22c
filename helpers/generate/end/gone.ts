import { madeKinds } from '../../api/kinds.ts'
import type { Driver } from '../driver.ts'
import { update, updateIdentity } from '../world.ts'

/** What is certain about a time after everything. */
const atLast = Number.POSITIVE_INFINITY

/** Reads and writes the first thing of each kind that was deleted: both protocols refuse with one code (R38, R60). */
export async function askGone(driver: Driver): Promise<void> {
  const { state } = driver.run.model.hearing.judge
  const [group, identity, binding] = madeKinds.map(
    (kind) => state.made(kind).find(({ alive }) => alive.certain(atLast, atLast)?.value === false)?.uid,
  )
  const { api } = driver
  await update(driver, group, { description: driver.name() })
  await updateIdentity(driver, identity, { description: driver.name() })
  if (group) await driver.group(group)
  if (group) await driver.identity(group)
  if (group) await driver.send(() => api.groups.get(group))
  if (identity) await driver.send(() => api.identities.get(identity))
  if (identity) await bindGone(driver, identity)
  if (binding === undefined) return
  await driver.send(() => api.roleBindings.get(binding))
  const roleUid = await driver.anyRole()
  await driver.send(() => api.roleBindings.update(binding, { roleUid }))
}

/** Binds a deleted identity, in a new role binding and in one that there is (R38). */
async function bindGone(driver: Driver, identityUid: string): Promise<void> {
  const home = await driver.group(driver.scope)
  const bound = home && (await driver.binding(home.uid, await driver.identity(home.uid)))
  if (home === undefined || bound === undefined) return
  await driver.binding(home.uid, { uid: identityUid })
  await driver.send(() => driver.api.roleBindings.update(bound.uid, { identityUid }))
}
