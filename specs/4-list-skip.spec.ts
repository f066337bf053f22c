import fc from 'fast-check'
import { expect } from 'vitest'
import type { Api } from '../helpers/api/api.ts'
import { listedKinds } from '../helpers/api/kinds.ts'
import { isObject, uids } from '../helpers/api/received.ts'
import { listedUids, ordersFor, triesOf } from '../helpers/arrange/listings.ts'
import { keysOf } from '../helpers/assertions/order.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.skip.echo',
    level: 'must',
    statement: 'S4.23, S4.19, R12',
    quote: '`skip=10` with `page_size=5` begins at the 11th result and echoes 10',
    says: 'skip=10 with page_size=5 starts at the 11th result and echoes 10',
  },
  async ({ api, scratch }) => {
    const siblings = await scratch.makeGroups(17)

    const page = await api.groups.list({ ...scratch.children, order_by: 'name', skip: 10, page_size: 5 })

    expect(page.skipped, 'skipped').toBe(10)
    expect(uids(page.items)).toEqual(uids(siblings).slice(10, 15))
  },
)

/** A page somewhere in a list. */
type Asked = { skip: number; pageSize: number; order: string | undefined }

requirementOnEach(
  listedKinds,
  {
    id: 'list.skip.slice',
    level: 'must',
    statement: 'S4.14, S4.19, S4.23, S4.15, R12',
    quote: 'The `skip` parameter leaves out that number of results',
    says: 'skip leaves out exactly that many {many} in every order, and skipped echoes it',
  },
  (kind) =>
    async ({ over, forAll }) => {
      await over(kind, (population) => {
        const { scope, items } = population
        // a list that is read again may be empty by now
        const last = Math.max(1, Math.min(items.length - 1, 200))
        const asked = ordersFor(population).map((order) =>
          fc.record({
            skip: fc.oneof(fc.integer({ min: 1, max: last }), fc.constantFrom(1, Math.max(1, last - 1), last)),
            pageSize: fc.integer({ min: 1, max: 12 }),
            order: fc.constant(order),
          }),
        )
        const holds = async ({ skip, pageSize, order }: Asked, api: Api) => {
          const query = { ...scope, order_by: order }
          const [whole, page] = await Promise.all([
            api[kind].list({ ...query, page_size: 200 }),
            api[kind].list({ ...query, page_size: pageSize, skip }),
          ])

          const slice = whole.items.slice(skip, skip + pageSize)
          expect(page.skipped, 'skipped').toBe(skip)
          expect(keysOf(page.items.slice(0, slice.length), order), 'the results after the skip').toEqual(
            keysOf(slice, order),
          )
          expect(page.items.length, 'results on the page').toBe(Math.min(pageSize, Math.max(0, items.length - skip)))
        }
        return forAll(asked, holds, triesOf(kind, 5))
      })
    },
)

requirement(
  {
    id: 'list.skip.filtered',
    level: 'must',
    statement: 'S4.10, S4.14, S4.23',
    quote: 'The `skip` parameter leaves out that number of results',
    says: 'skip counts only what matches the filter, in every order',
  },
  async ({ api, forest, atLeast }) => {
    const count = forest.twins.length
    atLeast(4, 'groups of one name', count)
    const query = { ...forest.scope, name: String(forest.twins[0]?.name) }
    const asked = [undefined, 'name', 'created_at desc'].flatMap((order_by) =>
      [1, 2, count - 1].map((skip) => ({ order_by, skip })),
    )

    const pages = await Promise.all(asked.map((more) => api.groups.list({ ...query, ...more })))

    expect(
      pages.map(({ items, skipped }) => [items.length, skipped]),
      'number of results and skipped',
    ).toEqual(asked.map(({ skip }) => [count - skip, skip]))
  },
)

requirement(
  {
    id: 'list.skip.fewer-left',
    level: 'must',
    statement: 'S4.23',
    quote: 'where fewer are left, fewer come back',
    says: 'A skip that leaves fewer results than page_size returns those, without a token',
  },
  async ({ api, scratch }) => {
    const siblings = await scratch.makeGroups(7)

    const page = await api.groups.list({ ...scratch.children, order_by: 'name', skip: 5, page_size: 5 })

    expect(uids(page.items)).toEqual(uids(siblings).slice(5))
    expect(page.nextPageToken, 'the nextPageToken of the last page').toBeUndefined()
  },
)

