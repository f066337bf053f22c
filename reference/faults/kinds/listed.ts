import type { At } from '../../domain/at.ts'
import type { Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { foundByModel } from '../run/histories.ts'

type Shown = 'roleBinding' | 'accountAssociation' | 'repo' | 'role'

/** A kind whose answers show another time as one of its times. */
const withTime =
  (shows: Shown, change: (fields: Record<string, unknown>, now: string) => object): Replacement =>
  (contract) => ({
    [shows](...given: unknown[]) {
      const at = given.at(-1) as Parameters<Rules['render']>[1]
      const fields = (contract[shows] as (...all: unknown[]) => Record<string, unknown>)(...given)
      return { ...fields, ...change(fields, new Date(at.world.now()).toISOString()) }
    },
  })

const asMade = ({ createTime }: Record<string, unknown>) => ({ updateTime: createTime })
const asNow = (_: unknown, now: string) => ({ updateTime: now })
const madeNow = (_: unknown, now: string) => ({ createTime: now })

/** The model finds them by two readings of what a run does not make. */
const foundElsewhere = { turnsRed: ['model.foreign.same'], spreadsTo: ['model.*'] }

/** Lists in the order of names. */
const byName = (kind: Kind, change: Replacement): Replacement =>
  on(kind, (contract) => {
    const changed = change(contract) as Record<string, (...given: unknown[]) => unknown>
    return Object.fromEntries(
      Object.entries(changed).map(([rule, there]) => [
        rule,
        (...given: unknown[]) => {
          const at = given.at(-1) as Parameters<Rules['render']>[1]
          const kept = contract[rule as keyof Rules] as (...all: unknown[]) => unknown
          return at.query?.order.field === 'name' ? there(...given) : kept(...given)
        },
      ]),
    )
  })

/** A name filter that takes % and _ for any text and any letter. */
const like: Partial<Rules> = {
  matchesName(item, name) {
    const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`^${literal.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's').test(item.name)
  },
}

const hasNoScope = ({ query }: At) => query?.childrenOf === undefined && query?.descendantsOf === undefined

/** Faults in lists of what a run does not make, and of kinds whose members are not shown (S2.4, S4.8 to S4.10). */
export const listedKindFaults: readonly Fault[] = [
  fault(
    'Get of a repo shows now as its updateTime',
    foundElsewhere,
    on('repos', during('get', withTime('repo', asNow))),
  ),
  fault(
    'Get of a role shows now as its updateTime',
    foundElsewhere,
    on('roles', during('get', withTime('role', asNow))),
  ),
  fault(
    'in lists by name repos were last changed when they were made',
    foundElsewhere,
    byName('repos', withTime('repo', asMade)),
  ),
  fault('in lists by name roles were made just now', foundElsewhere, byName('roles', withTime('role', madeNow))),
  fault(
    'lists show account associations as last changed when they were made',
    foundByModel,
    on('accountAssociations', during('list', withTime('accountAssociation', asMade))),
  ),
  fault(
    'lists show role bindings as last changed when they were made',
    foundByModel,
    on('roleBindings', during('list', withTime('roleBinding', asMade))),
  ),
  fault(
    'an update of a role binding does not move its updateTime',
    foundByModel,
    on('roleBindings', { touched: ({ createTime, updateTime }) => ({ createTime, updateTime }) }),
  ),
  fault(
    'children_of shows no repos of a group without groups in it',
    ['list.scope.children.each@repos'],
    on('repos', (contract) => ({
      withinScope: (item, at) =>
        contract.withinScope(item, at) &&
        (at.query?.childrenOf === undefined || !at.world.store.isEmpty('groups', at.query.childrenOf)),
    })),
  ),
  fault(
    'children_of never shows a repo',
    ['list.scope.children.each@repos'],
    on('repos', (contract) => ({
      withinScope: (item, at) => contract.withinScope(item, at) && at.query?.childrenOf === undefined,
    })),
  ),
  fault(
    'what is below a group is read from the first three parts of its uid for repos',
    ['model.repo.members'],
    on('repos', (contract) => ({
      *candidates(at) {
        const { descendantsOf } = at.query ?? {}
        if (descendantsOf === undefined) yield* contract.candidates(at)
        else yield* at.world.store.all('repos')
      },
      withinScope(item, at) {
        const { descendantsOf } = at.query ?? {}
        if (descendantsOf === undefined) return contract.withinScope(item, at)
        return `${item.parent}/`.startsWith(`${descendantsOf.split('/').slice(0, 3).join('/')}/`)
      },
    })),
  ),
  fault(
    'tags below a repo are those of all repos of its name',
    ['model.tag.members'],
    on('tags', (contract) => ({
      *candidates(at) {
        const repo = at.world.store.get('repos', at.query?.descendantsOf ?? at.query?.childrenOf ?? '')
        if (repo === undefined) return yield* contract.candidates(at)
        for (const other of at.world.store.all('repos'))
          if (other.name === repo.name) yield* at.world.store.under('tags', other.uid)
      },
      withinScope: (item, at) =>
        at.world.store.get('repos', at.query?.descendantsOf ?? at.query?.childrenOf ?? '') !== undefined ||
        contract.withinScope(item, at),
    })),
  ),
  fault(
    '% and _ in the name of a repo stand for any text',
    { turnsRed: ['list.filter.exact@repos'], spreadsTo: ['model.repo.*'] },
    on('repos', like),
  ),
  fault(
    '% and _ in the name of a role stand for any text',
    { turnsRed: ['list.filter.exact@roles'], spreadsTo: ['model.role.*'] },
    on('roles', like),
  ),
  fault(
    '% and _ in the name of an account association stand for any text',
    { turnsRed: ['list.filter.exact@accountAssociations'], spreadsTo: ['model.*'] },
    on('accountAssociations', like),
  ),
  fault(
    'roles that were bound last are listed first',
    { turnsRed: ['list.order.stable.elsewhere@roles'], spreadsTo: ['*@roles', 'role.*', 'model.role.*'] },
    (contract) => {
      const bound = new Map<string, number>()
      let last = 0
      return {
        keep(item, at) {
          if (item.kind === 'roleBindings') bound.set(item.roleUid ?? '', ++last)
          return contract.keep(item, at)
        },
        sortKey: (item, field, at) =>
          item.kind === 'roles' && field === 'uid' && bound.has(item.uid)
            ? ` ${String(99_999 - bound.get(item.uid)!)}`
            : contract.sortKey(item, field, at),
      }
    },
  ),
  fault(
    'without a scope a list of repos has no limit and no name',
    foundByModel,
    on('repos', (contract) => ({
      page: (rest, skip, size, at) => (hasNoScope(at) ? rest.slice(skip) : contract.page(rest, skip, size, at)),
      matchesName: (item, name, at) => hasNoScope(at) || contract.matchesName(item, name, at),
    })),
  ),
]
