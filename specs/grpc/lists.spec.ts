import { expect } from 'vitest'
import { names as namesOf, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { among, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const family = { level: 'must', profile: 'grpc', restsOn: ['list.*'] as string[] } as const

requirement(
  {
    ...family,
    id: 'grpc.list.page-size.asked',
    statement: 'S1.5, S4.11, R19, R60',
    quote: 'a page that is not the last must hold exactly that many',
    says: 'A page over gRPC holds exactly the page_size that was asked for',
  },
  async ({ both: { grpc }, grpcCrowd: crowd }) => {
    const { items } = await grpc.groups.list({ ...crowd.scope, page_size: 7 })

    expect(items.length, 'how many groups the page holds').toBe(7)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.page-size.default',
    statement: 'S1.5, S4.11, S8.1, R19, R60',
    quote: 'sets the results per page: 50 when it is absent',
    says: 'A page over gRPC holds 50 results without a page_size',
  },
  async ({ both: { grpc }, grpcCrowd: crowd }) => {
    const { items } = await grpc.groups.list(crowd.scope)

    expect(items.length, 'how many groups the page holds').toBe(50)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.page-size.most',
    statement: 'S1.5, S4.11, S8.2, R19, R60',
    quote: 'and never more than 200',
    says: 'A page over gRPC holds 200 results where 200 are asked for',
  },
  async ({ both: { grpc }, grpcCrowd: crowd }) => {
    const { items } = await grpc.groups.list({ ...crowd.scope, page_size: 200 })

    expect(items.length, 'how many groups the page holds').toBe(200)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.page-size.capped',
    statement: 'S1.5, S4.11, S8.2, R19, R60',
    quote: 'and never more than 200',
    says: 'No page over gRPC holds more than 200 results, whatever is asked for',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
    const [whole, answer] = await Promise.all(
      [200, 1_000].map((page_size) => grpc.attempt.groups.list({ ...crowd.scope, page_size })),
    )

    atLeast(1, 'siblings beyond the largest page', crowd.siblings.length - 200)
    atLeast(1, 'results on a page of 200', listedUids('groups', whole!).length)
    // more than 200 may be refused, and then shows nothing
    expect(listedUids('groups', answer!).length, 'how many groups the page holds').toBeLessThanOrEqual(200)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.skip',
    statement: 'S1.5, S4.23, S4.19, R12, R60',
    quote: '`skip=10` with `page_size=5` begins at the 11th result and echoes 10',
    says: 'skip=10 with page_size=5 over gRPC starts at the 11th result and echoes 10',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
    const query = { ...crowd.scope, order_by: 'name' }
    const [whole, page] = await Promise.all([
      grpc.groups.list({ ...query, page_size: 50 }),
      grpc.groups.list({ ...query, skip: 10, page_size: 5 }),
    ])

    atLeast(15, 'results without a skip', whole.items.length)
    expect(page.skipped, 'skipped').toBe(10)
    expect(namesOf(page.items), 'the names on the page').toEqual(namesOf(whole.items.slice(10, 15)))
  },
)

for (const [aspect, order, words] of [
  ['name', 'name', 'ascends by name'],
  ['name-desc', 'name desc', 'descends by name'],
] as const) {
  requirement(
    {
      ...family,
      id: `grpc.list.order.${aspect}`,
      statement: 'S1.5, S4.22, R17, R60',
      quote: '`name` ascends, `name desc` descends',
      says: `order_by=${order} over gRPC ${words}`,
    },
    async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
      const { items } = await grpc.groups.list({ ...crowd.scope, order_by: order, page_size: 40 })

      const own = among(items, crowd.siblings)
      const ascending = namesOf(crowd.siblings)
      const wanted = order === 'name' ? ascending : ascending.toReversed()
      atLeast(30, 'siblings on the page', own.length)
      expect(namesOf(own), 'the names on the page').toEqual(wanted.slice(0, own.length))
    },
  )
}

requirement(
  {
    ...family,
    id: 'grpc.list.order.created',
    statement: 'S1.5, S4.22, S4.13, R60',
    quote: '`created_at desc` puts the newest first',
    says: 'order_by=created_at desc over gRPC has the newest first',
  },
  async ({ both: { grpc }, grpcCrowd: crowd }) => {
    const { items } = await grpc.groups.list({ ...crowd.scope, order_by: 'created_at desc', page_size: 200 })

    const times = items.map(({ createTime }) => Date.parse(String(createTime)))
    expect(items.length, 'how many groups the page holds').toBe(200)
    expect(times, 'the times of creation').toEqual(times.toSorted((one, other) => other - one))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.filter',
    statement: 'S1.5, S4.10, R21, R60',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'A name filter over gRPC keeps exact matches only',
  },
  async ({ both: { grpc }, grpcCrowd: crowd }) => {
    const wanted = crowd.siblings[3]!

    const page = await grpc.groups.list({ ...crowd.scope, name: String(wanted.name) })

    expect(uids(page.items), 'the groups of that name').toEqual([wanted.uid])
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.filter.below',
    statement: 'S1.5, S4.24, R60',
    quote: '`name` and `uidp.descendants_of` can be combined',
    says: 'A name filter over gRPC combines with descendants_of',
  },
  async ({ both: { grpc }, grpcForest: forest, atLeast }) => {
    const [twin] = forest.twins
    atLeast(2, 'groups of one name', forest.twins.length)

    const page = await grpc.groups.list({ ...forest.scope, name: String(twin!.name), page_size: 50 })

    expect(uids(page.items).toSorted(), 'the groups of that name').toEqual(uids(forest.twins).toSorted())
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.scope.children',
    statement: 'S1.5, S4.9, R16, R60',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    says: 'children_of over gRPC lists direct children only',
  },
  async ({ both: { grpc }, grpcForest: forest }) => {
    const { items } = await grpc.groups.list({ ...forest.children, page_size: 200 })

    const made = uids(forest.all)
    const own = uids(items).filter((uid) => made.includes(uid))
    const direct = uids(forest.branches)
    expect(
      own.filter((uid) => !direct.includes(uid)),
      'groups deeper than that',
    ).toEqual([])
    expect(own.length, 'how many direct children').toBe(direct.length)
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.scope.descendants',
    statement: 'S1.5, S4.8, R15, R60',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    says: 'descendants_of over gRPC lists every depth and nothing outside',
  },
  async ({ both: { grpc, http }, grpcForest: forest }) => {
    const query = { ...forest.scope, page_size: 200, order_by: 'name' }

    const lists = [grpc.groups.list, http.groups.list]
    const [got, wanted] = await Promise.all(lists.map((list) => walk(list, query, forest.all.length)))

    expect(uids(got!.items).toSorted(), 'the groups below').toEqual(uids(wanted!.items).toSorted())
    expect(
      uids(forest.all).filter((uid) => !uids(got!.items).includes(uid)),
      'groups that are missing',
    ).toEqual([])
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.empty',
    statement: 'S1.5, S4.17, S4.18, R13, R60',
    quote: 'On the last page `nextPageToken` is absent or empty',
    says: 'A list of nothing over gRPC has no items and no token',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, names, atLeast }) => {
    const [page, whole] = await Promise.all([
      grpc.groups.list({ ...crowd.scope, name: names.fresh() }),
      grpc.groups.list(crowd.scope),
    ])
    atLeast(1, 'results without a name', whole.items.length)

    expect(page.items, 'the groups of a name that nothing has').toEqual([])
    expect(page.nextPageToken, 'the token behind them').toBeUndefined()
    expect(page.totalCount ?? '0', 'their total').toBe('0')
  },
)
