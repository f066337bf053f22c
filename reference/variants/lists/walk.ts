import type { At, Cursor } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

/** A walk shows what existed when it began; what is deleted meanwhile stays in it, or disappears from its pages. */
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

/** Lists that show every change late, by so many milliseconds. */
const late =
  (lag: number): Replacement =>
  (contract) => {
    const before = new Map<string, { item: Item; until: number }>()
    const young = (time: number, at: At) => time > at.world.now() - lag
    return {
      seen(item, at) {
        if (at.operation !== 'list' || item.org === '') return item
        const old = before.get(item.uid)
        if (old && old.until > at.world.now()) return old.item
        return young(item.createTime, at) ? undefined : item
      },
      modify({ read, change, write }, at) {
        const old = read()
        const next = change(old)
        if (!young(old.createTime, at)) before.set(old.uid, { item: old, until: at.world.now() + lag })
        write(next)
        return next
      },
      forget({ drop, unlist }, item, at) {
        contract.forget({ drop, unlist: () => void setTimeout(unlist, lag).unref() }, item, at)
      },
    }
  }

/** Lawful walks while others write. */
export const listWalkVariants: readonly Variant[] = [
  variant('a walk shows what there was when it began', snapshots('as it was')),
  variant('a walk shows what there was when it began and still is', snapshots('as it is')),
  variant('a list shows everything 300 ms late', late(300), [
    'list.lag',
    'list.lag.descendants',
    'list.lag.name',
    'list.lag.order',
    'service.lag.deletion',
    'binding.lag.embedded',
    'v1.lag',
  ]),
]
