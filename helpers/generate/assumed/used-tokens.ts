import { succeeded } from '../../http/call.ts'
import type { Wish } from '../../sts/exchange-call.ts'
import type { OwnExchanging } from '../../sts/token-exchange.ts'
import type { Driver } from '../driver.ts'
import { inTime } from './opened.ts'

/** Sends accepted identity tokens again where their claims do not, or no longer, fit: they open nothing there (R41). */
export async function askUsedTokens(
  driver: Driver,
  sts: OwnExchanging,
  ask: (wish: Wish) => ReturnType<Driver['send']>,
): Promise<void> {
  const { api } = driver
  const { issuer } = sts.match
  const open = async () => {
    const subject = `used ${driver.name()}`
    const identity = await driver.identity(driver.scope, { claimMatch: { issuer, subject } })
    await driver.binding(driver.scope, identity)
    const token = await sts.sign({ sub: subject })
    if (identity) await ask({ identity: identity.uid, token })
    return identity && { uid: identity.uid, name: String(identity.name), subject, token }
  }
  const [kept, changed, gone] = [await open(), await open(), await open()]
  if (kept === undefined || changed === undefined || gone === undefined) return
  const last = kept.uid.slice(kept.uid.lastIndexOf('/') + 1)
  for (const identity of [changed.uid, gone.uid, `${kept.uid}0`, `${kept.uid}/${last}`, driver.scope, kept.name])
    await ask({ identity, token: kept.token })
  // a new one, in case a token works only once
  for (const identity of [kept.name, last]) await ask({ identity, token: await sts.sign({ sub: kept.subject }) })
  const claimMatch = { issuer, subject: `used no longer ${driver.name()}` }
  const update = await driver.send(() => api.identities.update(changed.uid, { claimMatch }))
  const deletion = await driver.send(() => api.identities.delete(gone.uid))
  await askWithGroup(driver, sts, ask)
  const taken = [update && succeeded(update) && changed, deletion && succeeded(deletion) && gone].filter((one) => !!one)
  await Promise.all(taken.map(({ uid, token }) => inTime(() => ask({ identity: uid, token }), driver, 'refused')))
}

/** Where a group may be deleted with an identity in it, the identity is assumed no longer (R30, R41). */
async function askWithGroup(
  driver: Driver,
  { match: { issuer }, sign }: OwnExchanging,
  ask: (wish: Wish) => ReturnType<Driver['send']>,
): Promise<void> {
  const home = await driver.group(driver.scope)
  const subject = `in a deleted group ${driver.name()}`
  const identity = home && (await driver.identity(home.uid, { claimMatch: { issuer, subject } }))
  if (identity === undefined) return
  await driver.binding(home!.uid, identity)
  const again = async () => ask({ identity: identity.uid, token: await sign({ sub: subject }) })
  await again()
  const deletion = await driver.send(() => driver.api.groups.delete(home!.uid))
  if (deletion === undefined || !succeeded(deletion)) return
  // these lists decide whether it went
  await driver.frame(['identities'])
  await inTime(again, driver, 'refused')
}
