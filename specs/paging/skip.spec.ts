import fc from 'fast-check'
import { expect } from 'vitest'
import type { Api } from '../../helpers/api/api.ts'
import { kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { ordersFor, triesOf } from '../../helpers/arrange/listings.ts'
import { keysOf } from '../../helpers/assertions/order.ts'
import { among, walk } from '../../helpers/assertions/page-walk.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.skip.echo',
    level: 'must',
    statement: 'S4.23, S4.19, R12',
    quote: '`skip=10` with `page_size=5` begins at the 11th result and echoes 10',
    restsOn: ['list.order.name'],
    says: 'skip=10 with page_size=5 starts at the 11th result and echoes 10',
  },
  async ({ api, scratch, eventually }) => {
    const siblings = await scratch.makeGroups(17)
    const query = { ...scratch.children, order_by: 'name' }

    await eventually(async () => {
      const [whole, page] = await Promise.all([
        api.groups.list({ ...query, page_size: 50 }),
        api.groups.list({ ...query, skip: 10, page_size: 5 }),
      ])
      expect(uids(among(whole.items, siblings)).sort(), 'the whole list, in any order').toEqual(uids(siblings).sort())
      expect(page.skipped, 'skipped').toBe(10)
      expect(uids(page.items)).toEqual(uids(whole.items).slice(10, 15))
    })
  },
)

/** A page somewhere in a list. */
type Asked = { skip: number; pageSize: number; order: string | undefined }

requirementOnEach(
  listedKinds,
  {
    id: 'list.skip.slice',
    level: 'must',
    statement: 'S4.14, S4.19, S4.23, S4.15, R12',
    quote: 'The `skip` parameter leaves out that number of results',
    restsOn: ['list.skip.echo', 'list.order.stable'],
    says: 'skip leaves out exactly that many {many} in every order, and skipped echoes it',
  },
  (kind) =>
    async ({ withPopulation, forAll, evidence }) => {
      await withPopulation(kind, async (population, walked) => {
        const { scope, items } = population
        const inOnePage = async (order: string | undefined) =>
          [order, (await walked({ order, pageSize: 200 }, evidence)).pages[0]!] as const
        const wholes = new Map(await Promise.all(ordersFor(population).map(inOnePage)))
        // a list that is read again may be empty by now
        const last = Math.max(1, Math.min(items.length - 1, 200))
        const asked = ordersFor(population).map((order) =>
          fc.record(
            {
              skip: fc.oneof(fc.integer({ min: 1, max: last }), fc.constantFrom(1, Math.max(1, last - 1), last)),
              pageSize: fc.integer({ min: 1, max: 12 }),
              order: fc.constant(order),
            },
            { noNullPrototype: true },
          ),
        )
        const holds = async ({ skip, pageSize, order }: Asked, api: Api) => {
          const whole = wholes.get(order)!
          const page = await api[kind].list({ ...scope, order_by: order, page_size: pageSize, skip })

          const slice = whole.items.slice(skip, skip + pageSize)
          expect(page.skipped, 'skipped').toBe(skip)
          expect(keysOf(page.items.slice(0, slice.length), order), 'the results after the skip').toEqual(
            keysOf(slice, order),
          )
          // what else is there also counts (R50): beyond one page of 200 the total says how many there are
          const beyond = kinds[kind].foreign ? 0 : Number(whole.totalCount)
          const seen = whole.nextPageToken === undefined ? whole.items.length : beyond
          const all = Math.max(items.length, seen)
          expect(page.items.length, 'results on the page').toBe(Math.min(pageSize, Math.max(0, all - skip)))
        }
        await forAll(asked, holds, triesOf(kind, 3))
      })
    },
)

requirement(
  {
    id: 'list.skip.filtered',
    level: 'must',
    statement: 'S4.10, S4.14, S4.23',
    quote: 'The `skip` parameter leaves out that number of results',
    restsOn: ['list.walk.filter', 'list.skip.slice'],
    says: 'skip counts only what matches the filter, in every order',
  },
  async ({ api, forest, atLeast }) => {
    const count = forest.twins.length
    atLeast(4, 'groups of one name', count)
    const query = { ...forest.scope, name: String(forest.twins[0]?.name) }
    const asked = [undefined, 'name', 'created_at desc'].flatMap((order_by) =>
      [1, 2, count - 1].map((skip) => ({ order_by, skip })),
    )

    const pages = await Promise.all(asked.map((more) => api.groups.list({ ...query, ...more })))

    expect(
      pages.map(({ items, skipped }) => [items.length, skipped]),
      ofEach('number of results and skipped', asked),
    ).toEqual(asked.map(({ skip }) => [count - skip, skip]))
  },
)

requirement(
  {
    id: 'list.skip.fewer-left',
    level: 'must',
    statement: 'S4.23',
    quote: 'where fewer are left, fewer come back',
    restsOn: ['list.skip.slice'],
    says: 'A skip that leaves fewer results than page_size returns those, without a token',
  },
  async ({ api, scratch, eventually }) => {
    const siblings = await scratch.makeGroups(7)
    const query = { ...scratch.children, order_by: 'name' }

    await eventually(async () => {
      const whole = await api.groups.list({ ...query, page_size: 50 })
      expect(uids(among(whole.items, siblings)).sort(), 'the whole list, in any order').toEqual(uids(siblings).sort())
      const skip = whole.items.length - 2
      const page = await api.groups.list({ ...query, skip, page_size: 5 })
      expect(uids(page.items)).toEqual(uids(whole.items).slice(skip))
      expect(page.nextPageToken, 'the nextPageToken of the last page').toBeUndefined()
    })
  },
)

requirement(
  {
    id: 'list.skip.crowd',
    level: 'must',
    statement: 'S4.14, S4.23',
    quote: 'The `skip` parameter leaves out that number of results',
    restsOn: ['list.total.crowd'],
    says: 'skip reaches results beyond the largest page of a long list',
  },
  async ({ api, crowd }) => {
    const skips = [99, 100, 149, 200, 205]

    const pages = await Promise.all(
      skips.map((skip) => api.groups.list({ ...crowd.scope, order_by: 'name', page_size: 20, skip })),
    )

    const whole = await walk(
      api.groups.list,
      { ...crowd.scope, order_by: 'name', page_size: 200 },
      crowd.siblings.length,
    )
    expect(uids(among(whole.items, crowd.siblings)).sort(), 'the whole list, in any order').toEqual(
      uids(crowd.siblings).sort(),
    )
    const asked = skips.map((skip) => ({ skip }))
    expect(
      pages.map(({ items }) => uids(items)),
      ofEach('the results on each page', asked),
    ).toEqual(skips.map((skip) => uids(whole.items).slice(skip, skip + 20)))
    expect(
      pages.map(({ skipped }) => skipped),
      ofEach('skipped on each page', asked),
    ).toEqual(skips)
  },
)
