import { sideBySide } from '../../helpers/arrange/observed.ts'
import { refusedForContent } from '../../helpers/assertions/refused.ts'
import { conforms } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'error.statuses',
    over: 'http',
    level: 'observe',
    statement: 'S7.5, S7.6, R33',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    says: 'HTTP statuses for a bad name and for deleting a group with children',
  },
  async ({ api, scratch, observe }) => {
    const parent = await scratch.makeGroup()
    await scratch.makeGroup({}, parent.uid)

    observe(
      await sideBySide({
        'a bad name': api.attempt.groups.create(scratch.uid, { name: '@' }),
        'a group with children': api.attempt.groups.delete(parent.uid),
      }),
    )
  },
)

requirement(
  {
    id: 'error.precedence',
    level: 'observe',
    statement: 'S7.5, R38',
    quote: 'Creating a group with an empty body or a bad name gives code 3',
    says: 'How a call with two mistakes is answered',
  },
  async ({ api, scratch, run, observe }) => {
    const unknown = run.journal.lend(`${scratch.uid}/00000000000000aa`)
    const { groups } = api.attempt

    observe(
      await sideBySide({
        'bad Create below a missing group': groups.create(unknown, { name: '@' }),
        'bad Update of a missing group': groups.update(unknown, { name: '@' }),
        'bad list of a missing group': groups.list({ 'uidp.children_of': unknown, page_size: 'x' }),
      }),
    )
  },
)

requirement(
  {
    id: 'error.shape.elsewhere',
    over: 'http',
    level: 'should',
    statement: 'S7.1, R33',
    quote: 'The body of an error is a JSON object',
    restsOn: ['error.name.shape'],
    says: 'Refused lists and role bindings get errors of the standard shape',
  },
  async ({ api, scratch, atLeast }) => {
    const { uid: identityUid } = await scratch.makeIdentity()
    const { groups, identities, roleBindings } = api.attempt

    const answers = await Promise.all([
      groups.list({ ...scratch.children, page_size: 'x' }),
      identities.list({ ...scratch.children, order_by: 'nothing' }),
      roleBindings.create(scratch.uid, { identityUid }),
    ])

    const refused = answers.filter(refusedForContent)
    atLeast(1, 'calls refused for a mistake in them', refused.length)
    for (const { json } of refused) conforms(json, 'error')
  },
)
