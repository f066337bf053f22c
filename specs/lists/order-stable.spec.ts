import { expect } from 'vitest'
import { listedKinds, ownKinds } from '../../helpers/api/kinds.ts'
import { isObject, type Received, uids } from '../../helpers/api/received.ts'
import { listedUids, ordersFor } from '../../helpers/arrange/listings.ts'
import { walk } from '../../helpers/assertions/page-walk.ts'
import { ofEachValue } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirementOnEach(
  listedKinds,
  {
    id: 'list.order.stable',
    level: 'must',
    statement: 'S4.20, S4.15, R22',
    quote: 'two identical requests, with no change to what they list, answer the same uids in the same order',
    restsOn: ['list.order.name', 'list.order.created_at-desc'],
    says: 'Two identical requests without a change between them list the same {many} in the same order',
  },
  (kind) =>
    async ({ withPopulation, atLeast, evidence }) => {
      await withPopulation(kind, async (population, walked) => {
        const asked = ordersFor(population)
        const inAllOrders = () => Promise.all(asked.map((order) => walked({ order, pageSize: 200 }, evidence)))

        const first = await inAllOrders()
        const second = await inAllOrders()

        expect(
          second.map(({ items }) => uids(items)),
          ofEachValue('the results of the second request', 'order_by', asked),
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
    restsOn: ['list.order.stable'],
    says: 'Groups created elsewhere change neither the listed {many} nor their order',
  },
  (kind) =>
    async ({ api, withPopulation, scratch, atLeast }) => {
      await withPopulation(kind, async ({ scope }) => {
        const first = await api[kind].list(scope)
        await scratch.makeGroup()
        const second = await api[kind].list(scope)

        expect(uids(second.items), 'the results of the second request').toEqual(uids(first.items))
        expect(second.totalCount, 'totalCount of the second request').toBe(first.totalCount)
        atLeast(2, 'results', first.items.length)
      })
    },
)

requirement(
  {
    id: 'list.order.stable.elsewhere@roles',
    level: 'must',
    statement: 'S4.20, R22',
    quote: 'answer the same uids in the same order: _must_, even when something was made elsewhere in between',
    restsOn: ['list.order.stable@roles'],
    says: 'A new role binding changes neither the listed roles nor their order',
    profile: 'identities',
  },
  async ({ api, withPopulation, scratch, atLeast }) => {
    await withPopulation('roles', async ({ scope }) => {
      const first = await api.roles.list(scope)
      await scratch.makeBinding(await scratch.makeIdentity(), scratch.uid, first.items.at(-1)?.uid)
      const second = await api.roles.list(scope)

      expect(uids(second.items), 'the results of the second request').toEqual(uids(first.items))
      atLeast(2, 'results', first.items.length)
    })
  },
)

/** Names that no common collation treats as equal: letters only, each once. */
const unlike = (items: readonly Received[]) =>
  new Set(items.map(({ name }) => String(name)).filter((name) => /^[a-z]+$/.test(name))).size

requirementOnEach(
  ['roles', 'repos', 'tags'] as const,
  {
    id: 'list.order.directions',
    level: 'should',
    statement: 'S4.13, S4.22, S4.15, R17',
    quote: '`name` ascends, `name desc` descends',
    restsOn: ['list.order.name*'],
    says: 'order_by=name desc does not list the {many} in the order of order_by=name',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async (population) => {
        atLeast(3, 'different names of letters', unlike(population.items))

        const [up, down] = await Promise.all(
          ['name', 'name desc'].map((order_by) =>
            walk(api[kind].list, { ...population.scope, order_by, page_size: 200 }, population.items.length),
          ),
        )

        expect(uids(down!.items), 'the results in descending order').not.toEqual(uids(up!.items))
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
    id: 'list.order.unknown.keeps',
    level: 'should',
    statement: 'S4.13, S4.25, R18',
    quote: 'An unknown field gives an error or is ignored',
    restsOn: ['list.order.name'],
    says: 'An accepted order_by with an unknown field drops no result',
  },
  async ({ api, forest, atLeast }) => {
    const orders = ['colour', 'createTime', 'name asc', 'resourceLimits', '']

    const answers = await Promise.all(
      orders.map((order) => api.attempt.groups.list({ ...forest.scope, order_by: order, page_size: 200 })),
    )

    const made = uids(forest.all)
    const whole = answers.filter((answer) => succeeded(answer) && isObject(answer.json) && !answer.json.nextPageToken)
    const shown = whole.map((answer) => listedUids('groups', answer).map(String))
    atLeast(1, 'accepted orders whose list one page can hold', shown.length)
    expect(
      shown.map((all) => made.filter((uid) => !all.includes(uid))),
      'the groups that each order drops',
    ).toEqual(shown.map(() => []))
  },
)
