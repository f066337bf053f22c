import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'

/** Lawful scopes. */
export const listScopeVariants: readonly Variant[] = [
  variant('below includes the group itself', (contract) => ({
    *candidates(at) {
      const scope = at.kind === 'groups' && at.query?.childrenOf === undefined && at.query?.descendantsOf
      const self = scope ? at.world.store.get('groups', scope) : undefined
      if (self) yield self
      yield* contract.candidates(at)
    },
    withinScope: (item, at) => item.uid === at.query?.descendantsOf || contract.withinScope(item, at),
  })),
  variant('a list without a scope is refused', () => ({
    objection: (uid, { kind, operation }) =>
      uid === '' && operation === 'list' && kind !== 'roles'
        ? new Refusal('invalid', 'uidp', 'a scope is required')
        : undefined,
  })),
  variant('a scope that is not there is refused as missing', () => ({
    objection: (uid, { world, operation }) =>
      uid !== '' && operation === 'list' && !world.store.get('groups', uid)
        ? new Refusal('missing', 'groups', `there is no ${uid}`)
        : undefined,
  })),
  variant('a scope that is not there is forbidden', () => ({
    objection: (uid, { world, operation }) =>
      uid !== '' && operation === 'list' && !world.store.get('groups', uid)
        ? new Refusal('forbidden', 'groups', 'you may not see this')
        : undefined,
  })),
  variant('of two scopes that of the children counts', (contract) => ({
    withinScope: (item, at) =>
      at.query?.childrenOf === undefined
        ? contract.withinScope(item, at)
        : item.kind === 'roles' || item.parent === at.query.childrenOf,
  })),
]
