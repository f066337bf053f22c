import type { KindName } from '../../api/kinds.ts'
import type { Judging } from '../judging.ts'
import type { Observation } from '../observation.ts'
import type { Thing } from '../state.ts'

/** When a Create of each kind first took something for granted, over each protocol. */
const taking = new WeakMap<Thing, Map<string, number>>()

const wayOf = ({ over }: Observation, kind: KindName) => `${kind} over ${over ?? 'HTTP'}`

/** Notes that a Create of that kind knew of a thing. */
export function noteTaken({ seen }: Judging, kind: KindName, thing: Thing): void {
  const since = taking.get(thing) ?? new Map<string, number>()
  const way = wayOf(seen, kind)
  taking.set(thing, since.set(way, since.get(way) ?? seen.answered))
}

/** True for a thing that every Create of a kind knows: it is not new, or another one has known it before (R52). */
export function mustKnow(judging: Judging, kind: KindName, thing: Thing): boolean {
  const { seen } = judging
  const since = taking.get(thing)?.get(wayOf(seen, kind)) ?? Number.POSITIVE_INFINITY
  return since < seen.sent || !judging.isYoung(thing.alive.lastBefore(seen.answered))
}
