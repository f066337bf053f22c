import { expect } from 'vitest'
import { names as namesOf } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { childrenOf, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { statusOf } from '../../helpers/assertions/both-protocols.ts'
import { accepted, detailOf, partOfError, refused } from '../../helpers/assertions/refused.ts'
import { controlDeletes, deleteFull } from '../../helpers/auth/control-calls.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { decoded } from '../../helpers/grpc/answer.ts'

const badName = 'Creating a group with an empty body or a bad name gives code 3'
const notEmpty = 'Deleting a group that has child resources gives code 9'

type Bad = Pick<Context, 'both' | 'scratch' | 'names'>

/** A bad create over gRPC, where a good one succeeds. */
async function badCreate({ both, scratch, names }: Bad) {
  await both.grpc.groups.create(scratch.uid, { name: names.fresh() })
  return both.grpc.attempt.groups.create(scratch.uid, { name: `${names.fresh()}@b` })
}

/** Delete over gRPC of a group with a child, where that of an empty one succeeds. */
async function deleteOfFull({ both, scratch, atLeast }: Pick<Context, 'both' | 'scratch' | 'atLeast'>) {
  atLeast(1, 'plain deletes that succeed', await controlDeletes({ api: both.grpc, scratch }))
  const parent = await scratch.makeGroup()
  await scratch.makeGroup({}, parent.uid)
  return { parent, answer: await deleteFull({ api: both.grpc }, parent) }
}

requirement(
  {
    id: 'grpc.error.name.code',
    level: 'must',
    statement: 'S1.5, S7.5, R60',
    quote: badName,
    restsOn: ['error.*', 'group.name.*'],
    says: 'Create over gRPC with a bad name returns status 3',
  },
  async ({ both, scratch, names }) => {
    const answer = await badCreate({ both, scratch, names })

    refused(answer, 'a create with a bad name over gRPC')
    expect(statusOf(answer), 'the status of gRPC').toBe(3)
  },
)

requirement(
  {
    id: 'grpc.error.name.details',
    level: 'must',
    statement: 'S1.5, S7.5, S7.3, R36, R60',
    quote: 'a BadRequest with one violation on `name`',
    restsOn: ['error.*', 'group.name.*'],
    says: 'A bad name over gRPC is explained by an ErrorInfo and one violation',
  },
  async ({ both, scratch, names }) => {
    const answer = await badCreate({ both, scratch, names })

    refused(answer, 'a create with a bad name over gRPC')
    expect(detailOf(answer, 'ErrorInfo')?.reason, partOfError('the reason', answer)).toBe('INVALID_ARGUMENT')
    const about = partOfError('the field violations', answer)
    expect(detailOf(answer, 'BadRequest')?.fieldViolations, about).toMatchObject([{ field: 'name' }])
  },
)

requirement(
  {
    id: 'grpc.error.name.message',
    level: 'must',
    statement: 'S1.5, S7.5, R60',
    quote: 'a message that begins with `Invalid argument: name: `',
    restsOn: ['error.*', 'group.name.*'],
    says: 'A bad name over gRPC is refused with the message of the contract',
  },
  async ({ both, scratch, names }) => {
    const { json, headers } = await badCreate({ both, scratch, names })

    expect(json, 'the error').toMatchObject({ message: expect.stringMatching(/^Invalid argument: name: /) })
    // the details alone may hold it
    const { 'grpc-message': shown = String((json as { message: string }).message) } = headers
    expect(decoded(shown), 'grpc-message').toMatch(/^Invalid argument: name: /)
  },
)

requirement(
  {
    id: 'grpc.error.name.nothing-left',
    level: 'must',
    statement: 'S1.5, S7.5, R29, R60',
    quote: 'A failed create must leave nothing behind',
    restsOn: ['error.*', 'group.name.*'],
    says: 'A refused Create over gRPC leaves no group behind',
  },
  async ({ both, scratch, names, eventually }) => {
    const home = await scratch.makeGroup()
    const name = `${names.fresh()}@b`
    refused(await both.grpc.attempt.groups.create(home.uid, { name }), 'a bad name over gRPC')

    await eventually(async () => {
      const { items } = await both.http.groups.list({ ...childrenOf(home.uid), page_size: 200 })
      expect(namesOf(items), 'the names in the group').not.toContain(name)
    })
  },
)

requirement(
  {
    id: 'grpc.error.name.update',
    level: 'must',
    statement: 'S1.5, S2.6, R4, R60',
    quote: 'a bad name must be refused',
    restsOn: ['group.name.*', 'group.update.*', 'error.*'],
    says: 'Update over gRPC to a bad name is refused and changes nothing',
  },
  async ({ both: { grpc, http }, scratch, names, eventually }) => {
    const known = await scratch.makeKnown()

    const answer = await grpc.attempt.groups.update(known.uid, { name: `${names.fresh()}@b` })

    refused(answer, 'renaming a group to a bad name over gRPC')
    await eventually(async () => expect((await http.groups.get(known.uid)).name, 'the name').toBe(known.name))
  },
)

requirement(
  {
    id: 'grpc.error.not-empty.code',
    level: 'must',
    statement: 'S1.5, S7.6, R60',
    quote: notEmpty,
    restsOn: ['group.delete.*', 'error.*'],
    says: 'Delete over gRPC of a group with a child has the status 9',
  },
  async ({ both, scratch, atLeast }) => {
    const { answer } = await deleteOfFull({ both, scratch, atLeast })

    refused(answer, 'deleting a group with a child over gRPC')
    expect(statusOf(answer), 'the status of gRPC').toBe(9)
  },
)

requirement(
  {
    id: 'grpc.error.not-empty.details',
    level: 'must',
    statement: 'S1.5, S7.6, S7.4, R60',
    quote: 'a PreconditionFailure of type `RESOURCE_NOT_EMPTY`',
    restsOn: ['group.delete.*', 'error.*'],
    says: 'Delete of a full group over gRPC names the violation RESOURCE_NOT_EMPTY',
  },
  async ({ both, scratch, atLeast }) => {
    const { answer } = await deleteOfFull({ both, scratch, atLeast })

    expect(detailOf(answer, 'ErrorInfo')?.reason, partOfError('the reason', answer)).toBe('FAILED_PRECONDITION')
    const about = partOfError('the violations', answer)
    expect([detailOf(answer, 'PreconditionFailure')?.violations].flat(), about).toContainEqual(
      expect.objectContaining({ type: 'RESOURCE_NOT_EMPTY' }),
    )
  },
)

requirement(
  {
    id: 'grpc.error.not-empty.stays',
    level: 'must',
    statement: 'S1.5, S7.6, R29, R60',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    restsOn: ['group.delete.*', 'error.*'],
    says: 'A refused Delete over gRPC leaves the group with its child',
  },
  async ({ both, scratch, atLeast, eventually }) => {
    const { parent, answer } = await deleteOfFull({ both, scratch, atLeast })

    refused(answer, 'deleting a group with a child over gRPC')
    await eventually(async () => {
      expect((await both.http.groups.get(parent.uid)).uid, 'the group').toBe(parent.uid)
      expect((await both.http.groups.list(childrenOf(parent.uid))).items.length, 'its children').toBeGreaterThan(0)
    })
  },
)

requirement(
  {
    id: 'grpc.error.status.details',
    level: 'must',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    says: 'The status in grpc-status-details-bin equals the status of the call',
  },
  async ({ both, scratch, names }) => {
    const answer = await badCreate({ both, scratch, names })

    refused(answer, 'a create with a bad name over gRPC')
    expect((answer.json as { code?: unknown }).code, 'the code in the details').toBe(statusOf(answer))
  },
)

requirement(
  {
    id: 'grpc.error.domain',
    level: 'must',
    statement: 'S1.5, S7.2, R35, R60',
    quote: 'must have the same `domain`',
    restsOn: ['error.*'],
    says: 'The ErrorInfo of a bad name has one domain over gRPC and HTTP',
  },
  async ({ both, scratch, names, atLeast }) => {
    const overHttp = await both.http.attempt.groups.create(scratch.uid, { name: 'NO' })
    const overGrpc = await badCreate({ both, scratch, names })

    const expected = detailOf(overHttp, 'ErrorInfo')?.domain
    atLeast(1, 'domains in the error of HTTP', expected === undefined ? 0 : 1)
    const domain = detailOf(overGrpc, 'ErrorInfo')?.domain
    expect(domain, partOfError('the domain over gRPC', overGrpc)).toBe(expected)
    expect(domain, partOfError('the domain over gRPC', overGrpc)).toMatch(/./)
  },
)

requirement(
  {
    id: 'grpc.error.not-empty.repos',
    level: 'must',
    statement: 'S1.5, S7.6, S2.16, R30, R60',
    quote: notEmpty,
    restsOn: ['group.delete.*', 'error.*', 'grpc.error.not-empty.code'],
    says: 'Delete over gRPC of a group that holds repos is refused without effect',
  },
  async ({ api, both: { grpc }, scratch, expendableGroup, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await controlDeletes({ api: grpc, scratch }))
    const held = listedUids('repos', await api.attempt.repos.list(descendantsOf(expendableGroup)))
    atLeast(1, `repos in the group ${expendableGroup}`, held.length)

    refused(await grpc.attempt.groups.delete(expendableGroup), 'Delete over gRPC of a group that holds repos')

    accepted(await api.attempt.groups.get(expendableGroup), 'Get of a group whose Delete was refused')
  },
)
