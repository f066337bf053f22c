import type { Item } from './domain/item.ts'
import type { Cursor } from './domain/world.ts'
import { type Fault, fault, fromPage, on, when } from './replace.ts'

const second = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** What goes wrong from page to page: sizes, tokens, skips, totals (section 4). */
export const faultsOfPages: readonly Fault[] = [
  // Sizes
  fault('a page holds a hundred without being asked', ['list.page-size.default*'], () => ({
    pageSize: (asked) => (asked === 0 ? 100 : Math.min(asked, 200)),
  })),
  fault('a page may hold a thousand', ['list.page-size.above'], () => ({
    pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 1000)),
  })),
  fault('a page holds a hundred at the most', ['list.page-size.maximum'], () => ({
    pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 100)),
  })),
  fault(
    'from page two on a page of identities holds one more',
    ['list.page-size.exact@identities'],
    on('identities', fromPage(2, { page: (rest, skip, size) => rest.slice(skip, skip + size + 1) })),
  ),
  fault(
    'the third page of roles forgets its size',
    ['list.page-size.exact@roles'],
    on('roles', fromPage(3, { pageSize: () => 50 })),
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

  // The end of a walk
  fault('a walk ends at two hundred items', ['list.page-size.maximum'], (contract) => ({
    cursor: (last, key, order, skipped, now, at) => {
      const before = Number(at.query?.cursor?.seen ?? 0)
      return { ...contract.cursor(last, key, order, skipped, now, at), seen: before + (at.query?.size ?? 0) }
    },
    more: (left, shown, _size, at) => left > 0 && Number(at.query?.cursor?.seen ?? 0) + shown < 200,
  })),
  fault(
    'a list knows the first hundred children of a group only',
    { turnsRed: ['list.filter.crowd'], spreadsTo: ['list.page-size.maximum', 'list.*.crowd'] },
    (contract) => ({
      *candidates(at) {
        if (at.query?.childrenOf === undefined) return yield* contract.candidates(at)
        let count = 0
        for (const item of contract.candidates(at)) if (count++ < 100) yield item
      },
    }),
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
    'a single last item is forgotten by a walk of bindings',
    { turnsRed: ['list.walk.complete@roleBindings'], spreadsTo: ['list.walk.*@roleBindings'] },
    on('roleBindings', { more: (left) => left > 1 }),
  ),
  fault('a page reached by skip has no token', ['list.walk.skip-token'], (contract) => ({
    more: (left, shown, size, at) => contract.more(left, shown, size, at) && at.query?.skip === 0,
  })),

  // Cursors
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
          const byKey = sign * (second(item.createTime) - second(Number(cursor.key)))
          return byKey > 0 || (byKey === 0 && place(item).byUid > 0)
        })
      },
    }),
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
    'two walks of one query and size share a cursor',
    { turnsRed: ['list.walk.complete@*', 'list.walk.order@*'], spreadsTo: ['list.walk.*'] },
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

  // Skips
  fault('skip is not echoed', { turnsRed: ['list.skip.echo'], spreadsTo: ['list.skip.*'] }, () => ({
    skipped: () => 0,
  })),
  fault(
    'skip is echoed as text',
    ['list.skip.slice@roles', 'role.list.shape'],
    on('roles', (contract) => ({
      listBody: (parts, at) => ({ ...contract.listBody(parts, at), skipped: String(parts.skipped) }),
    })),
  ),
  fault(
    'skipped says how many were left out and shown',
    { turnsRed: ['list.skip.echo'], spreadsTo: ['list.skip.*'] },
    (contract) => ({
      skipped: (skip, before, at) => (skip > 0 ? skip + (at.query?.size ?? 0) : contract.skipped(skip, before, at)),
    }),
  ),
  fault('skip is applied again on every page', ['list.walk.skip-first'], (contract) => ({
    cursor: (last, key, order, skipped, now, at) => ({
      ...contract.cursor(last, key, order, skipped, now, at),
      skip: at.query?.skip || Number(at.query?.cursor?.skip ?? 0),
    }),
    skipApplied: (skip, cursor) => (cursor ? Number(cursor.skip ?? 0) : skip),
  })),
  fault(
    'skip counts what the filter leaves out',
    ['list.skip.filtered'],
    on('groups', (contract) => ({
      skipApplied(skip, cursor, at) {
        const { name } = at.query!
        if (name === undefined || skip === 0) return contract.skipApplied(skip, cursor, at)
        const all = [...contract.candidates(at)].filter((item) => contract.withinScope(item, at))
        return all
          .sort(byUid)
          .slice(0, skip)
          .filter((item) => item.name === name).length
      },
    })),
  ),
  fault('skip does nothing beside a name', ['list.skip.filtered'], (contract) => ({
    skipApplied: (skip, cursor, at) => (at.query?.name === undefined ? contract.skipApplied(skip, cursor, at) : 0),
  })),
  fault('in descending order skip counts from the other end', ['list.skip.slice*'], (contract) => ({
    page(rest, skip, size, at) {
      if (!at.query?.order.descending || skip === 0) return contract.page(rest, skip, size, at)
      const end = Math.max(0, rest.length - skip)
      return rest.slice(Math.max(0, end - size), end)
    },
  })),
  fault('nobody can skip more than two hundred', ['list.skip.crowd'], () => ({
    skipApplied: (skip) => Math.min(skip, 200),
  })),
  fault(
    'skip goes by whole pages',
    ['list.skip.slice', 'list.skip.slice@*', 'list.skip.crowd', 'list.skip.beyond-end@*'],
    (contract) => ({
      skipApplied: (skip, cursor, at) => {
        const size = at.query?.size ?? 1
        return skip > size ? skip - (skip % size) : contract.skipApplied(skip, cursor, at)
      },
    }),
  ),
  fault('a skip beyond the end shows the last page', ['list.skip.beyond-end*'], (contract) => ({
    page: (rest, skip, size, at) => (skip > rest.length ? rest.slice(-size) : contract.page(rest, skip, size, at)),
  })),

  // Totals
  fault(
    'totalCount counts down along the walk',
    { turnsRed: ['list.total.counts*'], spreadsTo: ['list.walk.skip-filtered'] },
    () => ({
      totalCount: ({ matches, left, shown, skip }, at) => String(at.page > 1 ? left + shown + skip : matches),
    }),
  ),
  fault('totalCount leaves out what was skipped', ['list.total.counts*'], () => ({
    totalCount: ({ matches, skip }) => String(matches - Math.min(skip, matches)),
  })),
  fault('totalCount stops at two hundred', ['list.total.crowd'], () => ({
    totalCount: ({ matches }) => String(Math.min(matches, 200)),
  })),
  fault(
    'totalCount does not know the filter',
    ['list.total.filtered', 'list.total.filtered@*', 'list.total.one-name'],
    (contract) => ({
      totalCount: (counts, at) => {
        const all = [...contract.candidates(at)].filter((item) => contract.withinScope(item, at))
        return at.query?.name === undefined ? contract.totalCount(counts, at) : String(all.length)
      },
    }),
  ),
  fault('an empty list has a total of one', ['list.empty.*'], () => ({
    totalCount: ({ matches }) => String(Math.max(1, matches)),
  })),
  fault(
    'a total is a number',
    ['list.total.counts@roleBindings'],
    on('roleBindings', {
      totalCount: ({ matches }) => matches as unknown as string,
    }),
  ),
  fault('totals are remembered', ['list.total.follows'], (contract) => {
    const known = new Map<string, string>()
    return {
      totalCount(counts, at) {
        const { childrenOf, descendantsOf, name, order, size, skip, cursor } = at.query!
        const query = [at.kind, childrenOf, descendantsOf, name, order, size, skip, cursor?.uid, cursor?.key]
        const key = JSON.stringify(query)
        if (!known.has(key)) known.set(key, contract.totalCount(counts, at))
        return known.get(key)!
      },
    }
  }),
  fault(
    'totals are remembered from page to page by scope alone',
    ['list.total.filtered'],
    on('groups', (contract) => {
      const known = new Map<string, string>()
      return {
        totalCount(counts, at) {
          const { childrenOf, descendantsOf } = at.query!
          const scope = JSON.stringify([childrenOf, descendantsOf])
          if (at.page === 1) known.set(scope, contract.totalCount(counts, at))
          return known.get(scope) ?? contract.totalCount(counts, at)
        },
      }
    }),
  ),
  fault(
    'pages come in sizes of fifty, a hundred and two hundred',
    ['list.page-size.between'],
    on('groups', {
      pageSize: (asked) => (asked === 0 ? 50 : (asked > 50 && [200, 100, 50].find((size) => size <= asked)) || asked),
    }),
  ),
  fault(
    'in an order a page holds a hundred where no size is asked',
    ['list.page-size.default.ordered'],
    on('groups', (contract) => ({
      page: (rest, skip, size, at) =>
        contract.page(rest, skip, size === 50 && at.query?.order.field === 'name' ? 100 : size, at),
    })),
  ),
]

const byUid = (a: Item, b: Item) => (a.uid < b.uid ? -1 : 1)

function scopedByToken<At extends { query: { cursor: Cursor | undefined } | undefined }>(at: At): At {
  const scope = at.query?.cursor?.scope
  return scope ? { ...at, query: { ...at.query, ...scope } } : at
}
