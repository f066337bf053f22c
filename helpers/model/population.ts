import type { Population, Query } from './pages.ts'
import type { State, Stillness, Thing } from './state.ts'

const caches = new WeakMap<Thing, Map<string, { stamp: number; population: Population }>>()

/** What is in the scope and has the name, or perhaps. */
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
    // what is made meanwhile may show or not
    population[surely && thing.alive.writes[0]!.answered < sent ? 'must' : 'may'].add(thing)
  }
  if (calm.still) cache.set(key, { stamp: calm.stamp, population })
  return population
}
