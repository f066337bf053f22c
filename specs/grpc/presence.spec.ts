import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { bodyFor } from '../../helpers/arrange/populations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { statusOf } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const family = { profile: 'grpc' } as const

requirement(
  {
    ...family,
    id: 'grpc.create.no-message',
    level: 'must',
    statement: 'S1.5, S7.5, R37, R60',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    restsOn: ['error.*', 'group.create.*'],
    says: 'Create over gRPC without a group in its message is refused',
  },
  async ({ both: { grpc }, scratch, names }) => {
    await grpc.groups.create(scratch.uid, { name: names.fresh() })

    refused(await grpc.attempt.groups.create(scratch.uid), 'a create without a group over gRPC')
  },
)

requirement(
  {
    ...family,
    id: 'grpc.create.no-message.status',
    level: 'should',
    statement: 'S1.5, S7.5, R37',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    restsOn: ['error.*', 'grpc.create.no-message'],
    says: 'Create over gRPC without a group in its message has the status 3',
  },
  async ({ both: { grpc }, scratch, names }) => {
    await grpc.groups.create(scratch.uid, { name: names.fresh() })

    expect(statusOf(await grpc.attempt.groups.create(scratch.uid)), 'the status of gRPC').toBe(3)
  },
)

requirement(
  {
    ...family,
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

/** Members that the server owns, with values no server would set. */
const owned = {
  verified: true,
  createTime: '2001-02-03T04:05:06.007Z',
  updateTime: '2001-02-03T04:05:06.008Z',
  lastSeenTime: '2001-02-03T04:05:06.009Z',
}
const ownedBy = {
  groups: ['verified', 'createTime', 'updateTime'],
  identities: ['createTime', 'updateTime', 'lastSeenTime'],
} as const

requirementOnEach(
  ['groups', 'identities'] as const,
  {
    ...family,
    id: 'grpc.create.server-owned',
    level: 'must',
    statement: 'S1.5, S2.5, R5, R60',
    quote: 'it must have no effect',
    restsOn: ['group.create.*', 'group.verified.*', 'identity.create.*'],
    says: 'What the server owns of {a} is not set by Create over gRPC',
  },
  (kind) =>
    async ({ both: { grpc, http }, api, scratch, names, eventually }) => {
      const home = await scratch.makeGroup()
      const name = names.fresh()
      const uid = `${home.uid}/00000000000000ae`
      const sent = { uid, ...Object.fromEntries(ownedBy[kind].map((member) => [member, owned[member]])) }

      const answer = await grpc.attempt[kind].create(home.uid, {
        ...(await bodyFor(api, scratch, kind, name)),
        ...sent,
      })

      await eventually(async () => {
        const { items } = await http[kind].list({ ...childrenOf(home.uid), page_size: 200 })
        const made = items.filter((item) => item.name === name)
        expect(made.length, 'how many of that name').toBeGreaterThanOrEqual(succeeded(answer) ? 1 : 0)
        const taken = made.flatMap((item) =>
          Object.entries(sent).filter(([member, value]) => isAs(item[member], value)),
        )
        // the target may have verified a group by now without a client's request (R5)
        const { verified } = await http.groups.get(home.uid)
        const own = taken.filter(([member]) => !(member === 'verified' && verified))
        expect(own, 'what the client set').toEqual([])
      })
    },
)

const isAs = (got: unknown, sent: unknown) => got === sent || instant(got) === instant(sent)
