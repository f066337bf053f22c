import { expect } from 'vitest'
import { isReceived, uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { sideBySide } from '../helpers/arrange/observed.ts'
import { got, mustBePresent } from '../helpers/arrange/optional-operations.ts'
import { same } from '../helpers/assertions/equal.ts'
import { detailOf, outcomeOf, refused } from '../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'

const none = { shown: 'none' }

for (const [what, body] of Object.entries({ null: 'null', number: '5' })) {
  requirement(
    {
      id: `error.body.${what}`,
      level: 'must',
      statement: 'S1.6, S2.6, S7.5, R29, R37',
      quote: 'a create needs a `name`',
      says: `A create with the JSON body ${body} is refused without effect`,
    },
    async ({ api, scratch }) => {
      const answer = await api.attempt.groups.create(scratch.uid, { raw: body })
      const after = await api.attempt.groups.list(scratch.children)

      refused(answer, `a create with the body ${body}`)
      expect(listedUids('groups', after), 'groups after the refused create').toEqual([])
    },
  )
}

/** Bodies that some servers accept and others refuse. */
const oddBodies: Record<string, (name: string) => string> = {
  'a name twice': (name) => `{"name":"${name}","name":"${name}b"}`,
  'a byte order mark': (name) => `\ufeff{"name":"${name}"}`,
  'a comma too many': (name) => `{"name":"${name}",}`,
  'single quotes': (name) => `{'name':'${name}'}`,
  'two objects': (name) => `{"name":"${name}"}{"name":"${name}b"}`,
  'a hundred levels': (name) => `{"name":"${name}","colour":${'['.repeat(100)}${']'.repeat(100)}}`,
  'half a surrogate pair': (name) => `{"name":"${name}\\ud83d"}`,
  'a member in capitals': (name) => `{"Name":"${name}"}`,
}

requirement(
  {
    id: 'error.body.odd.leaves-nothing',
    level: 'must',
    statement: 'S1.6, S4.1, R29, R37',
    quote: 'A failed create must leave nothing behind',
    says: 'Creates with an odd body leave behind exactly what their answers show',
  },
  async ({ api, scratch, names, settled }) => {
    const answers = await Promise.all(
      Object.values(oddBodies).map((body) => api.attempt.groups.create(scratch.uid, { raw: body(names.fresh()) })),
    )

    const made = answers.flatMap(({ status, json }) => (status < 300 && isReceived(json) ? [json.uid] : []))
    await settled(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      expect(items.map(({ uid }) => uid).sort(), 'groups after the creates').toEqual(made.sort())
    })
  },
)

requirement(
  {
    id: 'error.body.odd',
    level: 'observe',
    statement: 'S1.6, S4.1, R32, R37',
    quote: 'Over HTTP, bodies are JSON',
    says: 'How a create with an odd body is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const asked = Object.entries(oddBodies).map(
      ([what, body]) => [what, api.attempt.groups.create(scratch.uid, { raw: body(names.fresh()) })] as const,
    )

    observe(await sideBySide(Object.fromEntries(asked)))
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
  async ({ api, scratch }) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => api.attempt.groups.create(scratch.uid, { name: '' })),
    )

    const outcomes = answers.map((answer) => [outcomeOf(answer), detailOf(answer, 'ErrorInfo')?.reason])
    expect(outcomes, 'status and reason of each refusal').toEqual(outcomes.map(() => outcomes[0]))
  },
)

requirement(
  {
    id: 'auth.first',
    level: 'should',
    statement: 'S5.1, R39',
    quote: 'A status of 401 or 403 is _should_',
    says: 'An unauthenticated call with other mistakes gets status 401 or 403',
  },
  async ({ run, api, scratch }) => {
    const unknown = run.journal.lend(`${scratch.uid}/00000000000000aa`)
    const { groups } = api.attempt

    const answers = await Promise.all([
      groups.create(scratch.uid, {}, { credential: none }),
      groups.create(scratch.uid, { raw: '{' }, { credential: none }),
      groups.create(unknown, { name: '@' }, { credential: none }),
      groups.get(unknown, { credential: none }),
      groups.update(scratch.uid, { name: '@' }, { credential: none }),
      groups.delete(unknown, { credential: none }),
      groups.list({ ...scratch.children, page_size: 'x' }, none),
    ])

    const outcomes = answers.map(({ status, exchange }) => `${exchange.operation}: ${status}`)
    expect(
      outcomes.filter((text) => !/40[13]$/.test(text)),
      'statuses other than 401 and 403',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'auth.two-tokens',
    level: 'observe',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'How two credentials in one header are answered, in either order',
  },
  async ({ run, api, scratch, observe }) => {
    const good = `Bearer ${await run.tokens.value()}`
    const get = (header: string, shown: string) =>
      api.attempt.groups.get(scratch.uid, { credential: { header, shown } })

    observe(
      await sideBySide({
        'good first': get(`${good}, Bearer garbage`, 'Bearer $RMAPI_ACCESS_TOKEN, Bearer garbage'),
        'good last': get(`Bearer garbage, ${good}`, 'Bearer garbage, Bearer $RMAPI_ACCESS_TOKEN'),
      }),
    )
  },
)

requirementOnEach(
  ['groups', 'identities'] as const,
  {
    id: 'error.body.update',
    level: 'must',
    statement: 'S1.6, S4.26, R29, R37',
    quote: 'Malformed JSON, a JSON array or a JSON string as a body must not be answered with 2xx',
    says: 'An Update of {a} with a malformed or non-object body is refused without effect',
  },
  (kind) =>
    async ({ api, scratch, settled }) => {
      const made = kind === 'groups' ? await scratch.makeGroup() : await scratch.makeIdentity()
      const before = await settled(() => got(api, kind, made.uid))
      mustBePresent(kind, 'update', await api.attempt[kind].update(made.uid, { description: 'as it was' }))

      const answers = await Promise.all(
        ['{"description": "cut', '[{"description":"in an array"}]', '"just text"', 'description=form'].map((raw) =>
          api.attempt[kind].update(made.uid, { raw }),
        ),
      )

      for (const answer of answers) refused(answer, 'an update whose body is not a JSON object')
      await settled(async () =>
        same(await got(api, kind, made.uid), { ...before, description: 'as it was' }, 'updateTime'),
      )
    },
)

requirement(
  {
    id: 'group.delete.not-empty.several',
    level: 'must',
    statement: 'S7.1, S7.4, S7.6, R29, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    says: 'Delete of a group with several empty children is refused without effect',
  },
  async ({ api, scratch, settled }) => {
    const parent = await scratch.makeGroup()
    const children = await scratch.makeGroups(4, parent.uid)

    const answer = await api.attempt.groups.delete(parent.uid)

    refused(answer, 'deleting a group that has four children')
    expect(answer.json, 'the error').toMatchObject({
      code: 9,
      message: expect.stringMatching(/^Precondition failed: /),
    })
    // one violation per child is lawful
    expect(
      detailOf(answer, 'PreconditionFailure')?.violations,
      'the violations of the PreconditionFailure',
    ).toContainEqual(expect.objectContaining({ type: 'RESOURCE_NOT_EMPTY' }))
    await settled(async () => {
      const { items } = await api.groups.list({ 'uidp.children_of': parent.uid, order_by: 'name' })
      expect(uids(items), 'the children after the refused delete').toEqual(uids(children))
    })
  },
)
