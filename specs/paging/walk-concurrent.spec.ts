import { expect } from 'vitest'
import { kinds, listedKinds, ownKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { type Change, changesOf } from '../../helpers/arrange/changes.ts'
import { goingOn, ordersFor } from '../../helpers/arrange/listings.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { among, boundaries, firstPages, foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { walkedDuring } from '../../helpers/case/walks.ts'
import type { Query } from '../../helpers/http/url.ts'

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.other-page-size',
    level: 'should',
    statement: 'S4.11, S4.12, S4.25, S4.15',
    quote: 'follows `nextPageToken` until it is absent has seen all results',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A change of page_size during a walk over {many} loses no result',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const [small, large] = [6, 3].map((parts) => Math.min(Math.ceil(items.length / parts), 200))
        const first = await api[kind].list({ ...scope, page_size: small })
        atLeast(1, 'tokens on the first page', first.nextPageToken === undefined ? 0 : 1)
        const list = (query: Query) => goingOn(api[kind].list, query)
        const second = await list({ ...scope, page_size: large, page_token: first.nextPageToken })
        const query = { ...scope, page_size: 200 }

        const found = await walk(list, query, items.length, [first, second])

        foundAll(found, items, kinds[kind].foreign ? undefined : [])
        atLeast(1, 'page boundaries', boundaries([found]))
      })
    },
)

requirement(
  {
    id: 'list.walk.one-connection',
    level: 'must',
    statement: 'S4.12, S4.25, R14',
    quote: 'a token must go on from its own page',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'Two alternating walks of different scopes on one connection each find all their items',
  },
  async ({ narrowApi, scratch, eventually }) => {
    const homes = await scratch.makeGroups(2)
    const made = await Promise.all(homes.map(({ uid }) => scratch.makeGroups(5, uid)))
    const [one, other] = homes.map(({ uid }) => ({ ...childrenOf(uid), page_size: 2 }))
    const list = narrowApi.groups.list

    await eventually(async () => {
      const firstWalk = await firstPages(list, one!, 1)
      const secondWalk = await firstPages(list, other!, 2)
      const firstFound = await walk(list, one!, 5, firstWalk)

      foundAll(firstFound, made[0]!, made[1])
      foundAll(await walk(list, other!, 5, secondWalk), made[1]!, made[0])
    })
  },
)

requirement(
  {
    id: 'list.walk.renamed',
    level: 'must',
    statement: 'S4.21, S4.22, S4.25',
    quote: 'with `order_by`, the order holds across the pages',
    restsOn: ['list.order.name', 'list.walk.complete'],
    says: 'A walk by name after renames finds every group once, in the new order',
  },
  async ({ api, scratch, names, eventually }) => {
    const made = await scratch.makeGroups(6)
    const renamed = made.filter((_, index) => index % 2 === 0).reverse()
    for (const { uid } of renamed) await api.groups.update(uid, { name: names.fresh() })
    const wanted = [...made.filter((group) => !renamed.includes(group)), ...renamed]

    await eventually(async () => {
      const walks = ['name', 'name desc'].map((order_by) =>
        walk(api.groups.list, { ...scratch.children, order_by, page_size: 1 }, made.length),
      )
      const [up, down] = await Promise.all(walks)
      for (const found of [up!, down!]) foundAll(found, made, [])
      expect(uids(among(up!.items, made))).toEqual(uids(wanted))
      expect(uids(among(down!.items, made))).toEqual(uids(wanted.toReversed()))
    })
  },
)

const changes: Record<Change, string> = {
  insert: 'created around the cursor',
  delete: 'deleted around the cursor',
  rename: 'renamed across the cursor',
  touch: 'given another description',
}

for (const [change, happening] of Object.entries(changes) as [Change, string][]) {
  requirementOnEach(
    ownKinds.filter((kind) => changesOf(kind).includes(change)),
    {
      id: `list.walk.while-others.${change}`,
      level: 'should',
      statement: 'S4.20, S4.25, R22',
      quote: 'a resource that exists all the time appears exactly once',
      restsOn: ['list.total.follows', 'group.delete.gone-from-lists'],
      says: `A walk finds each untouched {one} exactly once while others are ${happening}`,
    },
    (kind) =>
      ({ run, runGroup, api, evidence }) =>
        walkedDuring(change, kind, { run, runGroup, api, evidence }),
  )
}

requirementOnEach(
  listedKinds,
  {
    id: 'list.walk.interleaved',
    level: 'must',
    statement: 'S4.12, S4.25, R14',
    quote: 'Whatever other walks do meanwhile, walks of the same query included, a token must go on from its own page',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A token of {many} continues from its own page, whatever other walks do meanwhile',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async (population) => {
        const { scope, items } = population
        const list = api[kind].list
        const [third, half] = [Math.ceil(items.length / 3), Math.ceil(items.length / 2)]
        const [query, other] = [
          { ...scope, page_size: third },
          { ...scope, page_size: half, order_by: ordersFor(population).at(-1) },
        ]

        // one walk of the query is a page ahead of the other
        const ahead = await firstPages(list, query, 1)
        const found = await Promise.all([
          walk(list, query, items.length, ahead),
          ...[query, other].map((each) => walk(list, each, items.length)),
        ])

        for (const one of found) foundAll(one, items, kinds[kind].foreign ? undefined : [])
        atLeast(1, 'page boundaries', boundaries(found))
      })
    },
)

requirement(
  {
    id: 'list.walk.in-turns',
    level: 'must',
    statement: 'S4.12, R14',
    quote: 'walks of the same query included, a token must go on from its own page',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'Two alternating walks of the same query each continue from their own page',
  },
  async ({ api, forest }) => {
    const query = { ...forest.scope, page_size: 4 }
    const first = await api.groups.list(query)
    const second = await api.groups.list({ ...query, page_token: first.nextPageToken })
    const other = await api.groups.list(query)

    const [third, otherSecond] = [
      await api.groups.list({ ...query, page_token: second.nextPageToken }),
      await api.groups.list({ ...query, page_token: other.nextPageToken }),
    ]

    const whole = uids([...first.items, ...second.items, ...third.items])
    expect(whole, 'uids of three pages of 4').toHaveLength(12)
    expect(uids([...other.items, ...otherSecond.items]), 'uids of two pages of 4').toEqual(whole.slice(0, 8))
  },
)
