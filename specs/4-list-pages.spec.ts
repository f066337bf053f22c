import fc from 'fast-check'
import { expect } from 'vitest'
import { listedKinds } from '../helpers/api/kinds.ts'
import { isObject, uids } from '../helpers/api/received.ts'
import { listings, queryFor, smallestPage, triesOf } from '../helpers/arrange/listings.ts'
import { childrenOf, deleteGroup, descendantsOf } from '../helpers/arrange/scratch.ts'
import { boundaries, walk } from '../helpers/assertions/page-walk.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import type { Query } from '../helpers/http/url.ts'

requirement(
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, R19',
    quote: 'sets the results per page: 50 when it is absent',
    says: 'A page of groups holds 50 results without page_size',
  },
  async ({ api, crowd }) => {
    const page = await api.groups.list(crowd.scope)

    expect(page.items).toHaveLength(50)
    expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
  },
)

requirement(
  {
    id: 'list.page-size.asked',
    level: 'must',
    statement: 'S4.11, R19',
    quote: 'The `page_size` parameter sets the results per page',
    says: 'page_size=3 returns exactly three results where more exist',
  },
  async ({ api, scratch }) => {
    await scratch.makeGroups(7)

    const page = await api.groups.list({ ...scratch.children, page_size: 3 })

    expect(page.items).toHaveLength(3)
  },
)

requirement(
  {
    id: 'list.page-size.maximum',
    level: 'must',
    statement: 'S4.11, S8.2, R19',
    quote: 'The maximum of `page_size` is 200',
    says: 'page_size=200 returns 200 results where more exist',
  },
  async ({ api, crowd }) => {
    const page = await api.groups.list({ ...crowd.scope, page_size: 200 })

    expect(page.items).toHaveLength(200)
    expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
  },
)

requirement(
  {
    id: 'list.page-size.above',
    level: 'must',
    statement: 'S4.11, S8.2, R19',
    quote: 'and never more than 200',
    says: 'A page never holds more than 200 results, whatever page_size asks for',
  },
  async ({ api, crowd, atLeast }) => {
    const sizes = [200, 201, 220, 1000, 2_147_483_647]

    const answers = await Promise.all(sizes.map((size) => api.attempt.groups.list({ ...crowd.scope, page_size: size })))

    const counts = answers.map(({ json }) => (isObject(json) && Array.isArray(json.groups) ? json.groups.length : 0))
    atLeast(1, 'results for page_size=200', counts[0]!)
    expect(Math.max(...counts), `the most results on a page: page_size ${sizes} gave ${counts}`).toBeLessThanOrEqual(
      200,
    )
  },
)

requirement(
  {
    id: 'list.page-size.odd',
    level: 'observe',
    statement: 'S4.11, R19',
    quote:
      'Above 200 it is capped, refused or taken as absent; 0, negative or malformed, it is refused or taken as absent',
    says: 'How a page_size outside 1 to 200 is answered',
  },
  async ({ api, crowd, observe }) => {
    const sizes = ['0', '-1', '201', 'abc', '1.5', '', '2147483648', '9223372036854775808']

    const answers = await Promise.all(sizes.map((size) => api.attempt.groups.list({ ...crowd.scope, page_size: size })))

    const counts = answers.map(({ json }) =>
      isObject(json) && Array.isArray(json.groups) ? `, ${json.groups.length} results` : '',
    )
    observe(answers.map((answer, index) => `'${sizes[index]}': ${outcomeOf(answer)}${counts[index]}`).join('; '))
  },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.page-size.exact',
    level: 'must',
    statement: 'S4.11, S4.15, R19',
    quote: 'a page that is not the last must hold exactly that many',
    says: 'Each page of {many} holds exactly page_size results, the last at most that many',
  },
  (kind) =>
    async ({ over, forAll, atLeast }) => {
      await over(kind, async (population) => {
        const walks = await forAll(
          listings(population, smallestPage(population)),
          async (listing, api) => {
            const { pages } = await walk(api[kind].list, queryFor(population.scope, listing), population.items.length)

            const counts = pages.map(({ items }) => items.length)
            expect(counts.slice(0, -1), 'results on each page before the last').toEqual(
              pages.slice(1).map(() => listing.pageSize),
            )
            expect(counts.at(-1), 'results on the last page').toBeLessThanOrEqual(listing.pageSize)
            return { pages }
          },
          triesOf(kind, 2),
        )
        atLeast(1, 'page boundaries', boundaries(walks))
      })
    },
)

requirement(
  {
    id: 'list.page-size.large-suffices',
    level: 'must',
    statement: 'S9.5, S4.17',
    quote: 'one page with a large `page_size` is enough',
    says: 'A large page_size returns a small list in one page, without a token',
  },
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 200 })

    expect(page.items).toHaveLength(forest.all.length)
    expect(page.nextPageToken, 'the nextPageToken of the only page').toBeUndefined()
  },
)

