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

/** Creates with an empty body or a name outside the rule (S7.5). */
const badCreates = ({ api, scratch, names }: Pick<Context, 'api' | 'scratch' | 'names'>): Promise<Answer[]> =>
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
    quote: 'a JSON object with the integer `code` (the RPC status), the string `message` and the array `details`',
    says: 'The error for a missing or bad name has code, message and typed details',
  },
  async ({ api, scratch, names }) => {
    for (const answer of await badCreates({ api, scratch, names })) conforms(answer.json, 'error')
  },
)

requirement(
  {
    id: 'error.name.code',
    level: 'must',
    statement: 'S7.5',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    says: 'The error for a missing or bad name has code 3',
  },
  async ({ api, scratch, names }) => {
    const answers = await badCreates({ api, scratch, names })

    expect(
      answers.map(({ json }) => json),
      'the errors',
    ).toEqual(answers.map(() => expect.objectContaining({ code: 3 })))
  },
)

requirement(
  {
    id: 'error.name.message',
    level: 'must',
    statement: 'S7.5',
    quote: 'a message that begins with `Invalid argument: name: `',
    says: "The message for a missing or bad name begins 'Invalid argument: name: '",
  },
  async ({ api, scratch, names }) => {
    const answers = await badCreates({ api, scratch, names })

    const message = expect.stringMatching(/^Invalid argument: name: /)
    expect(
      answers.map(({ json }) => json),
      'the errors',
    ).toEqual(answers.map(() => expect.objectContaining({ message })))
  },
)

requirement(
  {
    id: 'error.name.reason',
    level: 'must',
    statement: 'S7.2, S7.5',
    quote: 'gives code 3, the reason `INVALID_ARGUMENT`',
    says: 'The error for a missing or bad name has reason INVALID_ARGUMENT and a domain',
  },
  async ({ api, scratch, names }) => {
    const details = (await badCreates({ api, scratch, names })).map((answer) => detailOf(answer, 'ErrorInfo'))

    const wanted = expect.objectContaining({ reason: 'INVALID_ARGUMENT', domain: expect.stringMatching(/./) })
    expect(details, 'the ErrorInfo of each error').toEqual(details.map(() => wanted))
  },
)

requirement(
  {
    id: 'error.name.violation',
    level: 'must',
    statement: 'S7.3, S7.5, R36',
    quote: 'a BadRequest with one violation on `name`',
    says: 'The error for a missing or bad name has exactly one violation, on name',
  },
  async ({ api, scratch, names }) => {
    const details = (await badCreates({ api, scratch, names })).map((answer) => detailOf(answer, 'BadRequest'))

    const violation = expect.objectContaining({ field: 'name' })
    expect(details, 'the BadRequest of each error').toEqual(
      details.map(() => expect.objectContaining({ fieldViolations: [violation] })),
    )
  },
)

requirement(
  {
    id: 'error.name.status',
    level: 'should',
    statement: 'S7.1, S7.5, R33',
    quote: '4xx for mistakes of the client is _should_',
    says: 'A missing or bad name gets a 4xx status',
  },
  async ({ api, scratch, names }) => {
    for (const answer of await badCreates({ api, scratch, names }))
      clientsMistake(answer, 'a create without a good name')
  },
)

requirement(
  {
    id: 'error.name.fresh',
    level: 'must',
    statement: 'S7.5, S2.6',
    quote: 'a BadRequest with one violation on `name`',
    says: 'A refused create does not affect the next one, good or bad',
  },
  async ({ api, scratch, names }) => {
    await badCreates({ api, scratch, names })

    const good = await api.attempt.groups.create(scratch.uid, { name: names.fresh() })
    const [bad] = await badCreates({ api, scratch, names })

    accepted(good, 'a good create after bad ones')
    expect(detailOf(bad!, 'BadRequest')?.fieldViolations ?? [], 'the violations of the second refusal').toHaveLength(1)
  },
)

requirement(
  {
    id: 'error.name.no-bytes',
    level: 'should',
    statement: 'S7.5, R37',
    quote: 'A create whose body has no bytes at all _should_ get the error of S7.5',
    says: 'A create without a body gets the error of an empty body',
  },
  async ({ api, scratch }) => {
    const answer = await api.attempt.groups.create(scratch.uid)

    refused(answer, 'a create without a body')
    expect(problems(answer.json, 'error-invalid-name'), 'differences from the error of an empty body').toEqual([])
  },
)

/** Bodies that are not a JSON object (R37). */
const malformed = {
  'cut-off': { words: 'truncated JSON', body: { raw: '{"name": "cut' } },
  array: { words: 'a JSON array', body: [{ name: 'inside-an-array' }] },
  string: { words: 'a JSON string', body: '"just text"' },
  garbage: { words: 'form data', body: { raw: 'name=form&description=data' } },
}

for (const [name, { words, body }] of Object.entries(malformed)) {
  requirement(
    {
      id: `error.body.${name}`,
      level: 'must',
      statement: 'S1.6, S7.1, R37, R29',
      quote: 'Malformed JSON, a JSON array or a JSON string as a body must not be answered with 2xx',
      says: `A create with ${words} as its body is refused without effect`,
    },
    async ({ api, scratch }) => {
      const answer = await api.attempt.groups.create(scratch.uid, body)
      const after = await api.attempt.groups.list(scratch.children)

      refused(answer, `a create with the body ${JSON.stringify(body)}`)
      expect(listedUids('groups', after), 'groups after the refused create').toEqual([])
    },
  )
}

