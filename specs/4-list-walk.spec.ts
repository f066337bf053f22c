import { expect } from 'vitest'
import { listedKinds, ownKinds } from '../helpers/api/kinds.ts'
import { uids } from '../helpers/api/received.ts'
import { listings, ordersFor, queryFor, smallestPage, triesOf } from '../helpers/arrange/listings.ts'
import { inOrder, keysOf } from '../helpers/assertions/order.ts'
import { boundaries, foundAll, walk } from '../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.complete',
    level: 'must',
    statement: 'S4.25, S4.12, S4.15, R11',
    quote: 'whoever follows `nextPageToken` until it is absent has seen all results',
    says: 'Following nextPageToken finds every {one} exactly once, in any page size and order',
  },
  (kind) =>
    async ({ over, forAll, atLeast }) => {
      await over(kind, async (population) => {
        const walks = await forAll(
          listings(population, smallestPage(population)),
          async (listing, api) => {
            const query = queryFor(population.scope, listing)
            const found = await walk(api[kind].list, query, population.items.length)

            foundAll(found, population.items)
            return found
          },
          triesOf(kind, 5),
        )
        atLeast(1, 'page boundaries', boundaries(walks))
      })
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.order',
    level: 'must',
    statement: 'S4.20, S4.21, S4.15, R17',
    quote: 'the order of a walk must be the order of one large page, with nothing lost',
    says: 'A walk of {many} keeps the order of one large page',
  },
  (kind) =>
    async ({ over, forAll, atLeast }) => {
      await over(kind, async (population) => {
        const walks = await forAll(
          listings(population, smallestPage(population)),
          async (listing, api) => {
            const [whole, pieces] = await Promise.all([
              walk(api[kind].list, queryFor(population.scope, { ...listing, pageSize: 200 }), population.items.length),
              walk(api[kind].list, queryFor(population.scope, listing), population.items.length),
            ])

            inOrder(pieces.items, listing.order)
            expect(keysOf(pieces.items, listing.order), 'the order of the walk').toEqual(
              keysOf(whole.items, listing.order),
            )
            return pieces
          },
          triesOf(kind, 3),
        )
        atLeast(1, 'page boundaries', boundaries(walks))
      })
    },
)

for (const order of ['name', 'name desc'] as const) {
  requirement(
    {
      id: `list.walk.ties.${order.replace(' ', '-')}`,
      level: 'must',
      statement: 'S4.21, S4.25, R17',
      quote: 'it must be the same on every page of one walk, with none lost or repeated',
      says: `Groups of equal name are neither lost nor repeated across pages ordered by ${order}`,
    },
    async ({ api, forest, atLeast }) => {
      atLeast(2, 'groups of one name', forest.twins.length)

      const { scope, all, twins } = forest
      const walks = [3, 4, 5, 7].map((size) =>
        walk(api.groups.list, { ...scope, order_by: order, page_size: size }, all.length),
      )
      const equalNames = { ...scope, order_by: order, name: String(twins[0]?.name), page_size: 1 }

      const [oneByOne, ...ofAll] = await Promise.all([walk(api.groups.list, equalNames, twins.length), ...walks])
      for (const found of ofAll) foundAll(found, all)
      foundAll(oneByOne, twins)
      atLeast(1, 'page boundaries between equal names', boundaries([oneByOne]))
    },
  )
}

for (const order of ['created_at', 'created_at desc'] as const) {
  requirement(
    {
      id: `list.walk.ties.${order.replace(' ', '-')}`,
      level: 'must',
      statement: 'S4.21, S4.25, R17',
      quote: 'it must be the same on every page of one walk, with none lost or repeated',
      says: `Groups of equal createTime are neither lost nor repeated across pages ordered by ${order}`,
    },
    async ({ api, burst, atLeast }) => {
      atLeast(1, 'groups that share a createTime', burst.ties)

      const walks = [1, 2].map((size) =>
        walk(api.groups.list, { ...burst.scope, order_by: order, page_size: size }, burst.all.length),
      )

      const finished = await Promise.all(walks)
      for (const found of finished) foundAll(found, burst.all)
      // pages of one put every tie across a boundary
      atLeast(burst.all.length - 1, 'page boundaries', boundaries(finished))
    },
  )
}

requirement(
  {
    id: 'list.walk.crowd',
    level: 'must',
    statement: 'S4.25, S4.11',
    quote: 'whoever follows `nextPageToken` until it is absent has seen all results',
    says: 'A walk through more than 200 groups finds each exactly once, in every order',
  },
  async ({ api, crowd, atLeast }) => {
    const asked = [
      {},
      { page_size: 200 },
      { page_size: 100, order_by: 'name' },
      { page_size: 97, order_by: 'name desc' },
      { page_size: 60, order_by: 'created_at' },
      { page_size: 115, order_by: 'created_at desc' },
    ]

    const walks = await Promise.all(
      asked.map((query) => walk(api.groups.list, { ...crowd.scope, ...query }, crowd.siblings.length)),
    )

    for (const [index, found] of walks.entries()) {
      foundAll(found, crowd.siblings)
      inOrder(found.items, asked[index]?.order_by)
    }
    atLeast(1, 'page boundaries', boundaries(walks))
  },
)

