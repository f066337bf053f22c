import { expect } from 'vitest'
import { isPublished, kinds, ownKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { mustAnswer, mustBeOffered } from '../../helpers/arrange/optional-operations.ts'
import { makeOne } from '../../helpers/arrange/populations.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { goneOverBoth, resourceIn, sameOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { goneFromGet } from '../../helpers/assertions/gone.ts'
import { attempt } from '../../helpers/auth/operation-calls.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

const everywhere = 'The same host serves every endpoint over gRPC as well'
const family = { level: 'must', quote: everywhere, profile: 'grpc' } as const
const described = ownKinds.filter((kind) => kinds[kind].described && kinds[kind].shown)

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

requirementOnEach(
  described,
  {
    ...family,
    id: 'grpc.update.read-over-http',
    statement: 'S1.5, S4.28, R60',
    restsOn: ['group.update.answers', 'group.update.*', 'grpc.group.update.answers'],
    says: 'HTTP shows what Update over gRPC changed of {a}',
  },
  (kind) =>
    async ({ both: { http, grpc }, scratch, names, eventually }) => {
      const { uid } = await makeOne(scratch, kind, scratch.uid)
      const description = `by gRPC ${names.fresh()}`
      const answer = await grpc.attempt[kind].update(uid, { description }, { query: { updateMask: 'description' } })
      mustAnswer(kind, 'update', answer)

      expect(answer.json, 'the answer to Update over gRPC').toMatchObject({ uid, description })
      await eventually(async () => {
        mustBeOffered(await http.attempt[kind].get(uid))
        sameOverBoth(kind, answer.json as { uid: string }, await http[kind].get(uid), 'updateTime')
      })
    },
)

requirementOnEach(
  described,
  {
    ...family,
    id: 'grpc.update.of-http',
    statement: 'S1.5, S4.28, R52, R60',
    restsOn: ['group.update.answers', 'group.update.*', 'grpc.group.get.answers'],
    says: 'Get over gRPC shows what Update over HTTP changed of {a}',
  },
  (kind) =>
    async ({ both: { http, grpc }, scratch, names, eventually }) => {
      const { uid } = await makeOne(scratch, kind, scratch.uid)
      await eventually(async () => mustBeOffered(await grpc.attempt[kind].get(uid)))
      const description = `by HTTP ${names.fresh()}`
      mustAnswer(kind, 'update', await http.attempt[kind].update(uid, { description }))

      await eventually(async () => {
        expect((await grpc[kind].get(uid)).description, 'the description over gRPC').toBe(description)
      })
    },
)

requirementOnEach(
  ownKinds.filter((kind) => !isPublished(kind)),
  {
    ...family,
    id: 'grpc.delete.gone-over-http',
    statement: 'S1.5, R28, R60',
    restsOn: ['group.delete.*', 'grpc.group.delete.answers'],
    says: 'Over HTTP {a} is gone that Delete over gRPC removed',
  },
  (kind) =>
    async ({ both: { http, grpc }, scratch, eventually }) => {
      const { uid } = await makeOne(scratch, kind, scratch.uid)
      await grpc[kind].delete(uid)

      await eventually(async () => {
        goneFromGet(await http.attempt[kind].get(uid), `Get of ${uid} over HTTP`)
      })
    },
)

requirementOnEach(
  ownKinds.filter((kind) => !isPublished(kind)),
  {
    ...family,
    id: 'grpc.delete.of-http',
    statement: 'S1.5, R28, R52, R60',
    restsOn: ['group.delete.*', 'grpc.group.list.answers'],
    says: 'Over gRPC {a} is gone that Delete over HTTP removed',
  },
  (kind) =>
    async ({ both: { http, grpc }, scratch, eventually }) => {
      const home = await scratch.makeGroup()
      const { uid } = await makeOne(scratch, kind, home.uid)
      await eventually(async () => {
        expect(uids((await grpc[kind].list(childrenOf(home.uid))).items), 'the list before').toContain(uid)
      })
      await http[kind].delete(uid)

      await eventually(async () => {
        goneOverBoth(await grpc.attempt[kind].get(uid), await http.attempt[kind].get(uid), `Get of ${uid}`)
        expect(uids((await grpc[kind].list(childrenOf(home.uid))).items), 'the list after').not.toContain(uid)
      })
    },
)

requirement(
  {
    ...family,
    id: 'grpc.delete.empty',
    level: 'should',
    statement: 'S1.5, S4.7, R27',
    quote: 'A DELETE that succeeds answers with an empty body',
    says: 'Delete over gRPC answers with an empty message',
  },
  async ({ both: { grpc }, scratch }) => {
    const { uid } = await scratch.makeGroup()

    const answer = await grpc.groups.delete(uid)

    expect(answer.json, 'the message that answers Delete').toEqual({})
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
    id: 'grpc.identity.claims',
    statement: 'S1.5, S2.11, R60',
    restsOn: ['identity.create.*', 'identity.claim*'],
    says: 'An identity created over gRPC has the claim match that was sent',
  },
  async ({ both: { http, grpc }, scratch, names, eventually }) => {
    const name = names.fresh()
    const claimMatch = await scratch.claimMatchFor(name)

    const made = await grpc.identities.create(scratch.uid, { name, claimMatch })

    expect(made.claimMatch, 'in the answer to Create').toMatchObject({ ...claimMatch })
    await eventually(async () => {
      expect((await http.identities.get(made.uid)).claimMatch, 'over HTTP').toMatchObject({ ...claimMatch })
    })
  },
)
