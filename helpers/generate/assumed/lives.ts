import { isObject } from '../../api/received.ts'
import { descendantsOf } from '../../arrange/scratch.ts'
import { type Answer, succeeded } from '../../http/call.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { besideOverGrpc } from '../over-either.ts'
import { byNobody, update, updateIdentity } from '../world.ts'
import { type Good, inTime } from './opened.ts'

/** By whom an Update is sent, and whether with a mask. */
interface Way {
  by: Driver
  masked: boolean
}

/** An identity that is assumed again and again, with the groups around it. */
interface Life {
  /** Each life sends an event in another way. */
  number: number
  way: Way
  uid: string
  name: string
  home: string
  above: string
  below: string | undefined
  issuer: string
  first: string
  subject: string
  /** Subjects that it had before. */
  had: string[]
  /** Subjects that a call sent in vain. */
  vain: string[]
  /** Deleted identities that had its claims. */
  gone: string[]
  /** Identities that have claims which it had before. */
  heirs: { uid: string; subject: string }[]
}

type Event = (to: Driver, life: Life, good: Good) => Promise<unknown>

/** Sends other claims; they count only if the answer shows them: how they are spelt in a mask is not shown (R31). */
async function changeClaims(
  life: Life,
  subject: string,
  send: (claimMatch: { issuer: string; subject: string }) => Promise<Answer | undefined>,
): Promise<void> {
  const answer = await send({ issuer: life.issuer, subject })
  const shown = answer !== undefined && succeeded(answer) && isObject(answer.json) ? answer.json.claimMatch : undefined
  const taken = isObject(shown) && shown.subject === subject
  if (!taken) return void life.vain.push(subject)
  life.had.push(life.subject)
  life.subject = subject
}

const fresh = (to: Driver) => `lives ${to.name()}`

/** Updates the identity in the way of the event; what is not in its mask goes out only without one. */
function change({ uid, way: { by, masked } }: Life, [member, value]: [string, unknown], beside: object = {}) {
  return updateIdentity(
    by,
    uid,
    masked ? { [member]: value } : { [member]: value, ...beside },
    masked ? member : undefined,
  )
}

/** Renames a group in the way of the event. */
const renameGroup = ({ way: { by, masked } }: Life, uid: string) =>
  update(by, uid, { name: by.name() }, masked ? 'name' : undefined)

/** What may happen to an assumed identity, in any order. */
const events: readonly Event[] = [
  (to, life) => change(life, ['name', to.name()]),
  async (to, life) => {
    await change(life, ['name', to.name()])
    await change(life, ['name', life.name])
  },
  async (to, life) => {
    await change(life, ['description', `of ${to.name()}`])
    await updateIdentity(life.way.by, life.uid, { description: '' }, 'description')
  },
  // refused: nothing of it comes with the next one (R29)
  (to, { uid }) => updateIdentity(to, uid, { name: '', description: `refused ${to.name()}` }, 'name,description'),
  (to, life) => {
    const beside = { description: `beside claims ${to.name()}` }
    return changeClaims(life, fresh(to), (claimMatch) => change(life, ['claimMatch', claimMatch], beside))
  },
  async (to, life) => {
    // no two have the same (R54)
    if (life.heirs.some(({ subject }) => subject === life.first)) return
    await changeClaims(life, life.first, (claimMatch) => updateIdentity(to, life.uid, { claimMatch }))
  },
  bequeath,
  (to, life) =>
    changeClaims(life, fresh(to), (claimMatch) => byNobody(to, 'identities', life.uid, 'PATCH', { claimMatch })),
  async (to, life) => {
    const subject = fresh(to)
    const claimMatch = { issuer: life.issuer, subject }
    await updateIdentity(to, life.uid, { description: subject, claimMatch }, 'description')
    life.vain.push(subject)
  },
  (_to, { uid, subject }, good) => good(uid, { sub: `${subject}x` }),
  (_to, { uid, subject }, good) => good(uid, { sub: subject, iat: 0, exp: 1 }),
  (to, { uid, home }) => to.binding(home, { uid }, 1),
  (to, { uid, below }) => (below === undefined ? Promise.resolve() : to.binding(below, { uid }, 2)),
  async (to, { uid, home }) => {
    const { state } = to.run.model.hearing.judge
    const own = to.living('roleBindings', home).filter((one) => state.thing(one, 'roleBindings')?.identityUid === uid)
    // one stays: without a role there need not be a token (R41)
    if (own.length > 1) await to.send(() => to.api.roleBindings.delete(own[0]!))
  },
  (_to, life) => renameGroup(life, life.home),
  (_to, life) => renameGroup(life, life.above),
  reborn,
]

