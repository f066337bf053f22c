import type { KindName } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import type { Cited } from '../clauses.ts'
import type { Judging } from '../judging.ts'
import { untilSeen } from '../observation.ts'
import type { State, Thing, Touch } from '../state.ts'

/** What a list call asks for, apart from its page. */
export interface Query {
  kind: KindName
  scope: Thing
  deep: boolean
  name: string | undefined
  order: string | undefined
  /** All of that as text. */
  asks: string
  /** The same, with the protocol and whose token it is. */
  key: string
}

/** What a list must show, and what else it may show. */
export interface Population {
  must: ReadonlySet<Thing>
  may: ReadonlySet<Thing>
}

/** The items of a page, the things they are, and what the list may show. */
export interface Members {
  query: Query
  offered: Population
  items: readonly Record<string, unknown>[]
  shown: readonly (Thing | undefined)[]
  calm: Stillness
}

const caches = new WeakMap<Thing, Map<string, { stamp: number; population: Population }>>()

/** What is, or may be, in the scope and has the name. */
export function populationOf(
  state: State,
  { kind, scope, deep, name }: Query,
  { sent, answered }: { sent: number; answered: number },
  calm: Stillness,
): Population {
  const key = `${kind} ${deep} ${name ?? ''}`
  const cache = caches.get(scope) ?? new Map<string, { stamp: number; population: Population }>()
  caches.set(scope, cache)
  const cached = cache.get(key)
  if (calm.still && cached?.stamp === calm.stamp) return cached.population
  const population = { must: new Set<Thing>(), may: new Set<Thing>() }
  for (const thing of state.inside(scope, kind, deep)) {
    if (thing.alien) continue
    const alive = thing.alive.may(sent, answered)
    if (alive.length === 0 || !alive.some(({ value }) => value)) continue
    const names = name === undefined ? [] : thing.name.may(sent, answered)
    if (name !== undefined && !names.some(({ value }) => value === name)) continue
    const surely = alive.every(({ value }) => value) && names.every(({ value }) => value === name)
    // what is made meanwhile may or may not show
    population[surely && thing.alive.writes[0]!.answered < sent ? 'must' : 'may'].add(thing)
  }
  if (calm.still) cache.set(key, { stamp: calm.stamp, population })
  return population
}

/**
 * Other kinds than groups may not filter by name (R21): it shows in other names, or in uids where an item has none. One
 * that filters in some lists does so in all.
 */
export function chosen(
  judging: Judging,
  query: Query,
  filtered: Population,
  items: readonly Record<string, unknown>[],
  calm: Stillness,
): Population {
  const { state, seen } = judging
  const { kind, name, scope } = query
  if (kind === 'groups' || name === undefined) return filtered
  const all = populationOf(state, { ...query, name: undefined }, seen, calm)
  const total = isObject(seen.json) ? seen.json.totalCount : undefined
  const isDue = (uid: unknown) => [...filtered.must, ...filtered.may].some((thing) => thing.uid === uid)
  const others = items.some((item) => (item.name ? item.name !== name : !isDue(item.uid)))
  const isCut = items.length < all.must.size
  const counts = isCut && total === String(all.must.size) && total !== String(filtered.must.size)
  const isYoung = judging.isYoung(calm.since)
  const filter = `filter of ${kind}`
  if (!others && !counts) {
    const leavesOut = filtered.must.size < all.must.size && total === String(filtered.must.size)
    if (leavesOut && items.length > 0 && !isYoung) state.flags.add(`offered ${filter}`)
    return filtered
  }
  // something deleted that shows late counts as well (R52): either explains the total
  if (!others && isYoung) return { must: filtered.must, may: new Set([...filtered.may, ...all.must]) }
  const came = others ? `also those of other names` : `totalCount ${total}, the number of those of any name`
  judging.check(kind, 'filter', false, `only those named ${JSON.stringify(name)}, as in other lists by name`, came, {
    about: [scope.uid],
    soft: isYoung,
    unless: [untilSeen(`offered ${filter}`), ...judging.unlessLate(calm.since)],
  })
  return all
}

/** True for a thing in the scope of a query, whether it exists or not. */
export function isInScope(state: State, thing: Thing, { scope, deep }: Query): boolean {
  return deep ? state.upwards(thing).some((group) => group === scope && group !== thing) : thing.parent === scope.uid
}

/** When a thing was last made, deleted or renamed. */
export const newest = ({ alive, name }: Thing, to: number) => Math.max(alive.lastBefore(to), name.lastBefore(to))

