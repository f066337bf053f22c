import { listedKinds } from '../api/kinds.ts'
import { childrenOf } from '../arrange/scratch.ts'
import { asPassword, asUser, badCredentials, inForgedForms, spoil } from '../auth/invalid-credentials.ts'
import { type Answer, type Call, exchangedToken, succeeded } from '../http/call.ts'
import type { Wish } from '../sts/exchange-call.ts'
import type { OwnExchanging } from '../sts/token-exchange.ts'
import { bindWriter } from '../sts/write-rights.ts'
import { askAround } from './assumed/around.ts'
import { askLives } from './assumed/lives.ts'
import { garbage, wrongClaims, wrongPlaces, wrongTokens } from './assumed/near-exchanges.ts'
import { credentialIn, type Good, inTime, readOf } from './assumed/opened.ts'
import { ownedBy } from './assumed/owned.ts'
import { askAllAsReader, askAsReader, lookFromAbove } from './assumed/reader.ts'
import { type Ask, askKeyless, askUnseenIssuers } from './assumed/unseen-issuers.ts'
import { askUsedTokens } from './assumed/used-tokens.ts'
import { askClaimHistories } from './claim-histories.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { askHouseholds } from './sequences/households.ts'
import { listOf } from './wire/operations.ts'

/** Tries near misses of subject, issuer, signature, time and identity; returns how many. */
export async function askExchanges(driver: Driver, sts: OwnExchanging): Promise<number> {
  const { sign } = sts
  let asked = 0
  const ask: Ask = async (wish) => {
    asked++
    return driver.send(() => sts.exchange(wish))
  }
  const good: Good = async (identity = sts.uid, claims = {}) => ask({ identity, token: await sign(claims) })
  await driver.binding(driver.scope, { uid: sts.uid })
  await good()
  const misses = await wrongClaims(sts)
  // an accepted token may be cached
  const token = await sign()
  await ask({ identity: sts.uid, token })
  misses.push(...(await wrongTokens(sts, token)), ...(await wrongPlaces(driver, sts, token)))
  await askMisses(sts, ask, misses)
  // right after a good one, in case something of it is left
  for (const wish of [{ token: undefined }, garbage, { token: undefined, identity: '' }]) {
    await good()
    await ask(wish)
  }
  await askBeside(driver, sts, ask)
  await bindWriter(driver.api, driver.scope, sts.uid)
  await good()
  await askAltered(driver)
  // one that was exchanged is known to the server
  const known = await sign()
  await ask({ identity: sts.uid, token: known })
  for (const one of [known, await sign()]) await askUnexchanged(driver, one, sts.uid)
  await driver.send(() => driver.api.identities.get(sts.uid))
  await driver.send(() => driver.api.identities.update(sts.uid, { description: `of ${driver.name()}` }))
  await driver.send(() => driver.api.identities.get(sts.uid))
  // each has identities of its own
  const [reader] = await Promise.all([
    askAsReader(driver, sts.match.issuer, good),
    askOtherKeys(driver, sts, ask),
    askUnseenIssuers(driver, sts, ask),
    askKeyless(driver, sts, ask),
    askUsedTokens(driver, sts, ask),
    askClaimHistories(driver, sts, good),
    askAround(driver, sts.match.issuer, good),
    askLives(driver, sts.match.issuer, good),
    askHouseholds(driver, (home) => ownedBy(driver, home, sts, good)),
  ])
  await askLastSeen(driver, sts, good)
  await lookFromAbove(driver, reader)
  await askAllAsReader(driver, credentialIn(await good()))
  return asked
}

/** Sends each near miss, and some of them by another method or with their parameters turned. */
async function askMisses({ uid, sign }: OwnExchanging, ask: Ask, misses: readonly Wish[]): Promise<void> {
  await inParallel(misses, 4, ask)
  // another method may have another handler
  const posted = await ask({ identity: uid, token: await sign(), method: 'POST' })
  const some = posted && succeeded(posted) ? misses.filter((_, index) => index % 3 === 0) : []
  await inParallel(some, 4, (wish) => ask({ ...wish, method: 'POST' }))
  const others = misses.filter((_, index) => index % 3 === 1)
  await inParallel([{ token: await sign() }, ...others], 4, (wish) => ask({ ...wish, turned: true }))
}

