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
    says: 'A group five levels down can be read, changed, listed, found by name and deleted like any other',
  },
  async ({ api, scratch, settled }) => {
    const line: Received[] = [scratch.group]
    for (const _ of [1, 2, 3, 4, 5]) line.push(await scratch.makeGroup({}, line.at(-1)!.uid))
    const [parent, deepest] = [line.at(-2)!, line.at(-1)!]

    await api.groups.update(deepest.uid, { description: 'far down' })

    await settled(async () => {
      expect(await api.groups.get(deepest.uid)).toMatchObject({ name: deepest.name, description: 'far down' })
      const below = await api.groups.list(scratch.descendants)
      expect(uids(below.items)).toEqual(expect.arrayContaining(uids(line.slice(1))))
      expect(uids((await api.groups.list(childrenOf(parent.uid))).items)).toEqual([deepest.uid])
      const named = await api.groups.list({ ...scratch.descendants, name: String(deepest.name) })
      expect(uids(named.items)).toEqual([deepest.uid])
    })
    await deleteGroup(api, scratch, deepest.uid)
    await settled(async () => refused(await api.attempt.groups.get(deepest.uid), 'Get of a deleted group'))
  },
)

/** Paths much like that of a group, already encoded, by what is odd about them. */
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
    says: 'Whatever a path much like that of a group is answered, it is never another group',
  },
  async ({ run, read, scratch }) => {
    const [group] = await scratch.makeGroups(2)

    const answers = await Promise.all(Object.values(pathsLike(run, group!)).map((path) => read(path)))

    const shown = answers.filter(succeeded).flatMap(({ json }) => (isReceived(json) ? [json.uid] : []))
    expect(shown.filter((uid) => uid !== group!.uid)).toEqual([])
  },
)

requirement(
  {
    id: 'group.get.odd-paths.answer',
    level: 'observe',
    statement: 'S4.1, S2.1, R38, R57',
    says: 'What paths are answered that are much like that of a group',
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
    says: 'A refused Delete of a group takes nothing away: identities and role bindings beside the child stay',
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
      accepted(await api.attempt.identities.get(identity.uid), 'Get of an identity in the group that stayed')
      accepted(await api.attempt.roleBindings.get(binding.uid), 'Get of a binding in the group that stayed')
    })
  },
)

requirement(
  {
    id: 'group.update.namesakes',
    level: 'must',
    statement: 'S4.26, S4.1',
    says: 'A rename and a new description reach the group that was named, and none of the same name elsewhere',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const [home, other, named] = [await scratch.makeGroup(), await scratch.makeGroup(), names.fresh()]
    const made = await scratch.makeGroup({ name: named, description: 'as it was' }, home.uid)
    const answer = await api.attempt.groups.create(other.uid, { name: named, description: 'as it was' })
    const namesakes = succeeded(answer) && isReceived(answer.json) ? [answer.json.uid] : []
    atLeast(1, 'groups of one name that the target takes', namesakes.length)

    await api.groups.update(made.uid, { name: names.fresh(), description: 'changed' })

    await settled(async () => {
      const after = await Promise.all(namesakes.map((uid) => api.groups.get(uid)))
      expect(after).toMatchObject([{ name: named, description: 'as it was' }])
    })
  },
)
