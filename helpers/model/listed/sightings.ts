import type { Observation } from '../observation.ts'
import type { State, Thing } from '../state.ts'
import { type Query, type Stillness, stillness } from './population.ts'

type Sighting = Pick<Observation, 'sent' | 'answered' | 'n'>

/** By the identity, and by each group above it. */
const sightings = new WeakMap<Thing, Sighting[]>()

/** Notes an exchange for an identity: it moves the lastSeenTime (S2.12). */
export function noteSighting(state: State, identity: Thing, { sent, answered, n }: Observation): void {
  // a lastSeenTime may be late as long as rights (R41)
  const sighting = { sent, answered: answered + latest, n }
  for (const thing of [identity, ...state.upwards(identity)])
    sightings.set(thing, [...(sightings.get(thing) ?? []), sighting])
}

const latest = 10_000

/** True where an exchange may have moved the lastSeenTime of an identity meanwhile. */
export const isSighted = (identity: Thing, { sent, answered }: Observation): boolean =>
  sightings.get(identity)?.some((one) => one.sent <= answered && one.answered >= sent) === true

/** How still a list was during a reading: without an order, identities may go by their lastSeenTime (R22). */
export function calmOf({ kind, scope, order }: Query, { sent, answered }: Observation): Stillness {
  const calm = stillness(scope, sent, answered)
  if (kind !== 'identities' || order !== undefined) return calm
  const before = sightings.get(scope)?.filter((one) => one.sent <= answered) ?? []
  const isStill = calm.still && before.every((one) => one.answered < sent)
  return { ...calm, still: isStill, stamp: Math.max(calm.stamp, ...before.map(({ n }) => n)) }
}
