import { expect } from 'vitest'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const family = { profile: 'grpc', restsOn: ['list.*', 'grpc.list.skip', 'grpc.list.page-size.*'] as string[] } as const

/** The largest number that a member of a message can hold. */
const largest = 2_147_483_647

requirement(
  {
    ...family,
    id: 'grpc.list.skip.beyond-end',
    level: 'must',
    statement: 'S1.5, S4.14, R20, R60',
    quote: 'Beyond the end a skip may answer an empty page or an error (_observe_), but never items',
    says: 'A skip beyond the end over gRPC returns no result, the largest number included',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
    const end = crowd.siblings.length + 1_000
    const queries = [end, largest - 1, largest].flatMap((skip) => [{ skip }, { skip, page_size: 200 }])

    const list = (query: object) => grpc.attempt.groups.list({ ...crowd.scope, ...query })
    const [first, ...answers] = await Promise.all([{ skip: 1 }, ...queries].map(list))

    atLeast(1, 'results after a skip of 1', listedUids('groups', first!).length)
    expect(
      answers.map((answer) => listedUids('groups', answer).length),
      'how many results are beyond the end',
    ).toEqual(queries.map(() => 0))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.page-size.largest',
    level: 'must',
    statement: 'S1.5, S4.11, S8.2, R19, R60',
    quote: 'and never more than 200',
    says: 'No page over gRPC holds more than 200 results, even for the largest page_size',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
    const sizes = [201, largest - 1, largest]
    atLeast(1, 'siblings beyond the largest page', crowd.siblings.length - 200)

    const [whole, ...answers] = await Promise.all(
      [200, ...sizes].map((page_size) => grpc.attempt.groups.list({ ...crowd.scope, page_size })),
    )

    // more than 200 may be refused, and then shows nothing
    const counts = answers.map((answer) => listedUids('groups', answer).length)
    atLeast(1, 'results on a page of 200', listedUids('groups', whole!).length)
    expect(Math.max(...counts), `the most results on a page: page_size ${sizes} gave ${counts}`).toBeLessThanOrEqual(
      200,
    )
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.empty.total',
    level: 'should',
    statement: 'S1.5, S4.18, R13',
    quote: 'An empty result has `"0"`; that it is absent there is a warning',
    says: 'A list of nothing over gRPC has the total 0',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, names, atLeast }) => {
    const { items, totalCount } = await grpc.groups.list({ ...crowd.scope, name: names.fresh() })
    atLeast(0, 'results', -items.length)

    expect(totalCount, 'the total').toBe('0')
  },
)
