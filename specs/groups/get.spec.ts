import { expect } from 'vitest'
import { kinds } from '../../helpers/api/kinds.ts'
import { ownUids } from '../../helpers/api/own-items.ts'
import { isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import type { Run } from '../../helpers/arrange/run.ts'
import { comparable, same } from '../../helpers/assertions/equal.ts'
import { hasShape } from '../../helpers/assertions/schema.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.get.shape',
    level: 'must',
    statement: 'S2.5, S2.4, S2.8, R8, R46',
    quote: 'A member that the contract names must have its type',
    says: 'Get answers a group with the members and types of the contract',
  },
  async ({ api, scratch, eventually }) => {
    await eventually(async () => hasShape(await api.groups.get(scratch.uid), 'group'))
  },
)

requirement(
  {
    id: 'group.list.shape',
    level: 'must',
    statement: 'S4.16, S4.17, S4.18, S4.19, R8, R13, R23, R46',
    quote: 'A member that the contract names must have its type',
    restsOn: ['group.list.same', 'list.page-size.asked'],
    says: 'List answers groups, a total and a token with the types of the contract',
  },
  async ({ api, scratch, eventually }) => {
    await scratch.makeGroups(3)

    await eventually(async () => {
      const page = await api.groups.list({ ...scratch.children, page_size: 2 })
      hasShape(page.body, 'group-list')
      expect(page.items.length, 'how many groups are listed').toBeGreaterThan(0)
    })
  },
)

requirement(
  {
    id: 'group.get.same',
    level: 'must',
    statement: 'S4.1, R55',
    quote: 'A resource must be the same wherever it shows',
    says: 'Get answers the group as Create did, member for member',
  },
  async ({ api, scratch, names, eventually }) => {
    const created = await api.groups.create(scratch.uid, {
      name: names.fresh(),
      description: 'one and the same',
    })

    await eventually(async () => same(await api.groups.get(created.uid), created))
  },
)

requirement(
  {
    id: 'group.list.same',
    level: 'must',
    statement: 'S4.1, S4.16, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Every list shows the group as Get does, member for member',
  },
  async ({ api, scratch, run, names, eventually }) => {
    const name = names.fresh()
    const { uid } = await scratch.makeGroup({ name, description: 'one and the same' })

    const queries = [
      scratch.children,
      scratch.descendants,
      { ...scratch.descendants, name },
      { ...scratch.children, order_by: 'name' },
    ]
    await eventually(async () => {
      const made = await api.groups.get(uid)
      for (const query of queries) {
        const { items } = await api.groups.list(query)
        const shown = ownUids(items, run).filter((uid) => uid !== scratch.uid)
        expect(shown, 'the groups in the list').toEqual([uid])
        same(items.find((item) => item.uid === uid)!, made)
      }
    })
  },
)

/** Encoded paths that resemble a group's path, by how they differ from it. */
const pathsLike = ({ paths }: Pick<Run, 'paths'>, { uid }: Received): Record<string, string> => {
  const own = paths.of(kinds.groups, uid)
  return {
    '%2F': paths.of(kinds.groups, '') + encodeURIComponent(uid),
    capitals: paths.of(kinds.groups, uid.toUpperCase()),
    'a query': `${own}?x=1`,
    'question marks': `${own}??`,
    twice: `${own}/${uid}`,
    'a zero': `${own}%00`,
    'a blank': `${own}%20`,
    braces: paths.of(kinds.groups, '{}'),
    'a point': `${own}.`,
    'no UTF-8': `${own}%FF`,
  }
}

requirement(
  {
    id: 'group.get.odd-paths',
    over: 'http',
    level: 'should',
    statement: 'S4.1, S2.1, R38, R57',
    quote: 'Missing is every uid that was never issued, however much of it is right',
    says: "A path that resembles a group's never leads to another group",
  },
  async ({ run, read, scratch }) => {
    const [group] = await scratch.makeGroups(2)

    const answers = await Promise.all(Object.values(pathsLike(run, group!)).map((path) => read(path)))

    const shown = answers.filter(succeeded).flatMap(({ json }) => (isReceived(json) ? [json.uid] : []))
    const others = shown.filter((uid) => uid !== group!.uid)
    expect(others, 'the other groups that were shown').toEqual([])
  },
)

requirement(
  {
    id: 'group.get.odd-paths.answer',
    over: 'http',
    level: 'observe',
    statement: 'S4.1, S2.1, R38, R57',
    quote: 'status, code (5 is usual) and body, be it HTML or nothing, are _observe_',
    says: "How paths that resemble a group's are answered",
  },
  async ({ run, read, scratch, observe }) => {
    const asked = Object.entries(pathsLike(run, scratch.group)).map(([what, path]): [string, Promise<Answer>] => [
      what,
      read(path),
    ])

    observe(await sideBySide(Object.fromEntries(asked)))
  },
)

requirement(
  {
    id: 'group.get.answers',
    level: 'must',
    statement: 'S4.1, S1.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Get answers the group with the given uid',
  },
  async ({ api, scratch, eventually }) => {
    for (const { uid, name } of [scratch.group, await scratch.makeGroup()]) {
      await eventually(async () =>
        expect(await api.groups.get(uid), 'the group in the answer to Get').toMatchObject({ uid, name }),
      )
    }
  },
)

requirement(
  {
    id: 'group.list.answers',
    level: 'must',
    statement: 'S4.1, S4.16, S1.2',
    quote: 'under the plural name of the resource',
    says: 'List answers the groups of its scope under the member groups',
  },
  async ({ api, scratch, run, eventually }) => {
    const made = await scratch.makeGroups(3)

    await eventually(async () => {
      const page = await api.groups.list(scratch.children)
      expect(ownUids(page.items, run).sort(), 'the groups in the list').toEqual(uids(made).sort())
    })
  },
)

/** Enough calls to catch what every twentieth answer has wrong. */
const repetitions = 24

requirement(
  {
    id: 'group.get.repeated',
    level: 'must',
    statement: 'S4.1, S4.28, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Get returns the updated group every time, however often it is called',
  },
  async ({ api, scratch, names, eventually }) => {
    const made = await scratch.makeGroup({ description: 'first' })
    const changed = await api.groups.update(made.uid, { name: names.fresh(), description: 'second' })
    await eventually(async () => expect(await api.groups.get(made.uid)).toMatchObject({ name: changed.name }))

    const shown = await Promise.all(Array.from({ length: repetitions }, () => api.groups.get(made.uid)))

    const first = { ...comparable(shown[0]!, ['updateTime']), name: changed.name, description: 'second' }
    expect(
      shown.map((group) => comparable(group, ['updateTime'])),
      'the group in each answer',
    ).toEqual(shown.map(() => first))
  },
)
