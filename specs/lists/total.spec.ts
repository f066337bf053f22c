import fc from 'fast-check'
import { expect } from 'vitest'
import { kinds, listedKinds, ownKinds, registryKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { below, listings, queryFor, smallestPage, triesOf } from '../../helpers/arrange/listings.ts'
import { sharedName } from '../../helpers/arrange/registry-groups.ts'
import { deleteGroup } from '../../helpers/arrange/scratch.ts'
import { boundaries, walk } from '../../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { Query } from '../../helpers/http/url.ts'

requirementOnEach(
  ownKinds.filter((kind) => kind === 'groups' || kind === 'identities'),
  {
    id: 'list.total.scoped',
    level: 'must',
    statement: 'S4.18, S4.8, S4.9, R13',
    quote: '`totalCount`, gives the matches across all pages',
    says: 'totalCount counts only the {many} in the scope, in every order',
  },
  (kind) =>
    async ({ api, neighboursOf }) => {
      const { scope, inside, descendants, below: deeper, group } = await neighboursOf(kind)
      const orders = [undefined, 'name', 'name desc', 'created_at', 'created_at desc']

      const pages = await Promise.all(
        orders.map((order_by) =>
          Promise.all([scope, descendants].map((asked) => api[kind].list({ ...asked, order_by }))),
        ),
      )

      const others = [...inside, ...deeper].filter(({ uid }) => uid !== group.uid)
      const all = String(others.length)
      for (const [children, anywhere] of pages)
        expect(
          [children!.totalCount, below(anywhere!, group.uid).total],
          'the totals of children_of and descendants_of',
        ).toEqual([String(inside.length), all])
    },
)

const namedInRegistry = registryKinds.filter((kind) => kinds[kind].named)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.total.filtered',
    level: 'should',
    statement: 'S4.18, S4.10, S4.15, R13, R21',
    quote: '`totalCount`, gives the matches across all pages',
    says: 'totalCount counts only the {many} that match the name filter',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const { name, bearers } = sharedName(kind, items, 2)

        const page = await api[kind].list({ ...scope, name, page_size: 1 })

        expect(page.totalCount, 'totalCount with the name filter').toBe(String(bearers.length))
      })
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.total.counts',
    level: 'must',
    statement: 'S4.18, S4.15, R13',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    says: 'totalCount counts all {many} on every page, whatever its size, order and skip',
  },
  (kind) =>
    async ({ over, forAll }) => {
      await over(kind, (population) => {
        const skips = fc.option(fc.integer({ min: 1, max: Math.max(1, population.items.length - 1) }), {
          freq: 2,
        })
        const asked = listings(population, smallestPage(population)).map((listing) => fc.tuple(listing, skips))
        return forAll(
          asked,
          async ([listing, skip], api) => {
            const query = { ...queryFor(population.scope, listing), skip: skip ?? undefined }
            const { pages } = await walk(api[kind].list, query, population.items.length)

            const totals = pages.map(({ totalCount }) => totalCount)
            expect(totals, 'totalCount on each page').toEqual(totals.map(() => String(population.items.length)))
          },
          triesOf(kind, 2),
        )
      })
    },
)

requirement(
  {
    id: 'list.total.filtered',
    level: 'must',
    statement: 'S4.18, S4.10, R13',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    says: 'totalCount counts only what matches the name filter, on every page',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(3, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)

    // a query of the same scope between two pages must not change the count
    const listInterrupted = async (query: Query) => {
      const page = await api.groups.list(query)
      await api.groups.list({ ...forest.scope, page_size: 1 })
      return page
    }
    const query = { ...forest.scope, name, page_size: 2 }

    const { pages } = await walk(listInterrupted, query, forest.twins.length)

    const totals = pages.map(({ totalCount }) => totalCount)
    expect(totals, 'totalCount on each page').toEqual(totals.map(() => String(forest.twins.length)))
    atLeast(1, 'page boundaries', boundaries([{ pages }]))
  },
)

requirement(
  {
    id: 'list.total.one-name',
    level: 'must',
    statement: 'S4.18, S4.10',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    says: 'Filtering by a name that one group has gives totalCount 1',
  },
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, name: String(forest.branches[0]?.name) })

    expect([page.totalCount, page.items.length], 'totalCount and number of results').toEqual(['1', 1])
  },
)

requirement(
  {
    id: 'list.total.crowd',
    level: 'must',
    statement: 'S4.18',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    says: 'totalCount counts beyond the largest page',
  },
  async ({ api, crowd }) => {
    const pages = await Promise.all(
      [{}, { page_size: 200 }, { page_size: 1, skip: 220 }].map((query) =>
        api.groups.list({ ...crowd.scope, ...query }),
      ),
    )

    expect(
      pages.map(({ totalCount }) => totalCount),
      'totalCount on each page',
    ).toEqual(pages.map(() => String(crowd.siblings.length)))
  },
)

requirement(
  {
    id: 'list.total.follows',
    level: 'must',
    statement: 'S4.18, S4.16, R28',
    quote: 'lists and counts must leave it out',
    says: 'A list just read reflects later creates and deletes in its items and totalCount',
  },
  async ({ api, scratch, names, eventually }) => {
    const kept = await scratch.makeGroup()
    const shows = (wanted: string[]) =>
      eventually(async () => {
        const page = await api.groups.list(scratch.children)
        expect([uids(page.items).sort(), page.totalCount], 'uids and totalCount').toEqual([
          [...wanted].sort(),
          String(wanted.length),
        ])
      })

    await shows([kept.uid])
    const made = await api.groups.create(scratch.uid, { name: names.fresh() })
    await shows([kept.uid, made.uid])
    await deleteGroup(api, scratch, made.uid)
    await shows([kept.uid])
  },
)
