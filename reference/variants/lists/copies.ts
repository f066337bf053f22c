import type { At } from '../../domain/at.ts'
import { type Item, type Kind, keyOf } from '../../domain/item.ts'
import type { Variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { lagging } from './lagging.ts'

/** Every reading is from a copy that is made every so many milliseconds; writes see the present state. */
const copied =
  (every: number, reads: (at: At) => boolean): Replacement =>
  (contract) => {
    const versions = new Map<string, { item: Item | undefined; at: number }[]>()
    const dead = new Set<string>()
    const note = (item: Item, now: Item | undefined) => {
      const known = versions.get(keyOf(item)) ?? []
      versions.set(keyOf(item), [...known, { item: now, at: performance.now() }])
    }
    const copy = () => Math.floor(performance.now() / every) * every
    return {
      keep(item, at) {
        contract.keep(item, at)
        note(item, item)
      },
      modify({ read, change, write }) {
        const next = change(read())
        write(next)
        note(next, next)
        return next
      },
      forget(steps, item, at) {
        dead.add(keyOf(item))
        note(item, undefined)
        setTimeout(() => contract.forget(steps, item, at), every + 10).unref()
      },
      seen(item, at) {
        const known = versions.get(keyOf(item))
        if (known === undefined) return contract.seen(item, at)
        if (!reads(at)) return dead.has(keyOf(item)) ? undefined : contract.seen(item, at)
        return known.findLast((version) => version.at < copy())?.item
      },
      blocksDelete(item, living, at) {
        const holds = (inside: Kind) =>
          [...at.world.store.under(inside, item.uid)].some((inner) => !dead.has(keyOf(inner)))
        return contract.blocksDelete(item, living.filter(holds), at)
      },
      alsoRemoved: (item, at) => contract.alsoRemoved(item, at).filter((inner) => !dead.has(keyOf(inner))),
      assumable: (uid, at) => (dead.has(`identities ${uid}`) ? undefined : contract.assumable(uid, at)),
    }
  }

const isReading = ({ operation }: At) => operation === 'list' || operation === 'get'

/** Lawful readings from a copy. */
export const listCopyVariants: readonly Variant[] = [
  lagging('every reading is of a copy made every three seconds', copied(3_000, isReading)),
  lagging(
    'lists are of a copy made every three seconds',
    copied(3_000, ({ operation }) => operation === 'list'),
  ),
  lagging(
    'lists of children are of a copy made every three seconds, those of v1 too',
    copied(3_000, ({ operation, query }) => operation === 'list' && query?.childrenOf !== undefined),
  ),
  lagging(
    'Get is of a copy made every two seconds',
    copied(2_000, ({ operation }) => operation === 'get'),
  ),
  lagging('totals are counted every two seconds', (contract) => {
    const counted = new Map<string, { total: string; at: number }>()
    return {
      totalCount(counts, at) {
        const { childrenOf, descendantsOf, name } = at.query ?? {}
        const key = JSON.stringify([at.kind, childrenOf, descendantsOf, name])
        const known = counted.get(key)
        const now = Math.floor(performance.now() / 2_000)
        if (known?.at === now) return known.total
        const total = contract.totalCount(counts, at)
        counted.set(key, { total, at: now })
        return total
      },
    }
  }),
]
