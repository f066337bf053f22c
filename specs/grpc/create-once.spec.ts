import { expect } from 'vitest'
import { mustBeUnderstood } from '../../helpers/arrange/optional-operations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { resourceIn } from '../../helpers/assertions/both-protocols.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type RpcForm, succeeded } from '../../helpers/http/call.ts'

/** Ways to send a message that do not change what it asks for. */
const ways: Record<string, [says: string, rpc: RpcForm]> = {
  plain: ['that is sent as usual', {}],
  deadline: ['with a deadline', { metadata: { 'grpc-timeout': '25S' } }],
  compressed: ['that is compressed', { gzip: true }],
  proto: ['of the type application/grpc+proto', { metadata: { 'content-type': 'application/grpc+proto' } }],
}

for (const [aspect, [says, rpc]] of Object.entries(ways)) {
  requirement(
    {
      id: `grpc.create.once.${aspect}`,
      level: 'must',
      statement: 'S1.5, S4.1, R60',
      quote: 'The same host serves every endpoint over gRPC as well',
      restsOn: ['group.create.*', 'list.*', 'grpc.group.create.answers'],
      says: `A Create over gRPC ${says} makes one group`,
    },
    async ({ both: { grpc, http }, scratch, names, eventually, atLeast }) => {
      const home = await scratch.makeGroup()
      const name = names.fresh()

      const answer = await grpc.attempt.groups.create(home.uid, { name }, { rpc })
      mustBeUnderstood(answer, `a Create over gRPC ${says}`)
      atLeast(1, 'creates that succeed', succeeded(answer) ? 1 : 0)

      await eventually(async () => {
        const { items } = await http.groups.list({ ...childrenOf(home.uid), page_size: 200 })
        const { uid } = resourceIn(answer, 'Create over gRPC')
        const made = items.filter((item) => item.name === name)
        expect(
          made.map((item) => item.uid),
          'the groups of that name',
        ).toEqual([uid])
      })
    },
  )
}
