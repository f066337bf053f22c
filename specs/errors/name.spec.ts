import { expect } from 'vitest'
import { isForName, isSoftRefusal } from '../../helpers/api/soft-refusal.ts'
import {
  accepted,
  clientsMistake,
  detailOf,
  partOfError,
  refused,
  refusedAlike,
} from '../../helpers/assertions/refused.ts'
import { conforms } from '../../helpers/assertions/schema.ts'
import { controlRenames } from '../../helpers/auth/control-calls.ts'
import { ofEachBody } from '../../helpers/case/of-each.ts'
import { type Context, requirement } from '../../helpers/case/requirement.ts'
import { type Answer, codeIn } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'error.name.update',
    level: 'should',
    statement: 'S7.5, R4, R33',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    says: 'Update with a bad name gets the 4xx error of Create',
  },
  async ({ api, scratch, names, atLeast }) => {
    atLeast(1, 'plain renames that take effect', await controlRenames({ api, scratch, names }))
    // a mask decides for itself what is checked
    const tried = ['@', 'B', '/b', 'é'].flatMap((end) => [undefined, 'name'].map((updateMask) => ({ end, updateMask })))
    for (const { end, updateMask } of tried) {
      const body = { name: names.fresh() + end }
      const answer = await api.attempt.groups.update(scratch.uid, body, { query: { updateMask } })

      clientsMistake(answer, 'renaming a group to a bad name')
      expect(answer.json, 'the error body').toMatchObject({
        code: 3,
        message: expect.stringMatching(/^Invalid argument: name: /),
      })
      const about = partOfError('the field violations', answer)
      expect(detailOf(answer, 'BadRequest')?.fieldViolations ?? [], about).toMatchObject([{ field: 'name' }])
    }
  },
)

requirement(
  {
    id: 'error.name.steady',
    level: 'should',
    statement: 'S7.5, S7.2, R33',
    quote: 'Creating a group with an empty body or a bad name gives code 3, the reason `INVALID_ARGUMENT`',
    says: 'A bad create sent many times at once gets the same refusal every time',
  },
  async ({ api, scratch, names, atLeast }) => {
    const bad = names.fresh()
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => api.attempt.groups.create(scratch.uid, { name: `${bad}@` })),
    )

    // nothing can have that name already
    const refusals = answers.filter((answer) => isForName(answer) || codeIn(answer) === 6 || !isSoftRefusal(answer))
    atLeast(2, 'refusals for the name', refusals.length)
    refusedAlike(refusals)
  },
)

/** Creates with an empty body or a name outside the rule (S7.5), where a good one succeeds. */
async function badCreates({ api, scratch, names }: Pick<Context, 'api' | 'scratch' | 'names'>): Promise<Answer[]> {
  await api.groups.create(scratch.uid, { name: names.fresh() })
  const bad = [{}, { name: '' }, { name: `${names.fresh()}@b` }, { name: `${names.fresh()}/b`, description: 'beside' }]
  const answers: Answer[] = []
  // one by one: simultaneous calls may be refused for that (R56)
  for (const body of bad) answers.push(await api.attempt.groups.create(scratch.uid, body))
  return answers
}

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
    for (const { json } of await badCreates({ api, scratch, names }))
      expect(json, 'the error').toEqual(expect.objectContaining({ code: 3 }))
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
    const message = expect.stringMatching(/^Invalid argument: name: /)

    for (const { json } of await badCreates({ api, scratch, names }))
      expect(json, 'the error').toEqual(expect.objectContaining({ message }))
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
    const answers = await badCreates({ api, scratch, names })

    const details = answers.map((answer) => detailOf(answer, 'ErrorInfo'))
    const wanted = expect.objectContaining({ reason: 'INVALID_ARGUMENT', domain: expect.stringMatching(/./) })
    expect(details, ofEachBody('the ErrorInfo of each error', answers)).toEqual(details.map(() => wanted))
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
    const answers = await badCreates({ api, scratch, names })

    const details = answers.map((answer) => detailOf(answer, 'BadRequest'))
    const violation = expect.objectContaining({ field: 'name' })
    expect(details, ofEachBody('the BadRequest of each error', answers)).toEqual(
      details.map(() => expect.objectContaining({ fieldViolations: [violation] })),
    )
  },
)

requirement(
  {
    id: 'error.name.status',
    over: 'http',
    level: 'should',
    statement: 'S7.1, S7.5, R33',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    says: 'A missing or bad name gets a 4xx status, however long it is',
  },
  async ({ api, scratch, names }) => {
    const answers = await badCreates({ api, scratch, names })
    const name = names.fresh().padEnd(9000, '@')
    answers.push(await api.attempt.groups.create(scratch.uid, { name }))

    for (const answer of answers) clientsMistake(answer, 'a create without a good name')
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
    const about = partOfError('the violations of the second refusal', bad!)
    expect(detailOf(bad!, 'BadRequest')?.fieldViolations ?? [], about).toHaveLength(1)
  },
)

requirement(
  {
    id: 'error.name.no-bytes',
    over: 'http',
    level: 'should',
    statement: 'S7.5, R37',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    says: 'A create without a body gets the error of an empty body',
  },
  async ({ api, scratch }) => {
    const answer = await api.attempt.groups.create(scratch.uid)

    refused(answer, 'a create without a body')
    conforms(answer.json, 'error-invalid-name')
  },
)
