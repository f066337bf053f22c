import { publishedKinds } from '../../api/kinds.ts'
import { ownConfiguration } from '../../arrange/published-bodies.ts'
import { childrenOf } from '../../arrange/scratch.ts'
import type { Credential } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { besideOverGrpc } from '../over-either.ts'
import { changeAndDelete, downFrom, update, updateIdentity } from '../world.ts'
import { credentialIn, type Good, inTime, type Opened, openAt, readOf, readWith } from './opened.ts'

/** How many levels below the scope the deeper of two identities lives. */
const levels = 6

/** How many API tokens an identity gets in a row, and how long that may take, in milliseconds. */
const [tokens, longest] = [21, 5_000]

/** A driver over the other protocol, or the same one where there is no other. */
const beside = async (to: Driver): Promise<Driver> => (await besideOverGrpc(to)) ?? to

/** What may happen to an assumed identity and around it, while its claims and its first role stay. */
const happenings: readonly ((to: Driver, home: string, owner: Opened, good: Good) => Promise<unknown>)[] = [
  (to, home) => update(to, home, { name: to.name() }),
  (to, home) => update(to, home, { name: to.name() }, 'name'),
  async (to, home) => update(await beside(to), home, { name: to.name() }),
  (to, home) => update(to, home, { description: `new ${to.name()}` }, 'description'),
  async (to, home, { uid }) => {
    const [overGrpc, roles] = [await beside(to), await to.roles()]
    // no identity has one role twice (R54)
    const binding = roles.length > 3 ? await to.binding(home, { uid }, 3) : undefined
    const roleUid = roles[2]?.uid
    if (binding) await overGrpc.send(() => overGrpc.api.roleBindings.update(binding.uid, { roleUid }))
  },
  (_to, _home, { uid, subject }, good) => good(uid, { sub: `${subject}x` }),
  (_to, _home, { uid }, good) => good(uid, { iat: 0, exp: 1 }),
  (to, home, { uid }) => to.binding(home, { uid }, 1),
  (_to, _home, { uid, subject }, good) => good(uid, { sub: subject }),
  async (_to, _home, { uid, subject }, good) => {
    const began = performance.now()
    // fewer where the target makes each wait (S8.4)
    for (let times = 0; times < tokens && performance.now() - began < longest; times++)
      await good(uid, { sub: subject })
  },
  async (to, home, { uid }) => {
    for (const _ of Array.from({ length: 3 })) {
      const child = await to.group(home)
      if (child) await Promise.all([0, 1, 2].map((role) => to.binding(child.uid, { uid }, role)))
    }
  },
  async (to, home, { uid }) => {
    const child = await to.group(home)
    if (child === undefined) return
    await to.binding(child.uid, { uid }, 2)
    await to.frame(['roleBindings'], home)
    for (const binding of to.living('roleBindings', child.uid)) await to.send(() => to.api.roleBindings.delete(binding))
    await to.send(() => to.api.groups.delete(child.uid))
  },
  (to, _home, { uid }) => updateIdentity(to, uid, { name: to.name(), description: '' }),
  (to, _home, { uid }) => updateIdentity(to, uid, { name: to.name() }, 'name'),
  // its claims as they are
  (to, _home, { uid, subject, issuer }) => updateIdentity(to, uid, { claimMatch: { issuer, subject } }),
  askInVain,
  async (to, home, { issuer }) => {
    for (const kind of publishedKinds) {
      const oidc = ownConfiguration(to.name(), issuer)
      await changeAndDelete(to, kind, await to.offered(kind, home, kind === 'identityProviders' ? { oidc } : {}))
    }
  },
  (to, home) => to.send(() => to.v1.replace(home, { name: to.name() })),
  (to, home) => to.send(() => to.v1.delete(home)),
  (to, home) => to.send(() => to.api.groups.delete(home)),
]

/** How many calls of its own with an API token are refused in a row. */
const refusals = 18

