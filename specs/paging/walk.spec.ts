import { expect } from 'vitest'
import { kinds, listedKinds, ownKinds, registryKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { listings } from '../../helpers/arrange/listings.ts'
import { tokenAfterSkip } from '../../helpers/arrange/optional-operations.ts'
import { sharedName, sortedUids } from '../../helpers/arrange/registry-groups.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { inOrder, keysOf } from '../../helpers/assertions/order.ts'
import { boundaries, foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirementOnEach(
  ownKinds.filter((kind) => kind === 'groups' || kind === 'identities'),
  {
    id: 'list.walk.same',
    level: 'must',
    statement: 'S4.16, S4.25, S2.4, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    restsOn: ['group.list.same', 'list.order.name', 'list.walk.complete'],
    says: 'Every page of a walk shows its {many} as Create answered them',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { scope, inside } = await neighboursOf(kind)

      const found = await walk(api[kind].list, { ...scope, page_size: 1, order_by: 'name' }, inside.length)

      for (const made of inside) {
        const shown = found.items.filter(({ uid }) => uid === made.uid)
        // the creation of a child may advance the updateTime of its parent
        for (const item of shown) same(item, made, 'updateTime')
      }
      atLeast(1, 'page boundaries', boundaries([found]))
    },
)

requirement(
  {
    id: 'list.walk.skip-filtered',
    level: 'must',
    statement: 'S4.10, S4.12, S4.14, R11, R14',
    quote: 'a token that is there must continue right after that page',
    restsOn: ['list.skip.filtered', 'list.walk.skip-first'],
    says: 'A token from a page that was reached by skip keeps the name filter',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(4, 'groups of one name', forest.twins.length)
    const query = { ...forest.scope, name: String(forest.twins[0]?.name), page_size: 1 }
    const whole = await api.groups.list({ ...query, page_size: 200 })

    const first = await api.groups.list({ ...query, skip: 1 })
    const second = await api.groups.list({ ...query, page_token: tokenAfterSkip(first) })

    expect(whole.nextPageToken, 'the token on a page with all matches').toBeUndefined()
    expect(uids([...first.items, ...second.items]), 'the groups on both pages').toEqual(uids(whole.items).slice(1, 3))
    expect([first.totalCount, second.totalCount], 'the totals of both pages').toEqual([
      whole.totalCount,
      whole.totalCount,
    ])
  },
)

const namedInRegistry = registryKinds.filter((kind) => kinds[kind].named)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.walk.filter',
    level: 'should',
    statement: 'S4.10, S4.24, S4.25, S4.15, R21',
    quote: '`name` and `uidp.descendants_of` can be combined',
    restsOn: ['list.filter.every-one', 'list.order.stable', 'list.walk.complete'],
    says: 'The name filter and the scope hold on every page of a walk over {many}',
  },
  (kind) =>
    async ({ api, withPopulation }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const { name, bearers } = sharedName(kind, items, 3)
        const page_size = Math.ceil(bearers.length / 12)

        const found = await walk(api[kind].list, { ...scope, name, page_size }, bearers.length)

        expect(sortedUids(found.items), 'the results of the walk').toEqual(bearers)
      })
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.complete',
    level: 'must',
    statement: 'S4.25, S4.12, S4.15, R11',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
    restsOn: ['list.token.goes-on'],
    says: 'Following nextPageToken finds every {one} exactly once, in any page size and order',
  },
  (kind) =>
    async ({ withPopulation, forAll, atLeast }) => {
      await withPopulation(kind, async (population, walked) => {
        const walks = await forAll(
          listings(population),
          async (listing, _api, exchanges) => {
            const found = await walked(listing, exchanges)

            foundAll(found, population.items, kinds[kind].foreign ? undefined : [])
            return found
          },
          1,
        )
        atLeast(1, 'page boundaries', boundaries(walks))
      })
    },
)

requirement(
  {
    id: 'list.walk.crowd',
    level: 'must',
    statement: 'S4.25, S4.11',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
    restsOn: ['list.total.crowd'],
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
      foundAll(found, crowd.siblings, [])
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
    restsOn: ['list.filter.every-one', 'list.order.stable', 'list.walk.complete'],
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
    restsOn: ['list.order.stable', 'list.walk.complete', 'list.scope.children', 'list.scope.descendants'],
    says: 'The scope applies on every page of a walk of {many}',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { scope, inside, descendants, below, beside } = await neighboursOf(kind)

      const all = [...inside, ...below]
      const [children, everything] = await Promise.all([
        walk(api[kind].list, { ...scope, page_size: 1 }, inside.length),
        walk(api[kind].list, { ...descendants, page_size: 2 }, all.length),
      ])

      foundAll(children, inside, [...below, ...beside])
      foundAll(everything, all, beside)
      atLeast(1, 'page boundaries', boundaries([children, everything]))
    },
)

requirement(
  {
    id: 'list.walk.skip-first',
    level: 'must',
    statement: 'S4.14, S4.25, R11',
    quote: 'a token that is there must continue right after that page',
    restsOn: ['list.walk.complete', 'list.skip.slice'],
    says: 'The token of a page reached by skip continues right after that page',
  },
  async ({ api, forest }) => {
    const query = { ...forest.scope, order_by: 'name', page_size: 5 }
    const [whole, first] = await Promise.all([
      walk(api.groups.list, query, forest.all.length),
      api.groups.list({ ...query, skip: 6 }),
    ])

    const second = await api.groups.list({ ...query, page_token: tokenAfterSkip(first) })
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
    restsOn: ['list.skip.slice'],
    says: 'A page reached by skip has a token while results remain',
  },
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 5, skip: 6 })

    expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
  },
)
