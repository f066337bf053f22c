import type { Judging } from '../judging.ts'
import type { Asked, Observation } from '../observation.ts'
import type { Thing } from '../state.ts'

/** When a write of each form first took something for granted, in each version and over each protocol. */
const taking = new WeakMap<Thing, Map<string, number>>()

const wayOf = ({ over }: Observation, { does, kind, version }: Asked) =>
  `${does} ${kind} of ${version} over ${over ?? 'HTTP'}`

/** Notes that such a write knew of a thing. */
export function noteTaken({ seen }: Judging, asked: Asked, thing: Thing): void {
  const since = taking.get(thing) ?? new Map<string, number>()
  const way = wayOf(seen, asked)
  taking.set(thing, since.set(way, since.get(way) ?? seen.answered))
}

/** True for a thing that every such write knows: it is not new, or another one has known it before (R52). */
export function mustKnow(judging: Judging, asked: Asked, thing: Thing): boolean {
  const { seen } = judging
  const since = taking.get(thing)?.get(wayOf(seen, asked)) ?? Number.POSITIVE_INFINITY
  return since < seen.sent || !judging.isYoung(thing.alive.lastBefore(seen.answered))
}
