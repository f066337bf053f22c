import { type Item, keyOf } from '../../domain/item.ts'
import type { Variant } from '../../fault.ts'
import { type Replacement, when } from '../../replace.ts'
import { lagging } from '../lists/lagging.ts'

const lag = 4_000

/** Get remembers for a while what it found, and what it did not. */
const cachedGets: Replacement = when(
  ({ operation }) => operation === 'get',
  (contract) => {
    const kept = new Map<string, { item: Item | undefined; until: number }>()
    return {
      found(uid, kind, at) {
        const key = `${at.over} ${at.version} ${kind} ${uid}`
        const known = kept.get(key)
        if (known && known.until > performance.now()) return known.item
        const item = contract.found(uid, kind, at)
        kept.set(key, { item, until: performance.now() + lag })
        return item
      },
    }
  },
)

/** Get still shows what was deleted, while lists do not. */
const shownWhenDeleted: Replacement = (contract) => {
  const dead = new Map<string, { item: Item; until: number }>()
  return {
    forget(steps, item, at) {
      contract.forget(steps, item, at)
      dead.set(`${item.kind} ${item.uid}`, { item, until: performance.now() + lag })
    },
    found(uid, kind, at) {
      const gone = at.operation === 'get' && at.kind === kind ? dead.get(`${kind} ${uid}`) : undefined
      return contract.found(uid, kind, at) ?? (gone && gone.until > performance.now() ? gone.item : undefined)
    },
  }
}

/** What a binding embeds is as it was a while ago. */
const lateEmbedded: Replacement = (contract) => {
  const before = new Map<string, { item: Item; until: number }[]>()
  return {
    async modify(steps, at) {
      const old = steps.read()
      const next = await contract.modify(steps, at)
      before.set(keyOf(old), [...(before.get(keyOf(old)) ?? []), { item: old, until: performance.now() + lag }])
      return next
    },
    hydrated(part, kind, binding, at) {
      const late = part && before.get(keyOf(part))?.find(({ until }) => until > performance.now())
      return contract.hydrated(late ? late.item : part, kind, binding, at)
    },
  }
}

/** v1 shows a group, and what was changed in it, a while later than v2. */
export const lateInV1: Replacement = (contract) => {
  const behind = 3_500
  const before = new Map<string, { item: Item; until: number }>()
  const lateOf = (item: Item) => {
    const late = before.get(keyOf(item))
    return late && late.until > performance.now() ? late.item : undefined
  }
  return {
    modify(steps, at) {
      const old = steps.read()
      if (!lateOf(old)) before.set(keyOf(old), { item: old, until: performance.now() + behind })
      return contract.modify(steps, at)
    },
    seen(item, at) {
      const isLate = at.version === 'v1' && item.kind === 'groups' && ['list', 'get'].includes(at.operation)
      if (!isLate) return contract.seen(item, at)
      return at.world.now() - item.createTime < behind ? undefined : contract.seen(lateOf(item) ?? item, at)
    },
  }
}

/** Lawful caches and copies, each behind one view (R52). */
export const cacheVariants: readonly Variant[] = [
  lagging('Get remembers for four seconds what it found, and what it did not', cachedGets),
  lagging('Get shows what was deleted for four seconds', shownWhenDeleted),
  lagging('what a binding embeds is four seconds old', lateEmbedded),
  lagging('v1 shows groups three and a half seconds late', lateInV1),
]
