import { expect } from 'vitest'
import { isPublished, listedKinds } from '../../helpers/api/kinds.ts'
import { isObject } from '../../helpers/api/received.ts'
import { listedUids, listings } from '../../helpers/arrange/listings.ts'
import { boundaries, foundAll } from '../../helpers/assertions/page-walk.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { ofEach, ofEachValue } from '../../helpers/case/of-each.ts'
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
    const orders = ['name', 'name desc', 'created_at', 'created_at desc']
    const asked = [...orders.map((order_by) => ({ order_by })), { skip: 20 }]

    const pages = await Promise.all(asked.map((query) => api.groups.list({ ...crowd.scope, ...query })))

    expect(
      pages.map(({ items }) => items.length),
      ofEach('results per page', asked),
    ).toEqual(asked.map(() => 50))
  },
)

/** Page sizes at limits of number formats, the largest last. */
const ampleSizes = [127, 128, 200]

requirementOnEach(
  listedKinds.filter((kind) => kind !== 'groups' && !isPublished(kind)),
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, S4.15, R19',
    quote: 'The default of `page_size` is 50',
    restsOn: ['list.scope.descendants'],
    says: 'A page of {many} holds 50 results unless more are asked for, or all if fewer exist',
  },
  (kind) =>
    async ({ api, withPopulation }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const sizes = [undefined, ...ampleSizes]
        const pages = await Promise.all(sizes.map((page_size) => api[kind].list({ ...scope, page_size })))

        // a target may add some of its own (R50)
        const all = Math.max(items.length, pages.at(-1)!.items.length)
        expect(
          pages.map((page) => page.items.length),
          ofEachValue(`how many of the ${all} are on each page`, 'page_size', sizes),
        ).toEqual(sizes.map((size = 50) => Math.min(size, all)))
        // R11 allows a token on a full last page
        expect(pages[0]!.nextPageToken !== undefined || all <= 50, 'a page that is not the last has a token').toBe(true)
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
    async ({ api, withPopulation }) => {
      await withPopulation(kind, async ({ scope, items }) => {
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
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 3 })

    expect(page.items).toHaveLength(3)
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
    async ({ withPopulation, forAll, atLeast }) => {
      await withPopulation(kind, async (population, walked) => {
        const walks = await forAll(
          listings(population),
          async (listing, _api, exchanges) => {
            const { pages } = await walked(listing, exchanges)

            const counts = pages.map(({ items }) => items.length)
            expect(counts.slice(0, -1), 'results on each page before the last').toEqual(
              pages.slice(1).map(() => listing.pageSize),
            )
            expect(counts.at(-1), 'results on the last page').toBeLessThanOrEqual(listing.pageSize)
            return { pages }
          },
          1,
        )
        atLeast(1, 'page boundaries', boundaries(walks))
      })
    },
)

requirement(
  {
    id: 'list.page-size.between',
    level: 'must',
    statement: 'S4.11, R19',
    quote: 'The `page_size` parameter sets the results per page',
    restsOn: ['list.page-size.default', 'list.order.name'],
    says: 'Any page_size from 1 to 200 gives exactly that many results where more exist',
  },
  async ({ api, crowd }) => {
    const sizes = [1, 9, 49, 51, 64, 99, 101, 127, 128, 150, 199]

    const pages = await Promise.all(
      sizes.map((page_size) => api.groups.list({ ...crowd.scope, page_size, order_by: 'name' })),
    )

    expect(
      pages.map(({ items }) => items.length),
      ofEachValue('results per page', 'page_size', sizes),
    ).toEqual(sizes)
  },
)

requirement(
  {
    id: 'list.page-size.above',
    level: 'must',
    statement: 'S4.11, S8.2, R19',
    quote: 'and never more than 200',
    restsOn: ['list.order.stable'],
    says: 'A page never holds more than 200 results, whatever page_size asks for',
  },
  async ({ api, crowd, atLeast }) => {
    const sizes = [200, 201, 220, 1000, 2_147_483_647]

    const answers = await Promise.all(sizes.map((size) => api.attempt.groups.list({ ...crowd.scope, page_size: size })))

    const counts = answers.map(({ json }) => (isObject(json) && Array.isArray(json.groups) ? json.groups.length : 0))
    atLeast(1, 'results for page_size=200', counts[0]!)
    expect(Math.max(...counts), `the most results on a page: page_size ${sizes} gave ${counts}`).toBeLessThanOrEqual(
      200,
    )
  },
)

requirement(
  {
    id: 'list.page-size.odd',
    level: 'observe',
    statement: 'S4.11, R19',
    quote:
      'Above 200 it is capped, refused or taken as absent; 0, negative or malformed, it is refused or taken as absent',
    says: 'How a page_size outside 1 to 200 is answered',
  },
  async ({ api, crowd, observe }) => {
    const sizes = ['0', '-1', '201', 'abc', '1.5', '', '2147483648', '9223372036854775808']

    const answers = await Promise.all(sizes.map((size) => api.attempt.groups.list({ ...crowd.scope, page_size: size })))

    const counts = answers.map(({ json }) =>
      isObject(json) && Array.isArray(json.groups) ? `, ${json.groups.length} results` : '',
    )
    observe(answers.map((answer, index) => `'${sizes[index]}': ${outcomeOf(answer)}${counts[index]}`).join('; '))
  },
)

requirement(
  {
    id: 'list.page-size.large-suffices',
    level: 'must',
    statement: 'S9.5, S4.17',
    quote: 'one page with a large `page_size` is enough',
    restsOn: ['list.order.stable'],
    says: 'A large page_size returns a small list in one page, without a token',
  },
  async ({ api, forest, atLeast }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 200 })
    atLeast(1, 'lists that one page can hold', page.items.length < 200 ? 1 : 0)

    foundAll({ pages: [page], items: page.items }, forest.all, [])
    expect(page.nextPageToken, 'the nextPageToken of the only page').toBeUndefined()
  },
)
