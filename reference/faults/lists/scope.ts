import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, when } from '../../replace.ts'
import { like } from '../name-patterns.ts'
import { depthBelow, scopesReadAs } from '../scopes.ts'

/** Scopes of groups that are read differently, from all items of the kind; lists without a scope stay as they are. */
const inScope =
  (
    within: (item: Item, scope: { childrenOf: string | undefined; descendantsOf: string | undefined }) => boolean,
  ): Replacement =>
  (contract) => ({
    *candidates(at) {
      const { childrenOf, descendantsOf } = at.query ?? {}
      if (at.kind === 'none' || at.kind === 'roles' || (childrenOf ?? descendantsOf) === undefined)
        yield* contract.candidates(at)
      else yield* at.world.store.all(at.kind)
    },
    withinScope(item, at) {
      const { childrenOf, descendantsOf } = at.query ?? {}
      if (item.kind === 'roles' || (childrenOf ?? descendantsOf) === undefined) return contract.withinScope(item, at)
      return within(item, { childrenOf, descendantsOf })
    },
  })

/** Scopes that are read differently, from all items of one kind. */
const within =
  (holds: (item: Item, at: At) => boolean): Replacement =>
  (contract) => ({
    candidates: (at) => (at.kind === 'none' ? [] : at.world.store.all(at.kind)),
    withinScope: (item, at) => (at.query === undefined ? contract.withinScope(item, at) : holds(item, at)),
  })

const scopeOf = ({ query }: At) => query?.childrenOf ?? query?.descendantsOf ?? ''

const scoped = ({ query }: At) => query?.childrenOf !== undefined || query?.descendantsOf !== undefined

const inside = (item: Item, at: At): boolean => {
  const { childrenOf, descendantsOf } = at.query ?? {}
  return childrenOf === undefined
    ? descendantsOf === undefined || `${item.parent}/`.startsWith(`${descendantsOf}/`)
    : item.parent === childrenOf
}

const byBeginning = (item: Item, at: At) => {
  const { childrenOf, descendantsOf } = at.query!
  return childrenOf === undefined ? item.parent.startsWith(descendantsOf ?? '') : item.parent === childrenOf
}

