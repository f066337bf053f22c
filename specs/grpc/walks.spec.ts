import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { sameListOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { among, boundaries, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const family = { level: 'must', profile: 'grpc', restsOn: ['list.*'] as string[] } as const

requirement(
  {
    ...family,
    id: 'grpc.list.walk.complete',
    statement: 'S1.5, S4.25, S4.18, R11, R60',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
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
    id: 'grpc.list.walk.order',
    statement: 'S1.5, S4.21, R60',
    quote: 'the order holds across the pages',
    says: 'A walk by name over gRPC keeps the order across pages, as over HTTP',
  },
  async ({ both: { grpc, http }, run, grpcCrowd: crowd, atLeast }) => {
    const query = { ...crowd.scope, order_by: 'name', page_size: 60 }

    const most = crowd.siblings.length
    const read = async () => ({
      overGrpc: (await walk(grpc.groups.list, query, most)).items,
      overHttp: (await walk(http.groups.list, query, most)).items,
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
      restsOn: ['list.*', 'grpc.list.*'],
      says: `A walk ${words} that changes the protocol at every page shows every result once`,
      profile: 'grpc',
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
