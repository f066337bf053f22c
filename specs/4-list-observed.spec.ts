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
    id: 'list.parameters.spellings',
    level: 'observe',
    statement: 'S4.11, S4.13, R47',
    quote: 'Spellings in camelCase: _observe_',
    says: 'How other spellings of parameters are treated',
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

requirement(
  {
    id: 'list.scope.both.answer',
    level: 'observe',
    statement: 'S4.8, S4.9, R15, R21',
    quote: 'Two scopes at once, or an unknown parameter: _observe_',
    says: 'How children_of and descendants_of together are answered, for one group and for two',
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
    quote: 'Any list but that of roles may refuse a call without a scope',
    says: 'How a list of each kind is answered without a scope',
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
    quote:
      'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
    says: 'How a scope that is not an existing group is answered',
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
