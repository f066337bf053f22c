import type { Thing } from '../state.ts'

/** The exchange that showed a page, and the page parameters that it asked with. */
interface Showing {
  n: number
  asked: string
}

/** What showed first that a uid has a position. */
type Place = Showing & { uid: string; position: number }

/** The order of a list, revealed position by position: everything that shows it must agree (R22). */
export class Permutation {
  readonly #at = new Map<number, Place>()
  readonly #of = new Map<string, Place>()
  /** The exchanges made so soon after a write that they may have lagged (R52). */
  readonly #young = new Set<number>()

  /** Takes a page in that begins at a position; returns what contradicts earlier answers, and if that may be lag. */
  reveal(
    start: number,
    uids: readonly string[],
    { n, asked }: Showing,
    young: boolean,
  ): { expected: string; got: string; n: number; lagged: boolean } | undefined {
    if (young) this.#young.add(n)
    for (const [index, uid] of uids.entries()) {
      const position = start + index
      const there = this.#at.get(position)
      if (there && there.uid !== uid)
        return {
          expected: `${there.uid} at position ${position}, as exchange ${there.n} showed with ${there.asked}`,
          got: uid,
          n: there.n,
          lagged: this.#young.has(there.n),
        }
      const before = this.#of.get(uid)
      if (before && before.position !== position)
        return {
          expected: `${uid} at position ${before.position}, as exchange ${before.n} showed with ${before.asked}`,
          got: `position ${position}`,
          n: before.n,
          lagged: this.#young.has(before.n),
        }
    }
    for (const [index, uid] of uids.entries()) {
      const position = start + index
      if (this.#at.has(position)) continue
      const place = { uid, position, n, asked }
      this.#at.set(position, place)
      this.#of.set(uid, place)
    }
    return undefined
  }
}

/** A name that every collation sorts the same way (R17). */
const isPlain = (name: unknown): name is string =>
  typeof name === 'string' && /^[beikmopu]+$/.test(name) && !/(.)\1/.test(name)

/** What an order asks for; undefined for one that the contract does not show (R18). */
export function directionOf(order: string | undefined): { by: 'name' | 'createTime'; sign: 1 | -1 } | undefined {
  switch (order) {
    case 'name':
      return { by: 'name', sign: 1 }
    case 'name desc':
      return { by: 'name', sign: -1 }
    case 'created_at':
      return { by: 'createTime', sign: 1 }
    case 'created_at desc':
      return { by: 'createTime', sign: -1 }
    default:
      return undefined
  }
}

/** The first two neighbours of a page that are out of order; equal keys may be in either order (R17). */
export function misplaced(
  things: readonly (Thing | undefined)[],
  direction: NonNullable<ReturnType<typeof directionOf>>,
  nameOf: (thing: Thing) => unknown,
): [Thing, Thing] | undefined {
  let last: { thing: Thing; key: string | number } | undefined
  for (const thing of things) {
    if (!thing) continue
    const key = direction.by === 'name' ? nameOf(thing) : thing.createTime
    if (direction.by === 'name' ? !isPlain(key) : typeof key !== 'number') continue
    const now = { thing, key: key as string | number }
    if (last && (last.key < now.key ? -1 : last.key > now.key ? 1 : 0) * direction.sign > 0) return [last.thing, thing]
    last = now
  }
  return undefined
}

/** How an order puts two things that came the other way round, and how they came; times as texts. */
export function wrongWay(
  [one, other]: [Thing, Thing],
  order: string,
  nameOf: (thing: Thing) => unknown,
): { expected: string; got: string } {
  const byName = directionOf(order)?.by === 'name'
  const keyOf = (thing: Thing) => (byName ? String(nameOf(thing)) : new Date(thing.createTime!).toISOString())
  return {
    expected: `${order}: ${keyOf(other)} before ${keyOf(one)}`,
    got: `${keyOf(one)} before ${keyOf(other)}`,
  }
}