/** Reads an identity after an exchange with an older token, and after a binding: it was last seen later (R41). */
async function askLastSeen(driver: Driver, { uid, now }: OwnExchanging, good: Good): Promise<void> {
  const get = () => driver.send(() => driver.api.identities.get(uid))
  await good()
  await get()
  // ten minutes are no age for an identity token, and do not shorten the life of what it is exchanged for (S5.5)
  await good(uid, { iat: now() - 600, exp: now() + 3_600 })
  await get()
  // and one that is valid for a day does not prolong it
  await good(uid, { exp: now() + 86_400 })
  const child = await driver.group(driver.scope)
  if (child) await driver.binding(child.uid, { uid }, 1)
  await get()
}

/** A second issuer with a known key: neither signs for the other, whatever the header says (R41). */
async function askOtherKeys(
  driver: Driver,
  { uid, match, sign, stranger, exchange }: OwnExchanging,
  ask: Ask,
): Promise<void> {
  const subject = `of another ${driver.name()}`
  const other = await driver.identity(driver.scope, { claimMatch: { issuer: stranger.name, subject } })
  if (other === undefined) return
  const token = await stranger.sign({ iss: stranger.name, sub: subject })
  // a server that waits for the issuer's keys may overwrite the change
  await Promise.all([
    ask({ identity: other.uid, token }),
    driver.send(() => driver.api.identities.update(other.uid, { description: `meanwhile ${subject}` })),
  ])
  await driver.send(() => driver.api.identities.get(other.uid))
  await ask({ identity: uid, token: await sign() })
  for (const header of [{}, { kid: undefined }, { kid: '' }])
    await ask({ identity: other.uid, token: await sign({ iss: stranger.name, sub: subject }, header) })
  await ask({ identity: uid, token: await stranger.sign({ iss: match.issuer, sub: match.subject }) })
  // its claims move to the first issuer, whose keys count from then on
  const moved = { issuer: match.issuer, subject: `moved ${subject}` }
  const update = await driver.send(() => driver.api.identities.update(other.uid, { claimMatch: moved }))
  if (update === undefined || !succeeded(update)) return
  const [iss, sub] = [moved.issuer, moved.subject]
  await ask({ identity: other.uid, token: await stranger.sign({ iss, sub }) })
  await inTime(
    async () => driver.send(async () => exchange({ identity: other.uid, token: await sign({ sub }) })),
    driver,
  )
}

/** The most changes that are made beside exchanges. */
const mostChanges = 10

/** Exchanges while the identity is changed or deleted: an exchange changes only its lastSeenTime (R41). */
async function askBeside(driver: Driver, sts: OwnExchanging, ask: Ask): Promise<void> {
  const { api } = driver
  const besideExchanges = async (identity: string, sub: string, write: () => Promise<Answer>, times = 1) => {
    // signed in advance, so that they go out together; no good one beside it lets a near miss in
    const subs = [sub, `${sub}x`, sub]
    const tokens = await Promise.all(subs.map((each) => sts.sign({ sub: each })))
    let underWay = tokens.length
    const sent = tokens.map((token) => ask({ identity, token }).finally(() => underWay--))
    const writeMeanwhile = async () => {
      for (let made = 0; made < times && underWay > 0; made++) await driver.send(write)
    }
    await Promise.all([...sent, writeMeanwhile()])
    await driver.send(() => api.identities.get(identity))
  }
  const { uid, match } = sts
  let made = 0
  // in turn, so that the answer to one change shows whether the other is lost
  const change = () => {
    const name = driver.name()
    return api.identities.update(uid, made++ % 2 === 0 ? { description: `beside ${name}` } : { name })
  }
  for (let rounds = 0; rounds < 2; rounds++) await besideExchanges(uid, match.subject, change, mostChanges)
  const subject = `goes ${driver.name()}`
  const other = await driver.identity(driver.scope, { claimMatch: { issuer: match.issuer, subject } })
  if (other) await besideExchanges(other.uid, subject, () => api.identities.delete(other.uid))
  const [, , roleUid] = (await driver.roles()).map((role) => role.uid)
  if (roleUid) {
    const bound = { identityUid: uid, roleUid }
    await besideExchanges(uid, match.subject, () => api.roleBindings.create(driver.scope, bound))
    await driver.children('roleBindings', driver.scope)
  }
  const unbound = await driver.binding(driver.scope, { uid }, 1)
  if (unbound) await besideExchanges(uid, match.subject, () => api.roleBindings.delete(unbound.uid))
  await driver.children('roleBindings', driver.scope)
}

