import { expect } from 'vitest'
import { isReceived, type Received, uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { childrenOf, deleteGroup, descendantsOf, type Scratch } from '../helpers/arrange/scratch.ts'
import { foundAll, only, walk } from '../helpers/assertions/page-walk.ts'
import { accepted } from '../helpers/assertions/refused.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

requirement(
  {
    id: 'list.scope.crowd',
    level: 'must',
    statement: 'S4.8, S4.24, S4.25',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    says: 'descendants_of finds hundreds of groups, in a walk and by name',
  },
  async ({ api, crowd }) => {
    const scope = descendantsOf(String(crowd.scope['uidp.children_of']))
    const sought = [crowd.siblings[101]!, crowd.siblings.at(-1)!]

    const found = await walk(api.groups.list, { ...scope, page_size: 80 }, crowd.siblings.length + 1)
    const named = await Promise.all(sought.map(({ name }) => api.groups.list({ ...scope, name: String(name) })))

    // R15 leaves open whether the list includes the group itself
    foundAll(only(found, crowd.siblings), crowd.siblings)
    expect(
      named.map(({ items }) => uids(items)),
      'uids found by name',
    ).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.scope.deleted',
    level: 'must',
    statement: 'S4.8, S4.9, R15, R28',
    quote: 'Get must not answer 2xx, and lists and counts must leave it out',
    says: 'The scope of a deleted group lists nothing, even after it listed a child',
  },
  async ({ api, scratch, settled, atLeast }) => {
    const parent = await scratch.makeGroup()
    const child = await scratch.makeGroup({}, parent.uid)
    const scopes = [childrenOf(parent.uid), descendantsOf(parent.uid)]
    const before = await Promise.all(scopes.map((scope) => api.groups.list(scope)))
    await deleteGroup(api, scratch, child.uid)
    const deleted = await deleteGroup(api, scratch, parent.uid)
    atLeast(1, 'empty groups that can be deleted', succeeded(deleted) ? 1 : 0)

    expect(
      before.map(({ items }) => uids(items)),
      'uids listed before the delete',
    ).toEqual(before.map(() => expect.arrayContaining([child.uid])))
    await settled(async () => {
      const after = await Promise.all(scopes.map((scope) => api.attempt.groups.list(scope)))
      expect(
        after.map((answer) => listedUids('groups', answer)),
        'uids listed after the delete',
      ).toEqual([[], []])
    })
  },
)

requirement(
  {
    id: 'list.scope.both',
    level: 'should',
    statement: 'S4.8, S4.9, R15, R21',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
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

requirement(
  {
    id: 'list.filter.trailing-blank',
    level: 'should',
    statement: 'S4.10, R3',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'The name filter distinguishes a name from the same name with a trailing space',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const name = names.fresh()
    const create = (sent: string) => api.attempt.groups.create(scratch.uid, { name: sent })
    const answers = [await create(name), await create(`${name} `)]
    const asSent = answers.flatMap(({ json }, index) =>
      isReceived(json) && json.name === [name, `${name} `][index] ? [json] : [],
    )
    atLeast(2, 'names that came back as sent', asSent.length)

    await settled(async () => {
      const pages = await Promise.all(
        asSent.map((group) => api.groups.list({ ...scratch.children, name: String(group.name) })),
      )
      expect(
        pages.map(({ items }) => uids(items)),
        'uids found by each name',
      ).toEqual(asSent.map(({ uid }) => [uid]))
    })
  },
)

requirement(
  {
    id: 'list.token.empty',
    level: 'should',
    statement: 'S4.12, S4.17',
    quote: 'goes on from an earlier `nextPageToken`, and it is opaque',
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

requirement(
  {
    id: 'list.token.other-kind.scope',
    level: 'must',
    statement: 'S4.8, S4.12, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
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
    id: 'list.skip.and-token.slice',
    level: 'should',
    statement: 'S4.14, S4.12, S4.20',
    quote: 'without `order_by` there is a stable order all the same, and cursors go on in it',
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

requirement(
  {
    id: 'list.walk.renamed',
    level: 'must',
    statement: 'S4.21, S4.22, S4.25',
    quote: 'with `order_by`, the order holds across the pages',
    says: 'A walk by name after renames finds every group once, in the new order',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await scratch.makeGroups(9)
    const renamed = made.filter((_, index) => index % 2 === 0).reverse()
    for (const { uid } of renamed) await api.groups.update(uid, { name: names.fresh() })
    const wanted = [...made.filter((group) => !renamed.includes(group)), ...renamed]

    await settled(async () => {
      const walks = ['name', 'name desc'].map((order_by) =>
        walk(api.groups.list, { ...scratch.children, order_by, page_size: 1 }, made.length),
      )
      const [up, down] = await Promise.all(walks)
      for (const found of [up!, down!]) foundAll(found, made)
      expect(uids(up!.items)).toEqual(uids(wanted))
      expect(uids(down!.items)).toEqual(uids(wanted.toReversed()))
    })
  },
)

requirementOnEach(
  ['identities', 'roleBindings'] as const,
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, S4.15, R19',
    quote: 'sets the results per page: 50 when it is absent',
    says: 'A page of {many} holds 50 results without page_size',
  },
  (kind) =>
    async ({ api, scratch, settled, present }) => {
      await present(api.attempt[kind].list(scratch.children))
      const identities = await Promise.all(Array.from({ length: 52 }, () => scratch.makeIdentity()))
      await bindIfNeeded[kind](scratch, identities)

      await settled(async () => {
        const page = await api[kind].list(scratch.children)
        expect(page.items).toHaveLength(50)
        expect(page.nextPageToken, 'the nextPageToken of a page that is not the last').toEqual(expect.any(String))
      })
    },
)

/** Binds the identities where role bindings are listed. */
const bindIfNeeded: Record<
  'identities' | 'roleBindings',
  (scratch: Scratch, identities: readonly Received[]) => Promise<unknown>
> = {
  identities: async () => {},
  roleBindings: async (scratch, identities) => {
    const { uid } = await scratch.anyRole()
    await Promise.all(identities.map((identity) => scratch.makeBinding(identity, scratch.uid, uid)))
  },
}
