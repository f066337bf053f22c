import type { Item } from '../domain/item.ts'
import { during, on, type Replacement } from '../replace.ts'

/** Finds groups the usual way, or else by what they are alike to. */
export const looksFor = (
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

/** What stands above takes the place of a group that is missing. */
export const foundAbove: Replacement = (contract) => ({
  found: (uid, kind, at) =>
    contract.found(uid, kind, at) ??
    (kind === 'groups' ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at) : undefined),
})
