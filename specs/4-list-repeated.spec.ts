import { expect } from 'vitest'
import { listedKinds } from '../helpers/api/kinds.ts'
import type { Page } from '../helpers/api/received.ts'
import { childrenOf } from '../helpers/arrange/scratch.ts'
import { comparable } from '../helpers/assertions/equal.ts'
import { firstPages, foundAll, walk } from '../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'

/** Enough calls to catch, with near certainty, an error in one of twenty answers. */
const repetitions = 60

/** The part of a page that must not change from one call to the next. */
const stablePart = ({ items, totalCount, skipped, nextPageToken }: Page) => ({
  items: items.map((item) => comparable(item)),
  totalCount,
  skipped: skipped ?? 0,
  hasNext: nextPageToken !== undefined,
})

requirementOnEach(
  listedKinds,
  {
    id: 'list.repeated',
    level: 'must',
    statement: 'S4.20, S4.18, S4.15, R22',
    quote: 'two identical requests, with no change to what they list, answer the same uids in the same order',
    says: 'A List of {many} sent many times at once gets the same answer every time',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope }) => {
        const query = { ...scope, page_size: 5 }

        const pages = await Promise.all(Array.from({ length: repetitions }, () => api[kind].list(query)))

        const first = stablePart(pages[0]!)
        expect(pages.map(stablePart), 'the pages of equal calls').toEqual(pages.map(() => first))
        atLeast(1, 'results in each answer', first.items.length)
      })
    },
)

requirement(
  {
    id: 'group.get.repeated',
    level: 'must',
    statement: 'S4.1, S4.28, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Get returns the updated group every time, however often it is called',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroup({ description: 'first' })
    const changed = await api.groups.update(made.uid, { name: names.fresh(), description: 'second' })
    await settled(async () => expect(await api.groups.get(made.uid)).toMatchObject({ name: changed.name }))

    const shown = await Promise.all(Array.from({ length: repetitions }, () => api.groups.get(made.uid)))

    const first = { ...comparable(shown[0]!), name: changed.name, description: 'second' }
    expect(
      shown.map((group) => comparable(group)),
      'the group in each answer',
    ).toEqual(shown.map(() => first))
  },
)

requirement(
  {
    id: 'list.fresh',
    level: 'must',
    statement: 'S4.10, S4.14, S4.19, S4.20, R22',
    quote: 'two identical requests, with no change to what they list, answer the same uids in the same order',
    says: 'A list is unaffected by the previous call on its connection, even a refused one',
  },
  async ({ narrowApi, scratch, names }) => {
    const [one] = await scratch.makeGroups(6)
    const plain = { ...scratch.children, page_size: 200 }
    const others = [
      { ...scratch.children, page_size: 2, skip: 3, order_by: 'name desc' },
      { ...plain, name: String(one!.name) },
      { ...plain, name: names.fresh() },
      { ...childrenOf(one!.uid), page_size: 200 },
      { ...plain, page_size: -1, skip: -1 },
    ]
    const first = await narrowApi.groups.list(plain)

    const after = []
    for (const query of others) {
      await narrowApi.attempt.groups.list(query)
      after.push(await narrowApi.groups.list(plain))
    }

    const wanted = { ...stablePart(first), totalCount: '6', skipped: 0, hasNext: false }
    expect(after.map(stablePart), 'the plain list after each other call').toEqual(after.map(() => wanted))
  },
)

requirement(
  {
    id: 'list.walk.one-connection',
    level: 'must',
    statement: 'S4.12, S4.25, R14',
    quote: 'a token must go on from its own page',
    says: 'Two alternating walks of different scopes on one connection each find all their items',
  },
  async ({ narrowApi, scratch }) => {
    const homes = await scratch.makeGroups(2)
    const made = await Promise.all(homes.map(({ uid }) => scratch.makeGroups(5, uid)))
    const [one, other] = homes.map(({ uid }) => ({ ...childrenOf(uid), page_size: 2 }))
    const list = narrowApi.groups.list

    const firstWalk = await firstPages(list, one!, 1)
    const secondWalk = await firstPages(list, other!, 2)
    const firstFound = await walk(list, one!, 5, firstWalk)

    foundAll(firstFound, made[0]!)
    foundAll(await walk(list, other!, 5, secondWalk), made[1]!)
  },
)
