import { expect } from 'vitest'
import { ownKinds } from '../helpers/api/kinds.ts'
import { isReceived, uids } from '../helpers/api/received.ts'
import { below, listedItems, listedUids } from '../helpers/arrange/listings.ts'
import { childrenOf } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { boundaries, walk } from '../helpers/assertions/page-walk.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

requirement(
  {
    id: 'list.page-size.between',
    level: 'must',
    statement: 'S4.11, R19',
    quote: 'The `page_size` parameter sets the results per page',
    says: 'Any page_size from 1 to 200 gives exactly that many results where more exist',
  },
  async ({ api, crowd }) => {
    const sizes = [1, 9, 49, 51, 64, 99, 101, 127, 128, 150, 199]

    const pages = await Promise.all(
      sizes.map((page_size) => api.groups.list({ ...crowd.scope, page_size, order_by: 'name' })),
    )

    expect(
      pages.map(({ items }) => items.length),
      'results per page',
    ).toEqual(sizes)
  },
)

requirement(
  {
    id: 'list.page-size.default.ordered',
    level: 'must',
    statement: 'S4.11, S4.13, S8.1, R19',
    quote: 'sets the results per page: 50 when it is absent',
    says: 'A page without page_size holds 50 results in every order and after a skip',
  },
  async ({ api, crowd }) => {
    const asked = [
      { order_by: 'name' },
      { order_by: 'name desc' },
      { order_by: 'created_at' },
      { order_by: 'created_at desc' },
      { skip: 20 },
    ]

    const pages = await Promise.all(asked.map((query) => api.groups.list({ ...crowd.scope, ...query })))

    expect(
      pages.map(({ items }) => items.length),
      'results per page',
    ).toEqual(asked.map(() => 50))
  },
)

requirementOnEach(
  ownKinds.filter((kind) => kind === 'groups' || kind === 'identities'),
  {
    id: 'list.walk.same',
    level: 'must',
    statement: 'S4.16, S4.25, S2.4, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Every page of a walk shows its {many} as Create answered them',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { scope, inside } = await neighboursOf(kind)

      const found = await walk(api[kind].list, { ...scope, page_size: 1, order_by: 'name' }, inside.length)

      for (const made of inside) {
        const shown = found.items.filter(({ uid }) => uid === made.uid)
        // the creation of a child may advance the updateTime of its parent
        for (const item of shown) same(item, made, 'updateTime')
      }
      atLeast(1, 'page boundaries', boundaries([found]))
    },
)

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

/** Ordinary names (R3) of sixty characters that differ in the last but one: a shorter sort key makes them equal. */
const longNames = (fresh: string) => ['c', 'a', 'b'].map((letter) => `${fresh.padEnd(58, 'x')}${letter}z`)

requirement(
  {
    id: 'list.filter.long-names',
    level: 'must',
    statement: 'S4.10, R3',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'The name filter distinguishes long names that differ only near their end',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const sent = longNames(names.fresh())
    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    const made = answers.flatMap(({ json }) => (isReceived(json) ? [json] : []))
    atLeast(sent.length, 'accepted long names', made.length)

    await settled(async () => {
      const found = await Promise.all(
        made.map(({ name }) => api.groups.list({ ...scratch.children, name: String(name) })),
      )
      expect(
        found.map(({ items }) => uids(items)),
        'the groups found by each name',
      ).toEqual(made.map(({ uid }) => [uid]))
    })
  },
)

requirement(
  {
    id: 'list.order.long-names',
    level: 'must',
    statement: 'S4.13, S4.22, R3, R17',
    quote: '`name` ascends, `name desc` descends',
    says: 'Long names that differ only near their end follow the requested order',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const sent = longNames(names.fresh())
    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    atLeast(sent.length, 'accepted long names', answers.filter(succeeded).length)

    await settled(async () => {
      const pages = await Promise.all(
        ['name', 'name desc'].map((order_by) => api.groups.list({ ...scratch.children, order_by })),
      )
      const sorted = [...sent].sort()
      expect(
        pages.map(({ items }) => items.map(({ name }) => name)),
        'the names in both orders',
      ).toEqual([sorted, [...sorted].reverse()])
    })
  },
)

requirement(
  {
    id: 'list.scope.children.named',
    level: 'must',
    statement: 'S4.9, S4.10, R16',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    says: 'children_of with a name lists no grandchild of that name',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const [branch] = forest.branches
    const twin = forest.twins.find(({ uid }) => forest.belowFirst.some((group) => group.uid === uid))

    const above = await api.attempt.groups.list({ ...forest.children, name: String(twin?.name) })
    const direct = await api.attempt.groups.list({
      ...childrenOf(String(branch?.uid)),
      name: String(twin?.name),
    })

    expect(listedUids('groups', above), 'the grandchildren that the list shows').toEqual([])
    atLeast(1, 'direct children of that name', listedItems('groups', direct).length)
  },
)

requirement(
  {
    id: 'list.walk.skip-filtered',
    level: 'must',
    statement: 'S4.10, S4.12, S4.14, R11, R14',
    quote: 'a token that is there must continue right after that page',
    says: 'A token from a page that was reached by skip keeps the name filter',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(4, 'groups of one name', forest.twins.length)
    const query = { ...forest.scope, name: String(forest.twins[0]?.name), page_size: 1 }
    const whole = await api.groups.list({ ...query, page_size: 200 })

    const first = await api.groups.list({ ...query, skip: 1 })
    atLeast(1, 'tokens on a page that was reached by skip', first.nextPageToken === undefined ? 0 : 1)
    const second = await api.groups.list({ ...query, page_token: first.nextPageToken })

    expect(whole.nextPageToken, 'the token on a page with all matches').toBeUndefined()
    expect(uids([...first.items, ...second.items]), 'the groups on both pages').toEqual(uids(whole.items).slice(1, 3))
    expect([first.totalCount, second.totalCount], 'the totals of both pages').toEqual([
      whole.totalCount,
      whole.totalCount,
    ])
  },
)
