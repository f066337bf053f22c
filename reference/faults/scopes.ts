import type { At } from '../domain/at.ts'
import type { Item } from '../domain/item.ts'
import type { Replacement } from '../replace.ts'

/** Scopes for which every item of the organization is a candidate. */
export const withinAny =
  (within: (item: Item, at: At) => boolean): Replacement =>
  () => ({
    *candidates(at) {
      if (at.kind === 'none') return
      yield* at.kind === 'roles' ? at.world.store.under('roles', '') : at.world.store.all(at.kind)
    },
    withinScope: (item, at) => item.kind === 'roles' || within(item, at),
  })

export const depthBelow = (item: Item, uid: string) => item.parent.slice(uid.length).split('/').length
