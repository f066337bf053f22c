import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { on, when } from '../../replace.ts'

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
  variant(
    'identities and roles know no filter by name, which is answered 422',
    when(
      ({ kind }) => kind === 'identities' || kind === 'roles',
      (contract) => ({
        page(rest, skip, size, at) {
          if (at.query?.name === undefined) return contract.page(rest, skip, size, at)
          throw new Refusal('invalid', 'query', 'extra fields are not permitted')
        },
        errorStatus: (refusal, at) => (refusal.problem === 'invalid' ? 422 : contract.errorStatus(refusal, at)),
      }),
    ),
    ['list.filter.identities', 'list.filter.exact@identities', 'list.filter.exact@roles'],
  ),
  variant(
    'a filter by a name that no group can have is refused',
    on('groups', (contract) => ({
      page(rest, skip, size, at) {
        if (!/^[a-z0-9 ._-]+$/.test(at.query?.name ?? 'none')) throw new Refusal('invalid', 'filter', 'no such name')
        return contract.page(rest, skip, size, at)
      },
    })),
  ),
]
