import { expect } from 'vitest'
import { isObject } from '../../helpers/api/received.ts'
import { foundAll } from '../../helpers/assertions/page-walk.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

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
      'results per page',
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
