import { kinds } from '../helpers/api/kinds.ts'
import { bodyAs, sideBySide } from '../helpers/arrange/observed.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'

requirement(
  {
    id: 'error.statuses',
    level: 'observe',
    statement: 'S7.5, S7.6, R33',
    says: 'Which HTTP statuses a bad name and a group with children are answered',
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
    says: 'Which of two mistakes is answered: a bad name or a missing group, a bad page size or a missing scope',
  },
  async ({ api, scratch, run, observe }) => {
    const never = run.journal.lend(`${scratch.uid}/00000000000000aa`)
    const { groups } = api.attempt

    observe(
      await sideBySide({
        'bad Create below a missing group': groups.create(never, { name: '@' }),
        'bad Update of a missing group': groups.update(never, { name: '@' }),
        'bad list of a missing group': groups.list({ 'uidp.children_of': never, page_size: 'x' }),
      }),
    )
  },
)

requirement(
  {
    id: 'error.missing.kinds',
    level: 'observe',
    statement: 'S7.1, R38, R49',
    says: 'What Get of an identity, a role and a role binding that never were is answered',
    profile: 'identities',
  },
  async ({ api, scratch, observe }) => {
    const never = `${scratch.uid}/00000000000000aa`
    const { identities, roles, roleBindings } = api.attempt

    observe(
      await sideBySide({
        identity: identities.get(never),
        role: roles.get('00000000000000aa'),
        'role binding': roleBindings.get(never),
      }),
    )
  },
)

requirement(
  {
    id: 'error.missing.elsewhere',
    level: 'observe',
    statement: 'S7.1, S5.8, R38',
    says: 'Whether a missing group elsewhere is answered like one within reach, and what its body is',
  },
  async ({ api, scratch, observe }) => {
    const here = await api.attempt.groups.get(`${scratch.uid}/00000000000000aa`)
    const elsewhere = await api.attempt.groups.get('00000000000000000000000000000000000000aa')

    const alike = outcomeOf(here) === outcomeOf(elsewhere) ? 'alike' : `unlike: ${outcomeOf(elsewhere)}`
    observe(`${outcomeOf(here)}, ${bodyAs(here)}; elsewhere ${alike}`)
  },
)

/** What a create may say its body is. */
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
    says: 'What a good create is answered under other content types',
  },
  async ({ api, scratch, names, observe }) => {
    const create = ([what, contentType]: [string, string]) =>
      [what, api.attempt.groups.create(scratch.uid, { name: names.fresh() }, { contentType })] as const

    observe(await sideBySide(Object.fromEntries(Object.entries(contentTypes).map(create))))
  },
)

requirement(
  {
    id: 'service.methods',
    level: 'observe',
    statement: 'S4.1, R57',
    says: 'What HEAD and OPTIONS are answered',
  },
  async ({ run, read, scratch, observe }) => {
    const [list, one] = [run.paths.of(kinds.groups), run.paths.of(kinds.groups, scratch.uid)]

    observe(
      await sideBySide({
        'HEAD of the list': read(list, 'HEAD'),
        'HEAD of a group': read(one, 'HEAD'),
        'OPTIONS of the list': read(list, 'OPTIONS'),
      }),
    )
  },
)

requirement(
  {
    id: 'service.paths',
    level: 'observe',
    statement: 'S4.1, R57',
    says: 'What paths are answered that have a slash too many, another case, or another version',
  },
  async ({ run, read, scratch, observe }) => {
    const [list, one] = [run.paths.of(kinds.groups), run.paths.of(kinds.groups, scratch.uid)]
    const scope = `?uidp.children_of=${encodeURIComponent(scratch.uid)}`

    observe(
      await sideBySide({
        'list with a slash': read(`${list}/${scope}`),
        'group with a slash': read(`${one}/`),
        'two slashes': read(one.replace('/groups/', '/groups//')),
        'a slash in front': read(`/${list}${scope}`),
        capitals: read(`${list.replace('/groups', '/Groups')}${scope}`),
        'no version': read(`/iam/groups${scope}`),
      }),
    )
  },
)
