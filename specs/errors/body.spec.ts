import { expect } from 'vitest'
import type { Body } from '../../helpers/api/api.ts'
import { isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { got, updated } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { clientsMistake, outcomeOf, refused } from '../../helpers/assertions/refused.ts'
import { conforms } from '../../helpers/assertions/schema.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

for (const [what, body] of Object.entries({ null: 'null', number: '5' })) {
  requirement(
    {
      id: `error.body.${what}`,
      over: 'http',
      level: 'must',
      statement: 'S1.6, S2.6, S7.5, R29, R37',
      quote: 'a create needs a `name`',
      restsOn: ['group.name.refuses.empty', 'list.scope.children'],
      says: `A create with the JSON body ${body} is refused without effect`,
    },
    async ({ api, scratch, names }) => {
      await api.groups.create(scratch.uid, { name: names.fresh() })
      const answer = await api.attempt.groups.create(scratch.uid, { raw: body })
      const after = await api.groups.list({ ...scratch.children, page_size: 200 })

      refused(answer, `a create with the body ${body}`)
      expect(
        after.items.filter(({ name }) => !name || name === body),
        'groups of that name, or without one',
      ).toEqual([])
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
    over: 'http',
    level: 'must',
    statement: 'S1.6, S4.1, R29, R37',
    quote: 'A failed create must leave nothing behind',
    restsOn: ['group.name.refuses.empty', 'list.page-size.maximum'],
    says: 'Creates with an odd body leave behind exactly what their answers show',
  },
  async ({ api, scratch, names, eventually }) => {
    const sent = Object.values(oddBodies).map((body) => ({ name: names.fresh(), body }))
    const answers = await Promise.all(
      sent.map(({ name, body }) => api.attempt.groups.create(scratch.uid, { raw: body(name) })),
    )

    const made = answers.flatMap(({ status, json }) => (status < 300 && isReceived(json) ? [json.uid] : []))
    const isOwn = ({ uid, name }: Received) =>
      made.includes(uid) || !name || sent.some((one) => String(name).startsWith(one.name))
    await eventually(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      expect(uids(items.filter(isOwn)).sort(), 'groups after the creates').toEqual(made.sort())
    })
  },
)

requirement(
  {
    id: 'error.body.odd',
    over: 'http',
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

/** Bodies of updates that are not JSON, and JSON that a lenient reader takes for empty (R37). */
const updates = {
  malformed: ['{"description": "cut', 'description=form'],
  empty: ['[{"description":"in an array"}]', '"just text"'],
}

requirementOnEach(
  ['groups', 'identities'] as const,
  {
    id: 'error.body.update',
    over: 'http',
    level: 'must',
    statement: 'S1.6, S4.26, R29, R37',
    quote: 'Over HTTP, bodies are JSON',
    restsOn: ['group.name.refuses.empty', 'group.update.time.advances'],
    says: 'An Update of {a} refuses malformed JSON and changes nothing without a JSON object',
  },
  (kind) =>
    async ({ api, scratch, eventually }) => {
      const made = kind === 'groups' ? await scratch.makeGroup() : await scratch.makeIdentity()
      const before = await eventually(() => updated(api, kind, made.uid, { description: 'as it was' }))

      const update = (raw: string) => api.attempt[kind].update(made.uid, { raw })
      const answers = await Promise.all(updates.malformed.map(update))
      await Promise.all(updates.empty.map(update))

      for (const answer of answers) refused(answer, 'an update whose body is not JSON')
      await eventually(async () => same(await got(api, kind, made.uid), before, 'updateTime'))
    },
)

requirementOnEach(
  ['groups', 'identities'] as const,
  {
    id: 'error.body.update.refused',
    over: 'http',
    level: 'should',
    statement: 'S1.6, S4.26, R37',
    quote: 'Over HTTP, bodies are JSON',
    says: 'An Update of {a} refuses a JSON array and a JSON string',
  },
  (kind) =>
    async ({ api, scratch, eventually }) => {
      const made = kind === 'groups' ? await scratch.makeGroup() : await scratch.makeIdentity()
      await eventually(() => updated(api, kind, made.uid, { description: 'as it was' }))

      const answers = await Promise.all(updates.empty.map((raw) => api.attempt[kind].update(made.uid, { raw })))

      for (const answer of answers) refused(answer, 'an update whose body is not a JSON object')
    },
)

/** Bodies that are not a JSON object (R37), around a name. */
const malformed: Record<string, { words: string; body: (name: string) => Body }> = {
  'cut-off': { words: 'truncated JSON', body: (name) => ({ raw: `{"name": "${name}` }) },
  array: { words: 'a JSON array', body: (name) => [{ name }] },
  string: { words: 'a JSON string', body: (name) => ({ raw: `"${name}"` }) },
  garbage: { words: 'form data', body: (name) => ({ raw: `name=${name}&description=data` }) },
}

/** What many decoders overlook (R37). */
const overlooked: typeof malformed = {
  trailing: { words: 'a JSON object and more', body: (name) => ({ raw: `{"name":"${name}"} x` }) },
}

for (const [id, { words, body }] of Object.entries({ ...malformed, ...overlooked })) {
  requirement(
    {
      id: `error.body.${id}`,
      over: 'http',
      level: id in overlooked ? 'should' : 'must',
      statement: 'S1.6, S7.1, R37, R29',
      quote: 'Over HTTP, bodies are JSON',
      restsOn: ['group.name.refuses.empty', 'list.scope.children'],
      says: `A create with ${words} as its body is refused without effect`,
    },
    async ({ api, scratch, names }) => {
      const [good, name] = [await api.groups.create(scratch.uid, { name: names.fresh() }), names.fresh()]
      const answer = await api.attempt.groups.create(scratch.uid, body(name))
      const after = await api.groups.list({ ...scratch.children, page_size: 200 })

      refused(answer, `a create with ${words} as its body`)
      const others = after.items.filter((group) => group.uid !== good.uid)
      expect(
        others.filter((group) => !group.name || JSON.stringify(group).includes(name)),
        'groups of that name, or without one',
      ).toEqual([])
    },
  )
}

requirement(
  {
    id: 'error.body.shape',
    over: 'http',
    level: 'should',
    statement: 'S7.1, R33, R37',
    quote: 'The body of an error is a JSON object',
    restsOn: ['group.name.refuses.empty'],
    says: 'The error for a malformed body has the standard shape and a 4xx status',
  },
  async ({ api, scratch, names }) => {
    for (const { words, body } of Object.values(malformed)) {
      const answer = await api.attempt.groups.create(scratch.uid, body(names.fresh()))
      clientsMistake(answer, `a create with ${words} as its body`)
      conforms(answer.json, 'error')
    }
  },
)

requirement(
  {
    id: 'error.body.unknown-member',
    over: 'http',
    level: 'observe',
    statement: 'S4.1, R32',
    quote: 'An unknown member in the body of a create is refused or ignored: _observe_',
    says: 'How a create with an unknown member is answered',
  },
  async ({ api, scratch, names, observe }) => {
    observe(outcomeOf(await api.attempt.groups.create(scratch.uid, { name: names.fresh(), colour: 'red' })))
  },
)

/** Content types with which a create is sent. */
const contentTypes = {
  none: '',
  'text/plain': 'text/plain',
  'application/json; charset=utf-8': 'application/json; charset=utf-8',
  'a form': 'application/x-www-form-urlencoded',
}

requirement(
  {
    id: 'error.body.content-type',
    over: 'http',
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
