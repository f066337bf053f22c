import { expect } from 'vitest'
import { kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { names as namesOf, uids } from '../../helpers/api/received.ts'
import { mustBeOffered } from '../../helpers/arrange/optional-operations.ts'
import { sameListOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { among, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { plainLists } from '../../helpers/requirement/plain-lists.ts'

const pages = ['list.page-size.*', ...plainLists]

for (const [aspect, order, words] of [
  ['name', 'name', 'ascends by name'],
  ['name-desc', 'name desc', 'descends by name'],
] as const) {
  requirement(
    {
      id: `grpc.list.order.${aspect}`,
      level: 'must',
      statement: 'S1.5, S4.22, R17, R60',
      quote: '`name` ascends, `name desc` descends',
      restsOn: ['list.order.*', 'list.skip.*', ...pages],
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
    id: 'grpc.list.order.created',
    level: 'must',
    statement: 'S1.5, S4.22, S4.13, R60',
    quote: '`created_at desc` puts the newest first',
    restsOn: ['list.order.*', 'list.skip.*', ...pages, 'grpc.list.page-size.most'],
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
    id: 'grpc.list.filter',
    level: 'must',
    statement: 'S1.5, S4.10, R21, R60',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.*', 'list.scope.*', ...pages],
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
    id: 'grpc.list.filter.below',
    level: 'must',
    statement: 'S1.5, S4.24, R60',
    quote: '`name` and `uidp.descendants_of` can be combined',
    restsOn: ['list.filter.*', 'list.scope.*', ...pages],
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
    id: 'grpc.list.scope.children',
    level: 'must',
    statement: 'S1.5, S4.9, R16, R60',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    restsOn: ['list.scope.*', ...pages],
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
    id: 'grpc.list.scope.descendants',
    level: 'must',
    statement: 'S1.5, S4.8, R15, R60',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.*', ...pages],
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
    id: 'grpc.list.empty',
    level: 'must',
    statement: 'S1.5, S4.17, S4.18, R13, R60',
    quote: 'On the last page `nextPageToken` is absent or empty',
    restsOn: ['list.filter.*', 'list.total.*', ...pages],
    says: 'An empty list over gRPC has no items and no token',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, names, atLeast }) => {
    const [page, whole] = await Promise.all([
      grpc.groups.list({ ...crowd.scope, name: names.fresh() }),
      grpc.groups.list(crowd.scope),
    ])
    atLeast(1, 'results without a name', whole.items.length)

    expect(page.items, 'the groups of a name that nothing has').toEqual([])
    expect(page.nextPageToken, 'the next_page_token of a list without groups').toBeUndefined()
    expect(page.totalCount ?? '0', 'the total_count of a list without groups').toBe('0')
  },
)

requirement(
  {
    id: 'grpc.list.empty.total',
    level: 'should',
    statement: 'S1.5, S4.18, R13',
    quote: 'An empty result has `"0"`; that it is absent there is a warning',
    restsOn: ['list.filter.*', 'list.total.*', ...pages, 'grpc.list.skip', 'grpc.list.page-size.*'],
    says: 'An empty list over gRPC has the total 0',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, names, atLeast }) => {
    const { items, totalCount } = await grpc.groups.list({ ...crowd.scope, name: names.fresh() })
    atLeast(0, 'results', -items.length)

    expect(totalCount, 'the total').toBe('0')
  },
)

requirementOnEach(
  listedKinds,
  {
    id: 'grpc.list.same',
    level: 'must',
    statement: 'S1.5, S4.15, S4.25, R55, R60',
    quote: 'A resource must be the same wherever it shows',
    restsOn: ['list.scope.*', 'list.order.*', ...pages],
    says: 'A walk over gRPC shows the same {many} as one over HTTP',
  },
  (kind) =>
    async ({ both: { http, grpc, caughtUp }, run, withPopulation, atLeast }) => {
      await withPopulation(kind, async (population) => {
        const { scope, items } = population
        await caughtUp(population)
        mustBeOffered(await grpc.attempt[kind].list(scope))
        const isOwn = (uid: string) => kinds[kind].foreign || run.journal.made(uid)
        const query = { ...scope, page_size: Math.max(2, Math.ceil(items.length / 3)) }

        const byUid = (one: { uid: string }, other: { uid: string }) => (one.uid < other.uid ? -1 : 1)
        let pages = 0
        const read = async () => {
          const wanted = await walk(http[kind].list, query, items.length)
          const got = await walk(grpc[kind].list, query, items.length)
          pages = got.pages.length
          return { overHttp: wanted.items.toSorted(byUid), overGrpc: got.items.toSorted(byUid) }
        }

        await sameListOverBoth(kind, read, isOwn)

        atLeast(2, 'pages over gRPC', pages)
      })
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'grpc.list.total',
    level: 'must',
    statement: 'S1.5, S4.18, R13, R60',
    quote: 'and equal to the number of items that the walk finds',
    restsOn: ['list.total.*', 'list.scope.*', 'list.filter.*', ...pages],
    says: 'gRPC and HTTP give the same total of {many}',
  },
  (kind) =>
    async ({ both: { http, grpc, caughtUp }, withPopulation, atLeast }) => {
      await withPopulation(kind, async (population) => {
        const { scope } = population
        await caughtUp(population)
        mustBeOffered(await grpc.attempt[kind].list(scope))

        const [got, wanted] = await Promise.all([grpc[kind].list(scope), http[kind].list(scope)])

        atLeast(1, 'results over HTTP', wanted.items.length)
        expect(got.totalCount, `the total of ${kinds[kind].label.many} over gRPC`).toBe(wanted.totalCount)
      })
    },
)
