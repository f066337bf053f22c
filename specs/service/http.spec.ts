import { kinds } from '../../helpers/api/kinds.ts'
import { isReceived } from '../../helpers/api/received.ts'
import { bodyAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'service.success',
    over: 'http',
    level: 'observe',
    statement: 'S4.1, R27, R57',
    quote: 'any 2xx is success',
    says: 'The status of each successful group operation, and the body of Delete',
  },
  async ({ api, scratch, names, observe }) => {
    const { groups } = api.attempt
    const created = await groups.create(scratch.uid, { name: names.fresh() })
    const uid = isReceived(created.json) ? created.json.uid : scratch.uid
    const got = await groups.get(uid)
    const updated = await groups.update(uid, { description: 'changed' })
    const listed = await groups.list(scratch.children)
    const deleted = await groups.delete(uid)

    const answers = { Create: created, Get: got, Update: updated, List: listed, Delete: deleted }
    const statuses = Object.entries(answers).map(([operation, answer]) => `${operation} ${outcomeOf(answer)}`)
    observe(`${statuses.join(', ')}; a Delete holds ${bodyAs(deleted)}`)
  },
)

requirement(
  {
    id: 'service.methods',
    over: 'http',
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
    over: 'http',
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

requirement(
  {
    id: 'service.other-segment',
    over: 'http',
    level: 'observe',
    statement: 'S9.1',
    quote: 'The path carries the version',
    says: 'How the other version segment of v2 is answered',
  },
  async ({ run, scratch, authContext, observe }) => {
    const other = run.config.target.apiVersion === 'v2' ? 'v2beta1' : 'v2'

    const answer = await run.client.send(
      {
        operation: 'group.other-segment',
        method: 'GET',
        path: run.paths.of(kinds.groups, scratch.uid, other),
      },
      authContext.log,
    )

    observe(`${other}: ${outcomeOf(answer)}`)
  },
)
