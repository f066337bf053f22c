import { kinds } from '../helpers/api/kinds.ts'
import { uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../helpers/arrange/observed.ts'
import { descendantsOf } from '../helpers/arrange/scratch.ts'
import { outcomeOf } from '../helpers/assertions/refused.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'
import { flipped, styleOf } from '../helpers/sts/token-style.ts'

requirement(
  {
    id: 'list.token.style',
    level: 'observe',
    statement: 'S4.12',
    says: 'What a page token looks like',
  },
  async ({ api, forest, observe }) => {
    const { nextPageToken = '' } = await api.groups.list({ ...forest.scope, order_by: 'name', page_size: 3 })

    observe(styleOf(nextPageToken))
  },
)

requirement(
  {
    id: 'list.token.spoilt',
    level: 'observe',
    statement: 'S4.12, R14',
    says: 'What a token is answered that was spoilt',
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
    id: 'list.token.reused',
    level: 'observe',
    statement: 'S4.12, R14',
    says: 'What a token is answered that was used before',
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
    id: 'list.token.other-kind',
    level: 'observe',
    statement: 'S4.12, R14',
    says: 'What a token of roles is answered in a list of groups',
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
    id: 'list.skip.and-token',
    level: 'observe',
    statement: 'S4.14, S4.12, R12',
    says: 'Where a skip beside a token counts from, and what it echoes',
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
    id: 'list.parameters.spellings',
    level: 'observe',
    statement: 'S4.11, S4.13, R47',
    says: 'Whether parameters are taken in other spellings',
  },
  async ({ api, forest, observe }) => {
    const list = (query: Record<string, string | number>) => api.attempt.groups.list({ ...forest.scope, ...query })
    const taken = (answer: Parameters<ReturnType<typeof countedAs>>[0]) =>
      listedUids('groups', answer).length === 1 ? 'taken' : 'ignored'

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
    says: 'What a parameter is answered that stands twice',
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

requirement(
  {
    id: 'list.scope.both.answer',
    level: 'observe',
    statement: 'S4.8, S4.9, R15, R21',
    says: 'What both scopes at once list: of one group, and of two groups of which neither holds the other',
  },
  async ({ api, forest, observe }) => {
    const [one = '', other = ''] = uids(forest.branches)
    const list = (children: string, descendants: string) =>
      api.attempt.groups.list({ 'uidp.children_of': children, ...descendantsOf(descendants), page_size: 200 })

    observe(await sideBySide({ 'of one': list(one, one), 'of two': list(one, other) }, countedAs('groups')))
  },
)

requirement(
  {
    id: 'list.scope.none',
    level: 'observe',
    statement: 'S4.8, S4.15, R21',
    says: 'What a list without a scope is answered, kind by kind',
  },
  async ({ api, observe }) => {
    const { groups, identities, roles, roleBindings } = api.attempt
    const query = { page_size: 1 }

    observe(
      await sideBySide({
        groups: groups.list(query),
        identities: identities.list(query),
        roles: roles.list(query),
        roleBindings: roleBindings.list(query),
      }),
    )
  },
)

requirement(
  {
    id: 'list.scope.of-no-group',
    level: 'observe',
    statement: 'S4.8, R15, R38',
    says: 'What a scope is answered that is no group: never issued, no uid at all, a deleted one',
  },
  async ({ api, scratch, observe }) => {
    const gone = await scratch.makeGroup()
    await api.attempt.groups.delete(gone.uid)
    const list = (uid: string) => api.attempt.groups.list(descendantsOf(uid))

    observe(
      await sideBySide(
        {
          'never issued': list(`${scratch.uid}/00000000000000aa`),
          'no uid': list('no uid'),
          deleted: list(gone.uid),
        },
        countedAs('groups'),
      ),
    )
  },
)
