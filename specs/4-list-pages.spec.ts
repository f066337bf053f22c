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
    says: 'Without page_size a page holds 50 results',
  },
  async ({ api, crowd }) => {
    const page = await api.groups.list(crowd.scope)

    expect(page.items).toHaveLength(50)
    expect(page.nextPageToken).toEqual(expect.any(String))
  },
)

requirement(
  {
    id: 'list.page-size.asked',
    level: 'must',
    statement: 'S4.11, R19',
    says: 'page_size=3 gives three results where there are more',
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
    says: 'page_size=200 gives 200 results where there are more',
  },
  async ({ api, crowd }) => {
    const page = await api.groups.list({ ...crowd.scope, page_size: 200 })

    expect(page.items).toHaveLength(200)
    expect(page.nextPageToken).toEqual(expect.any(String))
  },
)

requirement(
  {
    id: 'list.page-size.above',
    level: 'must',
    statement: 'S4.11, S8.2, R19',
    says: 'No page holds more than 200 results, whatever was asked',
  },
  async ({ api, crowd, atLeast }) => {
    const sizes = [200, 201, 220, 1000, 2_147_483_647]

    const answers = await Promise.all(sizes.map((size) => api.attempt.groups.list({ ...crowd.scope, page_size: size })))

    const counts = answers.map(({ json }) => (isObject(json) && Array.isArray(json.groups) ? json.groups.length : 0))
    atLeast(1, 'results of 200 that were asked for', counts[0]!)
    expect(Math.max(...counts), `${sizes} were asked for, ${counts} came`).toBeLessThanOrEqual(200)
  },
)