/** Deletes the identity, and makes another one with its name and its claims: the old uid opens nothing (R41). */
async function reborn(to: Driver, life: Life): Promise<void> {
  for (const uid of to.living('roleBindings', life.home)) await to.send(() => to.api.roleBindings.delete(uid))
  const answer = await to.send(() => to.api.identities.delete(life.uid))
  if (answer === undefined || !succeeded(answer)) return
  life.gone.push(life.uid)
  const { name, issuer, subject } = life
  const claimMatch = { issuer, subject }
  // of a refused create nothing is left (R29)
  await to.identity(life.home, { name: undefined, claimMatch })
  // the name of something deleted may be taken (R3)
  const made = (await to.identity(life.home, { name, claimMatch })) ?? (await to.identity(life.home, { claimMatch }))
  if (made === undefined) return
  life.uid = made.uid
  await to.binding(life.home, made)
}

/** Makes another identity with claims that this one had before. */
async function bequeath(to: Driver, life: Life): Promise<void> {
  if (life.had.length === 0)
    await changeClaims(life, fresh(to), (claimMatch) => updateIdentity(to, life.uid, { claimMatch }))
  const { issuer, home } = life
  const subject = life.had.findLast((one) => one !== life.subject)
  if (subject === undefined || life.heirs.some((heir) => heir.subject === subject)) return
  const heir = await to.identity(home, { claimMatch: { issuer, subject } })
  if (heir === undefined) return
  await to.binding(home, heir)
  life.heirs.push({ uid: heir.uid, subject })
}

/** How many lives are lived side by side. */
const atOnce = 4

/**
 * Assumes identities, and returns what makes everything happen to them, in orders where any two events follow each other
 * both ways. After each, the claims that the identity has now open it, and none that it had or that were sent in vain
 * (R41).
 */
export async function openLives(driver: Driver, issuer: string, good: Good, pairs = 2): Promise<() => Promise<void>> {
  const orders = Array.from({ length: pairs }, () => driver.draw.some(events, events.length))
  const lives = orders.flatMap((order) => [order, order.toReversed()])
  const begun: { life: Life; order: readonly Event[] }[] = []
  const beside = await besideOverGrpc(driver)
  const ways = [driver, ...(beside ? [beside] : [])].flatMap((by) => [false, true].map((masked) => ({ by, masked })))
  await inParallel([...lives.entries()], atOnce, async ([number, order]) => {
    const life = await begin(driver, issuer, good)
    if (life) begun.push({ life: { ...life, number, way: ways[0]! }, order })
  })
  return () => inParallel(begun, atOnce, ({ life, order }) => live(driver, life, { order, ways }, good))
}

/** Lives such lives at once. */
export const askLives = async (driver: Driver, issuer: string, good: Good): Promise<void> =>
  (await openLives(driver, issuer, good))()

async function begin(driver: Driver, issuer: string, good: Good): Promise<Omit<Life, 'number' | 'way'> | undefined> {
  const above = await driver.group(driver.scope)
  const [home, subject, name] = [above && (await driver.group(above.uid)), fresh(driver), driver.name()]
  const below = home && (await driver.group(home.uid))
  const made = home && (await driver.identity(home.uid, { name, claimMatch: { issuer, subject } }))
  if (above === undefined || home === undefined || made === undefined) return undefined
  await driver.binding(home.uid, made)
  await good(made.uid, { sub: subject })
  return {
    uid: made.uid,
    name,
    home: home.uid,
    above: above.uid,
    below: below?.uid,
    issuer,
    first: subject,
    subject,
    had: [],
    vain: [],
    gone: [],
    heirs: [],
  }
}

async function live(
  driver: Driver,
  life: Life,
  { order, ways }: { order: readonly Event[]; ways: readonly Way[] },
  good: Good,
): Promise<void> {
  const get = (uid = life.uid) => driver.send(() => driver.api.identities.get(uid))
  for (const event of order) {
    life.way = ways[(events.indexOf(event) + life.number) % ways.length]!
    // no change sets back when it was last seen
    await get()
    await event(driver, life, good)
    await Promise.all([get(), driver.list('roleBindings', descendantsOf(life.home))])
    // the next exchange would hide it
    await driver.run.model.settled()
    const answer = await inTime(() => good(life.uid, { sub: life.subject }), driver)
    // each further exchange would wait as long
    if (answer === undefined || !succeeded(answer)) break
    for (const { uid, subject } of life.heirs) await inTime(() => good(uid, { sub: subject }), driver)
  }
  const closed = [...life.had, ...life.vain].filter((sub) => sub !== life.subject)
  for (const sub of closed) await inTime(() => good(life.uid, { sub }), driver, 'refused')
  for (const uid of life.gone) {
    await inTime(() => good(uid, { sub: life.subject }), driver, 'refused')
    await get(uid)
  }
}
