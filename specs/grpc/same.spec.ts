import { expect } from 'vitest'
import { kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { mustBeOffered } from '../../helpers/arrange/optional-operations.ts'
import { sameListOverBoth, sameOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { walk } from '../../helpers/assertions/page-walk.ts'
import { requirementOnEach } from '../../helpers/case/requirement.ts'

const sameEverywhere = 'A resource must be the same wherever it shows'

requirementOnEach(
  listedKinds,
  {
    id: 'grpc.get.same',
    level: 'must',
    statement: 'S1.5, R55, R60',
    quote: sameEverywhere,
    restsOn: ['group.get.*', 'group.*.same', 'time.*'],
    says: 'Get over gRPC shows {a} as Get over HTTP does',
    profile: 'grpc',
  },
  (kind) =>
    async ({ both: { http, grpc }, inTurn, eventually }) => {
      await inTurn(kind, async ({ operationCalls: { thing } }) => {
        await eventually(async () => {
          mustBeOffered(await http.attempt[kind].get(thing.uid))
          mustBeOffered(await grpc.attempt[kind].get(thing.uid))
          sameOverBoth(kind, await grpc[kind].get(thing.uid), await http[kind].get(thing.uid))
        })
      })
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'grpc.list.same',
    level: 'must',
    statement: 'S1.5, S4.15, S4.25, R55, R60',
    quote: sameEverywhere,
    restsOn: ['list.*'],
    says: 'A walk over gRPC shows the same {many} as one over HTTP',
    profile: 'grpc',
  },
  (kind) =>
    async ({ both: { http, grpc, caughtUp }, run, over, atLeast }) => {
      await over(kind, async (population) => {
        const { scope, items } = population
        await caughtUp(population)
        mustBeOffered(await grpc.attempt[kind].list(scope))
        const isOwn = (uid: string) => kinds[kind].foreign || run.journal.made(uid)
        const query = { ...scope, page_size: Math.max(2, Math.ceil(items.length / 3)) }

        const byUid = (one: { uid: string }, other: { uid: string }) => (one.uid < other.uid ? -1 : 1)
        let pages = 0
        const read = async () => {
          const [got, wanted] = await Promise.all([
            walk(grpc[kind].list, query, items.length),
            walk(http[kind].list, query, items.length),
          ])
          pages = got.pages.length
          return { overGrpc: got.items.toSorted(byUid), overHttp: wanted.items.toSorted(byUid) }
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
    restsOn: ['list.total.*', 'list.*'],
    says: 'The total of {many} over gRPC is that over HTTP',
    profile: 'grpc',
  },
  (kind) =>
    async ({ both: { http, grpc, caughtUp }, over, atLeast }) => {
      await over(kind, async (population) => {
        const { scope } = population
        await caughtUp(population)
        mustBeOffered(await grpc.attempt[kind].list(scope))

        const [got, wanted] = await Promise.all([grpc[kind].list(scope), http[kind].list(scope)])

        atLeast(1, 'results over HTTP', wanted.items.length)
        expect(got.totalCount, `the total of ${kinds[kind].label.many} over gRPC`).toBe(wanted.totalCount)
      })
    },
)
