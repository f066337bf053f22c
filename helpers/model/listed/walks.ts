import { kinds } from '../../api/kinds.ts'
import type { Judging } from '../judging.ts'
import type { Thing } from '../state.ts'
import type { Token, Walk } from '../tokens.ts'
import { isLast, type PageSeen } from './page-seen.ts'
import { ifMoved, isTouchedSince, type Query, viewOf } from './population.ts'
import { isSighted } from './sightings.ts'

/** What exists all the time appears exactly once in a walk, whatever else there is or changes (R22, R50). */
export function judgeWalk(judging: Judging, { query, calm, population, items }: PageSeen, given: Token): void {
  const { kind, scope } = query
  // what did not change is judged as pages of one list, unless the target has something of its own there
  const isPages = calm.still && !judging.state.flags.has(`alien ${kind}`)
  if (isPages || !kinds[kind].shown || kinds[kind].foreign) return
  const earlier = uidsOf(given.walk)
  const view = judging.through(viewOf(query))
  const steady = [...population.must].filter((thing) => isSteady(judging, thing, query, view))
  const here = new Set(items.map(({ uid }) => String(uid)))
  const twice = steady.find(({ uid }) => here.has(uid) && earlier.has(uid))
  const about = (thing: Thing | undefined) => ({
    about: [scope.uid, ...(thing ? [thing.uid] : [])],
    beside: [given.n],
    unless: ['lag', ...judging.unlessCovered(kind), ...ifMoved(query)],
  })
  judging.check(kind, 'walk', !twice, 'what no earlier page showed', `${twice?.uid} once more`, about(twice))
  if (!isLast(judging.seen.json) || !given.walk.whole) return
  const missing = steady.find(({ uid }) => !here.has(uid) && !earlier.has(uid))
  judging.check(kind, 'walk', !missing, `${missing?.uid} on one page`, 'on none', about(missing))
}

/** The uids of all pages of a walk so far. */
export function uidsOf(walk: Walk): Set<string> {
  const uids = new Set<string>()
  for (let page: Walk | undefined = walk; page; page = page.before) for (const uid of page.uids) uids.add(uid)
  return uids
}

/** True for what the list was known to show, and whose place in its order did not change during the walk. */
function isSteady(judging: Judging, thing: Thing, { order, name }: Query, view: string): boolean {
  const { sent, answered } = judging.seen
  if (!thing.alive.wasShownBefore(sent, view)) return false
  // what the default order depends on is not stated
  if (order === undefined)
    return !isTouchedSince(judging.state, thing, sent, answered) && !isSighted(thing, judging.seen)
  return (order.startsWith('created_at') && name === undefined) || thing.name.lastBefore(answered) < sent
}
