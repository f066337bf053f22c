import { expect } from 'vitest'
import { uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { childrenOf, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import type { Query } from '../../helpers/http/url.ts'

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
    id: 'list.scope.wildcard',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    quote:
      'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
    restsOn: ['list.scope.descendants.never-issued'],
    says: 'A scope that contains %, _ or * lists nothing',
  },
  async ({ api, scratch, atLeast }) => {
    await scratch.makeGroups(2)
    const { items } = await api.groups.list(scratch.children)
    atLeast(1, 'results where the scope exists', items.length)
    const patterns = [
      '%',
      `${scratch.uid.slice(0, -1)}%`,
      `${scratch.uid.slice(0, -1)}_`,
      `${scratch.uid.slice(0, -1)}*`,
      `${scratch.uid}/%`,
    ]

    const scopes = patterns.flatMap((uid) => [childrenOf(uid), descendantsOf(uid)])
    const answers = await Promise.all(scopes.map((scope) => api.attempt.groups.list(scope)))

    expect(
      answers.map((answer) => listedUids('groups', answer)),
      ofEach('uids listed for each wildcard', scopes),
    ).toEqual(answers.map(() => []))
  },
)

requirement(
  {
    id: 'list.scope.unusual',
    over: 'http',
    level: 'observe',
    statement: 'S4.8, S4.9, R15, R47',
    quote: 'An empty value, a repeated one, or one with a trailing slash: _observe_',
    says: 'How an empty scope, an extra slash, capitals or a misspelt parameter is answered',
  },
  async ({ api, forest, observe }) => {
    const uid = String(forest.scope['uidp.descendants_of'])
    const list = (query: Query) => api.attempt.groups.list({ ...query, page_size: 1 })

    observe(
      await sideBySide(
        {
          empty: list({ 'uidp.descendants_of': '' }),
          'trailing slash': list({ 'uidp.descendants_of': `${uid}/` }),
          'leading slash': list({ 'uidp.descendants_of': `/${uid}` }),
          capitals: list({ 'uidp.descendants_of': uid.toUpperCase() }),
          misspelt: list({ 'uidp.descendents_of': uid }),
        },
        countedAs('groups'),
      ),
    )
  },
)

requirement(
  {
    id: 'list.scope.both',
    level: 'should',
    statement: 'S4.8, S4.9, R15, R21',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.descendants.never-issued', 'list.page-size.maximum'],
    says: 'Two scopes at once list nothing that lies outside both',
  },
  async ({ api, forest, atLeast }) => {
    const [one = '', other = ''] = uids(forest.branches)
    const { items } = await api.groups.list(descendantsOf(one))
    atLeast(1, 'results in one of the scopes', items.length)

    const answers = await Promise.all(
      [other, one].map((uid) => api.attempt.groups.list({ ...childrenOf(uid), ...descendantsOf(one), page_size: 200 })),
    )

    const shown = answers.flatMap((answer) => listedUids('groups', answer)).map(String)
    const inside = (uid: string) => [one, other].some((scope) => `${uid}/`.startsWith(`${scope}/`))
    expect(
      shown.filter((uid) => !inside(uid)),
      'groups outside both scopes',
    ).toEqual([])
  },
)