requirement(
  {
    id: 'list.page-size.odd',
    level: 'observe',
    statement: 'S4.11, R19',
    says: 'What a page_size outside 1 to 200 is answered',
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
    says: 'Every page but the last holds exactly page_size results, and the last no more',
  },
  (kind) =>
    async ({ over, forAll, atLeast }) => {
      await over(kind, async (population) => {
        const walks = await forAll(
          listings(population, smallestPage(population)),
          async (listing, api) => {
            const { pages } = await walk(api[kind].list, queryFor(population.scope, listing), population.items.length)

            const counts = pages.map(({ items }) => items.length)
            expect(counts.slice(0, -1)).toEqual(pages.slice(1).map(() => listing.pageSize))
            expect(counts.at(-1)).toBeLessThanOrEqual(listing.pageSize)
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
    says: 'A large page_size reads a small list in one page, without a token',
  },
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 200 })

    expect(page.items).toHaveLength(forest.all.length)
    expect(page.nextPageToken).toBeUndefined()
  },
)

requirement(
  {
    id: 'list.token.goes-on',
    level: 'must',
    statement: 'S4.12, S4.25',
    says: 'The token of the first page brings the second: results that were not shown yet',
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
    says: 'A last page that is not full has no token, and no walk ends in more than one empty page',
  },
  async ({ api, forest, atLeast }) => {
    const sizes = [4, 7, 13, forest.all.length - 1, forest.all.length + 1]

    const walks = await Promise.all(
      sizes.map((size) => walk(api.groups.list, { ...forest.scope, page_size: size }, forest.all.length)),
    )

    for (const [index, { pages }] of walks.entries()) {
      const needed = Math.ceil(forest.all.length / sizes[index]!)
      const spare = forest.all.length % sizes[index]! === 0 ? 1 : 0
      expect(pages.length, `pages of ${sizes[index]} for ${forest.all.length} results`).toBeLessThanOrEqual(
        needed + spare,
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
    says: 'A full page that happens to be the last has no token either',
  },
  async ({ api, scratch }) => {
    await scratch.makeGroups(6)

    const counts = [1, 2, 3, 6].map(
      async (size) => (await walk(api.groups.list, { ...scratch.children, page_size: size }, 6)).pages.length,
    )

    expect(await Promise.all(counts)).toEqual([6, 3, 2, 1])
  },
)

requirement(
  {
    id: 'list.token.not-null',
    level: 'should',
    statement: 'S4.17, R11',
    says: 'The last page leaves nextPageToken out or empty, not null',
  },
  async ({ api, scratch }) => {
    const page = await api.groups.list(scratch.children)

    expect(page.body.nextPageToken ?? (page.body.nextPageToken === null ? 'null' : '')).toBe('')
  },
)

requirement(
  {
    id: 'list.token.twice',
    level: 'should',
    statement: 'S4.12, R14',
    says: 'A token that is used twice gives the same page, also after the walk has ended',
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
    says: 'A token that is sent with another scope never brings back what lies outside that scope',
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
    expect(shown.map(({ uid }) => uid).filter((uid) => !inside.includes(uid))).toEqual([])
  },
)

requirement(
  {
    id: 'list.token.other-filter',
    level: 'should',
    statement: 'S4.10, S4.12, R14',
    says: 'A token that is sent with another name filter never brings back what does not match it',
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
    expect(shown.map((group) => group.name).filter((shownName) => shownName !== name)).toEqual([])
  },
)

/** Tokens that no page ever gave. */
const strangeTokens = ['garbage', 'AAAA', '=', '%00', 'null', '🙂', 'x'.repeat(2_000)]

requirement(
  {
    id: 'list.token.strange.scope',
    level: 'must',
    statement: 'S4.8, S4.12, R14',
    says: 'A token that was never issued brings back nothing from outside the scope',
  },
  async ({ api, forest, atLeast }) => {
    const page = await api.groups.list({ ...forest.scope, page_size: 3 })
    atLeast(1, 'page tokens', page.nextPageToken === undefined ? 0 : 1)
    const spoilt = [`${page.nextPageToken}x`, page.nextPageToken?.slice(0, -2)]
    const scope = { 'uidp.descendants_of': forest.branches[0]?.uid }

    const answers = await Promise.all(
      [...strangeTokens, ...spoilt].map((token) => api.attempt.groups.list({ ...scope, page_token: token })),
    )

    const inside = [forest.branches[0]?.uid, ...uids(forest.belowFirst)]
    const shown = answers.flatMap(({ json }) => (isObject(json) && Array.isArray(json.groups) ? json.groups : []))
    expect(shown.map(({ uid }) => uid).filter((uid) => !inside.includes(uid))).toEqual([])
  },
)

requirement(
  {
    id: 'list.token.strange',
    level: 'observe',
    statement: 'S4.12, R14',
    says: 'What a token that was never issued is answered',
  },
  async ({ api, forest, observe }) => {
    const answers = await Promise.all(
      strangeTokens.slice(0, 3).map((token) => api.attempt.groups.list({ ...forest.scope, page_token: token })),
    )

    observe(answers.map((answer, index) => `'${strangeTokens[index]}': ${outcomeOf(answer)}`).join('; '))
  },
)

requirement(
  {
    id: 'list.token.other-query',
    level: 'observe',
    statement: 'S4.12, R14',
    says: 'What a token is answered that is sent with another order, scope, name or page size',
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
    says: 'totalCount is the number of all matches, as a decimal string, on every page, whatever its size, order and skip',
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
            expect(totals).toEqual(totals.map(() => String(population.items.length)))
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
    says: 'With a name filter totalCount counts what matches it, on every page',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(3, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)

    // what is asked of the same scope between two pages must not count
    const interrupted = async (query: Query) => {
      const page = await api.groups.list(query)
      await api.groups.list({ ...forest.scope, page_size: 1 })
      return page
    }
    const query = { ...forest.scope, name, page_size: 2 }

    const { pages } = await walk(interrupted, query, forest.twins.length)

    const totals = pages.map(({ totalCount }) => totalCount)
    expect(totals).toEqual(totals.map(() => String(forest.twins.length)))
    atLeast(1, 'page boundaries', boundaries([{ pages }]))
  },
)

requirement(
  {
    id: 'list.total.one-name',
    level: 'must',
    statement: 'S4.18, S4.10',
    says: 'A name that one group bears has a totalCount of 1',
  },
  async ({ api, forest }) => {
    const page = await api.groups.list({ ...forest.scope, name: String(forest.branches[0]?.name) })

    expect([page.totalCount, page.items.length]).toEqual(['1', 1])
  },
)

requirement(
  {
    id: 'list.total.crowd',
    level: 'must',
    statement: 'S4.18',
    says: 'totalCount counts beyond one page of the largest size',
  },
  async ({ api, crowd }) => {
    const pages = await Promise.all(
      [{}, { page_size: 200 }, { page_size: 1, skip: 220 }].map((query) =>
        api.groups.list({ ...crowd.scope, ...query }),
      ),
    )

    expect(pages.map(({ totalCount }) => totalCount)).toEqual(pages.map(() => String(crowd.siblings.length)))
  },
)

requirement(
  {
    id: 'list.total.follows',
    level: 'must',
    statement: 'S4.18, S4.16, R28',
    says: 'List and totalCount follow what is created and deleted, also where the same list was just read',
  },
  async ({ api, scratch, names, settled }) => {
    const stays = await scratch.makeGroup()
    const shows = (wanted: string[]) =>
      settled(async () => {
        const page = await api.groups.list(scratch.children)
        expect([uids(page.items).sort(), page.totalCount]).toEqual([[...wanted].sort(), String(wanted.length)])
      })

    await shows([stays.uid])
    const made = await api.groups.create(scratch.uid, { name: names.fresh() })
    await shows([stays.uid, made.uid])
    await deleteGroup(api, scratch, made.uid)
    await shows([stays.uid])
  },
)

requirement(
  {
    id: 'list.empty.answer',
    level: 'must',
    statement: 'S4.16, S4.18, R13, R23',
    says: 'An empty list is no error: no result, no token, and no total but 0',
  },
  async ({ api, forest, names, atLeast }) => {
    const full = await api.groups.list({ ...forest.scope, page_size: 1 })
    atLeast(1, 'results where the list is not empty', full.items.length)

    const page = await api.groups.list({ ...forest.scope, name: names.fresh() })

    expect([uids(page.items), page.nextPageToken, page.totalCount ?? '0']).toEqual([[], undefined, '0'])
  },
)

requirement(
  {
    id: 'list.empty.written-out',
    level: 'should',
    statement: 'S4.16, S4.18, R13, R23',
    says: "An empty list writes its array and its total out: [] and '0'",
  },
  async ({ api, forest, names }) => {
    const { body } = await api.groups.list({ ...forest.scope, name: names.fresh() })

    expect([body.groups, body.totalCount]).toEqual([[], '0'])
  },
)