requirement(
  {
    id: 'list.walk.filter',
    level: 'must',
    statement: 'S4.10, S4.24, S4.25',
    quote: '`name` and `uidp.descendants_of` can be combined',
    says: 'The name filter and the scope apply on every page of a walk',
  },
  async ({ api, forest, atLeast }) => {
    const [first] = forest.twins
    atLeast(4, 'groups of one name', forest.twins.length)

    const found = await walk(
      api.groups.list,
      { ...forest.scope, name: String(first?.name), page_size: 1 },
      forest.twins.length,
    )

    foundAll(found, forest.twins)
    atLeast(1, 'page boundaries', boundaries([found]))
  },
)

requirementOnEach(
  ownKinds,
  {
    id: 'list.walk.scope',
    level: 'must',
    statement: 'S4.8, S4.9, S4.25',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    says: 'The scope applies on every page of a walk of {many}',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { scope, inside, descendants, below } = await neighboursOf(kind)

      const all = [...inside, ...below]
      const [children, everything] = await Promise.all([
        walk(api[kind].list, { ...scope, page_size: 1 }, inside.length),
        walk(api[kind].list, { ...descendants, page_size: 2 }, all.length),
      ])

      foundAll(children, inside)
      foundAll(everything, all)
      atLeast(1, 'page boundaries', boundaries([children, everything]))
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.interleaved',
    level: 'must',
    statement: 'S4.12, S4.25, R14',
    quote: 'Whatever other walks do meanwhile, walks of the same query included, a token must go on from its own page',
    says: 'A token of {many} continues from its own page, whatever other walks do meanwhile',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async (population) => {
        const { scope, items } = population
        const list = api[kind].list
        const [seventh, fifth] = [Math.ceil(items.length / 7), Math.ceil(items.length / 5)]
        const other = { page_size: fifth, order_by: ordersFor(population).at(-1) }
        const walks = [{ page_size: seventh }, { page_size: seventh }, other]

        const found = await Promise.all(walks.map((query) => walk(list, { ...scope, ...query }, items.length)))

        for (const one of found) foundAll(one, items)
        atLeast(1, 'page boundaries', boundaries(found))
      })
    },
)

requirement(
  {
    id: 'list.walk.in-turns',
    level: 'must',
    statement: 'S4.12, R14',
    quote: 'walks of the same query included, a token must go on from its own page',
    says: 'Two alternating walks of the same query each continue from their own page',
  },
  async ({ api, forest }) => {
    const query = { ...forest.scope, page_size: 4 }
    const first = await api.groups.list(query)
    const second = await api.groups.list({ ...query, page_token: first.nextPageToken })
    const other = await api.groups.list({ ...query, page_size: 6 })

    const [third, otherSecond] = [
      await api.groups.list({ ...query, page_token: second.nextPageToken }),
      await api.groups.list({ ...query, page_size: 6, page_token: other.nextPageToken }),
    ]

    const whole = uids([...first.items, ...second.items, ...third.items])
    expect(whole, 'uids of three pages of 4').toHaveLength(12)
    expect(uids([...other.items, ...otherSecond.items]), 'uids of two pages of 6').toEqual(whole)
  },
)

requirement(
  {
    id: 'list.walk.skip-first',
    level: 'must',
    statement: 'S4.14, S4.25, R11',
    quote: 'a token that is there must continue right after that page',
    says: 'The token of a page reached by skip continues right after that page',
  },
  async ({ api, forest, atLeast }) => {
    const query = { ...forest.scope, order_by: 'name', page_size: 5 }
    const [whole, first] = await Promise.all([
      walk(api.groups.list, query, forest.all.length),
      api.groups.list({ ...query, skip: 6 }),
    ])
    atLeast(1, 'tokens on a page that was reached by skip', first.nextPageToken === undefined ? 0 : 1)

    const second = await api.groups.list({ ...query, page_token: first.nextPageToken })
    const third = await api.groups.list({ ...query, page_token: second.nextPageToken })

    const items = [first, second, third].flatMap((page) => page.items)
    expect(keysOf(items, 'name'), 'names of the three pages after the skip').toEqual(
      keysOf(whole.items.slice(6, 21), 'name'),
    )
    expect(new Set(uids(items)).size, 'different groups on the three pages').toBe(15)
  },
)

requirement(
  {
    id: 'list.walk.skip-token',
    level: 'should',
    statement: 'S4.14, S4.17, R11',
    quote: 'After a page reached by `skip`, a token where results remain is _should_',
    says: 'A page reached by skip has a token while results remain',
  },
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 5, skip: 6 })

    expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
  },
)

requirement(
  {
    id: 'list.walk.other-page-size',
    level: 'should',
    statement: 'S4.11, S4.12, S4.25',
    quote: 'whoever follows `nextPageToken` until it is absent has seen all results',
    says: 'A walk finds everything even when its page size changes between pages',
  },
  async ({ api, forest }) => {
    const query = { ...forest.scope, order_by: 'name' }
    const first = await api.groups.list({ ...query, page_size: 3 })
    const second = await api.groups.list({ ...query, page_size: 8, page_token: first.nextPageToken })
    const rest = await api.groups.list({ ...query, page_size: 200, page_token: second.nextPageToken })

    const pages = [first, second, rest]
    expect(
      pages.map(({ items }) => items.length),
      'results on each page',
    ).toEqual([3, 8, forest.all.length - 11])
    foundAll({ pages, items: pages.flatMap(({ items }) => items) }, forest.all)
  },
)
