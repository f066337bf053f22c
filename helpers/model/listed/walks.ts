import { kinds } from '../../api/kinds.ts'
import type { Judging } from '../judging.ts'
import type { Thing } from '../state.ts'
import type { Token, Walk } from '../tokens.ts'
import { isLast, type PageSeen } from './page-seen.ts'
import { doorOf, type Query } from './population.ts'

/** What exists all the time appears exactly once in a walk, whatever else changes (R22). */
export function judgeWalk(judging: Judging, { query, calm, population, items }: PageSeen, given: Token): void {
  const { kind, scope } = query
  // what did not change is judged as pages of one list
  if (calm.still || !kinds[kind].shown || kinds[kind].foreign) return
  const earlier = new Set(uidsOf(given.walk))
  const door = judging.through(doorOf(query))
  const stood = [...population.must].filter((thing) => hasStood(judging, thing, query, door))
  const here = new Set(items.map(({ uid }) => String(uid)))
  const twice = stood.find(({ uid }) => here.has(uid) && earlier.has(uid))
  const details = (uid: string) => ({ about: [scope.uid, uid], beside: [given.n], unless: ['lag'] })
  judging.check(kind, 'walk', twice === undefined, 'what no earlier page showed', `${twice?.uid} once more`, {
    ...(twice && details(twice.uid)),
  })
  if (!isLast(judging.seen.json) || !given.walk.whole) return
  const missing = stood.find(({ uid }) => !here.has(uid) && !earlier.has(uid))
  judging.check(kind, 'walk', missing === undefined, `${missing?.uid} on one page`, 'on none', {
    ...(missing && details(missing.uid)),
  })
}

function uidsOf(walk: Walk): string[] {
  return [...(walk.before ? uidsOf(walk.before) : []), ...walk.uids]
}

/** True for what the list was known to show, and whose place in its order did not change during the walk. */
function hasStood(judging: Judging, thing: Thing, { order, name }: Query, door: string): boolean {
  const { sent, answered } = judging.seen
  const writes = order === undefined ? [thing.name, thing.description, thing.claimMatch] : [thing.name]
  const isSame =
    order?.startsWith('created_at') && name === undefined
      ? true
      : writes.every((each) => each.lastBefore(answered) < sent)
  return isSame && thing.alive.wasShownBefore(sent, door)
}
