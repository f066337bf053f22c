import type { Cursor } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { fromPage, on, type Replacement, when } from '../../replace.ts'
import { cachedLists } from '../cached-lists.ts'
import { foundByModel } from '../run/histories.ts'

/** A cursor that knows only a key: further items with the same key are lost. */
const byKeyAlone: Replacement = () => ({
  rest: (sorted, place) => sorted.filter((item) => place(item).byKey > 0),
})

/** Faults that lose, repeat or disorder items along a walk (S4.25). */
export const listWalkCompleteFaults: readonly Fault[] = [
  fault(
    'lists are remembered without their last parameter until somebody writes',
    { turnsRed: ['list.walk.complete'], spreadsTo: ['list.*'] },
    cachedLists((url) => (url.split('&').length > 2 ? url.replace(/&[^&]*$/, '') : url)),
  ),
  fault(
    'a cursor keeps milliseconds where the store keeps more',
    { turnsRed: ['list.walk.complete', 'list.walk.complete@*'], spreadsTo: ['list.walk.*', 'list.*'] },
    (contract) => {
      const order = new Map<string, number>()
      const finer = (item: Item) => {
        if (!order.has(item.uid)) order.set(item.uid, order.size % 1000)
        return item.createTime + order.get(item.uid)! / 1000
      }
      return {
        sortKey: (item, field, at) => (field === 'createTime' ? finer(item) : contract.sortKey(item, field, at)),
        cursor: (last, key, order, skipped, now, at) =>
          contract.cursor(last, typeof key === 'number' ? Math.floor(key) : key, order, skipped, now, at),
      }
    },
  ),
  fault(
    'repos of one name are lost between two pages',
    { turnsRed: ['list.walk.complete@repos'], spreadsTo: ['list.walk.*@repos'] },
    on('repos', byKeyAlone),
  ),
  fault(
    'tags of one name are lost between two pages',
    ['list.walk.complete@tags', 'list.walk.interleaved@tags'],
    on('tags', byKeyAlone),
  ),
  fault(
    'from page three on a list of bindings looks at children only',
    { turnsRed: ['list.walk.complete@roleBindings'], spreadsTo: ['list.walk.*@roleBindings'] },
    on(
      'roleBindings',
      fromPage(3, (contract) => ({
        withinScope: (item, at) =>
          contract.withinScope(item, at) && item.parent === (at.query?.descendantsOf ?? item.parent),
      })),
    ),
  ),
  fault(
    'one list in seven without an order comes as it lies on the disk',
    { turnsRed: ['list.walk.complete@identities'], spreadsTo: ['list.*@identities'] },
    on('identities', (contract) => {
      let lists = 0
      return {
        sorted: (items, compare, at) =>
          at.query?.order.field === 'uid' && ++lists % 7 === 0 ? [...items] : contract.sorted(items, compare, at),
      }
    }),
  ),
  fault(
    'a page of bindings is cut before those of others are left out',
    { turnsRed: ['list.walk.complete@roleBindings'], spreadsTo: ['list.walk.*@roleBindings'] },
    on(
      'roleBindings',
      fromPage(2, (contract) => ({
        page: (rest, skip, size, at) => contract.page(rest, skip, Math.max(1, size - 1), at),
      })),
    ),
  ),
  fault(
    'a single last item is forgotten by a walk of bindings',
    { turnsRed: ['list.walk.complete@roleBindings'], spreadsTo: ['list.walk.*@roleBindings'] },
    on('roleBindings', { more: (left) => left > 1 }),
  ),
  fault(
    'a cursor by descending name forgets the uid',
    ['list.walk.complete', 'list.walk.order', 'list.walk.ties.name-desc'],
    on(
      'groups',
      when(({ query }) => query?.order.field === 'name' && query.order.descending, {
        rest: (sorted, place) => sorted.filter((item) => place(item).byKey > 0),
      }),
    ),
  ),
  fault(
    'a cursor by time forgets the uid',
    { turnsRed: ['list.walk.complete', 'list.walk.complete@*'], spreadsTo: ['list.walk.*'] },
    () => ({
      rest: (sorted, place, cursor) =>
        sorted.filter((item) => {
          const { byKey, byUid } = place(item)
          return byKey > 0 || (byKey === 0 && byUid > 0 && cursor.field !== 'createTime')
        }),
    }),
  ),
  fault(
    'a walk through roles goes on by the length of their names',
    ['list.walk.complete@roles', 'list.walk.order@roles'],
    on(
      'roles',
      fromPage(2, {
        compareKeys: (a, b) => String(a).length - String(b).length || (a < b ? -1 : a > b ? 1 : 0),
      }),
    ),
  ),
  fault(
    'from page two on descending is ascending',
    { turnsRed: ['list.walk.complete@identities'], spreadsTo: ['list.walk.*@identities'] },
    on(
      'identities',
      fromPage(2, (contract) => ({
        order(asked, cursor, at) {
          const order = contract.order(asked, cursor, at)
          return order && { ...order, descending: false }
        },
        cursorFits: () => true,
      })),
    ),
  ),
  fault(
    'two walks of one query and size share a cursor',
    { turnsRed: ['list.walk.interleaved@*', 'list.walk.in-turns'], spreadsTo: ['list.walk.*', 'list.token.*'] },
    (contract) => {
      const cursors = new Map<string, Cursor>()
      return {
        encodeToken(cursor, at) {
          const { childrenOf, descendantsOf, name, order, size } = at.query!
          if (size !== 4) return contract.encodeToken(cursor, at)
          const key = JSON.stringify([at.kind, childrenOf, descendantsOf, name, order, size])
          cursors.set(key, cursor)
          return Buffer.from(key).toString('base64url')
        },
        decodeToken: (token, at) =>
          cursors.get(Buffer.from(token, 'base64url').toString()) ?? contract.decodeToken(token, at),
      }
    },
  ),
  fault(
    'a large page of repos begins with another one each time',
    ['list.walk.order@repos', 'list.order.stable@repos', 'list.skip.slice@repos'],
    on('repos', (contract) => {
      let pages = 0
      return {
        page(rest, skip, size, at) {
          const page = contract.page(rest, skip, size, at)
          if (size < 200 || at.query?.order.field !== 'uid') return page
          const [body, last] = [page.slice(0, -1), page.slice(-1)]
          const first = ++pages % Math.max(1, body.length)
          return [...body.slice(first), ...body.slice(0, first), ...last]
        },
      }
    }),
  ),
  ...(['identities', 'repos'] as const).map((kind) =>
    fault(
      `${kind} are never listed in descending order`,
      {
        turnsRed: [`list.walk.order@${kind}`, `list.order.created_at-desc.times@${kind}`],
        spreadsTo: [`list.order.*@${kind}`],
      },
      on(kind, (contract) => ({
        order: (asked, cursor, at) => contract.order(asked?.replace(/ desc$/, ''), cursor, at),
      })),
    ),
  ),
  fault(
    'advisories are ordered by their last change',
    [
      'list.walk.order@advisories',
      'list.order.created_at.times@advisories',
      'list.order.created_at-desc.times@advisories',
    ],
    on('advisories', (contract) => ({
      sortKey: (item, field, at) => (field === 'createTime' ? -item.createTime : contract.sortKey(item, field, at)),
    })),
  ),
  fault(
    'pages of bindings go on behind the identity of the last',
    foundByModel,
    on('roleBindings', (contract) => ({
      ...byKeyAlone(contract),
      sortKey: (item, field, at) => (field === 'uid' ? item.identityUid! : contract.sortKey(item, field, at)),
    })),
  ),
]
