import { expect } from 'vitest'
import { kinds, ownKinds } from '../../helpers/api/kinds.ts'
import { isReceived } from '../../helpers/api/received.ts'
import { mustAnswer, mustBeOffered } from '../../helpers/arrange/optional-operations.ts'
import { makeOne } from '../../helpers/arrange/populations.ts'
import { sameOverBoth } from '../../helpers/assertions/both-protocols.ts'
import { accepted, clientsMistake, detailOf, partOfError } from '../../helpers/assertions/refused.ts'
import { controlRenames } from '../../helpers/auth/control-calls.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

const everywhere = 'The same host serves every endpoint over gRPC as well'
const restsOn: string[] = ['group.update.*', 'grpc.group.update.answers']
const family = { level: 'must', restsOn } as const
const withMask = 'changes only the fields that the mask lists and ignores all others in the body'
const described = ownKinds.filter((kind) => kinds[kind].described && kinds[kind].shown)

for (const [member, other] of [
  ['name', 'description'],
  ['description', 'name'],
] as const) {
  requirement(
    {
      ...family,
      id: `grpc.update.mask.${member}`,
      statement: 'S1.5, S4.27, R31, R60',
      quote: withMask,
      says: `Update over gRPC with the mask ${member} changes it and leaves the ${other}`,
    },
    async ({ both: { grpc, http }, scratch, names, eventually }) => {
      const known = await scratch.makeKnown({ description: 'as it was' })
      const body = { name: names.fresh(), description: 'by gRPC' }

      const answer = await grpc.attempt.groups.update(known.uid, body, { query: { updateMask: member } })
      accepted(answer, 'Update over gRPC')

      const wanted = { [member]: body[member], [other]: known[other] }
      expect(answer.json, 'the answer to Update').toMatchObject(wanted)
      await eventually(async () => expect(await http.groups.get(known.uid), 'Get over HTTP').toMatchObject(wanted))
    },
  )
}

requirement(
  {
    ...family,
    id: 'grpc.update.mask.several',
    level: 'should',
    statement: 'S1.5, S4.27, R31',
    quote: withMask,
    says: 'Update over gRPC with a mask of two fields changes both',
  },
  async ({ both: { grpc, http }, scratch, names, eventually }) => {
    const { uid } = await scratch.makeKnown({ description: 'as it was' })
    const body = { name: names.fresh(), description: 'by gRPC' }

    const query = { updateMask: 'name,description' }
    accepted(await grpc.attempt.groups.update(uid, body, { query }), 'Update over gRPC')

    await eventually(async () => expect(await http.groups.get(uid), 'Get over HTTP').toMatchObject(body))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.update.mask.clears',
    // an empty text and a missing one are the same message, and a listed one that is missing may be kept (R31)
    level: 'should',
    statement: 'S1.5, S2.7, S4.27, R6, R31, R60',
    quote: 'A PATCH to `""` with the mask must clear it',
    says: 'Update over gRPC with the mask clears a description',
  },
  async ({ both: { grpc, http }, scratch, eventually }) => {
    const { uid } = await scratch.makeKnown({ description: 'to be cleared' })

    const query = { updateMask: 'description' }
    accepted(await grpc.attempt.groups.update(uid, { description: '' }, { query }), 'Update over gRPC')

    await eventually(async () => {
      expect((await http.groups.get(uid)).description ?? '', 'the description over HTTP').toBe('')
    })
  },
)

requirement(
  {
    ...family,
    id: 'grpc.update.unmasked',
    statement: 'S1.5, S4.26, R60',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'Update over gRPC without a mask leaves the fields that were not sent',
  },
  async ({ both: { grpc, http }, scratch, eventually }) => {
    const known = await scratch.makeKnown({ description: 'as it was' })

    accepted(await grpc.attempt.groups.update(known.uid, { description: 'by gRPC' }), 'Update over gRPC')

    await eventually(async () => {
      expect(await http.groups.get(known.uid), 'Get over HTTP').toMatchObject({
        name: known.name,
        description: 'by gRPC',
      })
    })
  },
)

requirement(
  {
    ...family,
    id: 'grpc.update.answer',
    statement: 'S1.5, S4.28, R25, R60',
    quote: 'a PATCH answers the resource as it is after the update',
    says: 'Update over gRPC answers the group as Get over gRPC then shows it',
  },
  async ({ both: { grpc }, scratch, eventually }) => {
    const { uid } = await scratch.makeKnown()

    const answer = await grpc.attempt.groups.update(uid, { description: 'by gRPC' })
    accepted(answer, 'an Update over gRPC')
    const { json } = answer

    expect(isReceived(json), 'a group in the answer').toBe(true)
    await eventually(async () => sameOverBoth('groups', await grpc.groups.get(uid), json as { uid: string }))
  },
)

requirement(
  {
    ...family,
    id: 'grpc.update.server-owned',
    statement: 'S1.5, S2.5, R5, R60',
    quote: 'it must have no effect',
    says: 'Update over gRPC cannot change what the server owns',
  },
  async ({ both: { grpc, http }, scratch, eventually }) => {
    const [twin, known] = [await scratch.makeGroup(), await scratch.makeKnown()]
    const body = { description: 'by gRPC', verified: true, createTime: '2001-01-01T00:00:00Z' }

    await grpc.attempt.groups.update(known.uid, body)

    await eventually(async () => {
      const { createTime, verified = false } = await http.groups.get(known.uid)
      // the target may have verified one by now without a client's request (R5)
      const { verified: verifies = false } = await http.groups.get(twin.uid)
      expect([Date.parse(String(createTime)), verified && !verifies], 'what the server owns').toEqual([
        Date.parse(String(known.createTime)),
        false,
      ])
    })
  },
)

requirementOnEach(
  described,
  {
    ...family,
    id: 'grpc.update.read-over-http',
    statement: 'S1.5, S4.28, R60',
    quote: everywhere,
    restsOn: ['group.update.answers', 'group.update.*', 'grpc.group.update.answers'],
    says: 'HTTP shows what Update over gRPC changed in {a}',
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
    quote: everywhere,
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

requirement(
  {
    id: 'grpc.update.bad-name',
    level: 'should',
    statement: 'S1.5, S7.5, R4, R33, R60',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    restsOn: ['error.*', 'grpc.error.*'],
    says: 'Update over gRPC with a bad name gets the error of Create',
  },
  async ({ both: { grpc }, scratch, names, atLeast }) => {
    atLeast(1, 'plain renames that take effect', await controlRenames({ api: grpc, scratch, names }))

    for (const updateMask of [undefined, 'name']) {
      const body = { name: `${names.fresh()}@b` }
      const answer = await grpc.attempt.groups.update(scratch.uid, body, { query: { updateMask } })
      clientsMistake(answer, 'renaming a group to a bad name over gRPC')
      expect(answer.json, 'the error').toMatchObject({
        code: 3,
        message: expect.stringMatching(/^Invalid argument: name: /),
      })
      const about = partOfError('the field violations', answer)
      expect(detailOf(answer, 'BadRequest')?.fieldViolations ?? [], about).toMatchObject([{ field: 'name' }])
    }
  },
)
