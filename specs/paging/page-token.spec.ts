import { expect } from 'vitest'
import { listedKinds, madeKinds } from '../../helpers/api/kinds.ts'
import { isObject, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { boundaries, foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { styleOf } from '../../helpers/sts/token-style.ts'

requirementOnEach(
  listedKinds,
  {
    id: 'list.token.last-page',
    level: 'must',
    statement: 'S4.17, S4.15, R11',
    quote: 'On the last page `nextPageToken` is absent or empty',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'The last page of {many} has no token unless it is full',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const { length } = items
        const sizes = [Math.ceil(length / 4), Math.ceil(length / 3), length - 1, 199].filter(
          (size) => size > 1 && size < length && size <= 200 && length % size !== 0,
        )
        atLeast(1, 'page sizes that leave the last page partly empty', sizes.length)

        const walks = await Promise.all(
          sizes.map((size) => walk(api[kind].list, { ...scope, page_size: size }, length)),
        )
        atLeast(1, 'items on each walk', Math.min(...walks.map((found) => found.items.length)))
        atLeast(1, 'page boundaries', boundaries(walks))

        const most = (found: number, size: number) => Math.ceil(found / size) + (found % size === 0 ? 1 : 0)
        const beyond = walks.filter(({ pages, items }, index) => pages.length > most(items.length, sizes[index]!))
        expect(
          beyond.map(({ pages }) => pages.map(({ items }) => items.length)),
          'walks that go on after a page that is not full',
        ).toEqual([])
      })
    },
)

requirement(
  {
    id: 'list.token.style',
    level: 'observe',
    statement: 'S4.12',
    quote: 'an earlier `nextPageToken`, and it is opaque',
    says: 'The form of a page token',
  },
  async ({ api, forest, observe }) => {
    const { nextPageToken = '' } = await api.groups.list({ ...forest.scope, order_by: 'name', page_size: 3 })

    observe(styleOf(nextPageToken))
  },
)

requirement(
  {
    id: 'list.token.reused',
    level: 'observe',
    statement: 'S4.12, R14',
    quote: 'That a token used twice answers the same page is _should_',
    says: 'How a page token that was used before is answered',
  },
  async ({ api, forest, observe }) => {
    const query = { ...forest.scope, page_size: 3 }
    const { nextPageToken: page_token } = await api.groups.list(query)
    const first = await api.groups.list({ ...query, page_token })

    const again = await api.attempt.groups.list({ ...query, page_token })

    const same = listedUids('groups', again).join() === uids(first.items).join()
    observe(succeeded(again) ? `the ${same ? 'same' : 'wrong'} page` : outcomeOf(again))
  },
)

requirement(
  {
    id: 'list.token.goes-on',
    level: 'must',
    statement: 'S4.12, S4.25',
    quote: 'goes on from an earlier `nextPageToken`',
    restsOn: ['list.page-size.asked'],
    says: 'The token of the first page returns the remaining results',
  },
  async ({ api, scratch, eventually }) => {
    const made = await scratch.makeGroups(7)

    await eventually(async () => {
      // what else is there also takes up room (R50)
      const whole = await api.groups.list({ ...scratch.children, page_size: 200 })
      const query = { ...scratch.children, page_size: Math.max(4, Math.ceil(whole.items.length / 2)) }
      const first = await api.groups.list(query)
      const second = await api.groups.list({ ...query, page_token: first.nextPageToken })
      const pages = [first, second]
      foundAll({ pages, items: pages.flatMap(({ items }) => items) }, made, [])
    })
  },
)

requirement(
  {
    id: 'list.token.full-last-page',
    level: 'should',
    statement: 'S4.17, R11',
    quote: 'On the last page `nextPageToken` is absent or empty',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A full last page has no token',
  },
  async ({ api, scratch, eventually }) => {
    await scratch.makeGroups(6)

    await eventually(async () => {
      const { items } = await api.groups.list(scratch.children)
      const sizes = [1, 2, 3, items.length].filter((size) => items.length % size === 0)
      const walks = await Promise.all(
        sizes.map((size) => walk(api.groups.list, { ...scratch.children, page_size: size }, items.length)),
      )
      // what the target adds of its own may come and go meanwhile (R50)
      const empty = walks.filter(({ pages }) => pages.at(-1)!.items.length === 0)
      expect(empty.length, `walks in pages of ${sizes.join(', ')} that end with an empty page`).toBe(0)
    })
  },
)

requirement(
  {
    id: 'list.token.not-null',
    level: 'should',
    statement: 'S4.17, R11',
    quote: 'On the last page `nextPageToken` is absent or empty',
    restsOn: ['list.order.stable'],
    says: 'nextPageToken on the last page is absent or empty, not null',
  },
  async ({ api, scratch }) => {
    const page = await api.groups.list(scratch.children)

    const { nextPageToken } = page.body
    expect(nextPageToken ?? (nextPageToken === null ? 'null' : ''), 'the nextPageToken of the last page').toBe('')
  },
)

requirementOnEach(
  madeKinds,
  {
    id: 'list.token.twice',
    level: 'should',
    statement: 'S4.12, R14',
    quote: 'a token used twice answers the same page',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A page token of {many} returns the same page again after the walk has ended',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const query = { ...scope, page_size: Math.ceil(items.length / 4) }
        const { pages } = await walk(api[kind].list, query, items.length)
        atLeast(1, 'page boundaries', boundaries([{ pages }]))

        const again = await api[kind].list({ ...query, page_token: pages[0]?.nextPageToken })

        expect(uids(again.items)).toEqual(uids(pages[1]?.items ?? []))
      })
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
    restsOn: ['list.order.stable', 'list.walk.complete'],
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
