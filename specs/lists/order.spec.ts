import { expect } from 'vitest'
import { type KindName, kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { alikeToTheEnd } from '../../helpers/api/names.ts'
import { isObject, type Received, uids } from '../../helpers/api/received.ts'
import { mustShow, ordersOf } from '../../helpers/arrange/listings.ts'
import { sideBySide } from '../../helpers/arrange/observed.ts'
import { distinguishedPairs, inOrder, oldestFirst } from '../../helpers/assertions/order.ts'
import { among } from '../../helpers/assertions/page-walk.ts'
import { apart } from '../../helpers/assertions/timestamps.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { type Context, requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'

const inBothOrders = ['name', 'name desc'].map((order_by) => ({ order_by }))

/** A case that sorts names that first differ in the last letter but one: a shorter key makes them equal. */
function sortsNamesOfLength(length: number) {
  return async ({ api, scratch, names, eventually, atLeast }: Context) => {
    const sent = alikeToTheEnd(names.fresh(), length)
    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    atLeast(sent.length, 'accepted long names', answers.filter(succeeded).length)

    await eventually(async () => {
      const pages = await Promise.all(inBothOrders.map((order) => api.groups.list({ ...scratch.children, ...order })))
      const sorted = [...sent].sort()
      const shown = pages.map(({ items }) => items.map(({ name }) => String(name)))
      expect(
        shown.map((all) => all.filter((name) => sent.includes(name))),
        ofEach('the names in both orders', inBothOrders),
      ).toEqual([sorted, [...sorted].reverse()])
    })
  }
}

for (const [id, level, length] of [
  ['list.order.long-names', 'must', 30],
  ['list.order.longer-names', 'should', 60],
] as const) {
  requirement(
    {
      id,
      level,
      statement: 'S4.13, S4.22, R3, R17',
      quote: '`name` ascends, `name desc` descends',
      restsOn: ['list.order.name', 'group.name.accepts.sixty-three-characters'],
      says: `Names of ${length} characters that differ only near their end follow the requested order`,
    },
    sortsNamesOfLength(length),
  )
}

/** A case that compares one large page of a kind with an order. */
const listsInOrder =
  (order: string) =>
  (kind: KindName) =>
  async ({ withPopulation, evidence, atLeast }: Pick<Context, 'withPopulation' | 'evidence' | 'atLeast'>) => {
    await withPopulation(kind, async (population, walked) => {
      mustShow(population, order)
      const page = (await walked({ order, pageSize: 200 }, evidence)).pages[0]!

      inOrder(page.items, order)
      const least = Math.min(population.items.length, 200)
      expect(page.items.length, 'the results on the page').toBeGreaterThanOrEqual(least)
      // where the run cannot make the items, all of their keys may be equal
      const needed = kinds[kind].foreign ? 0 : 1
      atLeast(needed, 'neighbours with different keys', distinguishedPairs(page.items, order))
    })
  }

for (const [order, direction] of [
  ['name', 'ascending'],
  ['name desc', 'descending'],
] as const) {
  requirementOnEach(
    listedKinds.filter((kind) => ordersOf(kind).includes(order)),
    {
      id: `list.order.${order.replace(' ', '-')}`,
      level: 'must',
      statement: 'S4.13, S4.22, S4.15, R17',
      quote: '`name` ascends, `name desc` descends',
      restsOn: [order === 'name' ? 'list.page-size.maximum' : 'list.order.name'],
      says: `order_by=${order} sorts the whole list of {many} by ${direction} name`,
    },
    listsInOrder(order),
  )
}

for (const [order, first, quote] of [
  ['created_at', 'oldest', '`order_by=created_at` (ascending, the oldest first) is _must_'],
  ['created_at desc', 'newest', '`created_at desc` puts the newest first'],
] as const) {
  requirement(
    {
      id: `list.order.${order.replace(' ', '-')}`,
      level: 'must',
      statement: 'S4.13, S4.22, R18',
      quote,
      restsOn: [order === 'created_at' ? 'list.scope.children' : 'list.order.created_at'],
      says: `order_by=${order} lists the ${first} group first`,
    },
    async ({ api, scratch, names, eventually, atLeast }) => {
      const made: Received[] = []
      for (const name of names.several(5)) {
        const one = await scratch.makeGroup({ name })
        made.push(one)
        await apart(one)
      }
      atLeast(made.length, 'different times', new Set(made.map(({ createTime }) => createTime)).size)
      const sorted = uids(oldestFirst(made))

      await eventually(async () => {
        const page = await api.groups.list({ ...scratch.children, order_by: order })
        const outside = uids(page.items).filter((uid) => !uid.startsWith(`${scratch.uid}/`))
        expect(outside, 'groups from outside the scope').toEqual([])
        expect(uids(among(page.items, made)), `the groups, ${first} first`).toEqual(
          order === 'created_at' ? sorted : sorted.toReversed(),
        )
      })
    },
  )

  requirementOnEach(
    listedKinds.filter((kind) => ordersOf(kind).includes(order)),
    {
      id: `list.order.${order.replace(' ', '-')}.times`,
      level: 'must',
      statement: 'S4.13, S4.22, S4.15, R18',
      restsOn: ['list.page-size.maximum', 'list.order.created_at', 'list.order.created_at-desc'],
      quote,
      says: `order_by=${order} sorts all {many} by createTime, ${first} first`,
    },
    listsInOrder(order),
  )
}

/** The names in a list, as one text: items with equal names may be in any order (R17). */
const namesOf = ({ json }: Answer) =>
  isObject(json) && Array.isArray(json.groups) ? json.groups.map((group) => String(group?.name)).join() : ''

requirement(
  {
    id: 'list.order.spellings',
    level: 'observe',
    statement: 'S4.13, R18',
    quote: 'Other fields, `name asc`, and the spelling `createTime`: _observe_',
    says: 'How lists with other spellings of order_by are answered and sorted',
  },
  async ({ api, forest, observe }) => {
    const spellings = ['name asc', 'NAME', 'name  desc', 'name DESC', '-name', 'name,created_at', '']
    const list = (order_by: string) => api.attempt.groups.list({ ...forest.scope, order_by, page_size: 200 })
    const known = await Promise.all(['name', 'name desc'].map(list))

    const asked = Object.fromEntries(spellings.map((order) => [`'${order}'`, list(order)]))

    const inWords = (answer: Answer) =>
      ['as name', 'as name desc'][known.map(namesOf).indexOf(namesOf(answer))] ?? 'in another order'
    observe(await sideBySide(asked, inWords))
  },
)

requirement(
  {
    id: 'list.order.fields',
    level: 'observe',
    statement: 'S4.13, R18',
    quote: 'Other fields, `name asc`, and the spelling `createTime`: _observe_',
    says: 'How order_by with other fields is answered',
  },
  async ({ api, forest, observe }) => {
    const fields = ['createTime', 'create_time', 'updated_at', 'updateTime', 'uid', 'description', 'colour']
    const list = (order_by: string) => api.attempt.groups.list({ ...forest.scope, order_by })

    observe(await sideBySide(Object.fromEntries(fields.map((field) => [field, list(field)]))))
  },
)

requirement(
  {
    id: 'list.order.collation',
    level: 'observe',
    statement: 'S4.22, R17',
    quote: '`name` ascends, `name desc` descends',
    says: 'How names with digits, punctuation and letters are sorted',
  },
  async ({ api, punctuated, observe }) => {
    const page = await api.groups.list({ ...punctuated.scope, order_by: 'name', page_size: 200 })

    observe(page.items.map(({ name }) => `'${String(name).replace(punctuated.suffix, '')}'`).join(' '))
  },
)
