import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in empty lists (S4.16 to S4.19). */
export const listEmptyFaults: readonly Fault[] = [
  fault('an empty list has a total of one', ['list.empty.*'], () => ({
    totalCount: ({ matches }) => String(Math.max(1, matches)),
  })),
  fault(
    'nothing is null',
    ['list.empty.answer', 'list.empty.written-out', 'list.filter.outside-scope'],
    on('groups', (contract) => ({
      listBody: (parts, at) => ({
        ...contract.listBody(parts, at),
        ...(parts.items.length === 0 && at.query?.name !== undefined ? { groups: null } : {}),
      }),
    })),
  ),
  fault(
    'an empty list of identities is null',
    foundByModel,
    on('identities', (contract) => ({
      listBody: (parts, at) => ({
        ...contract.listBody(parts, at),
        ...(parts.items.length === 0 ? { [at.kind]: null } : {}),
      }),
    })),
  ),
]
