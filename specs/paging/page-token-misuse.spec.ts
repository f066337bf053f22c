import { expect } from 'vitest'
import { registryKinds } from '../../helpers/api/kinds.ts'
import { isObject, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { readRegistryGroups } from '../../helpers/arrange/registry-groups.ts'
import { childrenOf, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf } from '../../helpers/assertions/refused.ts'
import { ofEachValue } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { flipped } from '../../helpers/sts/token-style.ts'

requirementOnEach(
  registryKinds,
  {
    id: 'list.token.other-scope',
    level: 'must',
    statement: 'S4.8, S4.12, S4.15, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A token sent with another scope lists no {one} outside that scope',
  },
  (kind) =>
    async ({ api, withPopulation, registryGroup, atLeast }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const { parts } = await readRegistryGroups(api, kind, registryGroup, items)
        const { nextPageToken } = await api[kind].list({ ...scope, page_size: 2 })
        atLeast(1, 'page tokens', nextPageToken === undefined ? 0 : 1)

        const answers = await Promise.all(
          parts.map(({ uid }) =>
            api.attempt[kind].list({ ...descendantsOf(uid), page_size: 200, page_token: nextPageToken }),
          ),
        )

        // others may have moved some meanwhile (R24)
        const later = await readRegistryGroups(api, kind, registryGroup, items)
        const inside = parts.map((part) =>
          [part, ...later.parts].filter(({ uid }) => uid === part.uid).flatMap((each) => uids(each.items)),
        )
        const strays = answers.map((answer, index) =>
          listedUids(kind, answer).filter((uid) => !inside[index]!.includes(String(uid))),
        )
        expect(strays, ofEachValue('listed although outside the scope', 'uidp.descendants_of', uids(parts))).toEqual(
          parts.map(() => []),
        )
      })
    },
)

requirement(
  {
    id: 'list.token.spoilt',
    level: 'observe',
    statement: 'S4.12, R14',
    quote: 'A token that nobody issued is refused or starts over: _observe_',
    says: 'How an altered page token is answered',
  },
  async ({ api, forest, observe }) => {
    const query = { ...forest.scope, page_size: 3 }
    const { nextPageToken: token = '' } = await api.groups.list(query)
    const list = (page_token: string) => api.attempt.groups.list({ ...query, page_token })

    observe(
      await sideBySide(
        {
          'first letter changed': list(flipped(token)),
          'cut short': list(token.slice(0, -3)),
          'one letter more': list(`${token}A`),
          padded: list(`${token}==`),
          'four thousand letters': list('A'.repeat(4_000)),
        },
        countedAs('groups'),
      ),
    )
  },
)

requirement(
  {
    id: 'list.token.other-kind',
    level: 'observe',
    statement: 'S4.12, R14',
    quote: 'What a token does under changed parameters is _observe_',
    says: 'How a page token of roles is answered in a list of groups',
    profile: 'identities',
  },
  async ({ api, forest, observe }) => {
    const branch = descendantsOf(String(forest.branches[0]?.uid))
    const { nextPageToken: page_token } = await api.roles.list({ page_size: 1 })

    observe(
      await sideBySide(
        { groups: api.attempt.groups.list({ ...branch, page_size: 1, page_token }) },
        countedAs('groups'),
      ),
    )
  },
)

requirement(
  {
    id: 'list.token.other-scope',
    level: 'must',
    statement: 'S4.8, S4.12, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A token sent with another scope returns nothing from outside that scope',
  },
  async ({ api, run, forest, atLeast }) => {
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
    const shown = answers.flatMap((answer) => listedUids('groups', answer).map(String))
    const isOutside = (uid: string) => run.journal.made(uid) || !uid.startsWith(`${inBranch}/`)
    expect(
      shown.filter((uid) => !inside.includes(uid) && isOutside(uid)),
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
    restsOn: ['list.walk.filter'],
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

requirement(
  {
    id: 'list.token.other-kind.scope',
    level: 'must',
    statement: 'S4.8, S4.12, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
    restsOn: ['list.order.stable', 'list.walk.complete'],
    says: 'A page token of roles returns no group from outside the scope',
    profile: 'identities',
  },
  async ({ api, forest, atLeast }) => {
    const inBranch = String(forest.branches[0]?.uid)
    const { nextPageToken: page_token } = await api.roles.list({ page_size: 1 })
    atLeast(1, 'page tokens of roles', page_token === undefined ? 0 : 1)

    const answer = await api.attempt.groups.list({ ...descendantsOf(inBranch), page_size: 200, page_token })

    const inside = [inBranch, ...uids(forest.belowFirst)]
    expect(
      listedUids('groups', answer).filter((uid) => !inside.includes(String(uid))),
      'groups outside the scope',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'list.token.empty',
    level: 'should',
    statement: 'S4.12, S4.17',
    quote: 'goes on from an earlier `nextPageToken`, and it is opaque',
    restsOn: ['list.order.name', 'list.walk.complete'],
    says: 'An empty page_token returns the first page',
  },
  async ({ api, forest, atLeast }) => {
    const query = { ...forest.scope, order_by: 'name', page_size: 9 }
    const first = await api.groups.list(query)
    atLeast(1, 'results', first.items.length)

    const answer = await api.attempt.groups.list({ ...query, page_token: '' })

    accepted(answer, 'a list with an empty page_token')
    expect(listedUids('groups', answer)).toEqual(uids(first.items))
  },
)
