import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { knowingMasks, on, type Replacement } from '../../replace.ts'
import { findsAtMost } from '../lists/filter.ts'
import { Counts, changed, foundByModel } from '../run/histories.ts'

/** The names that an index has of things, where an update may leave an older one in it. */
const indexed =
  (kind: Item['kind'], entered: (old: Item, next: Item, times: number, at: At) => boolean): Replacement =>
  (contract) => {
    const [names, renames] = [new Map<string, string>(), new Counts()]
    return {
      matchesName: (item, name, at) =>
        contract.matchesName({ ...item, name: names.get(item.uid) ?? item.name }, name, at),
      ...changed(contract, (old, next, at) => {
        if (next.kind !== kind || old.name === next.name) return next
        const before = names.get(next.uid) ?? old.name
        names.set(next.uid, entered(old, next, renames.add(next.uid), at) ? next.name : before)
        return next
      }),
    }
  }

/** Says of each rename whether the thing had that name before. */
const inEarlierNames = (): ((old: Item, next: Item) => boolean) => {
  const had = new Map<string, Set<string>>()
  return (old, next) => {
    const names = (had.get(next.uid) ?? new Set<string>()).add(old.name)
    had.set(next.uid, names)
    return names.has(next.name)
  }
}

/** A name that was looked for in vain below a group is not there until a group is made in it. */
const inVain: Replacement = (contract) => {
  const vain = new Set<string>()
  const keyOf = ({ query }: At) => `${query?.descendantsOf} ${query?.name}`
  const isAsked = ({ query }: At) => query?.name !== undefined && query.descendantsOf !== undefined
  return {
    sorted(items, compare, at) {
      const all = contract.sorted(items, compare, at)
      if (!isAsked(at)) return all
      if (all.length === 0) vain.add(keyOf(at))
      return vain.has(keyOf(at)) ? [] : all
    },
    keep(item, at) {
      for (const key of vain) if (`${item.parent}/`.startsWith(`${key.split(' ')[0]}/`)) vain.delete(key)
      contract.keep(item, at)
    },
  }
}

/** Faults that show where a name was changed, given again or looked for before (S4.10, S4.14, S4.25). */
export const indexFaults: readonly Fault[] = [
  fault(
    'an identity that was renamed twice is not found by its name',
    foundByModel,
    indexed('identities', (_old, _next, times) => times < 2),
  ),
  fault('an identity that got an earlier name back is not found by it', foundByModel, (contract) => {
    const had = inEarlierNames()
    return indexed('identities', (old, next) => !had(old, next))(contract)
  }),
  fault(
    'identity providers are found by their first names',
    foundByModel,
    indexed('identityProviders', () => false),
  ),
  fault(
    'below a group a name that was looked for in vain is not found after a rename',
    foundByModel,
    on('groups', inVain),
  ),
  fault(
    'beside a name skip counts what was deleted',
    foundByModel,
    on('groups', (contract) => {
      const gone = new Map<string, number>()
      const keyOf = (parent: string, name: string) => `${parent} ${name}`
      return {
        forget(steps, item, at) {
          if (item.kind === 'groups') {
            const key = keyOf(item.parent, item.name)
            gone.set(key, (gone.get(key) ?? 0) + 1)
          }
          contract.forget(steps, item, at)
        },
        skipApplied(skip, cursor, at) {
          const { childrenOf, name } = at.query ?? {}
          const deleted = childrenOf && name ? (gone.get(keyOf(childrenOf, name)) ?? 0) : 0
          return Math.max(0, contract.skipApplied(skip, cursor, at) - deleted)
        },
      }
    }),
  ),
  fault(
    'a walk of groups of one name ends a page early where one was deleted',
    foundByModel,
    on('groups', (contract) => {
      const gone = new Set<string>()
      return {
        forget(steps, item, at) {
          if (item.kind === 'groups') gone.add(`${item.parent} ${item.name}`)
          contract.forget(steps, item, at)
        },
        more(left, shown, size, at) {
          const { childrenOf, name } = at.query ?? {}
          const fewer = childrenOf && name && gone.has(`${childrenOf} ${name}`) ? left - 1 : left
          return contract.more(fewer, shown, size, at)
        },
      }
    }),
  ),
  fault(
    'newest first no identity provider is found by its name',
    foundByModel,
    on('identityProviders', (contract) => ({
      matchesName: (item, name, at) =>
        !(at.query?.order.field === 'createTime' && at.query.order.descending) && contract.matchesName(item, name, at),
    })),
  ),
  fault(
    'a rename of an identity under a mask does not reach the index of names',
    foundByModel,
    knowingMasks((isMasked, contract) => indexed('identities', (_old, _next, _times, at) => !isMasked(at))(contract)),
  ),
  fault('a name finds at most fifty groups', foundByModel, on('groups', findsAtMost(50))),
]