requirement(
  {
    id: 'list.token.goes-on',
    level: 'must',
    statement: 'S4.12, S4.25',
    quote: 'goes on from an earlier `nextPageToken`',
    says: 'The token of the first page returns the remaining results',
  },
  async ({ api, scratch }) => {
    const made = await scratch.makeGroups(7)
    const query = { ...scratch.children, page_size: 4 }
    const first = await api.groups.list(query)

    const second = await api.groups.list({ ...query, page_token: first.nextPageToken })

    expect(uids([...first.items, ...second.items]).sort()).toEqual(uids(made).sort())
  },
)

requirement(
  {
    id: 'list.token.last-page',
    level: 'must',
    statement: 'S4.17, R11',
    quote: 'On the last page `nextPageToken` is absent or empty',
    says: 'A walk reads no page beyond the last, except one empty page after a full one',
  },
  async ({ api, forest, atLeast }) => {
    const sizes = [4, 7, 13, forest.all.length - 1, forest.all.length + 1]

    const walks = await Promise.all(
      sizes.map((size) => walk(api.groups.list, { ...forest.scope, page_size: size }, forest.all.length)),
    )

    for (const [index, { pages }] of walks.entries()) {
      const needed = Math.ceil(forest.all.length / sizes[index]!)
      const extra = forest.all.length % sizes[index]! === 0 ? 1 : 0
      expect(pages.length, `pages of ${sizes[index]} for ${forest.all.length} results`).toBeLessThanOrEqual(
        needed + extra,
      )
    }
    atLeast(1, 'page boundaries', boundaries(walks))
  },
)

requirement(
  {
    id: 'list.token.full-last-page',
    level: 'should',
    statement: 'S4.17, R11',
    quote: 'When the last page happens to be full, a token on it that leads to one empty page without a token',
    says: 'A full last page has no token',
  },
  async ({ api, scratch }) => {
    await scratch.makeGroups(6)

    const counts = [1, 2, 3, 6].map(
      async (size) => (await walk(api.groups.list, { ...scratch.children, page_size: size }, 6)).pages.length,
    )

    expect(await Promise.all(counts), 'pages of 1, 2, 3 and 6 for 6 results').toEqual([6, 3, 2, 1])
  },
)

requirement(
  {
    id: 'list.token.not-null',
    level: 'should',
    statement: 'S4.17, R11',
    quote: 'On the last page `nextPageToken` is absent or empty',
    says: 'nextPageToken on the last page is absent or empty, not null',
  },
  async ({ api, scratch }) => {
    const page = await api.groups.list(scratch.children)

    const { nextPageToken } = page.body
    expect(nextPageToken ?? (nextPageToken === null ? 'null' : ''), 'the nextPageToken of the last page').toBe('')
  },
)

requirement(
  {
    id: 'list.token.twice',
    level: 'should',
    statement: 'S4.12, R14',
    quote: 'a token used twice answers the same page',
    says: 'A page token returns the same page again after the walk has ended',
  },
  async ({ api, forest, atLeast }) => {
    const query = { ...forest.scope, page_size: 10 }
    const { pages } = await walk(api.groups.list, query, forest.all.length)
    atLeast(1, 'page boundaries', boundaries([{ pages }]))

    const again = await api.groups.list({ ...query, page_token: pages[0]?.nextPageToken })

    expect(uids(again.items)).toEqual(uids(pages[1]?.items ?? []))
  },
)

