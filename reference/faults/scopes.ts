import type { At } from '../domain/at.ts'
import type { Item } from '../domain/item.ts'
import type { Replacement } from '../replace.ts'

/** Scopes that are read differently, from all items of the kind; roles live in no group. */
export const scopesReadAs =
  (within: (item: Item, at: At) => boolean): Replacement =>
  () => ({
    *candidates(at) {
      if (at.kind === 'none') return
      yield* at.kind === 'roles' ? at.world.store.under('roles', '') : at.world.store.all(at.kind)
    },
    withinScope: (item, at) => item.kind === 'roles' || within(item, at),
  })

/** How many levels below a group an item lives. */
export const depthBelow = (item: Item, uid: string) => item.parent.slice(uid.length).split('/').length

/** How many segments a uid has. */
export const depthOf = (uid: string) => uid.split('/').length
