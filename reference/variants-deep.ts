import type { Item } from './domain/item.ts'
import type { Cursor } from './domain/world.ts'
import { type Replacement, type Variant, variant } from './replace.ts'

/** A walk shows what there was when it began; what is deleted meanwhile stays in it, or falls out of its pages. */
const snapshots =
  (shows: 'as it was' | 'as it is'): Replacement =>
  (contract) => {
    const walks = new Map<string, readonly Item[]>()
    return {
      cursor(last, key, order, skipped, now, at) {
        const walk = String(at.query?.cursor?.walk ?? `walk ${walks.size - 1}`)
        return { ...contract.cursor(last, key, order, skipped, now, at), walk }
      },
      sorted(items, compare, at) {
        const sorted = contract.sorted(items, compare, at)
        const walk = at.query?.cursor?.walk
        if (walk === undefined) walks.set(`walk ${walks.size}`, sorted)
        return sorted
      },
      rest(sorted, _place, cursor: Cursor, at) {
        const whole = walks.get(String(cursor.walk)) ?? sorted
        const fits = (item: Item) =>
          contract.withinScope(item, at) &&
          (at.query?.name === undefined || contract.matchesName(item, at.query.name, at))
        const after = whole.slice(whole.findIndex(({ uid }) => uid === cursor.uid) + 1)
        if (shows === 'as it was') return after.filter(fits)
        return after.flatMap((old) => sorted.find(({ uid }) => uid === old.uid) ?? [])
      },
    }
  }

/** Lawful servers that the deep checks must spare. */
export const variantsOfTheDeep: readonly Variant[] = [
  variant('a walk shows what there was when it began', snapshots('as it was')),
  variant('a walk shows what there was when it began and still is', snapshots('as it is')),
]
