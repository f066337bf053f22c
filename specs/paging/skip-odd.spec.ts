import { expect } from 'vitest'
import { listedKinds } from '../../helpers/api/kinds.ts'
import { isObject, uids } from '../../helpers/api/received.ts'
import { listedInAll, listedUids } from '../../helpers/arrange/listings.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { ofEachValue } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirementOnEach(
  listedKinds,
  {
    id: 'list.skip.beyond-end',
    level: 'must',
    statement: 'S4.14, S4.15, R20',
    quote: 'Beyond the end a skip may answer an empty page or an error (_observe_), but never items',
    restsOn: ['list.skip.slice'],
    says: 'A skip to the end of the {many} or beyond returns no result',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const whole = await listedInAll(api, kind, scope)
        const end = Math.max(items.length, whole.length)

        // a longer number may count as malformed (R20)
        const skips = [end, end + 1, end + 1000, 2 ** 16 + 1, 999_999_999]
        const [last, ...answers] = await Promise.all(
          [end - 1, ...skips].map((skip) => api.attempt[kind].list({ ...scope, skip })),
        )

        atLeast(1, 'results after a skip to the last one', listedUids(kind, last!).length)
        expect(
          answers.map((answer) => listedUids(kind, answer)),
          ofEachValue('the results at and beyond the end', 'skip', skips),
        ).toEqual(skips.map(() => []))
      })
    },
)

requirementOnEach(
  listedKinds,
  {
    id: 'list.skip.overflow',
    level: 'must',
    statement: 'S4.14, S4.15, R20',
    quote: 'Beyond the end a skip may answer an empty page or an error (_observe_), but never items',
    restsOn: ['list.skip.slice', 'list.skip.beyond-end*'],
    says: 'A skip beyond 32 or 64 bits never counts as its lowest bits, in the list of {many}',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope }) => {
        const skips = [2n ** 32n, 2n ** 64n].map((overflow) => String(overflow + 1n))
        const [whole, ...answers] = await Promise.all(
          [undefined, ...skips].map((skip) => api.attempt[kind].list({ ...scope, skip, page_size: 20 })),
        )

        const first = listedUids(kind, whole!).map(String)
        atLeast(2, 'results without a skip', first.length)
        // a number that is too long may count as none, and none as absent
        expect(
          startsAfter(
            first[0]!,
            answers.map((answer) => listedUids(kind, answer).map(String)),
          ),
          `the results of a skip by ${skips.join(' or ')} that begin as those of a skip by 1`,
        ).toEqual([])
      })
    },
)

requirement(
  {
    id: 'list.skip.and-token',
    level: 'observe',
    statement: 'S4.14, S4.12, R12',
    quote: 'On a page reached by a token it is _observe_ (0, echoed or accumulated)',
    says: 'How a skip is counted and echoed when sent with a page token',
  },
  async ({ api, forest, observe }) => {
    const query = { ...forest.scope, order_by: 'name', page_size: 4 }
    const whole = await api.groups.list({ ...query, page_size: 200 })
    const { nextPageToken: page_token } = await api.groups.list(query)

    const answer = await api.attempt.groups.list({ ...query, page_token, skip: 3 })

    const at = uids(whole.items).indexOf(String(listedUids('groups', answer)[0]))
    const from = { 7: 'from the cursor', 3: 'from the beginning', 4: 'not at all' }[at] ?? 'from elsewhere'
    const { skipped } = (answer.json ?? {}) as { skipped?: unknown }
    observe(succeeded(answer) ? `${from}, skipped ${JSON.stringify(skipped)}` : outcomeOf(answer))
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
    restsOn: ['list.skip.slice'],
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

requirement(
  {
    id: 'list.skip.and-token.slice',
    level: 'should',
    statement: 'S4.14, S4.12, S4.20',
    quote: 'without `order_by` there is a stable order all the same, and cursors go on in it',
    restsOn: ['list.walk.complete', 'list.skip.slice'],
    says: 'A skip together with a token returns consecutive results of the whole list',
  },
  async ({ api, forest, atLeast }) => {
    const query = { ...forest.scope, page_size: 6 }
    const whole = uids((await api.groups.list({ ...query, page_size: 200 })).items)
    const { nextPageToken: page_token } = await api.groups.list(query)
    atLeast(1, 'page tokens', page_token === undefined ? 0 : 1)

    const answer = await api.attempt.groups.list({ ...query, page_token, skip: 4 })

    const shown = listedUids('groups', answer)
    const start = whole.indexOf(String(shown[0]))
    expect(shown, 'uids on the page').toEqual(shown.length === 0 ? [] : whole.slice(start, start + shown.length))
  },
)

/** The pages that are not empty and start elsewhere. */
const startsAfter = (first: string, pages: readonly string[][]) =>
  pages.filter(([start]) => ![undefined, first].includes(start))
