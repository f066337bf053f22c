import { type Fault, fault } from '../../fault.ts'
import { fromPage } from '../../replace.ts'

/** Faults of long lists (S4.11, S4.18, S4.23). */
export const ordinarySizeFaults: readonly Fault[] = [
  fault(
    'with a skip a page ends at the two hundredth result',
    { turnsRed: ['list.skip.slice*'], spreadsTo: ['list.skip.*', 'list.walk.*'] },
    (contract) => ({
      page(rest, skip, size, at) {
        const isShort = skip > 0 && skip < 200 && !at.query?.cursor
        return contract.page(rest, skip, isShort ? Math.min(size, 200 - skip) : size, at)
      },
    }),
  ),
  fault(
    'from page eleven on the total is rounded to tens',
    { turnsRed: ['list.total.counts*'], spreadsTo: ['list.*'] },
    fromPage(11, (contract) => ({
      totalCount: (counts, at) => contract.totalCount({ ...counts, matches: Math.ceil(counts.matches / 10) * 10 }, at),
    })),
  ),
]