requirement(
  {
    id: 'error.body.shape',
    level: 'should',
    statement: 'S7.1, R33, R37',
    quote: 'the error _should_ have the shape of S7.1',
    says: 'The error for a malformed body has the standard shape and a 4xx status',
  },
  async ({ api, scratch }) => {
    for (const { body } of Object.values(malformed)) {
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
    quote: 'An unknown member in the body of a create is refused or ignored: _observe_',
    says: 'How a create with an unknown member is answered',
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
    quote: 'status, code (5 is usual) and body, be it HTML or nothing, are _observe_',
    says: 'How Get of an unknown group is answered',
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
    quote:
      'A failed create must leave nothing behind (no such name among the children of the parent, the count unchanged)',
    says: 'A refused create leaves no child, count or name behind',
  },
  async ({ api, scratch, names, settled }) => {
    const bad = `${names.fresh()}@b`
    const kept = await scratch.makeGroup()

    const answers = await Promise.all(
      [{ name: bad }, {}, { name: null }].map((body) => api.attempt.groups.create(scratch.uid, body)),
    )

    for (const answer of answers) refused(answer, 'a create without a good name')
    await settled(async () => {
      const [children, descendants] = await Promise.all([
        api.groups.list(scratch.children),
        api.groups.list(scratch.descendants),
      ])
      const wanted = { uids: [kept.uid], total: '1' }
      expect(
        [below(children, scratch.uid), below(descendants, scratch.uid)],
        'children and descendants after the refused creates',
      ).toEqual([wanted, wanted])
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
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    says: 'Delete of a group with a child group is refused and leaves both unchanged and usable',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const parent = await scratch.makeKnown({ description: 'a parent' })
    const child = await scratch.makeKnown({ description: 'a child' }, parent.uid)
    const grandchild = await scratch.makeKnown({ description: 'a grandchild' }, child.uid)

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that has a child')

    // a create below a group may move its updateTime
    await settled(async () => {
      same(await api.groups.get(grandchild.uid), grandchild, 'updateTime')
      same(await api.groups.get(parent.uid), parent, 'updateTime')
      same(await api.groups.get(child.uid), child, 'updateTime')
      const { items } = await api.groups.list({ 'uidp.children_of': parent.uid })
      expect(uids(items), 'the children after the refused delete').toEqual([child.uid])
    })
    accepted(
      await api.attempt.groups.update(parent.uid, { description: 'still here' }),
      'an update of the parent after the refused delete',
    )
    accepted(
      await api.attempt.groups.update(child.uid, { description: 'still here' }),
      'an update of the child after the refused delete',
    )
  },
)

requirement(
  {
    id: 'group.delete.not-empty.shape',
    level: 'must',
    statement: 'S7.1, S7.2, S7.4, S7.6, R34',
    quote: 'a JSON object with the integer `code` (the RPC status), the string `message` and the array `details`',
    says: 'The error for deleting a group with children has code, message and typed details',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    conforms(answer.json, 'error')
  },
)

/** Members of the error for a group that is not empty. */
const notEmpty = {
  code: {
    says: 'The error for deleting a group with children has code 9',
    quote: 'Deleting a group that has child resources gives code 9',
    wanted: { code: 9 },
  },
  message: {
    says: "The message for deleting a group with children begins 'Precondition failed: '",
    quote: 'a message that begins with `Precondition failed: `',
    wanted: { message: expect.stringMatching(/^Precondition failed: /) },
  },
} as const

for (const [member, { says, quote, wanted }] of Object.entries(notEmpty)) {
  requirement(
    {
      id: `group.delete.not-empty.${member}`,
      level: 'must',
      statement: 'S7.6',
      quote,
      says,
    },
    async ({ api, scratch }) => {
      const { answer } = await deleteParent({ api, scratch })

      expect(answer.json, 'the error').toEqual(expect.objectContaining(wanted))
    },
  )
}

requirement(
  {
    id: 'group.delete.not-empty.reason',
    level: 'must',
    statement: 'S7.2, S7.6',
    quote: 'gives code 9, the reason `FAILED_PRECONDITION`',
    says: 'The error for deleting a group with children has reason FAILED_PRECONDITION and a domain',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    const wanted = { reason: 'FAILED_PRECONDITION', domain: expect.stringMatching(/./) }
    expect(detailOf(answer, 'ErrorInfo'), 'the ErrorInfo of the error').toEqual(expect.objectContaining(wanted))
  },
)

requirement(
  {
    id: 'group.delete.not-empty.violation',
    level: 'must',
    statement: 'S7.4, S7.6',
    quote: 'a PreconditionFailure of type `RESOURCE_NOT_EMPTY`',
    says: 'The error for deleting a group with children has a RESOURCE_NOT_EMPTY violation',
  },
  async ({ api, scratch }) => {
    const { answer } = await deleteParent({ api, scratch })

    const violation = expect.objectContaining({ type: 'RESOURCE_NOT_EMPTY' })
    expect(detailOf(answer, 'PreconditionFailure')?.violations, 'the violations of the PreconditionFailure').toEqual(
      expect.arrayContaining([violation]),
    )
  },
)

requirement(
  {
    id: 'group.delete.not-empty.status',
    level: 'should',
    statement: 'S7.6, R33',
    quote: '4xx for mistakes of the client is _should_',
    says: 'Deleting a group with children gets a 4xx status',
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
    quote: 'a group must be deletable too when its content was made by the case and deleted again',
    says: 'A group can be deleted after its only child was deleted',
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
    quote: 'Child groups, identities and role bindings are child resources as repos are',
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
    quote: 'Child groups, identities and role bindings are child resources as repos are',
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
