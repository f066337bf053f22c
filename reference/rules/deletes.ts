import type { Rules } from '../rules.types.ts'

/** The rules about deletes (S4.7, S7.6). */
export const deleteRules = {
  blocksDelete: (_item, living) => living.length > 0,
  alsoRemoved: (item, at) => (item.kind === 'identities' ? at.world.store.bindingsOf(item.uid) : []),
  forget({ drop, unlist }) {
    drop()
    unlist()
  },
  lostByRefusedDelete: () => [],
  deleted: () => ({}),
} satisfies Partial<Rules>