/**
 * Alters an API token of an identity in several ways right after it was accepted: a server may have cached part of it
 * (R39). The identity may write: a write that is refused for want of rights shows nothing about the token.
 */
async function askAltered(driver: Driver): Promise<void> {
  const { run, scope } = driver
  const token = run.model.issued().at(-1)
  if (token === undefined) return
  const path = driver.path('groups', scope)
  const read = { operation: 'group.get', method: 'GET', path } as const
  const good = exchangedToken(token)
  const forged = ['altered', 'cut-short', 'extended', 'other-signer', 'unsigned'] as const
  const names = [...forged, 'in-query', 'in-other-headers'] as const
  const spoilt = await Promise.all(names.map((name) => badCredentials[name](token, run.secrets)))
  const all = [
    ...spoilt,
    ...inForgedForms(token, run.secrets).map(([, bad]) => bad),
    asPassword(token, run.secrets),
    asUser(token, run.secrets),
  ]
  // each form also in another place, where a guard may know another token
  const others = [listOf(driver, 'identities'), listOf(driver, 'roleBindings'), ...inV1(driver)]
  for (const [at, bad] of all.entries()) {
    await driver.call({ ...read, credential: good })
    await driver.call(spoil(read, bad))
    await driver.call(spoil({ ...read, method: 'POST', body: { name: driver.name() } }, bad))
    await driver.call(spoil({ ...read, path: driver.path('groups'), query: childrenOf(scope) }, bad))
    await driver.call(spoil(others[at % others.length]!, bad))
  }
}

/** Reads in v1. */
const inV1 = (driver: Driver): Call[] => [
  readOf(driver, 'groups', { uid: driver.scope, version: 'v1' }),
  readOf(driver, 'groups', { query: childrenOf(driver.scope), version: 'v1' }),
]

/** Sends an identity token to the API without exchanging it (R39). */
export async function askUnexchanged(driver: Driver, token: string, uid: string): Promise<void> {
  const credential = { header: `Bearer ${token}`, shown: 'Bearer <identity token>' }
  const { scope } = driver
  const [group, own] = [driver.path('groups', scope), driver.path('identities', uid)]
  const calls: Call[] = [
    { operation: 'group.get', method: 'GET', path: group },
    { operation: 'group.create', method: 'POST', path: group, body: { name: driver.name() } },
    { operation: 'group.update', method: 'PATCH', path: group, body: { description: `by nobody ${driver.name()}` } },
    { operation: 'v1.group.get', method: 'GET', path: driver.path('groups', scope, 'v1') },
    // it does not open its own identity either
    { operation: 'identity.get', method: 'GET', path: own },
    { operation: 'identity.update', method: 'PATCH', path: own, body: { description: `by itself ${driver.name()}` } },
    { operation: 'identity.delete', method: 'DELETE', path: own },
    ...listedKinds.map((kind) => listOf(driver, kind)),
  ]
  for (const call of calls) await driver.call({ ...call, credential })
}
