import { expect } from 'vitest'
import { kinds } from '../helpers/api/kinds.ts'
import { isReceived, type Received, uids } from '../helpers/api/received.ts'
import { sideBySide } from '../helpers/arrange/observed.ts'
import { got } from '../helpers/arrange/optional-operations.ts'
import type { Run } from '../helpers/arrange/run.ts'
import { childrenOf, deleteGroup } from '../helpers/arrange/scratch.ts'
import { accepted, refused } from '../helpers/assertions/refused.ts'
import { plainDeletes } from '../helpers/auth/control-calls.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../helpers/http/call.ts'

requirement(
  {
    id: 'group.far-down',
    level: 'must',
    statement: 'S4.1, S4.8, S4.26, S2.2',
    quote: 'Groups have List, Get, Create (under the parent named in the path), Update (by PATCH) and Delete',
    says: 'Every operation works on a group five levels down',
  },
  async ({ api, scratch, settled }) => {
    const line: Received[] = [scratch.group]
    for (const _ of [1, 2, 3, 4, 5]) line.push(await scratch.makeGroup({}, line.at(-1)!.uid))
    const [parent, deepest] = [line.at(-2)!, line.at(-1)!]

    await api.groups.update(deepest.uid, { description: 'far down' })

    await settled(async () => {
      expect(await api.groups.get(deepest.uid), 'the group in the answer to Get').toMatchObject({
        name: deepest.name,
        description: 'far down',
      })
      const below = await api.groups.list(scratch.descendants)
      expect(uids(below.items), 'the groups below the scratch group').toEqual(
        expect.arrayContaining(uids(line.slice(1))),
      )
      const children = await api.groups.list(childrenOf(parent.uid))
      expect(uids(children.items), 'the children of the parent').toEqual([deepest.uid])
      const named = await api.groups.list({ ...scratch.descendants, name: String(deepest.name) })
      expect(uids(named.items), 'the groups found by name').toEqual([deepest.uid])
    })
    await deleteGroup(api, scratch, deepest.uid)
    await settled(async () => refused(await api.attempt.groups.get(deepest.uid), 'Get of a deleted group'))
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
    id: 'group.delete.not-empty.contents',
    level: 'must',
    statement: 'S7.6, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    says: 'A refused Delete of a group keeps its identities and role bindings',
  },
  async ({ api, scratch, settled, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const parent = await scratch.makeGroup()
    const [, identity] = [await scratch.makeGroup({}, parent.uid), await scratch.makeIdentity({}, parent.uid)]
    const binding = await scratch.makeBinding(identity, parent.uid)
    await settled(() => got(api, 'identities', identity.uid))
    await settled(() => got(api, 'roleBindings', binding.uid))

    refused(await api.attempt.groups.delete(parent.uid), 'deleting a group that has a child')

    await settled(async () => {
      accepted(await api.attempt.identities.get(identity.uid), 'Get of an identity in the remaining group')
      accepted(await api.attempt.roleBindings.get(binding.uid), 'Get of a role binding in the remaining group')
    })
  },
)

requirement(
  {
    id: 'group.update.namesakes',
    level: 'must',
    statement: 'S4.26, S4.1',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'Update of a group leaves alone groups of the same name elsewhere',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const [home, other, named] = [await scratch.makeGroup(), await scratch.makeGroup(), names.fresh()]
    const made = await scratch.makeGroup({ name: named, description: 'as it was' }, home.uid)
    const answer = await api.attempt.groups.create(other.uid, { name: named, description: 'as it was' })
    const namesakes = succeeded(answer) && isReceived(answer.json) ? [answer.json.uid] : []
    atLeast(1, 'second groups of one name that the target accepts', namesakes.length)

    await api.groups.update(made.uid, { name: names.fresh(), description: 'changed' })

    await settled(async () => {
      const after = await Promise.all(namesakes.map((uid) => api.groups.get(uid)))
      expect(after, 'the other group of the same name').toMatchObject([{ name: named, description: 'as it was' }])
    })
  },
)
