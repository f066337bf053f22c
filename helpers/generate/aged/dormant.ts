import { apiOver } from '../../api/api.ts'
import { OverflowGroups } from '../../arrange/overflow-groups.ts'
import { makeScratch } from '../../arrange/scratch.ts'
import { succeeded } from '../../http/call.ts'
import { TargetGone } from '../../http/case-errors.ts'
import { type OwnIssuer, openOwn } from '../../sts/identities.ts'
import { openLives } from '../assumed/lives.ts'
import { type Good, inTime, type Owner } from '../assumed/opened.ts'
import { ownedBy } from '../assumed/owned.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { openHouseholds } from '../sequences/households.ts'
import { readerIn } from './readers-pages.ts'

/** What sleeps until days have passed. */
export interface Dormant {
  wake: () => Promise<unknown>
  /** An identity that reads with page tokens that are days old. */
  reader?: Owner | undefined
}

/**
 * Makes identities and assumes all but one of them; `wake` assumes that one and another later, because nothing says that
 * identities expire, deletes the third, and lets events happen to what is old by then (S2.11, R41). Where the target does
 * not trust our issuer, they happen to identities that nobody assumes.
 */
export async function openDormant(driver: Driver, ownIssuer: OwnIssuer, beside: Driver | undefined): Promise<Dormant> {
  const opened = await openIn(driver, ownIssuer).catch((error) => {
    if (error instanceof TargetGone) throw error
  })
  if (opened === undefined) return { wake: await openHouseholds(driver) }
  const { sts, home } = opened
  const [subject, gone] = [`dormant ${driver.name()}`, `gone ${driver.name()}`]
  const make = (sub: string, name: unknown = driver.name()) =>
    driver.identity(home, { name, claimMatch: { issuer: sts.match.issuer, subject: sub } })
  const [other, leaving] = [await make(subject), await make(gone)]
  await driver.binding(home, other)
  const good: Good = async (identity = sts.uid, claims = {}) =>
    driver.send(async () => sts.exchange({ identity, token: await sts.sign(claims) }))
  const assume = (identity: string, sub: string) => good(identity, { sub })
  if (leaving) await assume(leaving.uid, gone)
  const look = () =>
    inParallel([driver, beside], 2, async (to) => {
      for (const one of [sts, other]) if (to && one) await to.send(() => to.api.identities.get(one.uid))
    })
  await good()
  // the next exchange changes nothing of it (R41)
  await driver.send(() => driver.api.identities.update(sts.uid, { description: `after its exchange ${subject}` }))
  await look()
  const aged = [
    await openHouseholds(driver, (group) => ownedBy(driver, group, sts, good)),
    await openLives(driver, sts.match.issuer, good, 1),
  ]
  const leave = async () => {
    if (leaving === undefined) return
    const deletion = await driver.send(() => driver.api.identities.delete(leaving.uid))
    if (deletion && succeeded(deletion)) await inTime(() => assume(leaving.uid, gone), driver, 'refused')
    // somebody new with its claims and its name was not seen before (R46)
    const reborn = (await make(gone, leaving.name)) ?? (await make(gone))
    if (reborn) await driver.send(() => driver.api.identities.get(reborn.uid))
  }
  const wake = async () => {
    // a near miss first: it must change nothing
    await good(sts.uid, { sub: `${sts.match.subject}x` })
    await good()
    if (other) {
      await assume(other.uid, `${subject}x`)
      await assume(other.uid, subject)
    }
    await leave()
    // the effect of an exchange may depend on how long ago the last one was
    await look()
    // a token that was issued earlier is exchanged later: lastSeenTime does not go back (R41)
    const [iat, exp] = [sts.now() - 600, sts.now() + 3_600]
    await good(sts.uid, { iat, exp })
    await look()
    // lists show it as well
    await inParallel([driver, beside], 2, async (to) => to?.children('identities', home))
    await Promise.all(aged.map((happen) => happen()))
  }
  return { wake, reader: await readerIn(driver, sts.match.issuer, good) }
}

async function openIn({ run, log, scope }: Driver, ownIssuer: OwnIssuer) {
  const api = apiOver(run, log)
  const scratch = await makeScratch(api, { ...run, runGroup: { uid: scope, overflow: new OverflowGroups([scope]) } })
  const sts = await openOwn({ run, api, scratch, log, arranged: log }, ownIssuer)
  await sts.bind()
  return { sts, home: scratch.uid }
}
