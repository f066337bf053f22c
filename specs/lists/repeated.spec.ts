import { expect } from 'vitest'
import { kinds, listedKinds } from '../../helpers/api/kinds.ts'
import type { Page } from '../../helpers/api/received.ts'
import { listedUids, triesOf } from '../../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { comparable } from '../../helpers/assertions/equal.ts'
import { among } from '../../helpers/assertions/page-walk.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.parameters.spellings',
    over: 'http',
    level: 'observe',
    statement: 'S4.11, S4.13, R47',
    quote: 'Spellings in camelCase: _observe_',
    says: 'How other spellings of parameters are treated',
  },
  async ({ api, forest, observe }) => {
    const list = (query: Record<string, string | number>) => api.attempt.groups.list({ ...forest.scope, ...query })
    const usual = listedUids('groups', await list({})).length
    const taken = (answer: Parameters<ReturnType<typeof countedAs>>[0]) =>
      listedUids('groups', answer).length === usual ? 'ignored' : 'taken'

    observe(
      await sideBySide(
        {
          pageSize: list({ pageSize: 1 }),
          PAGE_SIZE: list({ PAGE_SIZE: 1 }),
          'page-size': list({ 'page-size': 1 }),
          pagesize: list({ pagesize: 1 }),
          'uidp.childrenOf': list({ 'uidp.childrenOf': 'x' }),
          colour: list({ colour: 'red' }),
        },
        taken,
      ),
    )
  },
)

requirement(
  {
    id: 'list.parameters.repeated',
    level: 'observe',
    statement: 'S4.11, S4.8, R15, R21',
    quote: 'An empty value, a repeated one, or one with a trailing slash: _observe_',
    says: 'How a repeated parameter is answered',
  },
  async ({ run, read, forest, observe }) => {
    const at = (query: string) => read(`${run.paths.of(kinds.groups)}?${query}`)
    const scope = (uid: unknown) => `uidp.descendants_of=${encodeURIComponent(String(uid))}`
    const own = scope(forest.scope['uidp.descendants_of'])
    const [one, other] = forest.branches.map(({ uid }) => scope(uid))

    observe(
      await sideBySide(
        {
          'page_size 2 and 3': at(`${own}&page_size=2&page_size=3`),
          'the scope twice': at(`${own}&${own}&page_size=1`),
          'two scopes': at(`${one}&${other}`),
        },
        countedAs('groups'),
      ),
    )
  },
)

/** Enough calls to catch what every twentieth answer has wrong; unshown kinds get a third. */
const mostRepetitions = 24

/** The part of a page that must not change from one call to the next, unlike what is the target's own (R26, R50). */
const stablePart = ({ items, totalCount, skipped, nextPageToken }: Page, isOwn: (uid: string) => boolean) => ({
  items: items.map((item) => (isOwn(item.uid) ? comparable(item, ['updateTime']) : { uid: item.uid })),
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
    restsOn: ['list.order.stable'],
    says: 'A List of {many} sent many times at once gets the same answer every time',
  },
  (kind) =>
    async ({ api, run, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope }) => {
        const stable = (page: Page) => stablePart(page, (uid) => kinds[kind].foreign || run.journal.made(uid))
        const query = { ...scope, page_size: 5 }

        const length = triesOf(kind, mostRepetitions)
        const pages = await Promise.all(Array.from({ length }, () => api[kind].list(query)))

        const first = stable(pages[0]!)
        expect(pages.map(stable), 'the pages of equal calls').toEqual(pages.map(() => first))
        atLeast(1, 'results in each answer', first.items.length)
      })
    },
)

requirement(
  {
    id: 'list.fresh',
    level: 'must',
    statement: 'S4.10, S4.14, S4.19, S4.20, R22',
    quote: 'two identical requests, with no change to what they list, answer the same uids in the same order',
    restsOn: ['list.walk.filter', 'list.skip.slice'],
    says: 'A list is unaffected by the previous call on its connection, even a refused one',
  },
  async ({ narrowApi, scratch, names, eventually }) => {
    const made = await scratch.makeGroups(6)
    const [one] = made
    const plain = { ...scratch.children, page_size: 200 }
    const others = {
      'after a skip': { ...scratch.children, page_size: 2, skip: 3, order_by: 'name desc' },
      'after a name': { ...plain, name: String(one!.name) },
      'after an unknown name': { ...plain, name: names.fresh() },
      'after another scope': { ...childrenOf(one!.uid), page_size: 200 },
      'after negative numbers': { ...plain, page_size: -1, skip: -1 },
    }
    // what else appears there is counted as it is listed (R50)
    const ownPart = (page: Page) => {
      const { totalCount, ...part } = stablePart({ ...page, items: among(page.items, made) }, () => true)
      return { ...part, uncounted: Number(totalCount) - page.items.length }
    }
    const first = await eventually(async () => {
      const page = await narrowApi.groups.list(plain)
      expect(among(page.items, made), 'the groups that were made').toHaveLength(made.length)
      return ownPart(page)
    })

    const after = []
    for (const query of Object.values(others)) {
      await narrowApi.attempt.groups.list(query)
      after.push(ownPart(await narrowApi.groups.list(plain)))
    }

    const wanted = { ...first, skipped: 0, hasNext: false, uncounted: 0 }
    expect(after, ofEach('the plain list', Object.keys(others))).toEqual(after.map(() => wanted))
  },
)
