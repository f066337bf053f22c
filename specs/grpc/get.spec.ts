import { listedKinds } from '../../helpers/api/kinds.ts'
import { mustBeOffered } from '../../helpers/arrange/optional-operations.ts'
import { sameOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirementOnEach(
  listedKinds,
  {
    id: 'grpc.get.same',
    level: 'must',
    statement: 'S1.5, R55, R60',
    quote: 'A resource must be the same wherever it shows',
    restsOn: ['group.get.*', 'group.*.same', 'time.*'],
    says: 'Get over gRPC shows {a} as Get over HTTP does',
  },
  (kind) =>
    async ({ both: { http, grpc }, inTurn, eventually }) => {
      await inTurn(kind, async ({ operationCalls: { thing } }) => {
        await eventually(async () => {
          mustBeOffered(await http.attempt[kind].get(thing.uid))
          mustBeOffered(await grpc.attempt[kind].get(thing.uid))
          // what others change may be newer in the later answer (R24)
          const wanted = await http[kind].get(thing.uid)
          sameOverBoth(kind, await grpc[kind].get(thing.uid), wanted)
        })
      })
    },
)

requirement(
  {
    id: 'grpc.get.no-uid',
    level: 'should',
    statement: 'S1.5, S4.1, R38',
    quote: 'must not be answered with 2xx',
    says: 'Get over gRPC without a uid is refused',
  },
  async ({ both: { grpc }, scratch, eventually }) => {
    await eventually(() => grpc.groups.get(scratch.uid))

    refused(await grpc.attempt.groups.get(''), 'Get of no uid over gRPC')
  },
)
