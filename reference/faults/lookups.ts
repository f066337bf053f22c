import type { Item } from '../domain/item.ts'
import { during, on, type Replacement } from '../replace.ts'

/** Groups that one operation also finds by a uid that is only similar. */
export const foundBySimilarUid = (
  operation: 'get' | 'update' | 'create' | 'delete',
  alike: (item: Item, uid: string) => boolean,
): Replacement =>
  on(
    'groups',
    during(operation, (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ?? [...at.world.store.all(kind)].find((item) => alike(item, uid)),
    })),
  )

/** A missing group is replaced by the one above it. */
export const foundAbove: Replacement = (contract) => ({
  found: (uid, kind, at) =>
    contract.found(uid, kind, at) ??
    (kind === 'groups' ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at) : undefined),
})
