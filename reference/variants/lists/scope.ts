import type { At } from '../../domain/at.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { both, type Replacement } from '../../replace.ts'
import { fills } from '../groups-contents.ts'

/** A call whose scopes are written as the uids are. */
function plain(at: At): At {
  if (!at.query) return at
  const { childrenOf, descendantsOf, ...query } = at.query
  const isThere = (uid: string) => at.world.store.get('groups', uid) !== undefined
  const uidOf = (scope: string | undefined) =>
    scope === undefined || isThere(scope) ? scope : scope.toLowerCase().replace(/\/$/, '')
  return { ...at, query: { ...query, childrenOf: uidOf(childrenOf), descendantsOf: uidOf(descendantsOf) } }
}

/** The warnings that a target gets if its lists lag. */
const lagsInLists = ['list.lag', 'list.lag.descendants', 'list.lag.name', 'list.lag.order']

/** Such lists of what is below a group include it (R15). */
const includingItself =
  (isAsked: (at: At) => boolean): Replacement =>
  (contract) => ({
    *candidates(at) {
      const isBelow = at.kind === 'groups' && at.query?.childrenOf === undefined && isAsked(at)
      const self = isBelow ? at.world.store.get('groups', at.query?.descendantsOf ?? '') : undefined
      if (self) yield self
      yield* contract.candidates(at)
    },
    withinScope: (item, at) => (item.uid === at.query?.descendantsOf && isAsked(at)) || contract.withinScope(item, at),
  })

/** Lawful scopes. */
export const listScopeVariants: readonly Variant[] = [
  variant('a scope may end in a slash, or be in capitals', (contract) => ({
    *candidates(at) {
      yield* contract.candidates(plain(at))
    },
    withinScope: (item, at) => contract.withinScope(item, plain(at)),
  })),
  variant('the list of roles knows no scope, and refuses one', () => ({
    objection: (uid, { kind, operation }) =>
      uid !== '' && operation === 'list' && kind === 'roles'
        ? new Refusal('invalid', 'uidp', 'roles live in no group')
        : undefined,
  })),
  variant('a list without a scope shows nothing but roles', (contract) => ({
    withinScope: (item, at) =>
      (item.kind === 'roles' || at.query?.childrenOf !== undefined || at.query?.descendantsOf !== undefined) &&
      contract.withinScope(item, at),
  })),
  variant(
    'below includes the group itself',
    includingItself(() => true),
  ),
  variant(
    'below includes the group itself, and every new group holds a group of its own name',
    both(
      includingItself(() => true),
      fills(
        'groups',
        () => 0,
        ({ name, description }) => ({ name, description }),
      ),
    ),
  ),
  variant(
    'below includes the group itself, unless a name is asked for',
    includingItself(({ query }) => query?.name === undefined),
  ),
  variant('a list without a scope is refused', () => ({
    objection: (uid, { kind, operation }) =>
      uid === '' && operation === 'list' && kind !== 'roles'
        ? new Refusal('invalid', 'uidp', 'a scope is required')
        : undefined,
  })),
  variant(
    'a scope that is not there, or only for a second, is refused as missing',
    (contract) => {
      const madeAt = new Map<string, number>()
      const isUnknown = (uid: string, { world: { store } }: At) =>
        performance.now() - (madeAt.get(uid) ?? 0) < 1_200 || store.get('groups', uid) === undefined
      return {
        keep(item, at) {
          madeAt.set(item.uid, performance.now())
          contract.keep(item, at)
        },
        objection: (uid, at) =>
          at.operation === 'list' && uid !== '' && isUnknown(uid, at)
            ? new Refusal('missing', 'groups', `there is no ${uid}`)
            : contract.objection(uid, at),
      }
    },
    lagsInLists,
    'may warn',
  ),
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
  variant('two scopes at once are refused', (contract) => ({
    objection: (uid, at) =>
      at.query?.childrenOf !== undefined && at.query.descendantsOf !== undefined
        ? new Refusal('invalid', 'uidp', 'one scope is enough')
        : contract.objection(uid, at),
  })),
]
