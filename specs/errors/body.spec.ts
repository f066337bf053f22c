import { expect } from 'vitest'
import { isReceived } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { got, mustBePresent } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { clientsMistake, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { conforms } from '../../helpers/assertions/schema.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

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
  async ({ api, scratch, names, eventually }) => {
    const answers = await Promise.all(
      Object.values(oddBodies).map((body) => api.attempt.groups.create(scratch.uid, { raw: body(names.fresh()) })),
    )

    const made = answers.flatMap(({ status, json }) => (status < 300 && isReceived(json) ? [json.uid] : []))
    await eventually(async () => {
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
    async ({ api, scratch, eventually }) => {
      const made = kind === 'groups' ? await scratch.makeGroup() : await scratch.makeIdentity()
      const before = await eventually(() => got(api, kind, made.uid))
      mustBePresent(kind, 'update', await api.attempt[kind].update(made.uid, { description: 'as it was' }))

      const answers = await Promise.all(
        ['{"description": "cut', '[{"description":"in an array"}]', '"just text"', 'description=form'].map((raw) =>
          api.attempt[kind].update(made.uid, { raw }),
        ),
      )

      for (const answer of answers) refused(answer, 'an update whose body is not a JSON object')
      await eventually(async () =>
        same(await got(api, kind, made.uid), { ...before, description: 'as it was' }, 'updateTime'),
      )
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

/** Content types under which a create is sent. */
const contentTypes = {
  none: '',
  'text/plain': 'text/plain',
  'application/json; charset=utf-8': 'application/json; charset=utf-8',
  'a form': 'application/x-www-form-urlencoded',
}

requirement(
  {
    id: 'error.body.content-type',
    level: 'observe',
    statement: 'S1.6, R51',
    quote: 'a request that has a body says `Content-Type: application/json`',
    says: 'How a good create under other content types is answered',
  },
  async ({ api, scratch, names, observe }) => {
    const create = ([what, contentType]: [string, string]) =>
      [what, api.attempt.groups.create(scratch.uid, { name: names.fresh() }, { contentType })] as const

    observe(await sideBySide(Object.fromEntries(Object.entries(contentTypes).map(create))))
  },
)
