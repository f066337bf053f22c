import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { ownUids } from '../../helpers/api/own-items.ts'
import { isReceived, type Received, uids } from '../../helpers/api/received.ts'
import { oldestFirst } from '../../helpers/assertions/order.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.update.namesakes',
    level: 'must',
    statement: 'S4.26, S4.1',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    restsOn: ['group.update.time.advances'],
    says: 'Update of a group leaves alone groups of the same name elsewhere',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    const [home, other, named] = [await scratch.makeGroup(), await scratch.makeGroup(), names.fresh()]
    const made = await scratch.makeGroup({ name: named, description: 'as it was' }, home.uid)
    const answer = await api.attempt.groups.create(other.uid, { name: named, description: 'as it was' })
    const namesakes = succeeded(answer) && isReceived(answer.json) ? [answer.json.uid] : []
    atLeast(1, 'second groups of one name that the target accepts', namesakes.length)

    await api.groups.update(made.uid, { name: names.fresh(), description: 'changed' })

    await eventually(async () => {
      const after = await Promise.all(namesakes.map((uid) => api.groups.get(uid)))
      expect(after, 'the other group of the same name').toMatchObject([{ name: named, description: 'as it was' }])
    })
  },
)

/** A name that begins with that letter, and has only letters on which every collation agrees (R17). */
function nameFrom(first: 'b' | 'e' | 'i' | 'o' | 'u'): string {
  const pick = (letters: string) => letters[randomInt(letters.length)]
  return first + Array.from({ length: 9 }, () => `${pick('kmp')}${pick('eiou')}`).join('')
}

requirement(
  {
    id: 'group.update.renamed-in-lists',
    level: 'must',
    statement: 'S4.10, S4.22, S4.26',
    quote: '`name` ascends, `name desc` descends',
    restsOn: ['list.empty.answer', 'group.update.time.advances'],
    says: 'The name filter and the order by name follow a rename',
  },
  async ({ api, scratch, run, eventually }) => {
    const first = nameFrom('b')
    const made: Received[] = []
    for (const name of [first, nameFrom('e'), nameFrom('i'), nameFrom('o')])
      made.push(await scratch.makeGroup({ name }))
    const last = nameFrom('u')
    await api.groups.update(made[0]!.uid, { name: last })

    const sorted = uids([...made.slice(1), made[0]!])

    const queries = [{ order_by: 'name' }, { order_by: 'name desc' }, { name: last }, { name: first }]
    await eventually(async () => {
      const pages = await Promise.all(queries.map((query) => api.groups.list({ ...scratch.children, ...query })))
      expect(
        pages.map(({ items }) => ownUids(items, run)),
        ofEach('the groups in each list, the first renamed', queries),
      ).toEqual([sorted, [...sorted].reverse(), [made[0]!.uid], []])
    })
  },
)

requirement(
  {
    id: 'group.update.order-of-creation',
    level: 'must',
    statement: 'S4.22, S4.13, R18, R26',
    quote: '`order_by=created_at` (ascending, the oldest first) is _must_',
    restsOn: ['list.order.created_at', 'group.update.time.advances'],
    says: 'An Update, even a rename, leaves the order of creation alone',
  },
  async ({ api, scratch, run, names, eventually, atLeast }) => {
    const made = [await scratch.makeGroup()]
    for (const _ of [1, 2, 3]) {
      await apart(...made)
      made.push(await scratch.makeGroup())
    }
    atLeast(made.length, 'different times', new Set(made.map(({ createTime }) => createTime)).size)

    await api.groups.update(made[1]!.uid, { name: names.fresh() })
    await api.groups.update(made[0]!.uid, { description: 'touched last' })

    await eventually(async () => {
      const page = await api.groups.list({ ...scratch.children, order_by: 'created_at' })
      expect(ownUids(page.items, run), 'the groups, oldest first').toEqual(uids(oldestFirst(made)))
    })
  },
)

requirement(
  {
    id: 'group.update.default-order',
    level: 'should',
    statement: 'S4.20, R22',
    quote: 'That a PATCH of one item leaves the default order alone is _should_',
    restsOn: ['list.scope.children', 'group.update.time.advances'],
    says: 'An Update of one group leaves the default order of its list alone',
  },
  async ({ api, scratch, run, eventually }) => {
    const made = await scratch.makeGroups(8)
    const before = await eventually(async () => {
      const shown = ownUids((await api.groups.list(scratch.children)).items, run)
      expect([...shown].sort(), 'the groups in the list').toEqual(uids(made).sort())
      return shown
    })

    await api.groups.update(before[2]!, { description: 'touched' })

    await eventually(async () => {
      const after = await api.groups.list(scratch.children)
      expect(ownUids(after.items, run), 'the groups in the default order').toEqual(before)
    })
  },
)