requirement(
  {
    id: 'list.token.other-scope',
    level: 'must',
    statement: 'S4.8, S4.12, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
    says: 'A token sent with another scope returns nothing from outside that scope',
  },
  async ({ api, forest, atLeast }) => {
    const inBranch = String(forest.branches[0]?.uid)
    const tokens = await Promise.all(
      [3, 4].map(async (size) => (await api.groups.list({ ...forest.scope, page_size: size })).nextPageToken),
    )
    atLeast(2, 'page tokens', tokens.filter((token) => token !== undefined).length)

    const answers = await Promise.all(
      [descendantsOf(inBranch), childrenOf(inBranch)].map((scope, index) =>
        api.attempt.groups.list({ ...scope, page_size: 200, page_token: tokens[index] }),
      ),
    )

    const inside = [forest.branches[0]?.uid, ...uids(forest.belowFirst)]
    const shown = answers.flatMap(({ json }) => (isObject(json) && Array.isArray(json.groups) ? json.groups : []))
    expect(
      shown.map(({ uid }) => uid).filter((uid) => !inside.includes(uid)),
      'groups outside the scope',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'list.token.other-filter',
    level: 'should',
    statement: 'S4.10, S4.12, R14',
    quote: 'from outside the scope that the request names (from outside its filter: _should_)',
    says: 'A token sent with another name filter returns no group of a different name',
  },
  async ({ api, forest, atLeast }) => {
    const name = String(forest.branches[0]?.name)
    const page = await api.groups.list({ ...forest.scope, page_size: 3 })
    atLeast(1, 'page tokens', page.nextPageToken === undefined ? 0 : 1)

    const answer = await api.attempt.groups.list({
      ...forest.scope,
      page_size: 200,
      page_token: page.nextPageToken,
      name,
    })

    const shown = isObject(answer.json) && Array.isArray(answer.json.groups) ? answer.json.groups : []
    expect(
      shown.map((group) => group.name).filter((shownName) => shownName !== name),
      'names that do not match the filter',
    ).toEqual([])
  },
)

/** Page tokens that were never issued. */
const unissuedTokens = ['garbage', 'AAAA', '=', '%00', 'null', '🙂', 'x'.repeat(2_000)]

requirement(
  {
    id: 'list.token.strange.scope',
    level: 'must',
    statement: 'S4.8, S4.12, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
    says: 'A token that was never issued returns nothing from outside the scope',
  },
  async ({ api, forest, atLeast }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 3 })
    atLeast(1, 'page tokens', page.nextPageToken === undefined ? 0 : 1)
    const altered = [`${page.nextPageToken}x`, page.nextPageToken?.slice(0, -2)]
    const scope = { 'uidp.descendants_of': forest.branches[0]?.uid }

    const answers = await Promise.all(
      [...unissuedTokens, ...altered].map((token) => api.attempt.groups.list({ ...scope, page_token: token })),
    )

    const inside = [forest.branches[0]?.uid, ...uids(forest.belowFirst)]
    const shown = answers.flatMap(({ json }) => (isObject(json) && Array.isArray(json.groups) ? json.groups : []))
    expect(
      shown.map(({ uid }) => uid).filter((uid) => !inside.includes(uid)),
      'groups outside the scope',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'list.token.strange',
    level: 'observe',
    statement: 'S4.12, R14',
    quote: 'A token that nobody issued is refused or starts over',
    says: 'How a token that was never issued is answered',
  },
  async ({ api, forest, observe }) => {
    const answers = await Promise.all(
      unissuedTokens.slice(0, 3).map((token) => api.attempt.groups.list({ ...forest.scope, page_token: token })),
    )

    observe(answers.map((answer, index) => `'${unissuedTokens[index]}': ${outcomeOf(answer)}`).join('; '))
  },
)

requirement(
  {
    id: 'list.token.other-query',
    level: 'observe',
    statement: 'S4.12, R14',
    quote: 'What a token does under changed parameters is _observe_',
    says: 'How a token with another order, scope, name or page size is answered',
  },
  async ({ api, forest, observe }) => {
    const query = { ...forest.scope, page_size: 3, order_by: 'name' }
    const token = (await api.groups.list(query)).nextPageToken
    const others = {
      order: { order_by: 'created_at desc' },
      scope: { 'uidp.descendants_of': forest.branches[0]?.uid },
      name: { name: 'nobody' },
      'page size': { page_size: 5 },
    }

    const seen = Object.entries(others).map(
      async ([what, other]) =>
        `${what}: ${outcomeOf(await api.attempt.groups.list({ ...query, ...other, page_token: token }))}`,
    )

    observe((await Promise.all(seen)).join('; '))
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
  async ({ api, scratch, names, settled }) => {
    const kept = await scratch.makeGroup()
    const shows = (wanted: string[]) =>
      settled(async () => {
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

requirement(
  {
    id: 'list.empty.answer',
    level: 'must',
    statement: 'S4.16, S4.18, R13, R23',
    quote: 'An empty result has `"0"`; that it is absent there is a warning',
    says: 'An empty list has no items, no token and a totalCount of 0 or none',
  },
  async ({ api, forest, names, atLeast }) => {
    const full = await api.groups.list({ ...forest.scope, page_size: 1 })
    atLeast(1, 'results where the list is not empty', full.items.length)

    const page = await api.groups.list({ ...forest.scope, name: names.fresh() })

    expect(
      [uids(page.items), page.nextPageToken, page.totalCount ?? '0'],
      'uids, nextPageToken and totalCount of an empty list',
    ).toEqual([[], undefined, '0'])
  },
)

requirement(
  {
    id: 'list.empty.written-out',
    level: 'should',
    statement: 'S4.16, S4.18, R13, R23',
    quote: 'An empty list may give its array as `[]` or leave the member out (a warning)',
    says: "An empty list includes its empty array and a totalCount of '0'",
  },
  async ({ api, forest, names }) => {
    const { body } = await api.groups.list({ ...forest.scope, name: names.fresh() })

    expect([body.groups, body.totalCount], 'groups and totalCount of an empty list').toEqual([[], '0'])
  },
)
