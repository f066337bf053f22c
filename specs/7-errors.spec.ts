import { expect } from 'vitest'
import { uids } from '../helpers/api/received.ts'
import { below, listedUids } from '../helpers/arrange/listings.ts'
import { deleteGroup } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { accepted, clientsMistake, detailOf, outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { conforms, problems } from '../helpers/assertions/schema.ts'
import { plainDeletes } from '../helpers/auth/control-calls.ts'
import type { Context } from '../helpers/case/requirement.ts'
import { requirement } from '../helpers/case/requirement.ts'
import type { Answer } from '../helpers/http/call.ts'

/** Creates that S7.5 names: an empty body, and names outside the rule. */
const nameless = ({ api, scratch, names }: Pick<Context, 'api' | 'scratch' | 'names'>): Promise<Answer[]> =>
  Promise.all(
    [{}, { name: '' }, { name: `${names.fresh()}@b` }, { name: `${names.fresh()}/b`, description: 'beside' }].map(
      (body) => api.attempt.groups.create(scratch.uid, body),
    ),
  )

requirement(
  {
    id: 'error.name.shape',
    level: 'must',
    statement: 'S7.1, S7.2, S7.3, S7.5, R34, R36',
    says: 'The error of a missing or bad name has code, message and details of the types of the contract',
  },
  async ({ api, scratch, names }) => {
    for (const answer of await nameless({ api, scratch, names })) conforms(answer.json, 'error')
  },
)

requirement(
  {
    id: 'error.name.code',
    level: 'must',
    statement: 'S7.5',
    says: 'The error of a missing or bad name has code 3',
  },
  async ({ api, scratch, names }) => {
    const answers = await nameless({ api, scratch, names })

    expect(answers.map(({ json }) => json)).toEqual(answers.map(() => expect.objectContaining({ code: 3 })))
  },
)

requirement(
  {
    id: 'error.name.message',
    level: 'must',
    statement: 'S7.5',
    says: "The error of a missing or bad name has a message that begins 'Invalid argument: name: '",
  },
  async ({ api, scratch, names }) => {
    const answers = await nameless({ api, scratch, names })

    const message = expect.stringMatching(/^Invalid argument: name: /)
    expect(answers.map(({ json }) => json)).toEqual(answers.map(() => expect.objectContaining({ message })))
  },
)

requirement(
  {
    id: 'error.name.reason',
    level: 'must',
    statement: 'S7.2, S7.5',
    says: 'The error of a missing or bad name holds an ErrorInfo with reason INVALID_ARGUMENT and a domain',
  },
  async ({ api, scratch, names }) => {
    const details = (await nameless({ api, scratch, names })).map((answer) => detailOf(answer, 'ErrorInfo'))

    const wanted = expect.objectContaining({ reason: 'INVALID_ARGUMENT', domain: expect.stringMatching(/./) })
    expect(details).toEqual(details.map(() => wanted))
  },
)

requirement(
  {
    id: 'error.name.violation',
    level: 'must',
    statement: 'S7.3, S7.5, R36',
    says: 'The error of a missing or bad name holds a BadRequest with exactly one violation, on name',
  },
  async ({ api, scratch, names }) => {
    const details = (await nameless({ api, scratch, names })).map((answer) => detailOf(answer, 'BadRequest'))

    const violation = expect.objectContaining({ field: 'name' })
    expect(details).toEqual(details.map(() => expect.objectContaining({ fieldViolations: [violation] })))
  },
)

requirement(
  {
    id: 'error.name.status',
    level: 'should',
    statement: 'S7.1, S7.5, R33',
    says: 'A missing or bad name is answered 4xx',
  },
  async ({ api, scratch, names }) => {
    for (const answer of await nameless({ api, scratch, names })) clientsMistake(answer, 'a create without a good name')
  },
)

requirement(
  {
    id: 'error.name.fresh',
    level: 'must',
    statement: 'S7.5, S2.6',
    says: 'A refused create leaves no mark on the next one: a good create after it succeeds, a bad one is refused again',
  },
  async ({ api, scratch, names }) => {
    await nameless({ api, scratch, names })

    const good = await api.attempt.groups.create(scratch.uid, { name: names.fresh() })
    const [bad] = await nameless({ api, scratch, names })

    accepted(good, 'a good create after bad ones')
    expect(detailOf(bad!, 'BadRequest')?.fieldViolations ?? []).toHaveLength(1)
  },
)

requirement(
  {
    id: 'error.name.no-bytes',
    level: 'should',
    statement: 'S7.5, R37',
    says: 'A create without any body is answered like one with an empty body',
  },
  async ({ api, scratch }) => {
    const answer = await api.attempt.groups.create(scratch.uid)

    refused(answer, 'a create without a body')
    expect(problems(answer.json, 'error-invalid-name')).toEqual([])
  },
)

/** Bodies that are no JSON object (R37). */
const malformed = {
  'cut-off': { raw: '{"name": "cut' },
  array: [{ name: 'inside-an-array' }],
  string: '"just text"',
  garbage: { raw: 'name=form&description=data' },
}

for (const [what, body] of Object.entries(malformed)) {
  requirement(
    {
      id: `error.body.${what}`,
      level: 'must',
      statement: 'S1.6, S7.1, R37, R29',
      says: `A create whose body is no JSON object is refused and makes nothing: ${what}`,
    },
    async ({ api, scratch }) => {
      const answer = await api.attempt.groups.create(scratch.uid, body)
      const after = await api.attempt.groups.list(scratch.children)

      refused(answer, `a create with the body ${JSON.stringify(body)}`)
      expect(listedUids('groups', after)).toEqual([])
    },
  )
}

requirement(
  {
    id: 'error.body.shape',
    level: 'should',
    statement: 'S7.1, R33, R37',
    says: 'The error of a body that is no JSON object has the shape of the contract, and a 4xx status',
  },
  async ({ api, scratch }) => {
    for (const body of Object.values(malformed)) {
      const answer = await api.attempt.groups.create(scratch.uid, body)
      clientsMistake(answer, `the body ${JSON.stringify(body)}`)
      conforms(answer.json, 'error')
    }
  },
)

requirement(
  {
    id: 'error.body.unknown-member',
    level: 'observe',
    statement: 'S4.1, R32',
    says: 'What a create with an unknown member is answered',
  },
  async ({ api, scratch, names, observe }) => {
    observe(outcomeOf(await api.attempt.groups.create(scratch.uid, { name: names.fresh(), colour: 'red' })))
  },
)

requirement(
  {
    id: 'error.missing.status',
    level: 'observe',
    statement: 'S7.1, R38',
    says: 'What a Get of a group that never was is answered',
  },
  async ({ api, scratch, observe }) => {
    const answer = await api.attempt.groups.get(`${scratch.uid}/00000000000000aa`)

    observe(`${outcomeOf(answer)}, ${answer.headers['content-type'] ?? 'no content type'}`)
  },
)

requirement(
  {
    id: 'group.create.failed-leaves-nothing',
    level: 'must',
    statement: 'S7.5, S4.18, R29',
    says: 'A refused create leaves nothing behind: no child, no count, no name',
  },
  async ({ api, scratch, names, settled }) => {
    const bad = `${names.fresh()}@b`
    const standing = await scratch.makeGroup()

    const answers = await Promise.all(
      [{ name: bad }, {}, { name: null }].map((body) => api.attempt.groups.create(scratch.uid, body)),
    )

    for (const answer of answers) refused(answer, 'a create without a good name')
    await settled(async () => {
      const [children, descendants] = await Promise.all([
        api.groups.list(scratch.children),
        api.groups.list(scratch.descendants),
      ])
      const wanted = { uids: [standing.uid], total: '1' }
      expect([below(children, scratch.uid), below(descendants, scratch.uid)]).toEqual([wanted, wanted])
    })
  },
)

/** Tries to delete a group that has a child. */
async function deleteParent({ api, scratch }: Pick<Context, 'api' | 'scratch'>) {
  const parent = await scratch.makeGroup({ description: 'a parent' })
  const child = await scratch.makeGroup({ description: 'a child' }, parent.uid)
  return { parent, child, answer: await api.attempt.groups.delete(parent.uid) }
}

requirement(
  {
    id: 'group.delete.not-empty.refused',
    level: 'must',
    statement: 'S7.6, R29, R30',
    says: 'Delete of a group with a child group is refused, and both stay as they are and can be changed',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const parent = await scratch.makeKnown({ description: 'a parent' })
    const child = await scratch.makeKnown({ description: 'a child' }, parent.uid)
    const grandchild = await scratch.makeKnown({ description: 'a grandchild' }, child.uid)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that has a child')

    // what is made in a group may move its updateTime
    await settled(async () => {
      same(await api.groups.get(grandchild.uid), grandchild, 'updateTime')
      same(await api.groups.get(parent.uid), parent, 'updateTime')
      same(await api.groups.get(child.uid), child, 'updateTime')
      expect(uids((await api.groups.list({ 'uidp.children_of': parent.uid })).items)).toEqual([child.uid])
    })
    accepted(
      await api.attempt.groups.update(parent.uid, { description: 'still here' }),
      'changing the group that stayed',
    )
    accepted(await api.attempt.groups.update(child.uid, { description: 'still here' }), 'changing its child')
  },
)

requirement(
  {
    id: 'group.delete.not-empty.shape',
    level: 'must',
    statement: 'S7.1, S7.2, S7.4, S7.6, R34',
    says: 'The error of deleting a group with children has code, message and details of the types of the contract',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    conforms(answer.json, 'error')
  },
)

const notEmpty = {
  code: { code: 9 },
  message: { message: expect.stringMatching(/^Precondition failed: /) },
} as const

for (const [what, wanted] of Object.entries(notEmpty)) {
  requirement(
    {
      id: `group.delete.not-empty.${what}`,
      level: 'must',
      statement: 'S7.6',
      says: `The error of deleting a group with children has ${what === 'code' ? 'code 9' : "a message that begins 'Precondition failed: '"}`,
    },
    async ({ api, scratch }) => {
      const { answer } = await deleteParent({ api, scratch })

      expect(answer.json).toEqual(expect.objectContaining(wanted))
    },
  )
}

requirement(
  {
    id: 'group.delete.not-empty.reason',
    level: 'must',
    statement: 'S7.2, S7.6',
    says: 'The error of deleting a group with children holds an ErrorInfo with reason FAILED_PRECONDITION and a domain',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    const wanted = { reason: 'FAILED_PRECONDITION', domain: expect.stringMatching(/./) }
    expect(detailOf(answer, 'ErrorInfo')).toEqual(expect.objectContaining(wanted))
  },
)

requirement(
  {
    id: 'group.delete.not-empty.violation',
    level: 'must',
    statement: 'S7.4, S7.6',
    says: 'The error of deleting a group with children holds a PreconditionFailure with type RESOURCE_NOT_EMPTY',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    const violation = expect.objectContaining({ type: 'RESOURCE_NOT_EMPTY' })
    expect(detailOf(answer, 'PreconditionFailure')?.violations).toEqual(expect.arrayContaining([violation]))
  },
)

requirement(
  {
    id: 'group.delete.not-empty.status',
    level: 'should',
    statement: 'S7.6, R33',
    says: 'Deleting a group with children is answered 4xx',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    clientsMistake(answer, 'deleting a group that has a child')
  },
)

requirement(
  {
    id: 'group.delete.emptied',
    level: 'must',
    statement: 'S7.6, R30',
    says: 'A group whose child was deleted can be deleted like one that never had any',
  },
  async ({ api, scratch, settled }) => {
    const { parent, child } = await deleteParent({ api, scratch })

    await deleteGroup(api, scratch, child.uid)

    await settled(async () =>
      accepted(await deleteGroup(api, scratch, parent.uid), 'deleting a group that was emptied'),
    )
  },
)

requirement(
  {
    id: 'group.delete.holds-identity',
    level: 'should',
    statement: 'S7.6, S1.7, R30',
    says: 'Delete of a group that holds an identity is refused',
    profile: 'identities',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    await scratch.makeIdentity({}, parent.uid)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that holds an identity')
  },
)

requirement(
  {
    id: 'group.delete.holds-role-binding',
    level: 'should',
    statement: 'S7.6, S1.7, R30',
    says: 'Delete of a group that holds a role binding is refused',
    profile: 'identities',
  },
  async ({ api, scratch, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    await scratch.makeBinding(await scratch.makeIdentity(), parent.uid)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that holds a role binding')
  },
)
