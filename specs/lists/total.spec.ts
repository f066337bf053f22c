import fc from 'fast-check'
import { expect } from 'vitest'
import { kinds, listedKinds, ownKinds, registryKinds } from '../../helpers/api/kinds.ts'
import { type Page, type Received, uids } from '../../helpers/api/received.ts'
import { listings, ordersFor, strangersBeside } from '../../helpers/arrange/listings.ts'
import { sharedName } from '../../helpers/arrange/registry-groups.ts'
import { deleteGroup } from '../../helpers/arrange/scratch.ts'
import { among, boundaries, endOf, orders, walk } from '../../helpers/assertions/page-walk.ts'
import { accepted } from '../../helpers/assertions/refused.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { Query } from '../../helpers/http/url.ts'

requirementOnEach(
  ownKinds.filter((kind) => kind === 'groups' || kind === 'identities'),
  {
    id: 'list.total.scoped',
    level: 'must',
    statement: 'S4.18, S4.8, S4.9, R13',
    quote: '`totalCount`, gives the matches across all pages',
    restsOn: ['list.total.crowd'],
    says: 'totalCount counts only the {many} in the scope, in every order',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { scope, inside, descendants, below } = await neighboursOf(kind)
      const asked = [scope, descendants].flatMap((place) => orders.map((order_by) => ({ ...place, order_by })))

      const pages = await Promise.all(asked.map((query) => api[kind].list({ ...query, page_size: 200 })))

      // what else is there is counted as it is listed (R50)
      expect(
        pages.map(({ totalCount }) => totalCount),
        ofEach('totalCount of each list', asked),
      ).toEqual(pages.map(({ items }) => String(items.length)))
      const made = [...inside, ...below]
      atLeast(inside.length, 'results in each list', Math.min(...pages.map(({ items }) => among(items, made).length)))
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
    restsOn: ['list.total.crowd'],
    says: 'totalCount counts only the {many} that match the name filter',
  },
  (kind) =>
    async ({ api, withPopulation }) => {
      await withPopulation(kind, async ({ scope, items }) => {
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
    restsOn: ['list.walk.complete'],
    says: 'totalCount counts all {many} on every page, whatever its size, order and skip',
  },
  (kind) =>
    async ({ api, withPopulation, forAll }) => {
      await withPopulation(kind, async (population, walked) => {
        const { scope, items } = population
        const skips = fc.integer({ min: 1, max: Math.max(1, items.length - 1) })
        const all = String(items.length + (await strangersBeside(population, api)))
        const counted = (pages: readonly Page[]) =>
          expect(
            pages.map(({ totalCount }) => totalCount),
            `totalCount on each page${endOf(pages)}`,
          ).toEqual(pages.map(() => all))

        const inPages = listings(population)
        await forAll(inPages, async (page, _api, evidence) => counted((await walked(page, evidence)).pages), 1)
        const skipping = ordersFor(population).map((order_by) => fc.tuple(fc.constant({ ...scope, order_by }), skips))
        await forAll(skipping, async ([query, skip], api) => counted([await api[kind].list({ ...query, skip })]), 1)
      })
    },
)

requirement(
  {
    id: 'list.total.filtered',
    level: 'must',
    statement: 'S4.18, S4.10, R13',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    restsOn: ['list.total.crowd'],
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
    expect(totals, `totalCount on each page${endOf(pages)}`).toEqual(totals.map(() => String(forest.twins.length)))
    atLeast(1, 'page boundaries', boundaries([{ pages }]))
  },
)

requirement(
  {
    id: 'list.total.one-name',
    level: 'must',
    statement: 'S4.18, S4.10',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    restsOn: ['list.walk.filter', 'list.total.counts'],
    says: 'Filtering by a name that one group has gives totalCount 1',
  },
  async ({ api, forest }) => {
    const name = forest.branches[0]?.name
    const page = await api.groups.list({ ...forest.scope, name: String(name) })

    // one, plus what the target itself calls so (R50)
    const { length } = [...forest.all, ...forest.strangers].filter((group) => group.name === name)
    expect([page.totalCount, page.items.length], 'totalCount and number of results').toEqual([String(length), length])
  },
)

requirement(
  {
    id: 'list.total.crowd',
    level: 'must',
    statement: 'S4.18',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    restsOn: ['list.skip.slice', 'list.total.one-name'],
    says: 'totalCount counts beyond the largest page',
  },
  async ({ api, crowd }) => {
    const { length } = crowd.siblings
    const [whole, ...pages] = await Promise.all([
      walk(api.groups.list, { ...crowd.scope, page_size: 200 }, length),
      ...[{}, { page_size: 1, skip: 205 }].map((query) => api.groups.list({ ...crowd.scope, ...query })),
    ])

    const strangers = whole.items.length - among(whole.items, crowd.siblings).length
    expect(
      [...whole.pages, ...pages].map(({ totalCount }) => totalCount),
      'totalCount on each page',
    ).toEqual([...whole.pages, ...pages].map(() => String(length + strangers)))
  },
)

requirement(
  {
    id: 'list.total.follows',
    level: 'must',
    statement: 'S4.18, S4.16, R28',
    quote: 'lists and counts must leave it out',
    restsOn: ['list.total.one-name'],
    says: 'A list just read reflects later creates and deletes in its items and totalCount',
  },
  async ({ api, scratch, names, eventually }) => {
    const [kept, name] = [await scratch.makeGroup(), names.fresh()]
    let own = [kept]
    const shows = (wanted: Received[]) =>
      eventually(async () => {
        const page = await api.groups.list(scratch.children)
        expect([uids(among(page.items, own)).sort(), page.totalCount], 'uids and totalCount').toEqual([
          uids(wanted).sort(),
          String(page.items.length),
        ])
      })

    await shows([kept])
    const made = await api.groups.create(scratch.uid, { name })
    own = [kept, made]
    await shows([kept, made])
    accepted(await deleteGroup(api, scratch, made.uid), 'the delete of an empty group')
    await shows([kept])
  },
)
