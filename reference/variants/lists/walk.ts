import type { At, Cursor } from '../../domain/at.ts'
import { type Item, keyOf } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import { during, on, type Replacement, when } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'

/** Takes what was deleted from lists some milliseconds later, unless its uid is in use again. */
export function unlistAfter(lag: number, unlist: () => void, { kind, uid }: Item, { world: { store } }: At): void {
  setTimeout(() => store.get(kind, uid) === undefined && unlist(), lag).unref()
}

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
        const old = before.get(keyOf(item))
        if (old && old.until > at.world.now()) return old.item
        return young(item.createTime, at) ? undefined : item
      },
      modify({ read, change, write }, at) {
        const old = read()
        const next = change(old)
        if (!young(old.createTime, at)) before.set(keyOf(old), { item: old, until: at.world.now() + lag })
        write(next)
        return next
      },
      forget({ drop, unlist }, item, at) {
        contract.forget({ drop, unlist: () => unlistAfter(lag, unlist, item, at) }, item, at)
      },
    }
  }

/** If so many calls or more began within a moment, new items show so late, in milliseconds; once shown, they stay. */
const lateWhileBusy =
  (many: number, lag: number): Replacement =>
  (contract) => {
    let begun: number[] = []
    const shown = new Set<string>()
    return {
      transport(request, response, serve, at) {
        const now = performance.now()
        begun = [...begun.filter((then) => now - then < 50), now]
        return contract.transport(request, response, serve, at)
      },
      seen(item, at) {
        const { childrenOf, descendantsOf, name, order } = at.query ?? {}
        const place = [item.uid, childrenOf, descendantsOf, name, order?.field, order?.descending].join()
        if (!shown.has(place) && begun.length >= many && !youngUnseen(lag)(item, at)) return undefined
        if (at.operation === 'list') shown.add(place)
        return item
      },
    }
  }

/** Lists of some form that show new items so late, in milliseconds; once shown, they stay. */
const lateWhere = (isLate: (at: At) => boolean, lag: number): Replacement => when(isLate, { seen: youngUnseen(lag) })

const youngUnseen =
  (lag: number): Rules['seen'] =>
  (item, at) =>
    at.operation === 'list' && item.org !== '' && item.createTime > at.world.now() - lag ? undefined : item

/** Lists that show changes so late, in milliseconds, with items in their old place. */
const lateChanges =
  (lag: number): Replacement =>
  (contract) => {
    const before = new Map<string, { item: Item; until: number }>()
    return {
      modify({ read, change, write }, at) {
        const old = read()
        const known = before.get(old.uid)
        const now = performance.now()
        const item = known && now < known.until ? known.item : old
        before.set(old.uid, { item, until: now + lag })
        return contract.modify({ read, change, write }, at)
      },
      seen(item, at) {
        const known = at.operation === 'list' ? before.get(item.uid) : undefined
        return contract.seen(known && performance.now() < known.until ? known.item : item, at)
      },
    }
  }

const lateLists = (lag: number, may?: 'may warn') =>
  variant(
    `a list shows everything ${lag} ms late`,
    late(lag),
    [
      'list.lag',
      'list.lag.descendants',
      'list.lag.name',
      'list.lag.order',
      'service.lag.deletion',
      'binding.lag.embedded',
      'v1.lag',
    ],
    may,
  )

/** Lawful walks while others write. */
export const listWalkVariants: readonly Variant[] = [
  variant('a walk shows what there was when it began', snapshots('as it was')),
  variant('a walk shows what there was when it began and still is', snapshots('as it is')),
  lateLists(300),
  // what a binding embeds may be looked at later than that
  lateLists(900, 'may warn'),
  variant(
    'Get shows what is new 400 ms late',
    during('get', {
      seen: (item, at) => (item.org !== '' && item.createTime > at.world.now() - 400 ? undefined : item),
    }),
    ['service.lag.get', 'v1.lag'],
    'may warn',
  ),
  variant(
    'a list by name shows what is new 400 ms late',
    lateWhere(({ query }) => query?.name !== undefined, 400),
    ['list.lag.name'],
  ),
  variant(
    'a list of descendants shows what is new 400 ms late',
    lateWhere(({ query }) => query?.descendantsOf !== undefined, 400),
    ['list.lag.descendants', 'list.lag.order', 'list.lag.name'],
    'may warn',
  ),
  variant(
    'an ordered list shows what is new 400 ms late',
    // over gRPC the default order may be another one
    lateWhere(({ query, over }) => over === undefined && query !== undefined && query.order.field !== 'uid', 400),
    ['list.lag.order'],
  ),
  variant(
    'lists of groups show what was changed 400 ms late',
    on('groups', lateChanges(400)),
    ['list.lag', 'list.lag.descendants', 'list.lag.name', 'list.lag.order', 'v1.lag'],
    'may warn',
  ),
  variant(
    'lists show what is new late while others call',
    lateWhileBusy(3, 400),
    ['list.lag', 'list.lag.descendants', 'list.lag.name', 'list.lag.order', 'v1.lag'],
    'may warn',
  ),
]
