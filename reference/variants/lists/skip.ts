import type { At } from '../../domain/at.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'

/** Lawful ways to skip. */
export const listSkipVariants: readonly Variant[] = [
  variant(
    'a page that was reached by a skip has no token',
    (contract) => ({
      more: (left, shown, size, at) => !(at.query?.skip && !at.query.cursor) && contract.more(left, shown, size, at),
    }),
    ['list.walk.skip-token'],
  ),
  variant('skipped is of its own page alone', () => ({ skipped: (skip) => skip })),
  variant('skipped beside a token is how far the walk has come', (contract) => {
    const seen = new WeakMap<At, number>()
    return {
      page(rest, skip, size, at) {
        seen.set(at, rest.length)
        return contract.page(rest, skip, size, at)
      },
      skipped: (skip, before, at) => (at.query?.cursor ? before + (seen.get(at) ?? 0) : skip),
    }
  }),
  variant(
    'a skip beyond the end is a fault of the server',
    (contract) => ({
      page(rest, skip, size, at) {
        if (skip > 0 && skip >= rest.length) throw new Refusal('internal', 'skip', 'there are not so many')
        return contract.page(rest, skip, size, at)
      },
    }),
    ['service.faults'],
  ),
  variant('skipped is no more than there is to skip', (contract) => {
    const sizes = new WeakMap<At, number>()
    return {
      sorted(items, compare, at) {
        sizes.set(at, items.length)
        return contract.sorted(items, compare, at)
      },
      skipped: (skip, _before, at) => Math.min(skip, sizes.get(at) ?? skip),
    }
  }),
  variant('a skip beyond the end is refused', (contract) => ({
    page(rest, skip, size, at) {
      if (skip > 0 && skip >= rest.length) throw new Refusal('invalid', 'skip', 'there are not so many')
      return contract.page(rest, skip, size, at)
    },
  })),
  variant('a skip beside a token counts from the beginning', (contract) => ({
    rest: (sorted, place, cursor, at) => (at.query?.skip ? sorted : contract.rest(sorted, place, cursor, at)),
  })),
  variant('a skip beside a token is refused', (contract) => ({
    skipApplied(skip, cursor, at) {
      if (cursor && skip > 0) throw new Refusal('invalid', 'skip', 'a walk that goes on skips nothing')
      return contract.skipApplied(skip, cursor, at)
    },
  })),
]
