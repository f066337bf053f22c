import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { kinds, ownKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { mustAnswer, mustBeOffered } from '../../helpers/arrange/optional-operations.ts'
import { bodyFor, makeOne } from '../../helpers/arrange/populations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { resourceIn, sameOverBoth, statusOf } from '../../helpers/assertions/both-protocols.ts'
import { refused } from '../../helpers/assertions/refused.ts'
import { attempt } from '../../helpers/auth/operation-calls.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { holdsOnce } from '../../helpers/v1/v1-assertions.ts'

const everywhere = 'The same host serves every endpoint over gRPC as well'
const family = { level: 'must', quote: everywhere } as const

requirementOnEach(
  ownKinds,
  {
    ...family,
    id: 'grpc.create.read-over-http',
    statement: 'S1.5, R55, R60',
    restsOn: ['group.create.answers', 'group.list.answers', 'grpc.group.create.answers'],
    says: 'A list over HTTP shows {a} as Create over gRPC answered it',
  },
  (kind) =>
    async ({ both: { http, grpc }, operationCallsOf, eventually }) => {
      const operationCalls = await operationCallsOf(kind)
      // gRPC may learn of what it names a moment later (R52)
      const made = await eventually(async () => {
        const answer = await attempt(grpc.attempt[kind], operationCalls, 'create')
        mustAnswer(kind, 'create', answer)
        return resourceIn(answer, 'Create over gRPC')
      })

      const scope = childrenOf(operationCalls.home.uid)
      mustBeOffered(await http.attempt[kind].list(scope))

      await eventually(async () => {
        const { items } = await http[kind].list({ ...scope, page_size: 200 })
        expect(uids(items), `the ${kinds[kind].label.many} over HTTP`).toContain(made.uid)
        // the target itself may have moved it since (R26)
        sameOverBoth(kind, made, items.find(({ uid }) => uid === made.uid)!, 'updateTime')
      })
    },
)

requirementOnEach(
  ownKinds,
  {
    ...family,
    id: 'grpc.create.of-http',
    statement: 'S1.5, R55, R60',
    restsOn: ['group.create.answers', 'group.list.answers', 'grpc.group.list.answers'],
    says: 'A list over gRPC shows {a} that was created over HTTP',
  },
  (kind) =>
    async ({ both: { grpc }, scratch, eventually }) => {
      const home = await scratch.makeGroup()
      const made = await makeOne(scratch, kind, home.uid)
      mustBeOffered(await grpc.attempt[kind].list(childrenOf(home.uid)))

      await eventually(async () => {
        const { items } = await grpc[kind].list({ ...childrenOf(home.uid), page_size: 200 })
        expect(uids(items), `the ${kinds[kind].label.many} over gRPC`).toContain(made.uid)
        sameOverBoth(kind, items.find(({ uid }) => uid === made.uid)!, made)
      })
    },
)

requirement(
  {
    ...family,
    id: 'grpc.create.defaults',
    statement: 'S1.5, S2.8, S2.9, R46, R60',
    restsOn: ['group.verified.*', 'group.create.*'],
    says: 'A group created over gRPC is unverified and shows both its times',
  },
  async ({ both: { grpc }, scratch, names }) => {
    const made = await grpc.groups.create(scratch.uid, { name: names.fresh() })

    expect(made, 'the new group').toMatchObject({
      verified: false,
      createTime: expect.stringMatching(/Z$/),
      updateTime: expect.stringMatching(/Z$/),
    })
  },
)

requirement(
  {
    ...family,
    id: 'grpc.create.as-sent',
    statement: 'S1.5, S2.7, R6, R60',
    quote: 'must come back as sent, character for character',
    restsOn: ['group.description.*', 'group.create.*'],
    says: 'Name and description sent over gRPC come back as sent, letters beyond ASCII included',
  },
  async ({ both: { http, grpc }, scratch, names, eventually, atLeast }) => {
    const bodies = ['Plain text', '"quoted" & <marked>', 'Ärger & Freude, façade, 語'].map((description) => ({
      name: names.fresh(),
      description,
    }))

    const answers = await Promise.all(bodies.map((body) => grpc.attempt.groups.create(scratch.uid, body)))
    const made = bodies.flatMap((body, at) => (succeeded(answers[at]!) ? [{ body, answer: answers[at]! }] : []))
    atLeast(1, 'groups with a description', made.length)

    for (const { body, answer } of made) expect(answer.json, 'the answer to Create over gRPC').toMatchObject(body)
    await Promise.all(
      made.map(({ body, answer }) =>
        eventually(async () => {
          const { uid } = resourceIn(answer, 'Create over gRPC')
          expect(await http.groups.get(uid), 'Get over HTTP').toMatchObject(body)
        }),
      ),
    )
  },
)

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
    says: 'Create over gRPC without a group in its message returns status 3',
  },
  async ({ both: { grpc }, scratch, names }) => {
    await grpc.groups.create(scratch.uid, { name: names.fresh() })

    expect(statusOf(await grpc.attempt.groups.create(scratch.uid)), 'the status of gRPC').toBe(3)
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
    says: 'Create over gRPC cannot set what the server owns of {a}',
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
