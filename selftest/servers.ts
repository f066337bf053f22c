import { shuffled } from '../helpers/property.ts'
import type { Replacement, Variant } from '../reference/replace.ts'
import { contract, type Rules } from '../reference/rules.ts'

/** How many lawful choices one server takes at once, about. */
const atOnce = 6

/**
 * Draws servers that take several choices at once, those that decide different things: they are as lawful as servers that
 * take one, and fewer. Each variant is in exactly one of them; which meet hangs on the seed.
 */
export function drawServers(variants: readonly Variant[], seed: number): Variant[][] {
  const servers: Variant[][] = Array.from({ length: Math.ceil(variants.length / atOnce) }, () => [])
  for (const variant of shuffled(variants, seed)) {
    // where the fewest are, so that no server takes far more than others
    const roomy = [...servers].sort((a, b) => a.length - b.length)
    const free = roomy.find((others) => others.every((other) => canMeet(variant, other)))
    if (free) free.push(variant)
    else servers.push([variant])
  }
  return servers.filter((together) => together.length > 0)
}

/** All the choices of some variants: each over those before it. */
export const together =
  (some: readonly Variant[]): Replacement =>
  (contract) => {
    const all: Partial<Rules> = {}
    for (const { rules } of some) Object.assign(all, rules({ ...contract, ...all }))
    return all
  }

/** What a page token holds and how a walk goes on by it hang together. */
const walking = ['cursor', 'cursorFits', 'decodeToken', 'encodeToken', 'rest', 'sorted']

/** What together leaves no way to delete a group: a binding that has to go first and can be neither listed nor found. */
const apart = [
  'roles and bindings can do what is printed and no more',
  'the creator of a group is bound in it, and the binding has to go first',
]

/** True where two variants decide different things. */
function canMeet(one: Variant, other: Variant): boolean {
  if ([one, other].every(({ name }) => apart.includes(name))) return false
  const decided = (variant: Variant) =>
    Object.keys(variant.rules(contract)).map((rule) => (walking.includes(rule) ? 'walking' : rule))
  return !decided(one).some((rule) => decided(other).includes(rule))
}
