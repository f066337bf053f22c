import { type Variant, variant } from '../../fault.ts'
import { on } from '../../replace.ts'

/** Kinds that need no filter by name. */
export const listFilterVariants: readonly Variant[] = [
  variant('roles know no filter by name', on('roles', { matchesName: () => true }), ['list.filter.exact@roles']),
  variant('identities know no filter by name', on('identities', { matchesName: () => true }), [
    'list.filter.identities',
    'list.filter.exact@identities',
  ]),
  variant('tags know no filter by name', on('tags', { matchesName: () => true }), [
    'list.filter.exact@tags',
    'list.filter.with-descendants@tags',
    'list.total.filtered@tags',
    'list.walk.filter@tags',
  ]),
]
