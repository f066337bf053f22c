import { expect } from 'vitest'
import { listedKinds } from '../helpers/api/kinds.ts'
import type { Page } from '../helpers/api/received.ts'
import { childrenOf } from '../helpers/arrange/scratch.ts'
import { comparable } from '../helpers/assertions/equal.ts'
import { firstPages, foundAll, walk } from '../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'

/** Enough to meet what goes wrong once in twenty answers, all but certainly. */
const often = 60

/** All that one answer must share with the next. */
const told = ({ items, totalCount, skipped, nextPageToken }: Page) => ({
  items: items.map((item) => comparable(item)),
  totalCount,
  skipped: skipped ?? 0,
  goesOn: nextPageToken !== undefined,
})

requirementOnEach(
  listedKinds,
  {
    id: 'list.repeated',
    level: 'must',
    statement: 'S4.20, S4.18, S4.15, R22',
    says: 'One request that is sent again and again, many at the same moment, is answered alike every time',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope }) => {
        const query = { ...scope, page_size: 5 }

        const pages = await Promise.all(Array.from({ length: often }, () => api[kind].list(query)))

        const first = told(pages[0]!)
        expect(pages.map(told)).toEqual(pages.map(() => first))
        atLeast(1, 'results in each answer', first.items.length)
      })
    },
)

requirement(
  {
    id: 'group.get.repeated',
    level: 'must',
    statement: 'S4.1, S4.28, R55',
    says: 'A group that was changed is shown as it is now, however often Get is asked',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroup({ description: 'first' })
    const changed = await api.groups.update(made.uid, { name: names.fresh(), description: 'second' })
    await settled(async () => expect(await api.groups.get(made.uid)).toMatchObject({ name: changed.name }))

    const shown = await Promise.all(Array.from({ length: often }, () => api.groups.get(made.uid)))

    const first = { ...comparable(shown[0]!), name: changed.name, description: 'second' }
    expect(shown.map((group) => comparable(group))).toEqual(shown.map(() => first))
  },
)

requirement(
  {
    id: 'list.fresh',
    level: 'must',
    statement: 'S4.10, S4.14, S4.19, S4.20',
    says: 'What one call asked for, or was refused for, leaves no mark on the next one on its connection',
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

    const wanted = { ...told(first), totalCount: '6', skipped: 0, goesOn: false }
    expect(after.map(told)).toEqual(after.map(() => wanted))
  },
)

requirement(
  {
    id: 'list.walk.one-connection',
    level: 'must',
    statement: 'S4.12, S4.25, R14',
    says: 'Two walks of two scopes that take turns on one connection each go on from their own page',
  },
  async ({ narrowApi, scratch }) => {
    const homes = await scratch.makeGroups(2)
    const made = await Promise.all(homes.map(({ uid }) => scratch.makeGroups(5, uid)))
    const [one, other] = homes.map(({ uid }) => ({ ...childrenOf(uid), page_size: 2 }))
    const list = narrowApi.groups.list

    const begun = await firstPages(list, one!, 1)
    const beside = await firstPages(list, other!, 2)
    const further = await walk(list, one!, 5, begun)

    foundAll(further, made[0]!)
    foundAll(await walk(list, other!, 5, beside), made[1]!)
  },
)
