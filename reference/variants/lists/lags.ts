import type { At } from '../../domain/at.ts'
import { type Item, keyOf } from '../../domain/item.ts'
import type { Variant } from '../../fault.ts'
import { type Replacement, when } from '../../replace.ts'
import { fills, identity } from '../groups-contents.ts'
import { lagging } from './lagging.ts'
import { unlistAfter } from './walk.ts'

/** Some lists show what is new so many milliseconds late, all others at once. */
const lateNews = (lag: number, isLate: (at: At) => boolean): Replacement =>
  when(isLate, {
    seen: (item, at) =>
      at.operation === 'list' && item.org !== '' && item.createTime > at.world.now() - lag ? undefined : item,
  })

/** Lists show what is new, changed or deleted so many milliseconds late. */
const lateLists =
  (lag: number): Replacement =>
  (contract) => {
    const before = new Map<string, { item: Item; until: number }>()
    const isOld = ({ createTime }: Item, at: At) => createTime <= at.world.now() - lag
    const known = (item: Item) => {
      const old = before.get(keyOf(item))
      return old && old.until > performance.now() ? old.item : undefined
    }
    return {
      seen(item, at) {
        if (at.operation !== 'list' || item.org === '') return contract.seen(item, at)
        return known(item) ?? (isOld(item, at) ? contract.seen(item, at) : undefined)
      },
      modify(steps, at) {
        const old = steps.read()
        if (isOld(old, at) && !known(old)) before.set(keyOf(old), { item: old, until: performance.now() + lag })
        return contract.modify(steps, at)
      },
      forget({ drop, unlist }, item, at) {
        contract.forget({ drop, unlist: () => unlistAfter(lag, unlist, item, at) }, item, at)
      },
    }
  }

/** Some lists show each state that an item had, one after the other, so many milliseconds late. */
const replayed =
  (lag: number, isLate: (at: At) => boolean): Replacement =>
  (contract) => {
    const past = new Map<string, { item: Item; until: number }[]>()
    return {
      modify(steps, at) {
        const item = steps.read()
        const states = past.get(keyOf(item)) ?? []
        past.set(keyOf(item), [...states, { item, until: performance.now() + lag }])
        return contract.modify(steps, at)
      },
      seen(item, at) {
        if (!isLate(at) || item.org === '') return contract.seen(item, at)
        const old = past.get(keyOf(item))?.find(({ until }) => until > performance.now())
        return item.createTime > at.world.now() - lag ? undefined : contract.seen(old?.item ?? item, at)
      },
    }
  }

/** Lists that lag, each in a way of its own (R52). */
export const listLagVariants: readonly Variant[] = [
  lagging(
    'lists of children are two seconds late, and no others',
    lateNews(2_000, ({ query }) => query?.childrenOf !== undefined),
  ),
  lagging(
    'lists by a name replay every change two and a half seconds late',
    replayed(2_500, ({ operation, query }) => operation === 'list' && query?.name !== undefined),
  ),
  lagging(
    'lists that skip are two seconds late, and no others',
    lateNews(2_000, ({ query }) => (query?.skip ?? 0) > 0),
  ),
  lagging(
    'descending lists are two seconds late, and no others',
    lateNews(2_000, ({ query }) => query?.order.descending === true),
  ),
  lagging(
    'pages of less than fifty are two seconds late, and no others',
    lateNews(2_000, ({ query }) => query !== undefined && query.size < 50),
  ),
  lagging(
    'what is below a group is shown two seconds late in an order or by a name',
    lateNews(
      2_000,
      ({ query }) => query?.descendantsOf !== undefined && (query.name !== undefined || query.order.field !== 'uid'),
    ),
  ),
  lagging('an order by name follows a rename three seconds late, with the new name', (contract) => {
    const before = new Map<string, { name: string; until: number }>()
    return {
      async modify(steps, at) {
        const { name } = steps.read()
        const next = await contract.modify(steps, at)
        if (next.name !== name) before.set(`${next.kind} ${next.uid}`, { name, until: performance.now() + 3_000 })
        return next
      },
      sortKey(item, field, at) {
        const old = field === 'name' ? before.get(`${item.kind} ${item.uid}`) : undefined
        return contract.sortKey(old && old.until > performance.now() ? { ...item, name: old.name } : item, field, at)
      },
    }
  }),
  lagging('a total is kept for three seconds', (contract) => {
    const kept = new Map<string, { total: string; until: number }>()
    return {
      totalCount(counts, at) {
        const { childrenOf, descendantsOf, name } = at.query ?? {}
        const key = JSON.stringify([at.kind, childrenOf, descendantsOf, name])
        const known = kept.get(key)
        if (known && known.until > performance.now()) return known.total
        const total = contract.totalCount(counts, at)
        kept.set(key, { total, until: performance.now() + 3_000 })
        return total
      },
    }
  }),
  lagging('lists lag, and every group says which of two nodes showed it', (contract) => {
    let turn = 0
    return {
      ...lateLists(900)(contract),
      group: (item, time, at) => ({ ...contract.group(item, time, at), servedBy: `node-${turn++ % 2}` }),
    }
  }),
  lagging('lists lag, and a default group in every group is busy or idle by turns', (contract) => {
    const filled = fills(
      'groups',
      () => 0,
      () => ({ name: 'default' }),
    )(contract)
    let turn = 0
    return {
      ...filled,
      ...lateLists(900)({ ...contract, ...filled }),
      group(item, time, at) {
        const shown = contract.group(item, time, at)
        return item.name === 'default' && turn++ % 2 ? { ...shown, description: 'busy' } : shown
      },
    }
  }),
  lagging(
    'every new group holds a default identity, which lists in an order or by a name show three seconds late',
    (contract) => ({
      ...fills('identities', () => 0, identity)(contract),
      seen(item, at) {
        const { order, name } = at.query ?? {}
        const isSearched = name !== undefined || (order !== undefined && order.field !== 'uid')
        const isLate = item.kind === 'identities' && item.name === 'default' && isSearched
        return isLate && at.world.now() - item.createTime < 3_000 ? undefined : contract.seen(item, at)
      },
    }),
  ),
]
