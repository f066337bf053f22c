import { setTimeout as sleep } from 'node:timers/promises'
import type { KindName } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { childrenOf } from '../arrange/scratch.ts'
import type { Answer } from '../http/call.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { deletePairs } from './pairs/delete-pairs.ts'
import type { Pair, Subject, Subjects } from './pairs/race.ts'
import { racePairs } from './pairs/race-pairs.ts'
import { readPairs } from './pairs/read-pairs.ts'

/** On how many resources a pair of writes is sent at once: a race may go wrong only now and then. */
const usualAtOnce = 4

/** How many pairs are tried side by side. */
const pairsAtOnce = 4

/** On which resource one call comes before the other, and by how much, in milliseconds: what was checked may be over. */
const [third, apart] = [2, 3]

/** Sends pairs of calls together, and then reads everything: some order must explain it; returns how many pairs. */
export async function askRaces(driver: Driver): Promise<number> {
  let sent = 0
  await inParallel([...racePairs, ...readPairs, ...deletePairs], pairsAtOnce, async (pair) => {
    const home = await driver.group(driver.scope)
    if (home === undefined) return
    const ready = await race(driver, pair, home, pair.width ?? usualAtOnce)
    sent += pair.width ?? usualAtOnce
    const others = pair.needs.flatMap((need) => subjects[need].beside)
    if (pair.width === undefined)
      await driver.frame([...new Set<KindName>(['groups', 'identities', ...others])], home.uid)
    else await driver.run.model.settled()
    await settle(driver, pair, ready)
  })
  return sent
}

/** Sends every second pair of writes and all of readings, several at a time, each on one resource; returns how many pairs. */
export async function askRacesBeside(driver: Driver, width: number): Promise<number> {
  const some = [...[...racePairs, ...deletePairs].filter((_, at) => at % 2 === 0), ...readPairs]
  for (let from = 0; from < some.length; from += width) {
    const raced = await Promise.all(
      some.slice(from, from + width).map(async (pair) => {
        const home = await driver.group(driver.scope)
        return { pair, ready: home === undefined ? [] : await race(driver, pair, home, 1) }
      }),
    )
    await driver.frame()
    await Promise.all(raced.map(({ pair, ready }) => settle(driver, pair, ready)))
  }
  await driver.frame()
  return some.length
}

/** Sends a pair of calls at once on so many resources of their own; returns these. */
async function race(driver: Driver, pair: Pair, home: Received, width: number): Promise<Subjects[]> {
  const { needs, before, writes } = pair
  const all = await Promise.all(Array.from({ length: width }, () => subjectsIn(driver, home, needs)))
  const ready = all.filter((each) => each !== undefined)
  await driver.roles()
  await Promise.all(ready.map((subjects) => before?.(driver, subjects)))
  // the one that is sent last comes first on every second
  const inTurn = ready.flatMap((each, at) => {
    const calls = at % 2 === 0 ? writes(driver, each) : writes(driver, each).toReversed()
    return calls.map((call, index) => ({ call, after: at === third ? index * apart : 0 }))
  })
  await Promise.all(inTurn.map(({ call, after }) => driver.send(after === 0 ? call : () => sleep(after).then(call))))
  return ready
}

async function settle(driver: Driver, { needs, after }: Pair, ready: readonly Subjects[]): Promise<void> {
  for (const { identity } of needs.includes('identity') ? ready : [])
    await driver.send(() => driver.api.identities.get(identity.uid))
  await Promise.all(ready.map((subjects) => after?.(driver, subjects)))
}

/** Calls on a group, in it, or on the identity of its family, that are sent beside others. */
const groupCalls: readonly ((driver: Driver, group: Received, family: Family) => Promise<Answer>)[] = [
  (driver, { uid }) => driver.api.groups.create(uid, { name: driver.name() }),
  (driver, { uid }) => driver.api.groups.update(uid, { name: driver.name(), description: `beside ${driver.name()}` }),
  ({ api }, { uid }) => api.groups.delete(uid),
  (driver, { uid }, { identity }) =>
    driver.api.roleBindings.create(uid, { identityUid: identity.uid, roleUid: driver.knownRoles[0]?.uid }),
  ...Array.from({ length: 2 }, () => (driver: Driver, { uid }: Received, { name }: Family) => {
    const claimMatch = { issuer: 'https://issuer.example/family', subject: driver.name() }
    return driver.api.identities.create(uid, { name, claimMatch })
  }),
  (driver, _group, { identity }) =>
    driver.api.identities.update(identity.uid, { name: driver.name(), description: `of ${driver.name()}` }),
  ({ api }, _group, { identity }) => api.identities.delete(identity.uid),
  ({ api }, _group, { identity }) => api.identities.get(identity.uid),
  (driver, { uid }) => driver.v1.replace(uid, { name: driver.name(), description: `by v1 ${driver.name()}` }),
  ({ api }, { uid }) => api.groups.get(uid),
  ({ v1 }, { uid }) => v1.get(uid),
  ({ api }, { uid }) => api.groups.list(childrenOf(uid)),
]

