import type { Cursor } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, type Replacement, withRequest } from '../../replace.ts'

/** A cursor that holds an offset instead of an item. */
const byOffset: Replacement = (contract) => ({
  cursor: (last, key, order, skipped, now, at) => ({
    ...contract.cursor(last, key, order, skipped, now, at),
    offset: Number(at.query?.cursor?.offset ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
  }),
  rest: (sorted, _place, cursor) => sorted.slice(Number(cursor.offset)),
})

/** A cursor that is lost once its item is deleted. */
const lostWithItsItem =
  (goesOn: (sorted: readonly Item[]) => readonly Item[]): Replacement =>
  (contract) => ({
    rest(sorted, place, cursor, at) {
      const gone = at.kind !== 'none' && at.world.store.get(at.kind, cursor.uid) === undefined
      return gone ? goesOn(sorted) : contract.rest(sorted, place, cursor, at)
    },
  })

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** Faults in walks side by side, and while others write (S4.12, S4.25). */
export const listWalkConcurrentFaults: readonly Fault[] = [
  fault(
    'a list of advisories forgets its scope from page two on',
    {
      turnsRed: ['list.walk.interleaved@advisories', 'list.token.other-scope@advisories'],
      spreadsTo: ['list.*@advisories'],
    },
    on('advisories', (contract) => ({
      candidates: (at) => (at.page > 1 ? at.world.store.all('advisories') : contract.candidates(at)),
      withinScope: (item, at) => at.page > 1 || contract.withinScope(item, at),
    })),
  ),
  fault(
    'a list of repos forgets its scope from page two on',
    {
      turnsRed: ['list.walk.interleaved@repos', 'list.token.other-scope@repos'],
      spreadsTo: ['list.*@repos'],
    },
    on('repos', (contract) => ({
      candidates: (at) => (at.page > 1 ? at.world.store.all('repos') : contract.candidates(at)),
      withinScope: (item, at) => at.page > 1 || contract.withinScope(item, at),
    })),
  ),
  fault(
    'a cursor by time keeps the second only',
    {
      turnsRed: [
        'list.walk.interleaved',
        'list.walk.interleaved@*',
        'list.walk.ties.created_at',
        'list.walk.ties.created_at-desc',
      ],
      spreadsTo: ['list.walk.*'],
    },
    (contract) => ({
      rest(sorted, place, cursor, at) {
        if (cursor.field !== 'createTime') return contract.rest(sorted, place, cursor, at)
        const sign = cursor.descending ? -1 : 1
        return sorted.filter((item) => {
          const byKey = sign * (toSeconds(item.createTime) - toSeconds(Number(cursor.key)))
          return byKey > 0 || (byKey === 0 && place(item).byUid > 0)
        })
      },
    }),
  ),
  fault(
    'all walks of one query share a cursor',
    {
      turnsRed: ['list.walk.interleaved', 'list.walk.interleaved@*', 'list.walk.in-turns'],
      spreadsTo: ['list.walk.*'],
    },
    (contract) => {
      const cursors = new Map<string, Cursor>()
      return {
        encodeToken(cursor, at) {
          const { childrenOf, descendantsOf, name, order } = at.query!
          const key = JSON.stringify([at.kind, childrenOf, descendantsOf, name, order])
          cursors.set(key, cursor)
          return Buffer.from(key).toString('base64url')
        },
        decodeToken: (token, at) =>
          cursors.get(Buffer.from(token, 'base64url').toString()) ?? contract.decodeToken(token, at),
      }
    },
  ),
  fault(
    'a connection goes on with the walk that it served last',
    ['list.walk.one-connection'],
    withRequest((request, contract) => {
      const last = new WeakMap<object, string>()
      return {
        rest(sorted, place, cursor, at) {
          const others = sorted.findIndex(({ uid }) => uid === last.get(request().socket))
          const mixed = sorted.length === 5 && at.kind === 'groups' && at.query?.size === 2 && others === -1
          return mixed ? sorted.slice(0, 2) : contract.rest(sorted, place, cursor, at)
        },
        page(rest, skip, size, at) {
          const page = contract.page(rest, skip, size, at)
          last.set(request().socket, page.at(-1)?.uid ?? '')
          return page
        },
      }
    }),
  ),
  fault('a walk by name goes on from the names of the beginning', ['list.walk.renamed'], (contract) => {
    const first = new Map<string, string>()
    return {
      cursor(last, key, order, skipped, now, at) {
        const old = order.field === 'name' && at.kind === 'groups' ? first.get(last.uid) : undefined
        return contract.cursor(last, old ?? key, order, skipped, now, at)
      },
      keep(item, at) {
        first.set(item.uid, item.name)
        contract.keep(item, at)
      },
    }
  }),
  fault('bindings are walked by offset', ['list.walk.while-others.*@roleBindings'], on('roleBindings', byOffset)),
  fault(
    'a walk is over where the last item shown was deleted',
    ['list.walk.while-others.delete'],
    on(
      'groups',
      lostWithItsItem(() => []),
    ),
  ),
  fault(
    'a walk of identities starts over where the last one shown was deleted',
    ['list.walk.while-others.delete@identities'],
    on(
      'identities',
      lostWithItsItem((sorted) => sorted),
    ),
  ),
  fault(
    'identity providers are walked by offset',
    ['list.walk.while-others.delete@identityProviders'],
    on('identityProviders', byOffset),
  ),
  fault(
    'identities are walked by offset',
    ['list.walk.while-others.insert@identities', 'list.walk.while-others.delete@identities'],
    on('identities', byOffset),
  ),
  fault(
    'an opaque token hides an offset',
    [
      'list.walk.while-others.insert',
      'list.walk.while-others.insert@*',
      'list.walk.while-others.delete',
      'list.walk.while-others.delete@*',
    ],
    (contract) => ({
      cursor: (last, key, order, skipped, now, at) => ({
        ...contract.cursor(last, key, order, skipped, now, at),
        offset: Number(at.query?.cursor?.offset ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
      }),
      rest: (sorted, _place, cursor) => sorted.slice(Number(cursor.offset)),
    }),
  ),
  fault(
    'a walk goes on from where its last item has moved to',
    ['list.walk.while-others.rename'],
    on('groups', (contract) => ({
      rest(sorted, place, cursor, at) {
        const item = at.world.store.get('groups', cursor.uid)
        if (item === undefined) return contract.rest(sorted, place, cursor, at)
        const sign = cursor.descending ? -1 : 1
        const key = contract.sortKey(item, cursor.field, at)
        return sorted.filter((one) => {
          const byKey = sign * contract.compareKeys(contract.sortKey(one, cursor.field, at), key, at)
          return byKey > 0 || (byKey === 0 && one.uid > cursor.uid)
        })
      },
    })),
  ),
  fault(
    'a change lets the walks of identities start over',
    ['list.walk.while-others.touch@identities', 'list.walk.while-others.rename@identities'],
    on('identities', (contract) => ({
      rest(sorted, place, cursor, at) {
        const since = sorted.filter(({ updateTime }) => updateTime > cursor.issued)
        const changed = since.some(({ createTime }) => createTime < cursor.issued)
        return changed && cursor.page === 2 ? sorted : contract.rest(sorted, place, cursor, at)
      },
    })),
  ),
]