/** Faults in scopes (S4.8, S4.9). */
export const listScopeFaults: readonly Fault[] = [
  fault(
    'a scope that is not there is no scope',
    ['list.scope.*.never-issued*'],
    when(
      scoped,
      scopesReadAs((item, at) => {
        const { childrenOf, descendantsOf } = at.query!
        const home = at.world.store.get('groups', childrenOf ?? descendantsOf ?? '')
        return home === undefined || inside(item, at)
      }),
    ),
  ),
  fault(
    'two scopes are none',
    ['list.scope.both'],
    on('groups', (contract) => {
      const both = ({ query }: At) => query?.childrenOf !== undefined && query.descendantsOf !== undefined
      return {
        candidates: (at) => (both(at) ? at.world.store.all('groups') : contract.candidates(at)),
        withinScope: (item, at) => both(at) || contract.withinScope(item, at),
      }
    }),
  ),
  fault(
    'the children of a group of repos are all below it',
    ['list.scope.children@repos'],
    on(
      'repos',
      within((item, at) => `${item.parent}/`.startsWith(`${scopeOf(at)}/`)),
    ),
  ),
  fault(
    'the children of a group of invites are all below it',
    ['list.scope.children@groupInvites'],
    on(
      'groupInvites',
      within((item, at) => `${item.parent}/`.startsWith(`${scopeOf(at)}/`)),
    ),
  ),
  fault(
    'the children of a group of identities are all below it',
    ['list.scope.children@identities'],
    on(
      'identities',
      when(
        scoped,
        scopesReadAs((item, at) => {
          const { childrenOf, descendantsOf } = at.query!
          return `${item.parent}/`.startsWith(`${childrenOf ?? descendantsOf}/`)
        }),
      ),
    ),
  ),
  fault(
    'the children of a group are all below it',
    {
      turnsRed: ['list.scope.children', 'list.scope.children@*', 'list.scope.children.named'],
      spreadsTo: ['list.scope.children.*'],
    },
    inScope((item, { childrenOf, descendantsOf }) => {
      const scope = childrenOf ?? descendantsOf ?? ''
      return `${item.parent}/`.startsWith(`${scope}/`)
    }),
  ),
  fault(
    'beside a name the children of a group are all below it',
    ['list.scope.children.named'],
    on('groups', (contract) => ({
      *candidates(at) {
        yield* at.query?.name === undefined ? contract.candidates(at) : at.world.store.all('groups')
      },
      withinScope: (item, at) =>
        at.query?.name !== undefined && at.query.childrenOf !== undefined
          ? item.parent.startsWith(at.query.childrenOf)
          : contract.withinScope(item, at),
    })),
  ),
  fault(
    'what is below a group is known up to the hundredth',
    ['list.scope.crowd'],
    on('groups', (contract) => ({
      *candidates(at) {
        let count = 0
        for (const item of contract.candidates(at)) {
          if (at.query?.descendantsOf === undefined || count++ < 100) yield item
        }
      },
    })),
  ),
  fault(
    'below a group a name is looked for among a hundred',
    ['list.scope.crowd'],
    on('groups', (contract) => ({
      *candidates(at) {
        let count = 0
        const looked = at.query?.descendantsOf !== undefined && at.query.name !== undefined
        for (const item of contract.candidates(at)) if (!looked || count++ < 100) yield item
      },
    })),
  ),
  fault(
    'the scope of a deleted group lists what it held last',
    ['list.scope.deleted'],
    on('groups', (contract) => {
      const held = new Map<string, readonly Item[]>()
      return {
        sorted(items, compare, at) {
          const scope = at.query?.childrenOf ?? at.query?.descendantsOf ?? ''
          if (items.length > 0) held.set(scope, items)
          const gone = at.world.store.get('groups', scope) === undefined
          return contract.sorted(gone ? (held.get(scope) ?? items) : items, compare, at)
        },
      }
    }),
  ),
  fault(
    'a list of advisories forgets its scope',
    { turnsRed: ['list.scope.descendants@advisories'], spreadsTo: ['list.scope.*@advisories'] },
    on(
      'advisories',
      within(() => true),
    ),
  ),
  fault(
    'bindings are looked for two levels down',
    ['list.scope.descendants@roleBindings'],
    on('roleBindings', (contract) => ({
      withinScope: (item, at) =>
        contract.withinScope(item, at) &&
        (at.query?.descendantsOf === undefined || depthBelow(item, at.query.descendantsOf) <= 2),
    })),
  ),
  fault(
    'below a group is only what is directly in it',
    ['list.scope.descendants*'],
    inScope((item, { childrenOf, descendantsOf }) => item.parent === (childrenOf ?? descendantsOf ?? item.parent)),
  ),
  fault(
    'what is below a group of tags is decided by the beginning of its uid',
    ['list.scope.descendants.never-issued@tags'],
    on(
      'tags',
      within(({ parent }, { query }) =>
        query?.childrenOf === undefined ? parent.startsWith(query?.descendantsOf ?? '') : parent === query.childrenOf,
      ),
    ),
  ),
  fault(
    'what is below a group of identities is decided by the beginning of its uid',
    ['list.scope.descendants.never-issued@identities'],
    on('identities', when(scoped, scopesReadAs(byBeginning))),
  ),
  fault(
    'what is below a group is decided by the beginning of its uid',
    ['list.scope.descendants.never-issued*'],
    when(scoped, scopesReadAs(byBeginning)),
  ),
  fault(
    'the repos of another organization are listed as well',
    { turnsRed: ['list.scope.elsewhere@repos'], spreadsTo: ['list.scope.*@repos'] },
    on('repos', (contract) => ({
      candidates: (at) => at.world.store.all('repos'),
      belongs: () => true,
      withinScope: (item, at) => item.org !== at.caller?.org || contract.withinScope(item, at),
    })),
  ),
  fault(
    'the children of a group are those of the group above, too',
    {
      turnsRed: ['list.scope.parent-of-none', 'list.scope.parent-of-none@*', 'list.scope.leaf'],
      spreadsTo: ['list.scope.*', 'group.list.answers'],
    },
    inScope((item, { childrenOf, descendantsOf }) => {
      const scope = childrenOf ?? descendantsOf ?? ''
      const above = scope.slice(0, scope.lastIndexOf('/'))
      return item.parent === scope || `${item.parent}/`.startsWith(`${scope}/`) || item.parent === above
    }),
  ),
  fault(
    'a scope is a pattern of the database',
    ['list.scope.wildcard'],
    on(
      'groups',
      when(
        scoped,
        scopesReadAs((item, at) => {
          const { childrenOf, descendantsOf } = at.query!
          const path = `${childrenOf ?? descendantsOf}${childrenOf === undefined ? '/%' : ''}`
          return /[%_]/.test(path.slice(0, -2)) ? like(path).test(`${item.parent}/`) : inside(item, at)
        }),
      ),
    ),
  ),
]
