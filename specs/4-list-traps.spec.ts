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
    says: 'descendants_of knows hundreds below a group as well as children_of does, in a walk and by name',
  },
  async ({ api, crowd }) => {
    const scope = descendantsOf(String(crowd.scope['uidp.children_of']))
    const sought = [crowd.siblings[101]!, crowd.siblings.at(-1)!]

    const found = await walk(api.groups.list, { ...scope, page_size: 80 }, crowd.siblings.length + 1)
    const named = await Promise.all(sought.map(({ name }) => api.groups.list({ ...scope, name: String(name) })))

    // whether the group itself is below itself is open (R15)
    foundAll(only(found, crowd.siblings), crowd.siblings)
    expect(named.map(({ items }) => uids(items))).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.scope.deleted',
    level: 'must',
    statement: 'S4.8, S4.9, R15, R28',
    says: 'The scope of a group that was emptied and deleted lists nothing, also where it listed something before',
  },
  async ({ api, scratch, settled, atLeast }) => {
    const home = await scratch.makeGroup()
    const child = await scratch.makeGroup({}, home.uid)
    const scopes = [childrenOf(home.uid), descendantsOf(home.uid)]
    const before = await Promise.all(scopes.map((scope) => api.groups.list(scope)))
    await deleteGroup(api, scratch, child.uid)
    const deleted = await deleteGroup(api, scratch, home.uid)
    atLeast(1, 'groups that may be deleted once they are empty', succeeded(deleted) ? 1 : 0)

    expect(before.map(({ items }) => uids(items))).toEqual(before.map(() => expect.arrayContaining([child.uid])))
    await settled(async () => {
      const after = await Promise.all(scopes.map((scope) => api.attempt.groups.list(scope)))
      expect(after.map((answer) => listedUids('groups', answer))).toEqual([[], []])
    })
  },
)

requirement(
  {
    id: 'list.scope.both',
    level: 'should',
    statement: 'S4.8, S4.9, R15, R21',
    says: 'Both scopes at once show nothing that lies outside both',
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
    expect(shown.filter((uid) => !inside(uid))).toEqual([])
  },
)

requirement(
  {
    id: 'list.filter.trailing-blank',
    level: 'should',
    statement: 'S4.10, R3',
    says: 'A name and the same one with a blank at its end are told apart',
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
      expect(pages.map(({ items }) => uids(items))).toEqual(asSent.map(({ uid }) => [uid]))
    })
  },
)

requirement(
  {
    id: 'list.token.empty',
    level: 'should',
    statement: 'S4.12, S4.17',
    says: 'An empty page_token asks for the first page',
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
    says: 'A token of the list of roles brings back no group from outside the scope',
    profile: 'identities',
  },
  async ({ api, forest, atLeast }) => {
    const inBranch = String(forest.branches[0]?.uid)
    const { nextPageToken: page_token } = await api.roles.list({ page_size: 1 })
    atLeast(1, 'page tokens of roles', page_token === undefined ? 0 : 1)

    const answer = await api.attempt.groups.list({ ...descendantsOf(inBranch), page_size: 200, page_token })

    const inside = [inBranch, ...uids(forest.belowFirst)]
    expect(listedUids('groups', answer).filter((uid) => !inside.includes(String(uid)))).toEqual([])
  },
)

requirement(
  {
    id: 'list.skip.and-token.slice',
    level: 'should',
    statement: 'S4.14, S4.12, S4.20',
    says: 'A skip beside a token shows results that follow each other in the order of the whole',
  },
  async ({ api, forest, atLeast }) => {
    const query = { ...forest.scope, page_size: 6 }
    const whole = uids((await api.groups.list({ ...query, page_size: 200 })).items)
    const { nextPageToken: page_token } = await api.groups.list(query)
    atLeast(1, 'page tokens', page_token === undefined ? 0 : 1)

    const answer = await api.attempt.groups.list({ ...query, page_token, skip: 4 })

    const shown = listedUids('groups', answer)
    const start = whole.indexOf(String(shown[0]))
    expect(shown).toEqual(shown.length === 0 ? [] : whole.slice(start, start + shown.length))
  },
)

requirement(
  {
    id: 'list.walk.renamed',
    level: 'must',
    statement: 'S4.21, S4.22, S4.25',
    says: 'After renames a walk by name goes by the new names: none lost, none twice, in order',
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
    says: 'Without page_size a page holds 50 results where there are more',
  },
  (kind) =>
    async ({ api, scratch, settled, present }) => {
      await present(api.attempt[kind].list(scratch.children))
      const identities = await Promise.all(Array.from({ length: 52 }, () => scratch.makeIdentity()))
      await thenBound[kind](scratch, identities)

      await settled(async () => {
        const page = await api[kind].list(scratch.children)
        expect(page.items).toHaveLength(50)
        expect(page.nextPageToken).toEqual(expect.any(String))
      })
    },
)

/** What follows the making of identities. */
const thenBound: Record<
  'identities' | 'roleBindings',
  (scratch: Scratch, identities: readonly Received[]) => Promise<unknown>
> = {
  identities: async () => {},
  roleBindings: async (scratch, identities) => {
    const { uid } = await scratch.anyRole()
    await Promise.all(identities.map((identity) => scratch.makeBinding(identity, scratch.uid, uid)))
  },
}
