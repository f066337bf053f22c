import { shuffled } from '../helpers/case/for-all.ts'
import type { Variant } from '../reference/fault.ts'
import type { Replacement } from '../reference/replace.ts'
import { contract } from '../reference/rules.ts'
import type { Rules } from '../reference/rules.types.ts'

/** A fault or a variant: what it is called, and what it decides another way. */
type Decided = Pick<Variant, 'name' | 'rules'>

/**
 * Draws servers that have several variants at once, or several faults: those that decide different things. Servers with
 * several variants are as lawful as those with one, and fewer. Each is in exactly one server; which meet hangs on the seed.
 */
export function drawServers<T extends Decided>(
  all: readonly T[],
  { seed = 1, atOnce = 8, mayMeet = () => true }: Drawing<T> = {},
): T[][] {
  const servers: T[][] = Array.from({ length: Math.ceil(all.length / atOnce) }, () => [])
  for (const one of shuffled(all, seed)) {
    // where the fewest are, so that no server has far more than others
    const roomy = [...servers].sort((a, b) => a.length - b.length)
    const free = roomy.find((others) => others.every((other) => areApart(one, other) && mayMeet(one, other)))
    if (free) free.push(one)
    else servers.push([one])
  }
  return servers.filter((together) => together.length > 0)
}

/** How servers are drawn: about how many they have at once, and which must not meet. */
interface Drawing<T> {
  seed?: number
  atOnce?: number
  mayMeet?: (one: T, other: T) => boolean
}

/** All the choices of some variants: each over those before it. */
export const together =
  (some: readonly Decided[]): Replacement =>
  (contract) => {
    const all: Partial<Rules> = {}
    for (const { rules } of some) Object.assign(all, rules({ ...contract, ...all }))
    return all
  }

/** What a page token holds and how a walk goes on by it hang together. */
const walking = ['cursor', 'cursorFits', 'decodeToken', 'encodeToken', 'rest', 'sorted']

/** Pairs that break a run together: a binding cannot be found, no tag shows a time, or others delete a scope in use. */
const apart = [
  [
    'roles and bindings can do what is printed and no more',
    'the creator of a group is bound in it, and the binding has to go first',
  ],
  ['the registry is empty', 'tags and advisories tell their times to the microsecond'],
  ['others write in the same organization all the time', 'a scope that is not there is forbidden'],
  ['others write in the same organization all the time', 'a scope that is not there is refused as missing'],
]

/** True where two decide different things. */
function areApart(one: Decided, other: Decided): boolean {
  if (apart.some((pair) => pair.includes(one.name) && pair.includes(other.name))) return false
  return !decidedBy(one).some((rule) => decidedBy(other).includes(rule))
}

const decidedBy = ({ rules }: Decided) =>
  Object.keys(rules(contract)).map((rule) => (walking.includes(rule) ? 'walking' : rule))