/** How still a group was during a reading: the newest write before it, and whether one was under way. */
export interface Stillness {
  /** The number of the newest write before the reading. */
  stamp: number
  /** When that was answered. */
  since: number
  /** False where a write was under way. */
  still: boolean
}

/** Looks up how still a group was (the log is in the order of the answers). */
export function stillness({ log }: Thing, from: number, to: number): Stillness {
  let still = true
  for (let at = log.length - 1; at >= 0; at--) {
    const touch = log[at]!
    if (touch.answered < from) return { stamp: touch.n, since: touch.answered, still }
    if (touch.sent <= to) still = false
  }
  return { stamp: 0, since: 0, still }
}

/** True where a write to a thing, below a group or to an identity's binding, or a rename above, may have moved its updateTime. */
export function isTouchedSince(state: State, thing: Thing, from: number, to: number): boolean {
  const group = groupOf(state, thing)
  if (group === undefined || thing.refusedToGood >= from) return true
  // a role binding embeds its identity
  const bound = thing.binds.identity.writes.map(({ value }) => state.thing(String(value), 'identities'))
  if (bound.some((one) => one && lastWritten(one, to) > from)) return true
  if (state.upwards(thing).some((above) => above !== thing && above.name.lastBefore(to) > from)) return true
  return !touchesSince(group, thing, from, to).next().done
}

/** When a member of a thing was last written. */
const lastWritten = ({ name, description, claimMatch }: Thing, to: number) =>
  Math.max(...[name, description, claimMatch].map((register) => register.lastBefore(to)))

/**
 * How long two such writes were under way together with what each waited for, in milliseconds, at the most: they may
 * have ended in either order, and each may have the time of its beginning (R26). Undefined where no two overlapped.
 */
export function overlapSince(state: State, thing: Thing, from: number, to: number): number | undefined {
  const group = groupOf(state, thing)
  const touches = group ? [...touchesSince(group, thing, from, to)] : []
  const end = ({ answered }: Touch) => Math.min(answered, to)
  let longest: number | undefined
  for (const [at, one] of touches.entries()) {
    for (const other of touches.slice(at + 1)) {
      if (one.sent >= other.answered || other.sent >= one.answered) continue
      longest = Math.max(longest ?? 0, end(one) - other.sent, end(other) - one.sent)
    }
  }
  return longest
}

const groupOf = (state: State, thing: Thing) => (thing.kind === 'groups' ? thing : state.group(thing.parent))

/** The writes in or to a group that may have moved a thing's updateTime, the newest first. */
function* touchesSince(group: Thing, thing: Thing, from: number, to: number) {
  for (let at = group.log.length - 1; at >= 0; at--) {
    const touch = group.log[at]!
    if (touch.answered <= from) return
    const concerns = group === thing || touch.thing === thing || mayBind(touch.thing, thing)
    if (concerns && touch.sent <= to) yield touch
  }
}

/** True for a binding that an identity had at any time. */
const mayBind = ({ binds }: Thing, { uid }: Thing) => binds.identity.writes.some(({ value }) => value === uid)

/** The view through which a list shows a thing; each scope may have a copy of its own, filtered or ordered too (R52). */
export const viewOf = ({ deep, name, order }: Query) => {
  const scope = deep ? 'descendants' : 'children'
  return name !== undefined ? `${scope} by name` : order !== undefined ? `${scope} in order` : scope
}

/** The flag of a target that itself moves the updateTimes of a kind (R26, R50); groups and identities share one. */
export const movesOf = (kind: KindName) => (kind === 'groups' || kind === 'identities' ? 'moves' : `moves ${kind}`)

/** The excuse of a list without an order, where the target itself moves the updateTime that it may go by (R22, R26). */
export const ifMoved = ({ kind, order }: Query): string[] => (order === undefined ? [movesOf(kind)] : [])

/** Why a list must not show something, and which sentence says so. */
export function whyNot({ seen, state }: Judging, thing: Thing, query: Query): [why: string, breaks: Cited] {
  const { name, deep } = query
  const isHere = isInScope(state, thing, query)
  if (isHere && thing.alive.certain(seen.sent, seen.answered)?.value === false) return ['it was deleted', 'R28']
  if (!isHere || name === undefined) return ['it is elsewhere', deep ? 'S4.8' : 'S4.9']
  const own = thing.name.certain(seen.sent, seen.answered)?.value
  return [`its name is ${own === undefined ? '' : `${JSON.stringify(own)}, `}not ${JSON.stringify(name)}`, 'S4.10']
}
