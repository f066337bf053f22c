import type { At } from '../domain/at.ts'
import type { Item, Kind } from '../domain/item.ts'
import { during, on, type Replacement } from '../replace.ts'
import type { Rules } from '../rules.types.ts'

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

/** Of several bodies in an array the first is read. */
export const firstInArray: Replacement = during('create', (contract) => ({
  body(bytes, at) {
    const text = new TextDecoder().decode(bytes)
    return contract.body(text.startsWith('[{') ? new TextEncoder().encode(text.slice(1, -1)) : bytes, at)
  },
}))

/** A missing group is replaced by the one above it. */
export const foundAbove: Replacement = (contract) => ({
  found: (uid, kind, at) =>
    contract.found(uid, kind, at) ??
    (kind === 'groups' ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at) : undefined),
})

/** Things of a kind that Get does not find. */
export const hiddenFromGet = (kind: Kind, isHidden: (uid: string) => boolean): Replacement =>
  on(
    kind,
    during('get', (contract) => ({
      found: (uid, sought, at) => (sought === kind && isHidden(uid) ? undefined : contract.found(uid, sought, at)),
    })),
  )

/** A replacement that knows by their uids what some calls made. */
export const knowingMade =
  (
    isMaker: (at: At) => boolean,
    change: (isOne: (uid: string) => boolean, contract: Rules) => Partial<Rules>,
  ): Replacement =>
  (contract) => {
    const made = new Set<string>()
    return {
      keep(item, at) {
        if (isMaker(at)) made.add(item.uid)
        contract.keep(item, at)
      },
      ...change((uid) => made.has(uid), contract),
    }
  }
