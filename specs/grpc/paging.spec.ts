import { expect } from 'vitest'
import { names as namesOf, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { sameListOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { among, boundaries, firstPages, foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { plainLists } from '../../helpers/requirement/plain-lists.ts'

const pages = ['list.page-size.*', ...plainLists]
const ordered = ['list.order.*', 'list.scope.*', ...pages]
const family = { level: 'must', restsOn: pages } as const
const limits = ['list.skip.*', ...pages, 'grpc.list.skip', 'grpc.list.page-size.*']
const atLimits = { ...family, restsOn: limits } as const

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

/** The largest number that a member of a message can hold. */
const largest = 2_147_483_647

requirement(
  {
    ...atLimits,
    id: 'grpc.list.page-size.largest',
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
    id: 'grpc.list.skip',
    statement: 'S1.5, S4.23, S4.19, R12, R60',
    quote: '`skip=10` with `page_size=5` begins at the 11th result and echoes 10',
    restsOn: ['list.skip.*', ...pages],
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

requirement(
  {
    ...atLimits,
    id: 'grpc.list.skip.beyond-end',
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
      ofEach('how many results are beyond the end', queries),
    ).toEqual(queries.map(() => 0))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.walk.complete',
    statement: 'S1.5, S4.25, S4.18, R11, R60',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
    restsOn: ordered,
    says: 'A walk over gRPC shows every result once, and the total on each page',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
    const { siblings } = crowd
    const walked = await walk(grpc.groups.list, { ...crowd.scope, page_size: 40 }, siblings.length)

    atLeast(5, 'page boundaries', boundaries([walked]))
    const shown = uids(among(walked.items, siblings)).toSorted()
    expect(shown, 'what the walk shows').toEqual(uids(siblings).toSorted())
    const totals = new Set(walked.pages.map(({ totalCount }) => totalCount))
    expect([...totals], 'the totals').toEqual([String(walked.items.length)])
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.walk.interleaved',
    statement: 'S1.5, S4.12, S4.25, R14, R60',
    quote: 'Whatever other walks do meanwhile, walks of the same query included, a token must go on from its own page',
    restsOn: [...ordered, 'grpc.list.walk.complete'],
    says: 'Two walks of one query over gRPC each continue from their own page',
  },
  async ({ both: { grpc }, grpcCrowd: crowd, atLeast }) => {
    const [query, most] = [{ ...crowd.scope, page_size: 75 }, crowd.siblings.length]
    const ahead = await firstPages(grpc.groups.list, query, 1)

    const walks = [ahead, undefined].map((begun) => walk(grpc.groups.list, query, most, begun))

    const found = await Promise.all(walks)
    for (const one of found) foundAll(one, crowd.siblings, [])
    atLeast(2, 'page boundaries', boundaries(found))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.list.walk.order',
    statement: 'S1.5, S4.21, R60',
    quote: 'the order holds across the pages',
    restsOn: ordered,
    says: 'A walk by name over gRPC keeps the order across pages, as over HTTP',
  },
  async ({ both: { grpc, http }, run, grpcCrowd: crowd, atLeast }) => {
    const query = { ...crowd.scope, order_by: 'name', page_size: 60 }

    const most = crowd.siblings.length
    const read = async () => ({
      overHttp: (await walk(http.groups.list, query, most)).items,
      overGrpc: (await walk(grpc.groups.list, query, most)).items,
    })

    const { overHttp } = await sameListOverBoth('groups', read, (uid) => run.journal.made(uid))

    atLeast(2, 'results over HTTP', overHttp.length)
  },
)

for (const [aspect, order_by, words] of [
  ['plain', undefined, 'in the default order'],
  ['name', 'name', 'by name'],
  ['created', 'created_at desc', 'by creation'],
] as const) {
  requirement(
    {
      id: `grpc.walk-mixed.${aspect}`,
      level: 'should',
      statement: 'S1.5, S4.12, S4.25, R14',
      quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
      restsOn: [...ordered, 'grpc.list.*'],
      says: `A walk ${words} that changes the protocol at every page shows every result once`,
    },
    async ({ both: { grpc, http }, grpcCrowd: crowd }) => {
      let calls = 0
      const inTurn: typeof grpc.groups.list = (query) => [grpc, http][calls++ % 2]!.groups.list(query)

      const { items } = await walk(inTurn, { ...crowd.scope, order_by, page_size: 45 }, crowd.siblings.length)

      const shown = uids(among(items, crowd.siblings)).toSorted()
      expect(shown, 'what the walk shows').toEqual(uids(crowd.siblings).toSorted())
    },
  )
}
