import { expect } from 'vitest'
import { listedKinds } from '../../helpers/api/kinds.ts'
import { names } from '../../helpers/api/received.ts'
import { listings, ordersFor } from '../../helpers/arrange/listings.ts'
import { inOrder, keysOf } from '../../helpers/assertions/order.ts'
import { among, boundaries, endOf, foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.walk.collation',
    level: 'must',
    statement: 'S4.21, S4.25, R17',
    quote: 'with `order_by`, the order holds across the pages',
    restsOn: ['list.order.name', 'list.walk.complete'],
    says: 'A walk finds each name with punctuation once, in the order of one large page',
  },
  async ({ api, punctuated, atLeast }) => {
    const { scope, all } = punctuated
    atLeast(5, 'names with digits and punctuation', all.length)

    const ordered = ['name', 'name desc'].map(async (order_by) => {
      const walks = [200, 1, 3].map((page_size) => walk(api.groups.list, { ...scope, order_by, page_size }, all.length))
      const [whole, ...pieces] = await Promise.all(walks)

      for (const found of pieces) {
        foundAll(found, all, [])
        expect(names(among(found.items, all)), 'the names in the order of the walk').toEqual(
          names(among(whole!.items, all)),
        )
      }
      return boundaries(pieces)
    })
    const [up = 0, down = 0] = await Promise.all(ordered)
    atLeast(1, 'page boundaries', up + down)
  },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.order',
    level: 'must',
    statement: 'S4.20, S4.21, S4.15, R17',
    quote: 'with `order_by`, the order holds across the pages',
    restsOn: ['list.order.name', 'list.order.created_at-desc', 'list.walk.complete'],
    says: 'A walk of {many} keeps the order of one large page',
  },
  (kind) =>
    async ({ withPopulation, forAll, atLeast, evidence }) => {
      await withPopulation(kind, async (population, walked) => {
        const inLargePages = async (order: string | undefined) =>
          [order, await walked({ order, pageSize: 200 }, evidence)] as const
        const whole = new Map(await Promise.all(ordersFor(population).map(inLargePages)))

        const walks = await forAll(
          listings(population),
          async (listing, _api, exchanges) => {
            const pieces = await walked(listing, exchanges)

            inOrder(pieces.items, listing.order)
            expect(keysOf(pieces.items, listing.order), `the order of the walk${endOf(pieces.pages)}`).toEqual(
              keysOf(whole.get(listing.order)!.items, listing.order),
            )
            return pieces
          },
          1,
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
      quote: 'with `order_by`, the order holds across the pages',
      restsOn: ['list.walk.filter'],
      says: `Groups of equal name are neither lost nor repeated across pages ordered by ${order}`,
    },
    async ({ api, forest, atLeast }) => {
      atLeast(2, 'groups of one name', forest.twins.length)

      const { scope, all, twins } = forest
      const walks = [4, 7].map((size) =>
        walk(api.groups.list, { ...scope, order_by: order, page_size: size }, all.length),
      )
      const equalNames = { ...scope, order_by: order, name: String(twins[0]?.name), page_size: 1 }

      const [oneByOne, ...ofAll] = await Promise.all([walk(api.groups.list, equalNames, twins.length), ...walks])
      for (const found of ofAll) foundAll(found, all, [])
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
      quote: 'with `order_by`, the order holds across the pages',
      restsOn: [`list.order.${order.replace(' ', '-')}`, 'list.walk.complete'],
      says: `Groups made at once, with equal createTimes or not, are all found once in pages ordered by ${order}`,
    },
    async ({ api, burst, atLeast }) => {
      // some targets make no two at one moment
      atLeast(0, 'groups that share a createTime', burst.ties)

      // pages of one put every tie across a boundary
      const query = { ...burst.scope, order_by: order, page_size: 1 }

      const found = await walk(api.groups.list, query, burst.all.length)

      foundAll(found, burst.all, [])
      atLeast(burst.all.length - 1, 'page boundaries', boundaries([found]))
    },
  )
}
