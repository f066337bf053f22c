import { kinds } from '../helpers/api/kinds.ts'
import { bodyAs, sideBySide } from '../helpers/arrange/observed.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'

requirement(
  {
    id: 'error.statuses',
    level: 'observe',
    statement: 'S7.5, S7.6, R33',
    quote: 'which 4xx is _observe_',
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
    quote: 'status, code (5 is usual) and body, be it HTML or nothing, are _observe_',
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
    id: 'error.missing.kinds',
    level: 'observe',
    statement: 'S7.1, R38, R49',
    quote: 'status, code (5 is usual) and body, be it HTML or nothing, are _observe_',
    says: 'How Get of an unknown identity, role or role binding is answered',
    profile: 'identities',
  },
  async ({ api, scratch, observe }) => {
    const unknown = `${scratch.uid}/00000000000000aa`
    const { identities, roles, roleBindings } = api.attempt

    observe(
      await sideBySide({
        identity: identities.get(unknown),
        role: roles.get('00000000000000aa'),
        'role binding': roleBindings.get(unknown),
      }),
    )
  },
)

requirement(
  {
    id: 'error.missing.elsewhere',
    level: 'observe',
    statement: 'S7.1, S5.8, R38',
    quote: 'status, code (5 is usual) and body, be it HTML or nothing, are _observe_',
    says: 'How a missing group elsewhere is answered, compared to one within reach',
  },
  async ({ api, scratch, observe }) => {
    const here = await api.attempt.groups.get(`${scratch.uid}/00000000000000aa`)
    const elsewhere = await api.attempt.groups.get('00000000000000000000000000000000000000aa')

    const alike = outcomeOf(here) === outcomeOf(elsewhere) ? 'alike' : `unlike: ${outcomeOf(elsewhere)}`
    observe(`${outcomeOf(here)}, ${bodyAs(here)}; elsewhere ${alike}`)
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

requirement(
  {
    id: 'service.methods',
    level: 'observe',
    statement: 'S4.1, R57',
    quote: 'HEAD, OPTIONS, trailing slashes and double slashes: _observe_',
    says: 'How HEAD and OPTIONS are answered',
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
    quote: 'HEAD, OPTIONS, trailing slashes and double slashes: _observe_',
    says: 'How paths with extra slashes, other case or no version are answered',
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
