import { expect } from 'vitest'
import { type KindName, listedKinds, registryKinds } from '../../helpers/api/kinds.ts'
import type { Received } from '../../helpers/api/received.ts'
import { listedUids, listings, smallestPage, triesOf } from '../../helpers/arrange/listings.ts'
import type { Scratch } from '../../helpers/arrange/scratch.ts'
import { among, boundaries } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.page-size.default.ordered',
    level: 'must',
    statement: 'S4.11, S4.13, S8.1, R19',
    quote: 'sets the results per page: 50 when it is absent',
    restsOn: ['list.page-size.default', 'list.skip.slice'],
    says: 'A page without page_size holds 50 results in every order and after a skip',
  },
  async ({ api, crowd }) => {
    const asked = [
      { order_by: 'name' },
      { order_by: 'name desc' },
      { order_by: 'created_at' },
      { order_by: 'created_at desc' },
      { skip: 20 },
    ]

    const pages = await Promise.all(asked.map((query) => api.groups.list({ ...crowd.scope, ...query })))

    expect(
      pages.map(({ items }) => items.length),
      'results per page',
    ).toEqual(asked.map(() => 50))
  },
)

const readKinds: readonly KindName[] = ['roles', ...registryKinds]

requirementOnEach(
  readKinds,
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, S4.15, R19',
    quote: 'The default of `page_size` is 50',
    restsOn: ['list.scope.descendants'],
    says: 'A page of {many} without page_size holds 50 results, or all if fewer exist',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const page = await api[kind].list(scope)

        expect(page.items, 'the results on the page').toHaveLength(Math.min(50, items.length))
        // R11 allows a token on a full last page
        expect(page.nextPageToken !== undefined || items.length <= 50, 'a page that is not the last has a token').toBe(
          true,
        )
      })
    },
)

requirementOnEach(
  ['repos'] as const,
  {
    id: 'list.page-size.maximum',
    level: 'must',
    statement: 'S4.11, S8.2, S4.15, R19',
    quote: 'The maximum of `page_size` is 200',
    restsOn: ['list.scope.descendants', 'list.page-size.asked'],
    says: 'A page of {many} holds up to 200 results and never more',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const page = await api[kind].list({ ...scope, page_size: 200 })
        const above = await api.attempt[kind].list({ ...scope, page_size: 1000 })

        expect(page.items, 'the results with page_size=200').toHaveLength(Math.min(200, items.length))
        expect(listedUids(kind, above).length, 'the number of results with page_size=1000').toBeLessThanOrEqual(200)
      })
    },
)

requirement(
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, R19',
    quote: 'sets the results per page: 50 when it is absent',
    restsOn: ['list.scope.descendants'],
    says: 'A page of groups holds 50 results without page_size',
  },
  async ({ api, crowd }) => {
    const page = await api.groups.list(crowd.scope)

    expect(page.items).toHaveLength(50)
    expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
  },
)

requirement(
  {
    id: 'list.page-size.asked',
    level: 'must',
    statement: 'S4.11, R19',
    quote: 'The `page_size` parameter sets the results per page',
    restsOn: ['list.scope.children'],
    says: 'page_size=3 returns exactly three results where more exist',
  },
  async ({ api, scratch, eventually }) => {
    await scratch.makeGroups(7)

    await eventually(async () => {
      const page = await api.groups.list({ ...scratch.children, page_size: 3 })
      expect(page.items).toHaveLength(3)
    })
  },
)

requirement(
  {
    id: 'list.page-size.maximum',
    level: 'must',
    statement: 'S4.11, S8.2, R19',
    quote: 'The maximum of `page_size` is 200',
    restsOn: ['list.scope.descendants', 'list.page-size.asked'],
    says: 'page_size=200 returns 200 results where more exist',
  },
  async ({ api, crowd }) => {
    const page = await api.groups.list({ ...crowd.scope, page_size: 200 })

    expect(page.items).toHaveLength(200)
    expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
  },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.page-size.exact',
    level: 'must',
    statement: 'S4.11, S4.15, R19',
    quote: 'a page that is not the last must hold exactly that many',
    restsOn: ['list.walk.complete'],
    says: 'Each page of {many} holds exactly page_size results, the last at most that many',
  },
  (kind) =>
    async ({ over, forAll, atLeast }) => {
      await over(kind, async (population, walked) => {
        const walks = await forAll(
          listings(population, smallestPage(population)),
          async (listing, _api, exchanges) => {
            const { pages } = await walked(listing, exchanges)

            const counts = pages.map(({ items }) => items.length)
            expect(counts.slice(0, -1), 'results on each page before the last').toEqual(
              pages.slice(1).map(() => listing.pageSize),
            )
            expect(counts.at(-1), 'results on the last page').toBeLessThanOrEqual(listing.pageSize)
            return { pages }
          },
          triesOf(kind, 2),
        )
        atLeast(1, 'page boundaries', boundaries(walks))
      })
    },
)

/** The items listed for some identities: themselves, or a binding of each. */
const listedWith: Record<
  'identities' | 'roleBindings',
  (scratch: Scratch, identities: readonly Received[]) => Promise<readonly Received[]>
> = {
  identities: async (_scratch, identities) => identities,
  roleBindings: async (scratch, identities) => {
    const { uid } = await scratch.anyRole()
    return Promise.all(identities.map((identity) => scratch.makeBinding(identity, scratch.uid, uid)))
  },
}

/** Sizes that hold all of them, at limits of number formats. */
const ampleSizes = [64, 100, 127, 128, 129, 199, 200]

requirementOnEach(
  ['identities', 'roleBindings'] as const,
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, S4.15, R19',
    quote: 'sets the results per page: 50 when it is absent',
    restsOn: ['list.scope.descendants'],
    says: 'A page of {many} holds 50 results without page_size, and all of 52 with 64 to 200',
  },
  (kind) =>
    async ({ api, scratch, eventually, present }) => {
      await present(api.attempt[kind].list(scratch.children))
      const identities = await Promise.all(Array.from({ length: 52 }, () => scratch.makeIdentity()))
      const made = await listedWith[kind](scratch, identities)

      await eventually(async () => {
        const [page, ...ample] = await Promise.all(
          [undefined, ...ampleSizes].map((page_size) => api[kind].list({ ...scratch.children, page_size })),
        )
        expect(page!.items).toHaveLength(50)
        expect(page!.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
        // a target may add some of its own (R50)
        const all = ample.at(-1)!.items.length
        const returned = ample.map(({ items }, at) => [`page_size=${ampleSizes[at]}`, items.length])
        expect(Object.fromEntries(returned), `how many of the ${all} are returned`).toEqual(
          Object.fromEntries(ampleSizes.map((size) => [`page_size=${size}`, Math.min(size, all)])),
        )
        expect(among(ample.at(-1)!.items, made), 'those that were made').toHaveLength(made.length)
      })
    },
)
