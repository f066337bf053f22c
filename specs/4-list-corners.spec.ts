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
    says: 'Every page size from 1 to 200 gives that many results where there are more, also between the usual ones',
  },
  async ({ api, crowd }) => {
    const sizes = [1, 9, 49, 51, 64, 99, 101, 127, 128, 150, 199]

    const pages = await Promise.all(
      sizes.map((page_size) => api.groups.list({ ...crowd.scope, page_size, order_by: 'name' })),
    )

    expect(pages.map(({ items }) => items.length)).toEqual(sizes)
  },
)

requirement(
  {
    id: 'list.page-size.default.ordered',
    level: 'must',
    statement: 'S4.11, S4.13, S8.1, R19',
    says: 'Without page_size a page holds 50 results in every order, and after a skip',
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

    expect(pages.map(({ items }) => items.length)).toEqual(asked.map(() => 50))
  },
)

requirementOnEach(
  ownKinds.filter((kind) => kind === 'groups' || kind === 'identities'),
  {
    id: 'list.walk.same',
    level: 'must',
    statement: 'S4.16, S4.25, S2.4, R55',
    says: 'Every page of a walk, not the first alone, shows its items as Create answered them',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { scope, inside } = await neighboursOf(kind)

      const found = await walk(api[kind].list, { ...scope, page_size: 1, order_by: 'name' }, inside.length)

      for (const made of inside) {
        const shown = found.items.filter(({ uid }) => uid === made.uid)
        // a child that is made may move its group's updateTime on
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
    says: 'totalCount counts what the scope holds, in every order, where more stands deeper or beside',
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
      for (const [right, anywhere] of pages)
        expect([right!.totalCount, below(anywhere!, group.uid).total]).toEqual([String(inside.length), all])
    },
)

/** Names of sixty characters that differ in the last but one: ordinary ones (R3), and any shorter key confuses them. */
const longNames = (fresh: string) => ['c', 'a', 'b'].map((letter) => `${fresh.padEnd(58, 'x')}${letter}z`)

requirement(
  {
    id: 'list.filter.long-names',
    level: 'must',
    statement: 'S4.10, R3',
    says: 'Long names that differ near their end are told apart by the name filter',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const sent = longNames(names.fresh())
    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    const made = answers.flatMap(({ json }) => (isReceived(json) ? [json] : []))
    atLeast(sent.length, 'long names that are taken', made.length)

    await settled(async () => {
      const found = await Promise.all(
        made.map(({ name }) => api.groups.list({ ...scratch.children, name: String(name) })),
      )
      expect(found.map(({ items }) => uids(items))).toEqual(made.map(({ uid }) => [uid]))
    })
  },
)

requirement(
  {
    id: 'list.order.long-names',
    level: 'must',
    statement: 'S4.13, S4.22, R3, R17',
    says: 'Long names that differ near their end stand in the order that was asked for',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const sent = longNames(names.fresh())
    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    atLeast(sent.length, 'long names that are taken', answers.filter(succeeded).length)

    await settled(async () => {
      const pages = await Promise.all(
        ['name', 'name desc'].map((order_by) => api.groups.list({ ...scratch.children, order_by })),
      )
      const sorted = [...sent].sort()
      expect(pages.map(({ items }) => items.map(({ name }) => name))).toEqual([sorted, [...sorted].reverse()])
    })
  },
)

requirement(
  {
    id: 'list.scope.children.named',
    level: 'must',
    statement: 'S4.9, S4.10, R16',
    says: 'children_of beside a name lists no grandchild of that name',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const [branch] = forest.branches
    const twin = forest.twins.find(({ uid }) => forest.belowFirst.some((group) => group.uid === uid))

    const above = await api.attempt.groups.list({ ...forest.children, name: String(twin?.name) })
    const right = await api.attempt.groups.list({
      ...childrenOf(String(branch?.uid)),
      name: String(twin?.name),
    })

    expect(listedUids('groups', above)).toEqual([])
    atLeast(1, 'groups of that name right in the scope', listedItems('groups', right).length)
  },
)

requirement(
  {
    id: 'list.walk.skip-filtered',
    level: 'must',
    statement: 'S4.10, S4.12, S4.14, R14',
    says: 'A token from a page that was reached by skip keeps the name filter',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(4, 'groups of one name', forest.twins.length)
    const query = { ...forest.scope, name: String(forest.twins[0]?.name), page_size: 1 }
    const whole = await api.groups.list({ ...query, page_size: 200 })

    const first = await api.groups.list({ ...query, skip: 1 })
    atLeast(1, 'tokens on a page that was reached by skip', first.nextPageToken === undefined ? 0 : 1)
    const second = await api.groups.list({ ...query, page_token: first.nextPageToken })

    expect(whole.nextPageToken, 'the token of a page that holds all matches').toBeUndefined()
    expect(uids([...first.items, ...second.items])).toEqual(uids(whole.items).slice(1, 3))
    expect([first.totalCount, second.totalCount]).toEqual([whole.totalCount, whole.totalCount])
  },
)