/** Asks with an API token for what is not there, or in bad form: that ends no token (S5.5, R40). */
async function askInVain(to: Driver, home: string, { credential }: Opened): Promise<unknown> {
  const missing = readOf(to, 'groups', { uid: `${home}/${'0'.repeat(16)}` })
  const badList = readOf(to, 'groups', { query: { ...childrenOf(home), page_size: 'x' } })
  const calls = Array.from({ length: refusals }, (_, at) => (at % 3 === 2 ? badList : missing))
  return Promise.all(calls.map((call) => to.call({ ...call, credential })))
}

/** Changes much around assumed identities: each API token still works, and each exchange (S5.5, R40, R41). */
export async function askAround(driver: Driver, issuer: string, good: Good): Promise<void> {
  const [shallow, deep] = [await driver.group(driver.scope), await downFrom(driver, { uid: driver.scope }, levels)]
  for (const home of [shallow, deep]) {
    const owner = home && (await openAt(driver, home.uid, issuer, good))
    if (home === undefined || owner === undefined) continue
    await owner.look()
    for (const happen of home === shallow ? happenings : happenings.slice(0, 1)) {
      await happen(driver, home.uid, owner, good)
      await Promise.all([owner.look(), driver.frame(['identities', 'roleBindings'], home.uid)])
    }
    await good(owner.uid, { sub: owner.subject })
  }
  await askBoundBelow(driver, deep?.uid, issuer, good)
  await askGivenRole(driver, issuer, good)
  await askLastOfMany(driver, issuer, good)
}

/** Assumes an identity whose only role is in a group below its own. */
async function askBoundBelow(driver: Driver, below: string | undefined, issuer: string, good: Good): Promise<void> {
  const subject = `bound below ${driver.name()}`
  const identity = await driver.identity(driver.scope, { claimMatch: { issuer, subject } })
  if (below === undefined || identity === undefined) return
  await driver.binding(below, identity)
  await inTime(() => good(identity.uid, { sub: subject }), driver)
}

/** Assumes an identity that has its only role by an Update of a role binding. */
async function askGivenRole(driver: Driver, issuer: string, good: Good): Promise<void> {
  const subject = `given a role ${driver.name()}`
  const binding = await driver.binding(driver.scope, await driver.identity(driver.scope))
  const identity = await driver.identity(driver.scope, { claimMatch: { issuer, subject } })
  if (binding === undefined || identity === undefined) return
  await driver.send(() => driver.api.roleBindings.update(binding.uid, { identityUid: identity.uid }))
  await inTime(() => good(identity.uid, { sub: subject }), driver)
}

/** More identities than a page holds by default. */
const many = 54

/** How many of them are assumed at each end of the list. */
const ends = 3

/** Assumes identities that are on no first page of their group's list, whatever its order. */
async function askLastOfMany(driver: Driver, issuer: string, good: Good): Promise<void> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return
  const made: { uid: string; subject: string }[] = []
  await inParallel(Array.from({ length: many }), 8, async () => {
    const subject = `one of many ${driver.name()}`
    const identity = await driver.identity(home.uid, { claimMatch: { issuer, subject } })
    if (identity) made.push({ uid: identity.uid, subject })
  })
  const byUid = [...made].sort((one, other) => (one.uid < other.uid ? -1 : 1))
  const asked = new Set([...made.slice(0, 1), ...made.slice(-ends), ...byUid.slice(0, ends), ...byUid.slice(-ends)])
  let reader: Credential | undefined
  await inParallel([...asked], 4, async ({ uid, subject }) => {
    await driver.binding(home.uid, { uid })
    reader ??= credentialIn(await good(uid, { sub: subject }))
  })
  // one of them sees all of them
  const whole = readOf(driver, 'identities', { query: { ...childrenOf(home.uid), page_size: 200 } })
  if (reader) await readWith(driver, reader, [whole])
  // an exchange moves nothing but lastSeenTime (R41)
  const orders = ['created_at', 'created_at desc', 'name']
  await Promise.all(
    orders.map((order_by) => driver.list('identities', { ...childrenOf(home.uid), order_by, page_size: 200 })),
  )
}
