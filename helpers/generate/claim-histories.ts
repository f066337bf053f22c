import type { Transport } from '../api/context.ts'
import type { Received } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import { alike, normalizedForms, oddSubjects, otherSpellings } from '../sts/near-claims.ts'
import type { OwnExchanging } from '../sts/token-exchange.ts'
import { askChanges } from './assumed/changes.ts'
import { askCrossed } from './assumed/crossed.ts'
import { type Good, inTime, type Look, openAt } from './assumed/opened.ts'
import { askAsReader, lookFromAbove } from './assumed/reader.ts'
import { readAll } from './assumed/readings.ts'
import { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { updateIdentity } from './world.ts'

/** Runs all claim histories. */
export async function askClaimHistories(driver: Driver, sts: OwnExchanging, good: Good): Promise<void> {
  const look = await openBeside(driver, sts.match.issuer, good)
  const { issuer } = sts.match
  await Promise.all([
    askHistory(driver, sts, good, look),
    askNewClaims(driver, sts, good, look),
    askNamesakes(driver, issuer, good),
  ])
}

/** Runs those histories in which claims change, which another protocol may have written. */
export async function askClaimsWritten(driver: Driver, sts: OwnExchanging): Promise<void> {
  const good = goodOver(driver, sts)
  const over = (protocol: Transport) =>
    new Driver({ ...driver.run, over: protocol }, driver.log, driver.scope, driver.draw)
  const overGrpc = over('grpc')
  await askCrossed([over('http'), overGrpc], sts.match.issuer, good)
  await askNewClaims(driver, sts, good, await openBeside(driver, sts.match.issuer, good, overGrpc))
}

/** Lists with the API token of an identity, over the protocols of the driver. */
export async function askReading(driver: Driver, sts: OwnExchanging): Promise<void> {
  await lookFromAbove(driver, await askAsReader(driver, sts.match.issuer, goodOver(driver, sts)))
}

/** Exchanges a fresh token. */
const goodOver =
  (driver: Driver, sts: OwnExchanging): Good =>
  async (identity = sts.uid, claims = {}) =>
    driver.send(async () => sts.exchange({ identity, token: await sts.sign(claims) }))

async function askNewClaims(driver: Driver, { match }: OwnExchanging, good: Good, look: Look): Promise<void> {
  await askMovedClaims(driver, match.issuer, good, look)
  await askChanges(driver, match.issuer, good)
  await driver.frame(['identities'])
}

/**
 * Makes identities beside those that are changed and deleted, bound and assumed: no change elsewhere ends their API
 * tokens (S5.5, R40).
 */
async function openBeside(driver: Driver, issuer: string, good: Good, reader = driver): Promise<Look> {
  const below = await driver.groupByV1(driver.scope)
  const opened = [driver.scope, below?.uid ?? driver.scope].map((home) => openAt(driver, home, issuer, good))
  const all = (await Promise.all(opened)).filter((one) => one !== undefined)
  const look = () => Promise.all(all.map((one) => one.look()))
  await look()
  const one = all.at(-1)
  if (one === undefined) return look
  await readAll(reader, one)
  // a change of anything but its claims ends none of its tokens
  for (const change of [{ name: driver.name() }, { description: `of ${driver.name()}` }]) {
    await updateIdentity(driver, one.uid, change)
    await one.look()
  }
  return look
}

/** Identities side by side, whose claims change and which are deleted: each is assumed by its own claims alone. */
async function askHistory(driver: Driver, sts: OwnExchanging, good: Good, look: Look): Promise<void> {
  const { issuer } = sts.match
  const subjects = oddSubjects(() => driver.name())
  const made = await Promise.all(
    subjects.map((subject) => driver.identity(driver.scope, { claimMatch: { issuer, subject } })),
  )
  await assumeByOthers(made, subjects, good)
  const [first, second, third] = made
  const last = made.at(-1)
  if (last) await askNewSubject(driver, last, issuer, good, look)
  if (third) await askReborn(driver, third, { issuer, subject: subjects[2]! }, good)
  await look()
  await askNearIssuers(driver, issuer, good)
  if (first) {
    await driver.send(() => driver.api.identities.update(first.uid, { name: driver.name(), description: 'renamed' }))
    await good(first.uid, { sub: subjects[0] })
    await look()
  }
  if (second) await askDeleted(driver, second, subjects[1]!, good, look)
  const otherIssuer = await driver.identity(driver.scope, {
    claimMatch: { issuer: `${issuer}/other`, subject: subjects[2] },
  })
  if (otherIssuer) {
    await good(otherIssuer.uid, { sub: subjects[2] })
    await good(otherIssuer.uid, { sub: subjects[2], iss: `${issuer}/other` })
    await good(otherIssuer.uid, { sub: subjects[2] })
    // one of that subject from another issuer stays when it goes
    const stays = await driver.identity(driver.scope, { claimMatch: { issuer, subject: subjects[2] } })
    await driver.binding(driver.scope, stays)
    await driver.send(() => driver.api.identities.delete(otherIssuer.uid))
    if (stays) await inTime(() => good(stays.uid, { sub: subjects[2] }), driver)
  }
}

/** Assumes each identity by its own subject, by that of the next one, and by subjects that look alike. */
async function assumeByOthers(
  made: readonly (Received | undefined)[],
  subjects: readonly string[],
  good: Good,
): Promise<void> {
  await inParallel([...made.entries()], 3, async ([index, identity]) => {
    if (identity === undefined) return
    const sub = subjects[index]!
    await good(identity.uid, { sub })
    for (const other of [subjects[(index + 1) % subjects.length], ...alike(sub)])
      await good(identity.uid, { sub: other })
  })
}

/** Gives an identity another subject: after an Update the comparison may be another one. */
async function askNewSubject(driver: Driver, { uid }: Received, issuer: string, good: Good, look: Look): Promise<void> {
  const sub = `Changed again ${driver.name()}`
  await driver.send(() => driver.api.identities.update(uid, { claimMatch: { issuer, subject: sub } }))
  await good(uid, { sub })
  await look()
  for (const form of normalizedForms(sub)) await good(uid, { sub: form })
  for (const near of [`${sub}x`, sub.slice(0, -1), sub.slice(1)]) await good(uid, { sub: near })
}

/** Makes identities whose issuers are nearly that of the tokens. */
async function askNearIssuers(driver: Driver, issuer: string, good: Good): Promise<void> {
  const [escaped = '', dotted = ''] = otherSpellings(issuer)
  const usual = [`${issuer}/`, issuer.toUpperCase(), issuer.replace('http', 'HTTP'), `${issuer}?x`, ` ${issuer}`]
  const near = [...usual, escaped, dotted]
  const subject = `near ${driver.name()}`
  // issuer and subject joined in one text, but divided elsewhere
  const cut = { issuer: `${issuer}${subject.slice(0, 4)}`, subject: subject.slice(4) }
  for (const claimMatch of [...near.map((one) => ({ issuer: one, subject })), cut]) {
    const other = await driver.identity(driver.scope, { claimMatch })
    if (other) await good(other.uid, { sub: subject })
  }
}

/** Deletes an identity that lost one binding and got another. */
async function askDeleted(driver: Driver, identity: Received, sub: string, good: Good, look: Look): Promise<void> {
  const bound = await driver.binding(driver.scope, identity)
  if (bound) await driver.send(() => driver.api.roleBindings.delete(bound.uid))
  await look()
  await driver.binding(driver.scope, identity, 1)
  await driver.send(() => driver.api.identities.delete(identity.uid))
  await good(identity.uid, { sub })
  await look()
}

/** Two identities of one name in one group, where that is allowed: what happens to one is nothing to the other (R3). */
async function askNamesakes(driver: Driver, issuer: string, good: Good): Promise<void> {
  const [home, name] = [await driver.group(driver.scope), driver.name()]
  const open = () => home && openAt(driver, home.uid, issuer, good, name)
  const [one, other] = [await open(), await open()]
  if (home === undefined || one === undefined || other === undefined) return
  for (const [{ uid }, { subject: sub }] of [
    [one, other],
    [other, one],
  ] as const)
    await good(uid, { sub })
  const look = () => Promise.all([one.look(), driver.frame(['identities', 'roleBindings'], home.uid)])
  await look()
  await updateIdentity(driver, other.uid, { description: `of the other ${name}` })
  await look()
  await driver.send(() => driver.api.identities.delete(other.uid))
  await look()
  await good(one.uid, { sub: one.subject })
}

/** Claims move from one identity to another and back: they open the one that has them now. */
async function askMovedClaims(driver: Driver, issuer: string, good: Good, look: Look): Promise<void> {
  const subject = (text: string) => `travels ${text} ${driver.name()}`
  const [ofFirst, ofSecond, free] = [subject('x'), subject('y'), subject('z')]
  const make = (sub: string) => driver.identity(driver.scope, { claimMatch: { issuer, subject: sub } })
  const give = (to: Received, sub: string) =>
    driver.send(() => driver.api.identities.update(to.uid, { claimMatch: { issuer, subject: sub } }))
  const assume = (identity: Received, sub: string) => inTime(() => good(identity.uid, { sub }), driver)
  const lose = (identity: Received, sub: string) => inTime(() => good(identity.uid, { sub }), driver, 'refused')
  const [first, second] = [await make(ofFirst), await make(ofSecond)]
  if (first === undefined || second === undefined) return
  // away and back; no two may have the same (R54)
  const away = await give(first, free)
  if (away === undefined || !succeeded(away)) return
  await give(first, ofFirst)
  await assume(first, ofFirst)
  await look()
  // the same change once more, and then to another one, before the first is deleted
  await give(first, free)
  await assume(first, free)
  const third = await make(ofFirst)
  if (third === undefined) return
  await assume(third, ofFirst)
  await good(first.uid, { sub: ofFirst })
  await driver.send(() => driver.api.identities.delete(first.uid))
  await look()
  await assume(third, ofFirst)
  await good(third.uid, { sub: free })
  await give(third, free)
  await lose(first, free)
  await give(second, ofFirst)
  await give(third, ofSecond)
  await assume(second, ofFirst)
  await assume(third, ofSecond)
  await lose(second, ofSecond)
  // a deleted identity stays deleted when a new one has its claims
  await driver.send(() => driver.api.identities.delete(second.uid))
  const again = await make(ofFirst)
  if (again === undefined) return
  await assume(again, ofFirst)
  await lose(second, ofFirst)
  await look()
}

/** An identity deleted and made again with its name: neither the claims nor the uid of the old one open the new one. */
async function askReborn(
  driver: Driver,
  old: Received,
  { issuer, subject }: { issuer: string; subject: string },
  good: Good,
): Promise<void> {
  await driver.send(() => driver.api.identities.delete(old.uid))
  const other = `other ${driver.name()}`
  const again = await driver.identity(driver.scope, { name: String(old.name), claimMatch: { issuer, subject: other } })
  if (again === undefined) return
  await good(again.uid, { sub: subject })
  await good(old.uid, { sub: other })
  await good(again.uid, { sub: other })
}
