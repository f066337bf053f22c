import { type Answer, succeeded } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { byNobody, updateIdentity } from '../world.ts'
import { type Good, inTime } from './opened.ts'

/** The claims that an identity has or is to have. */
interface Claims {
  issuer: string
  subject: string
}

/** A write on an identity, and whether the claims it sends take effect if it succeeds. */
interface Write {
  takes: boolean
  send: (to: Driver, uid: string, claims: Claims) => Promise<Answer | undefined>
}

const keyOf = ({ issuer, subject }: Claims) => JSON.stringify([issuer, subject])

/** Writes whose claims must not take effect, or may be refused. */
const writes: readonly Write[] = [
  { takes: true, send: (to, uid, claimMatch) => updateIdentity(to, uid, { name: '', claimMatch }) },
  {
    takes: false,
    send: (to, uid, claimMatch) => updateIdentity(to, uid, { description: to.name(), claimMatch }, 'description'),
  },
  { takes: false, send: (to, uid, claimMatch) => updateIdentity(to, uid, { name: to.name(), claimMatch }, 'name') },
  { takes: false, send: (to, uid, claimMatch) => byNobody(to, 'identities', uid, 'PATCH', { claimMatch }) },
  { takes: false, send: (to, uid) => byNobody(to, 'identities', uid, 'DELETE') },
]

/** Tries exchanges after each sort of write on an identity: only the claims that it has now open it (R41). */
export async function askChanges(driver: Driver, issuer: string, good: Good): Promise<void> {
  const fresh = (): Claims => ({ issuer, subject: `changes ${driver.name()}` })
  let has = fresh()
  const identity = await driver.identity(driver.scope, { claimMatch: has })
  if (identity === undefined) return
  const { uid } = identity
  await driver.binding(driver.scope, identity)
  const exchange = ({ issuer: iss, subject: sub }: Claims) => good(uid, { iss, sub })
  const get = () => driver.send(() => driver.api.identities.get(uid))
  await exchange(has)
  await get()
  await exchange({ issuer, subject: `${has.subject}x` })
  await exchange(has)
  // no exchange moves updateTime, refused or not (R41)
  await get()
  const write = async ({ takes, send }: Write, sent: Claims) => {
    const answer = await send(driver, uid, sent)
    const [now, others] = takes && answer && succeeded(answer) ? [sent, has] : [has, sent]
    const isChanged = keyOf(now) !== keyOf(has)
    await inTime(() => exchange(now), driver)
    if (isChanged) await inTime(() => exchange(others), driver, 'refused')
    else if (keyOf(others) !== keyOf(now)) await exchange(others)
    has = now
    // a refused write does not move updateTime (R29, R39)
    await get()
  }
  const plain: Write = { takes: true, send: (to, _uid, claimMatch) => updateIdentity(to, uid, { claimMatch }) }
  await write(plain, { ...has })
  for (const one of writes) await write(one, fresh())
  await write(plain, { ...has, issuer: `${has.issuer}/other` })
  await write(plain, { ...has })
}