/** A group with two others and an identity in it, and the name of identities that are made there. */
interface Family {
  name: string
  places: readonly Received[]
  identity: Received
}

/** How many calls are sent at once to each group of a family. */
const sentToEach = 3

/** The most families it takes until every two calls were sent to one group, to siblings, and to parent and child. */
const mostFamilies = 12

/** The pairs of calls that come together when these are sent to a parent, a child and its sibling. */
function pairsIn(done: readonly (readonly number[])[]): string[] {
  const [parent = [], child = [], sibling = []] = done
  const crossed = (relation: string, some: readonly number[], others: readonly number[]) =>
    some.flatMap((one) => others.map((other) => `${relation} ${one} ${other}`))
  return [
    ...done.flatMap((same) => crossed('same', same, same)),
    ...crossed('below', parent, [...child, ...sibling]),
    ...crossed('beside', child, sibling),
    ...crossed('beside', sibling, child),
  ]
}

/** Sends several calls at once to a group and two in it, until every pair came together; returns how many. */
export async function askRacesInFamilies(driver: Driver): Promise<number> {
  const { draw } = driver
  await driver.roles()
  const covered = new Set<string>()
  let sent = 0
  for (let families = 0; families < mostFamilies; families++) {
    const drawn = Array.from({ length: 60 }, () => {
      const done = [0, 1, 2].map(() =>
        draw.some(
          groupCalls.map((_, index) => index),
          sentToEach,
        ),
      )
      return { done, news: new Set(pairsIn(done).filter((pair) => !covered.has(pair))).size }
    })
    const { done, news } = drawn.reduce((best, each) => (each.news > best.news ? each : best))
    if (news === 0) break
    for (const pair of pairsIn(done)) covered.add(pair)
    const family = await familyIn(driver)
    if (family === undefined) return sent
    const calls = done.flatMap((some, place) => some.map((call) => ({ call, group: family.places[place]! })))
    await Promise.all(
      draw
        .some(calls, calls.length)
        .map(({ call, group }) => driver.send(() => groupCalls[call]!(driver, group, family))),
    )
    sent += calls.length
    const [{ uid }] = family.places as [Received]
    await driver.frame(undefined, uid)
    // what a Get read during a write it may have kept
    const gets = family.places.map((place) => () => driver.api.groups.get(place.uid))
    await Promise.all(
      [...gets, () => driver.v1.get(uid), () => driver.api.identities.get(family.identity.uid)].map((get) =>
        driver.send(get),
      ),
    )
    await driver.children('groups', uid)
  }
  return sent
}

async function familyIn(driver: Driver): Promise<Family | undefined> {
  const parent = await driver.group(driver.scope)
  if (parent === undefined) return undefined
  const [child, sibling, identity] = await Promise.all([
    driver.group(parent.uid),
    driver.group(parent.uid),
    driver.identity(parent.uid),
  ])
  return child && sibling && identity ? { name: driver.name(), places: [parent, child, sibling], identity } : undefined
}

const boundOne = {
  make: async (driver: Driver, home: string) => driver.binding(home, await driver.identity(home)),
  beside: ['roleBindings'] satisfies KindName[],
}

/** How each subject is made in a group, and which kinds are read beside groups and identities. */
const subjects: Record<
  Subject,
  { make(driver: Driver, home: string): Promise<Received | undefined>; beside: KindName[] }
> = {
  one: { make: (driver, home) => driver.group(home), beside: [] },
  other: { make: (driver, home) => driver.group(home), beside: [] },
  inner: {
    async make(driver, home) {
      const above = await driver.group(home)
      return above && driver.group(above.uid)
    },
    beside: [],
  },
  identity: { make: (driver, home) => driver.identity(home), beside: ['roleBindings'] },
  binding: boundOne,
  besideIt: boundOne,
  provider: { make: (driver, home) => driver.offered('identityProviders', home), beside: ['identityProviders'] },
  association: {
    make: (driver, home) => driver.offered('accountAssociations', home),
    beside: ['accountAssociations'],
  },
}

/** Makes what a pair needs; undefined where any of it is refused. */
async function subjectsIn(driver: Driver, home: Received, needs: readonly Subject[]): Promise<Subjects | undefined> {
  const made = await Promise.all(needs.map(async (need) => [need, await subjects[need].make(driver, home.uid)]))
  return made.every(([, one]) => one !== undefined) ? (Object.fromEntries(made) as Subjects) : undefined
}
