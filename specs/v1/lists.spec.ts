import { isObject } from '../../helpers/api/received.ts'
import { deleteGroup } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { hasItems, itemIn, showsNoLonger, untilShown } from '../../helpers/v1/v1-assertions.ts'

requirement(
  {
    id: 'v1.list.items',
    level: 'must',
    statement: 'S9.3, S2.17',
    quote: 'A v1 list holds its array under `items`',
    restsOn: ['list.scope.children'],
    says: 'A v1 list of groups holds its array under items',
  },
  async ({ v1, scratch }) => {
    await scratch.makeGroup()

    hasItems(await v1.list(scratch.uid))
  },
)

requirement(
  {
    id: 'v1.list.deleted',
    level: 'must',
    statement: 'S9.2, S4.1, R28, R44',
    quote: 'lists and counts must leave it out',
    restsOn: ['group.delete.gone-from-lists'],
    says: 'A group deleted through v2 disappears from the v1 list',
  },
  async ({ v1, api, scratch, eventually }) => {
    const [{ uid }, kept] = [await scratch.makeGroup(), await scratch.makeGroup()]
    for (const shown of [uid, kept.uid]) await untilShown(eventually, () => v1.list(scratch.uid), shown)

    accepted(await deleteGroup(api, scratch, uid), 'deleting an empty group')

    await eventually(async () => {
      const list = await v1.list(scratch.uid)
      itemIn(list, kept.uid)
      showsNoLonger(list, uid)
    })
  },
)

// observations: the contract leaves these open
requirement(
  {
    id: 'v1.list.parameters',
    level: 'observe',
    statement: 'S2.17, R44',
    quote: 'Parameters and paging of v1 are not shown',
    says: 'How a v1 list treats scope and page_size, and which members it adds',
  },
  async ({ v1, scratch, observe }) => {
    await scratch.makeGroups(3)
    const count = ({ json }: { json: unknown }) =>
      isObject(json) && Array.isArray(json.items) ? json.items.length : 'no'

    const scoped = await v1.attempt.list(scratch.children)
    const paged = await v1.attempt.list({ ...scratch.children, page_size: 1 })

    const beside = isObject(scoped.json) ? Object.keys(scoped.json).filter((key) => key !== 'items') : []
    observe(
      `of a group with 3 in it: ${outcomeOf(scoped)} with ${count(scoped) === 3 ? 3 : 'other than 3'} items, beside them ${beside.sort().join(', ') || 'nothing'}; with page_size=1: ${outcomeOf(paged)} with ${count(paged)} items`,
    )
  },
)

requirement(
  {
    id: 'v1.operations',
    level: 'observe',
    statement: 'S9.4, S2.17, R45, R49',
    quote: 'Verb and path of an update in v1 are not shown',
    says: 'How v1 answers Get, Create, Update by PUT and Delete of a group',
  },
  async ({ v1, scratch, names, observe }) => {
    const [{ uid, name }, doomed] = [await scratch.makeGroup(), await scratch.makeGroup()]

    const answers = {
      get: await v1.attempt.get(uid),
      create: await v1.attempt.create(uid, { name: names.fresh() }),
      update: await v1.attempt.replace(uid, { name: String(name), description: 'put' }),
      delete: await v1.attempt.delete(doomed.uid),
    }

    observe(
      Object.entries(answers)
        .map(([operation, answer]) => `${operation}: ${outcomeOf(answer)}`)
        .join(', '),
    )
  },
)
