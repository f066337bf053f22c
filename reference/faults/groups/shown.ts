import type { Fields, Item } from '../../domain/item.ts'
import { during, type Replacement } from '../../replace.ts'

/** Groups that one operation shows differently. */
export const groupsShown = (
  operation: 'create' | 'get' | 'list' | 'update',
  show: (fields: Fields, item: Item) => Fields,
): Replacement =>
  during(operation, (contract) => ({
    group: (item, time, at) => show(contract.group(item, time, at), item),
  }))
