import type { Item } from '../../domain/item.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'

/** Faults in totalCount (S4.18). */
export const listTotalFaults: readonly Fault[] = [
  fault(
    'the total of identity providers is that of the page',
    ['list.total.counts@identityProviders'],
    on('identityProviders', { totalCount: ({ shown }) => String(shown) }),
  ),
  fault(
    'the total of repos is what is left to show',
    ['list.total.counts@repos'],
    on('repos', { totalCount: ({ left, shown }) => String(left + shown) }),
  ),
  fault(
    'a total is a number',
    ['list.total.counts@roleBindings'],
    on('roleBindings', {
      totalCount: ({ matches }) => matches as unknown as string,
    }),
  ),
  basicFault('totalCount is what the page holds', ['list.total.counts*'], () => ({
    totalCount: ({ shown }) => String(shown),
  })),
  fault(
    'totalCount counts down along the walk',
    { turnsRed: ['list.total.counts*'], spreadsTo: ['list.walk.skip-filtered'] },
    () => ({
      totalCount: ({ matches, left, shown, skip }, at) => String(at.page > 1 ? left + shown + skip : matches),
    }),
  ),
  fault('totalCount leaves out what was skipped', ['list.total.counts*'], () => ({
    totalCount: ({ matches, skip }) => String(matches - Math.min(skip, matches)),
  })),
  fault('totalCount stops at two hundred', ['list.total.crowd'], () => ({
    totalCount: ({ matches }) => String(Math.min(matches, 200)),
  })),
  fault(
    'of thirty answers about a long list one counts wrong',
    { turnsRed: ['list.total.every-answer'], spreadsTo: ['list.total.*', 'list.*.crowd'] },
    (contract) => {
      let answers = 0
      return {
        totalCount: (counts, at) =>
          at.kind === 'groups' && counts.matches > 200 && ++answers % 30 === 0
            ? String(counts.matches - 1)
            : contract.totalCount(counts, at),
      }
    },
  ),
  fault(
    'the total of tags forgets the filter',
    ['list.total.filtered@tags'],
    on('tags', (contract) => ({
      totalCount: (_counts, at) =>
        String([...contract.candidates(at)].filter((item) => contract.withinScope(item, at)).length),
    })),
  ),
  fault(
    'totalCount does not know the filter',
    ['list.total.filtered', 'list.total.filtered@*', 'list.total.one-name'],
    (contract) => ({
      totalCount: (counts, at) => {
        const all = [...contract.candidates(at)].filter((item) => contract.withinScope(item, at))
        return at.query?.name === undefined ? contract.totalCount(counts, at) : String(all.length)
      },
    }),
  ),
  fault(
    'totals are remembered from page to page by scope alone',
    ['list.total.filtered'],
    on('groups', (contract) => {
      const known = new Map<string, string>()
      return {
        totalCount(counts, at) {
          const { childrenOf, descendantsOf } = at.query!
          const scope = JSON.stringify([childrenOf, descendantsOf])
          if (at.page === 1) known.set(scope, contract.totalCount(counts, at))
          return known.get(scope) ?? contract.totalCount(counts, at)
        },
      }
    }),
  ),
  fault(
    'a list is remembered until something else is asked for',
    ['list.total.follows'],
    on('groups', (contract) => {
      const known = new Map<string, readonly Item[]>()
      return {
        sorted(items, compare, at) {
          const { childrenOf, descendantsOf, name, order, cursor } = at.query!
          const key = JSON.stringify([childrenOf, descendantsOf, name, order])
          if (cursor || !known.has(key)) known.set(key, contract.sorted(items, compare, at))
          return [...known.get(key)!]
        },
      }
    }),
  ),
  fault('totals are remembered', ['list.total.follows'], (contract) => {
    const known = new Map<string, string>()
    return {
      totalCount(counts, at) {
        const { childrenOf, descendantsOf, name, order, size, skip, cursor } = at.query!
        const query = [at.kind, childrenOf, descendantsOf, name, order, size, skip, cursor?.uid, cursor?.key]
        const key = JSON.stringify(query)
        if (!known.has(key)) known.set(key, contract.totalCount(counts, at))
        return known.get(key)!
      },
    }
  }),
  fault('in an order the total also counts what is deeper', ['list.total.scoped*'], (contract) => ({
    totalCount(counts, at) {
      const { query, kind } = at
      const { childrenOf, name, order } = query ?? {}
      if (childrenOf === undefined || name !== undefined || order?.field === 'uid' || kind === 'none')
        return contract.totalCount(counts, at)
      return String([...at.world.store.all(kind)].filter(({ parent }) => parent.startsWith(childrenOf)).length)
    },
  })),
]
