import type { Driver } from '../driver.ts'
import { updateIdentity } from '../world.ts'
import { type Good, inTime } from './opened.ts'

/**
 * Makes, changes, deletes and makes again an identity, each by the other protocol than the step before: the exchange knows
 * what both wrote (R41, R60).
 */
export async function askCrossed(drivers: readonly Driver[], issuer: string, good: Good): Promise<void> {
  await Promise.all(drivers.map((to, at) => live([to, ...drivers.toSpliced(at, 1)], issuer, good)))
}

async function live([to, other]: readonly Driver[], issuer: string, good: Good): Promise<void> {
  if (to === undefined || other === undefined) return
  const [first, second] = [`crosses ${to.name()}`, `crosses back ${to.name()}`]
  const assume = (uid: string, sub: string, wanted?: 'refused') => inTime(() => good(uid, { sub }), to, wanted)
  const made = await to.identity(to.scope, { claimMatch: { issuer, subject: first } })
  if (made === undefined) return
  // the other one may hear of it late (R52)
  await other.send(() => other.api.identities.get(made.uid))
  await to.run.model.settled()
  await assume(made.uid, first)
  await updateIdentity(other, made.uid, { claimMatch: { issuer, subject: second } })
  await assume(made.uid, second)
  await assume(made.uid, first, 'refused')
  await to.send(() => to.api.identities.delete(made.uid))
  await assume(made.uid, second, 'refused')
  const again = await other.identity(to.scope, { claimMatch: { issuer, subject: second } })
  if (again) await assume(again.uid, second)
}
