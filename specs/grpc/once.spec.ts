import { expect } from 'vitest'
import { mustBeUnderstood } from '../../helpers/arrange/optional-operations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { encodingOf, resourceIn } from '../../helpers/assertions/both-protocols.ts'
import { accepted } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type RpcForm, succeeded } from '../../helpers/http/call.ts'
import { holdsOnce } from '../../helpers/v1/v1-assertions.ts'

const everywhere = 'The same host serves every endpoint over gRPC as well'
const family = { profile: 'grpc', quote: everywhere } as const

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
      ...family,
      id: `grpc.create.once.${aspect}`,
      level: 'must',
      statement: 'S1.5, S4.1, R60',
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

requirement(
  {
    ...family,
    id: 'grpc.wire.identity',
    level: 'should',
    statement: 'S1.5, R51',
    says: 'A client that reads no compressed messages gets none over gRPC',
  },
  async ({ both: { rpc } }) => {
    const answer = await rpc({ operation: 'grpc.group.list', rpc: {} })

    accepted(answer, 'a call that takes no compressed answer')
    expect(encodingOf(answer), 'the encoding of the answer').toBe('identity')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.create.in-v1',
    level: 'must',
    statement: 'S1.5, S9.2, R44, R60',
    quote: 'One group read through both versions must agree',
    restsOn: ['v1.group.*', 'list.scope.children', 'grpc.group.create.answers'],
    says: 'The v1 list shows a group that was created over gRPC',
  },
  async ({ both: { grpc }, v1, scratch, names, eventually }) => {
    const home = await scratch.makeGroup()
    const beside = await scratch.makeGroup({}, home.uid)
    await eventually(async () => holdsOnce(await v1.list(home.uid), [beside.uid]))

    const { uid } = await grpc.groups.create(home.uid, { name: names.fresh() })

    await eventually(async () => holdsOnce(await v1.list(home.uid), [uid]))
  },
)
