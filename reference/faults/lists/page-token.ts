import type { At, Cursor } from '../../domain/at.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { fromPage, on, when, withRequest } from '../../replace.ts'
import { cachedLists } from '../cached-lists.ts'
import { foundByModel } from '../run/histories.ts'

function scopedByToken<At extends { query: { cursor: Cursor | undefined } | undefined }>(at: At): At {
  const scope = at.query?.cursor?.scope
  return scope ? { ...at, query: { ...at.query, ...scope } } : at
}

/** Faults in page tokens (S4.12, S4.17). */
export const listPageTokenFaults: readonly Fault[] = [
  fault(
    'an empty page token asks for the second page',
    ['list.token.empty'],
    on(
      'groups',
      withRequest((request, contract) => ({
        page: (rest, skip, size, at) =>
          /[?&]page_token=(&|$)/.test(request().url ?? '')
            ? rest.slice(size, 2 * size)
            : contract.page(rest, skip, size, at),
      })),
    ),
  ),
  basicFault(
    'a page token is ignored',
    {
      turnsRed: ['list.token.goes-on', 'list.token.last-page', 'list.token.last-page@*'],
      spreadsTo: ['list.token.*', 'list.walk.*'],
    },
    () => ({
      rest: (sorted) => sorted,
    }),
  ),
  fault(
    'lists are remembered without their page token until somebody writes',
    { turnsRed: ['list.token.last-page'], spreadsTo: ['list.*'] },
    cachedLists((url) => url.replace(/&page_token=[^&]*/, '')),
  ),
  fault(
    'the last page of tags has a token as well',
    ['list.token.last-page@tags', 'list.page-size.exact@tags', 'list.walk.other-page-size@tags'],
    on('tags', { more: (_left, shown) => shown > 0 }),
  ),
  fault(
    'from page three on every page has a token',
    {
      turnsRed: ['list.token.last-page', 'list.token.last-page@*', 'list.page-size.exact', 'list.page-size.exact@*'],
      spreadsTo: ['list.token.*last-page*', 'list.page-size.exact*', 'list.walk.*'],
    },
    fromPage(3, { more: () => true }),
  ),
  fault(
    'a token of the identities right in a group keeps its own scope',
    foundByModel,
    on('identities', (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        ...(at.query?.childrenOf && { scope: { childrenOf: at.query.childrenOf, descendantsOf: undefined } }),
      }),
      candidates: (at) => contract.candidates(scopedByToken(at)),
      withinScope: (item, at) => contract.withinScope(item, scopedByToken(at)),
    })),
  ),
  fault(
    'among the children of a group a token loses the filter',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) =>
        (at.page > 1 && at.query?.childrenOf !== undefined) || contract.matchesName(item, name, at),
    })),
  ),
  fault(
    'a token brings its own filter',
    ['list.token.other-filter'],
    on('groups', (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        name: at.query?.name ?? '',
      }),
      matchesName: (item, name, at) => {
        const wanted = String(at.query?.cursor?.name ?? name)
        return wanted === '' || item.name === wanted
      },
    })),
  ),
  fault(
    'a token of the roles opens every group',
    ['list.token.other-kind.scope'],
    on('groups', (contract) => {
      const open = ({ query }: At) => query?.cursor?.kind === 'roles'
      return {
        cursorFits: (cursor, order, at) => cursor.kind === 'roles' || contract.cursorFits(cursor, order, at),
        candidates: (at) => (open(at) ? at.world.store.all('groups') : contract.candidates(at)),
        withinScope: (item, at) => open(at) || contract.withinScope(item, at),
        rest: (sorted, place, cursor, at) =>
          cursor.kind === 'roles' ? sorted : contract.rest(sorted, place, cursor, at),
      }
    }),
  ),
  fault(
    'a token brings its own scope',
    ['list.token.other-scope'],
    on('groups', (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        scope: { childrenOf: at.query?.childrenOf, descendantsOf: at.query?.descendantsOf },
      }),
      candidates: (at) => contract.candidates(scopedByToken(at)),
      withinScope: (item, at) => contract.withinScope(item, scopedByToken(at)),
    })),
  ),
  fault(
    'a token that was never issued starts over without the scope',
    ['list.token.strange.scope'],
    on('groups', (contract) => ({
      decodeToken: (token, at) =>
        contract.decodeToken(token, at) ?? {
          kind: at.kind,
          field: 'uid',
          descending: false,
          key: '',
          uid: '',
          issued: at.world.now(),
          page: 0,
          skipped: 0,
          lost: true,
        },
      *candidates(at) {
        if (at.query?.cursor?.lost) yield* at.world.store.all('groups')
        else yield* contract.candidates(at)
      },
      withinScope: (item, at) => at.query?.cursor?.lost === true || contract.withinScope(item, at),
    })),
  ),
  fault(
    'the second page of repos of one name, the newest first, is the first once more',
    foundByModel,
    on(
      'repos',
      when(({ query }) => query?.name !== undefined && query.order.field === 'createTime' && query.order.descending, {
        rest: (sorted) => sorted,
      }),
    ),
  ),
]
