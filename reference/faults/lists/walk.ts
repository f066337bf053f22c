import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { fromPage, on, when } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'
import { scopesReadAs } from '../scopes.ts'

/** Faults in walks with a filter, a scope, a skip, or another order or size (S4.25). */
export const listWalkFaults: readonly Fault[] = [
  fault(
    'a cursor compares bytes where the list collates',
    ['list.walk.collation'],
    when(({ query }) => query?.order.field === 'name', {
      sorted(items, _compare, at) {
        const sign = at.query?.order.descending ? -1 : 1
        const { compare } = new Intl.Collator('en', { ignorePunctuation: true, numeric: true })
        return [...items].sort((a, b) => sign * compare(a.name, b.name) || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0))
      },
    }),
  ),
  fault(
    'the third page of a long list shows the second again',
    ['list.walk.crowd', 'list.scope.crowd'],
    on('groups', (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        before: at.query?.cursor?.uid ?? '',
      }),
      rest(sorted, place, cursor, at) {
        if (at.page !== 3 || sorted.length <= 200) return contract.rest(sorted, place, cursor, at)
        return sorted.slice(sorted.findIndex(({ uid }) => uid === cursor.before) + 1)
      },
    })),
  ),
  fault(
    'a list of repos forgets its filter on page three',
    ['list.walk.filter@repos'],
    on('repos', fromPage(3, { matchesName: () => true })),
  ),
  fault(
    'a filter is forgotten on page three',
    ['list.walk.filter'],
    on('groups', fromPage(3, { matchesName: () => true })),
  ),
  fault(
    'pages of advisories are numbered, whatever their size',
    ['list.walk.other-page-size@advisories'],
    on('advisories', {
      rest: (sorted, _place, cursor, at) => sorted.slice(cursor.page * (at.query?.size ?? 0)),
    }),
  ),
  fault(
    'from page two on a list of identities has issuer and subject the wrong way round',
    ['list.walk.same@identities'],
    on(
      'identities',
      fromPage(2, (contract) => ({
        identity(...given) {
          const { claimMatch, ...shown } = contract.identity(...given)
          const { issuer, subject } = claimMatch as Record<string, unknown>
          return { ...shown, claimMatch: { issuer: subject, subject: issuer } }
        },
      })),
    ),
  ),
  fault(
    'from page two on a list of groups shows no description',
    ['list.walk.same'],
    on(
      'groups',
      fromPage(2, (contract) => ({
        group: (...given) => ({ ...contract.group(...given), description: '-' }),
      })),
    ),
  ),
  fault(
    'from page two on a list of identities forgets its scope',
    { turnsRed: ['list.walk.scope@identities'], spreadsTo: ['list.walk.*@identities'] },
    on(
      'identities',
      fromPage(
        2,
        scopesReadAs(() => true),
      ),
    ),
  ),
  fault(
    'two replicas order equal names each their own way',
    { turnsRed: ['list.walk.scope'], spreadsTo: ['list.*'] },
    on('groups', () => {
      let calls = 0
      const turn = new WeakMap<At, number>()
      return {
        tiebreak(a, b, at) {
          if (!turn.has(at)) turn.set(at, ++calls % 2 === 0 ? 1 : -1)
          return at.query?.order.field === 'name' ? turn.get(at)! * (a < b ? -1 : a > b ? 1 : 0) : a < b ? -1 : 1
        },
      }
    }),
  ),
  fault(
    'after a skip a walk forgets its filter',
    ['list.walk.skip-filtered'],
    on('groups', (contract) => ({
      matchesName: (item, name, at) => (at.query?.cursor?.skipped ?? 0) > 0 || contract.matchesName(item, name, at),
    })),
  ),
  fault('skip is applied again on every page', ['list.walk.skip-first'], (contract) => ({
    cursor: (last, key, order, skipped, now, at) => ({
      ...contract.cursor(last, key, order, skipped, now, at),
      skip: at.query?.skip || Number(at.query?.cursor?.skip ?? 0),
    }),
    skipApplied: (skip, cursor) => (cursor ? Number(cursor.skip ?? 0) : skip),
  })),
  fault('a page reached by skip has no token', ['list.walk.skip-token'], (contract) => ({
    more: (left, shown, size, at) => contract.more(left, shown, size, at) && at.query?.skip === 0,
  })),
  fault(
    'a cursor by name forgets which of several of one name it was at',
    { turnsRed: ['list.walk.ties.name'], spreadsTo: ['list.walk.*'] },
    on(
      'groups',
      when(({ query }) => query?.order.field === 'name', {
        rest: (sorted, place) => sorted.filter((item) => place(item).byKey > 0),
      }),
    ),
  ),
  fault(
    'a walk of identities that began with a skip forgets it on page three',
    foundByModel,
    on(
      'identities',
      fromPage(3, (contract) => ({
        rest: (sorted, place, cursor, at) =>
          cursor.skipped > 0
            ? sorted.slice(cursor.page * (at.query?.size ?? 0))
            : contract.rest(sorted, place, cursor, at),
      })),
    ),
  ),
  fault(
    'to an exchanged token later pages come in the default order',
    foundByModel,
    when(
      ({ caller, world }) => world.store.get('identities', caller?.subject ?? '') !== undefined,
      fromPage(2, (contract) => ({
        order: (asked, cursor, at) => contract.order(asked, cursor, at) && contract.order(undefined, cursor, at),
        cursorFits: (cursor, _order, at) => cursor.kind === at.kind,
      })),
    ),
  ),
]
