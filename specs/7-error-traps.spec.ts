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
      says: `A create whose body holds no name because it is a ${what} is refused and makes nothing`,
    },
    async ({ api, scratch }) => {
      const answer = await api.attempt.groups.create(scratch.uid, { raw: body })
      const after = await api.attempt.groups.list(scratch.children)

      refused(answer, `a create with the body ${body}`)
      expect(listedUids('groups', after)).toEqual([])
    },
  )
}

/** Bodies that some servers take and others do not, each with a name of its own. */
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
    says: 'Of creates with an odd body those that are refused leave nothing behind, and the others what they answered',
  },
  async ({ api, scratch, names, settled }) => {
    const answers = await Promise.all(
      Object.values(oddBodies).map((body) => api.attempt.groups.create(scratch.uid, { raw: body(names.fresh()) })),
    )

    const made = answers.flatMap(({ status, json }) => (status < 300 && isReceived(json) ? [json.uid] : []))
    await settled(async () => {
      const { items } = await api.groups.list({ ...scratch.children, page_size: 200 })
      expect(items.map(({ uid }) => uid).sort()).toEqual(made.sort())
    })
  },
)

requirement(
  {
    id: 'error.body.odd',
    level: 'observe',
    statement: 'S1.6, S4.1, R32, R37',
    says: 'What creates with an odd body are answered',
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
    says: 'One bad create that is sent again and again, many at the same moment, is refused alike every time',
  },
  async ({ api, scratch }) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => api.attempt.groups.create(scratch.uid, { name: '' })),
    )

    const told = answers.map((answer) => {
      return [outcomeOf(answer), detailOf(answer, 'ErrorInfo')?.reason]
    })
    expect(told).toEqual(told.map(() => told[0]))
  },
)

requirement(
  {
    id: 'auth.first',
    level: 'should',
    statement: 'S5.1, R39',
    says: 'Who has no credential learns nothing else: a call that is wrong besides is answered 401 or 403',
  },
  async ({ run, api, scratch }) => {
    const never = run.journal.lend(`${scratch.uid}/00000000000000aa`)
    const { groups } = api.attempt

    const answers = await Promise.all([
      groups.create(scratch.uid, {}, { credential: none }),
      groups.create(scratch.uid, { raw: '{' }, { credential: none }),
      groups.create(never, { name: '@' }, { credential: none }),
      groups.get(never, { credential: none }),
      groups.update(scratch.uid, { name: '@' }, { credential: none }),
      groups.delete(never, { credential: none }),
      groups.list({ ...scratch.children, page_size: 'x' }, none),
    ])

    const told = answers.map(({ status, exchange }) => `${exchange.operation}: ${status}`)
    expect(told.filter((text) => !/40[13]$/.test(text))).toEqual([])
  },
)

requirement(
  {
    id: 'auth.two-tokens',
    level: 'observe',
    statement: 'S5.1, R39',
    says: 'What two credentials in one header are answered, the good one first or last',
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
    says: 'An Update whose body is no JSON object is refused and changes nothing',
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

      for (const answer of answers) refused(answer, 'an update whose body is no JSON object')
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
    says: 'Delete of a group with several children, each of them empty, is refused with the same error, and all stay',
  },
  async ({ api, scratch, settled }) => {
    const parent = await scratch.makeGroup()
    const children = await scratch.makeGroups(4, parent.uid)

    const answer = await api.attempt.groups.delete(parent.uid)

    refused(answer, 'deleting a group that has four children')
    expect(answer.json).toMatchObject({ code: 9, message: expect.stringMatching(/^Precondition failed: /) })
    // one for each child is lawful, too
    expect(detailOf(answer, 'PreconditionFailure')?.violations).toContainEqual(
      expect.objectContaining({ type: 'RESOURCE_NOT_EMPTY' }),
    )
    await settled(async () => {
      const { items } = await api.groups.list({ 'uidp.children_of': parent.uid, order_by: 'name' })
      expect(uids(items)).toEqual(uids(children))
    })
  },
)