requirement(
  {
    id: 'list.skip.crowd',
    level: 'must',
    statement: 'S4.14, S4.23',
    quote: 'The `skip` parameter leaves out that number of results',
    says: 'skip reaches results beyond the largest page of a long list',
  },
  async ({ api, crowd }) => {
    const skips = [99, 100, 149, 200, 225]

    const pages = await Promise.all(
      skips.map((skip) => api.groups.list({ ...crowd.scope, order_by: 'name', page_size: 20, skip })),
    )

    expect(pages.map(({ items }) => uids(items))).toEqual(
      skips.map((skip) => uids(crowd.siblings).slice(skip, skip + 20)),
    )
    expect(
      pages.map(({ skipped }) => skipped),
      'skipped on each page',
    ).toEqual(skips)
  },
)

requirement(
  {
    id: 'list.skip.beyond-end',
    level: 'must',
    statement: 'S4.14, R20',
    quote: 'Beyond the end a skip may answer an empty page or an error (_observe_), but never items',
    says: 'A skip to the end or beyond returns no results',
  },
  async ({ api, forest, atLeast }) => {
    const skips = [0, 1, 1000, 1_000_000].map((more) => forest.all.length + more)

    const [last, ...answers] = await Promise.all(
      [forest.all.length - 1, ...skips].map((skip) => api.attempt.groups.list({ ...forest.scope, skip })),
    )

    atLeast(1, 'results just before the end', listedUids('groups', last!).length)
    const shown = answers.map(({ json }) => (isObject(json) ? (json.groups ?? []) : []))
    expect(shown, 'results at the end and beyond').toEqual(skips.map(() => []))
  },
)

requirement(
  {
    id: 'list.skip.beyond-end.answer',
    level: 'observe',
    statement: 'S4.14, S4.19, R12, R20',
    quote: 'for a skip beyond the end it may be capped (_observe_)',
    says: 'How a skip beyond the end is answered and echoed',
  },
  async ({ api, forest, observe }) => {
    const answer = await api.attempt.groups.list({ ...forest.scope, skip: forest.all.length + 5 })

    const skipped = isObject(answer.json) ? answer.json.skipped : undefined
    observe(
      `${outcomeOf(answer)}, skipped ${skipped === forest.all.length + 5 ? 'echoed' : skipped === forest.all.length ? 'capped' : String(skipped)}`,
    )
  },
)

requirement(
  {
    id: 'list.skip.zero',
    level: 'should',
    statement: 'S4.14, R12',
    quote: 'The `skip` parameter leaves out that number of results',
    says: 'skip=0 returns the same page as no skip',
  },
  async ({ api, forest, atLeast }) => {
    const [without, zero] = await Promise.all([
      api.groups.list(forest.scope),
      api.groups.list({ ...forest.scope, skip: 0 }),
    ])

    atLeast(1, 'results', without.items.length)
    expect(uids(zero.items)).toEqual(uids(without.items))
    expect(zero.skipped ?? 0, 'skipped').toBe(0)
  },
)

requirement(
  {
    id: 'list.skip.odd',
    level: 'observe',
    statement: 'S4.14, R20',
    quote: 'A negative skip and malformed numbers are refused or ignored, _observe_',
    says: 'How a skip that is not a count is answered',
  },
  async ({ api, forest, observe }) => {
    const skips = ['-1', 'abc', '1.5', '', '9223372036854775808']

    const answers = await Promise.all(skips.map((skip) => api.attempt.groups.list({ ...forest.scope, skip })))

    observe(answers.map((answer, index) => `'${skips[index]}': ${outcomeOf(answer)}`).join('; '))
  },
)

requirement(
  {
    id: 'list.skip.with-token',
    level: 'observe',
    statement: 'S4.14, S4.19, R12',
    quote: 'On a page reached by a token it is _observe_ (0, echoed or accumulated)',
    says: 'How skipped is set on a page reached by a token',
  },
  async ({ api, forest, observe }) => {
    const first = await api.groups.list({ ...forest.scope, page_size: 5, skip: 3 })
    const second = await api.groups.list({ ...forest.scope, page_size: 5, page_token: first.nextPageToken })

    observe(`after skip=3: ${JSON.stringify(second.skipped ?? null)}`)
  },
)
