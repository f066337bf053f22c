import { expect } from 'vitest'
import { type KindName, kinds, listedKinds, ownKinds } from '../helpers/api/kinds.ts'
import { isObject, names, uids } from '../helpers/api/received.ts'
import { listedUids, mustShow, ordersFor, ordersOf } from '../helpers/arrange/listings.ts'
import { sideBySide } from '../helpers/arrange/observed.ts'
import { inOrder, toldApart } from '../helpers/assertions/order.ts'
import { boundaries, foundAll, walk } from '../helpers/assertions/page-walk.ts'
import { apart } from '../helpers/assertions/timestamps.ts'
import { type Context, requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../helpers/http/call.ts'

/** A case that compares one large page of a kind with an order. */
const listsInOrder =
  (order: string) =>
  (kind: KindName) =>
  async ({ api, over, atLeast }: Pick<Context, 'api' | 'over' | 'atLeast'>) => {
    await over(kind, async (population) => {
      const { scope, items } = population
      mustShow(population, order)
      const page = await api[kind].list({ ...scope, order_by: order, page_size: 200 })

      inOrder(page.items, order)
      expect(page.items, 'the results on the page').toHaveLength(Math.min(items.length, 200))
      // where the run cannot make the items, all of their keys may be equal
      const needed = kinds[kind].foreign ? 0 : 1
      atLeast(needed, 'neighbours with different keys', toldApart(page.items, order))
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
      says: `order_by=${order} lists the ${first} group first`,
    },
    async ({ api, scratch, names }) => {
      const made = []
      for (const name of names.several(5)) {
        made.push(await scratch.makeGroup({ name }))
        await apart()
      }

      const page = await api.groups.list({ ...scratch.children, order_by: order })

      expect(uids(page.items), `the groups, ${first} first`).toEqual(
        order === 'created_at' ? uids(made) : uids(made).reverse(),
      )
    },
  )

  requirementOnEach(
    listedKinds.filter((kind) => ordersOf(kind).includes(order)),
    {
      id: `list.order.${order.replace(' ', '-')}.times`,
      level: 'must',
      statement: 'S4.13, S4.22, S4.15, R18',
      quote,
      says: `order_by=${order} sorts all {many} by createTime, ${first} first`,
    },
    listsInOrder(order),
  )
}

requirementOnEach(
  listedKinds,
  {
    id: 'list.order.stable',
    level: 'must',
    statement: 'S4.20, S4.15, R22',
    quote: 'two identical requests, with no change to what they list, answer the same uids in the same order',
    says: 'Two identical requests without a change between them list the same {many} in the same order',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async (population) => {
        const asked = { ...population.scope, page_size: 200 }
        const queries = ordersFor(population).map((order) => ({ ...asked, order_by: order }))

        const first = await Promise.all(queries.map((query) => api[kind].list(query)))
        const second = await Promise.all(queries.map((query) => api[kind].list(query)))

        expect(
          second.map(({ items }) => uids(items)),
          'the results of the second request',
        ).toEqual(first.map(({ items }) => uids(items)))
        atLeast(2, 'results in one order', Math.min(...first.map(({ items }) => items.length)))
      })
    },
)

requirementOnEach(
  ownKinds,
  {
    id: 'list.order.stable.elsewhere',
    level: 'must',
    statement: 'S4.20, R22',
    quote: 'answer the same uids in the same order: _must_, even when something was made elsewhere in between',
    says: 'Groups created elsewhere change neither the listed {many} nor their order',
  },
  (kind) =>
    async ({ api, over, scratch, atLeast }) => {
      await over(kind, async ({ scope }) => {
        const first = await api[kind].list(scope)
        await scratch.makeGroups(3)
        const second = await api[kind].list(scope)

        expect(uids(second.items), 'the results of the second request').toEqual(uids(first.items))
        expect(second.totalCount, 'totalCount of the second request').toBe(first.totalCount)
        atLeast(2, 'results', first.items.length)
      })
    },
)

requirement(
  {
    id: 'list.order.default',
    level: 'observe',
    statement: 'S4.20',
    quote: 'without `order_by` there is a stable order all the same',
    says: 'The order of a list without order_by',
  },
  async ({ api, crowd, observe }) => {
    const byDefault = uids((await api.groups.list({ ...crowd.scope, page_size: 200 })).items).join()
    const named = await Promise.all(
      ['name', 'name desc', 'created_at', 'created_at desc', 'uid'].map(async (order) => {
        const { json } = await api.attempt.groups.list({ ...crowd.scope, page_size: 200, order_by: order })
        const items = isObject(json) && Array.isArray(json.groups) ? json.groups : []
        return items.map(({ uid }) => uid).join() === byDefault ? [order] : []
      }),
    )

    observe(named.flat()[0] ?? (byDefault === byDefault.split(',').sort().join() ? 'uid' : 'some other order'))
  },
)

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

/** The names in a list, as one text: items with equal names may be in any order (R17). */
const namesOf = ({ json }: Answer) =>
  isObject(json) && Array.isArray(json.groups) ? json.groups.map((group) => String(group?.name)).join() : ''

requirement(
  {
    id: 'list.order.unknown.keeps',
    level: 'should',
    statement: 'S4.13, S4.25, R18',
    quote: 'An unknown field gives an error or is ignored',
    says: 'An accepted order_by with an unknown field drops no result',
  },
  async ({ api, forest, atLeast }) => {
    const orders = ['colour', 'createTime', 'name asc', 'resourceLimits', '']

    const answers = await Promise.all(
      orders.map((order) => api.attempt.groups.list({ ...forest.scope, order_by: order, page_size: 200 })),
    )

    const counts = answers.filter(succeeded).map((answer) => listedUids('groups', answer).length)
    atLeast(1, 'accepted orders', counts.length)
    expect(counts, 'the number of results with each order').toEqual(counts.map(() => forest.all.length))
  },
)

requirement(
  {
    id: 'list.order.collation',
    level: 'observe',
    statement: 'S4.22, R17',
    quote: 'Digits against letters, runs of digits, lengths and punctuation are _observe_',
    says: 'How names with digits, punctuation and letters are sorted',
  },
  async ({ api, punctuated, observe }) => {
    const page = await api.groups.list({ ...punctuated.scope, order_by: 'name', page_size: 200 })

    observe(page.items.map(({ name }) => `'${String(name).replace(punctuated.suffix, '')}'`).join(' '))
  },
)

requirement(
  {
    id: 'list.walk.collation',
    level: 'must',
    statement: 'S4.21, S4.25, R17',
    quote: 'Whatever the collation, the order of a walk must be the order of one large page, with nothing lost',
    says: 'A walk finds each name with punctuation once, in the order of one large page',
  },
  async ({ api, punctuated, atLeast }) => {
    const { scope, all } = punctuated
    atLeast(5, 'names with digits and punctuation', all.length)

    const ordered = ['name', 'name desc'].map(async (order_by) => {
      const walks = [200, 1, 2, 3].map((page_size) =>
        walk(api.groups.list, { ...scope, order_by, page_size }, all.length),
      )
      const [whole, ...pieces] = await Promise.all(walks)

      for (const found of pieces) {
        foundAll(found, all)
        expect(names(found.items), 'the names in the order of the walk').toEqual(names(whole!.items))
      }
      return boundaries(pieces)
    })
    const [up = 0, down = 0] = await Promise.all(ordered)
    atLeast(1, 'page boundaries', up + down)
  },
)
