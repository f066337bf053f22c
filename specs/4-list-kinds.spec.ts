import { expect } from 'vitest'
import { type KindName, kinds, listedKinds, registryKinds } from '../helpers/api/kinds.ts'
import { uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { readShelves, sharedName, sortedUids, uniquelyNamed } from '../helpers/arrange/registry-groups.ts'
import { descendantsOf } from '../helpers/arrange/scratch.ts'
import { unissuedUids } from '../helpers/arrange/unknown-uids.ts'
import { boundaries, foundAll, walk } from '../helpers/assertions/page-walk.ts'
import { accepted, refused } from '../helpers/assertions/refused.ts'
import { plainDeletes } from '../helpers/auth/control-calls.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

const butGroups = listedKinds.filter((kind) => kind !== 'groups')
const readKinds: readonly KindName[] = ['roles', ...registryKinds]
const namedInRegistry = registryKinds.filter((kind) => kinds[kind].named)

requirementOnEach(
  readKinds,
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, S4.15, R19',
    says: 'Without page_size a page holds 50 results, or all where there are not more',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const page = await api[kind].list(scope)

        expect(page.items).toHaveLength(Math.min(50, items.length))
        // a token behind a full last page is another matter (R11)
        expect(page.nextPageToken !== undefined || items.length <= 50, 'goes on').toBe(true)
      })
    },
)

requirementOnEach(
  ['repos'] as const,
  {
    id: 'list.page-size.maximum',
    level: 'must',
    statement: 'S4.11, S8.2, S4.15, R19',
    says: 'No page holds more than 200 results, and page_size=200 gives that many, or all where there are not more',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const page = await api[kind].list({ ...scope, page_size: 200 })
        const above = await api.attempt[kind].list({ ...scope, page_size: 1000 })

        expect(page.items).toHaveLength(Math.min(200, items.length))
        expect(listedUids(kind, above).length).toBeLessThanOrEqual(200)
      })
    },
)

requirementOnEach(
  butGroups,
  {
    id: 'list.token.last-page',
    level: 'must',
    statement: 'S4.17, S4.15, R11',
    says: 'A last page that is not full has no token',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const { length } = items
        const sizes = [Math.ceil(length / 3), Math.ceil(length / 2), length - 1, 199].filter(
          (size) => size > 1 && size < length && size <= 200 && length % size !== 0,
        )
        atLeast(1, 'page sizes with a last page that is not full', sizes.length)

        const walks = await Promise.all(
          sizes.map((size) => walk(api[kind].list, { ...scope, page_size: size }, length)),
        )

        expect(walks.map(({ pages }) => pages.length)).toEqual(sizes.map((size) => Math.ceil(length / size)))
      })
    },
)

requirementOnEach(
  butGroups,
  {
    id: 'list.walk.other-page-size',
    level: 'should',
    statement: 'S4.11, S4.12, S4.25, S4.15',
    says: 'A page size may change from one page of a walk to the next, and nothing is lost',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const [small, large] = [6, 3].map((parts) => Math.min(Math.ceil(items.length / parts), 200))
        const first = await api[kind].list({ ...scope, page_size: small })
        const second = await api[kind].list({ ...scope, page_size: large, page_token: first.nextPageToken })
        const query = { ...scope, page_size: 200 }

        const found = await walk(api[kind].list, query, items.length, [first, second])

        foundAll(found, items)
        atLeast(1, 'page boundaries', boundaries([found]))
      })
    },
)

requirementOnEach(
  butGroups,
  {
    id: 'list.skip.beyond-end',
    level: 'must',
    statement: 'S4.14, S4.15, R20',
    says: 'A skip to the end or beyond it brings back no result',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const skips = [items.length, items.length + 1000]

        const [last, ...answers] = await Promise.all(
          [items.length - 1, ...skips].map((skip) => api.attempt[kind].list({ ...scope, skip })),
        )

        atLeast(1, 'results right before the end', listedUids(kind, last!).length)
        expect(answers.map((answer) => listedUids(kind, answer))).toEqual(skips.map(() => []))
      })
    },
)

requirementOnEach(
  butGroups.filter((kind) => kinds[kind].named),
  {
    id: 'list.filter.exact',
    level: 'should',
    statement: 'S4.10, S4.15, R21',
    says: 'name finds just what bears it: no prefix, no part, no other case',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const sought = uniquelyNamed(items, 3)
        atLeast(1, `${kind} with names of their own`, sought.length)
        const name = String(sought[0]?.name)
        const near = [name.slice(0, -1), name.slice(1), name.toUpperCase(), `${name}a`].filter(
          (other) => other !== '' && !items.some((item) => item.name === other),
        )

        const pages = await Promise.all(sought.map((one) => api[kind].list({ ...scope, name: String(one.name) })))
        const others = await Promise.all(near.map((other) => api.attempt[kind].list({ ...scope, name: other })))

        expect(pages.map((page) => uids(page.items))).toEqual(sought.map(({ uid }) => [uid]))
        expect(others.map((answer) => listedUids(kind, answer))).toEqual(near.map(() => []))
      })
    },
)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.walk.filter',
    level: 'should',
    statement: 'S4.10, S4.24, S4.25, S4.15, R21',
    says: 'The name filter and the scope hold on every page of a walk',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const { name, bearers } = sharedName(kind, items, 3)
        const page_size = Math.ceil(bearers.length / 12)

        const found = await walk(api[kind].list, { ...scope, name, page_size }, bearers.length)

        expect(sortedUids(found.items)).toEqual(bearers)
      })
    },
)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.total.filtered',
    level: 'should',
    statement: 'S4.18, S4.10, S4.15, R13, R21',
    says: 'With a name filter totalCount counts what matches it',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const { name, bearers } = sharedName(kind, items, 2)

        const page = await api[kind].list({ ...scope, name, page_size: 1 })

        expect(page.totalCount).toBe(String(bearers.length))
      })
    },
)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.filter.with-descendants',
    level: 'should',
    statement: 'S4.24, S4.10, S4.8, S4.15, R21',
    says: 'name combines with descendants_of: what bears the name elsewhere is left out',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const { name, bearers } = sharedName(kind, items, 2)
        const { parts } = await readShelves(api, kind, registryGroup, items)

        const pages = await Promise.all(
          parts.map(({ uid }) => api[kind].list({ ...descendantsOf(uid), name, page_size: 200 })),
        )

        const wanted = parts.map((part) => sortedUids(part.items).filter((uid) => bearers.includes(uid)))
        expect(pages.map((page) => sortedUids(page.items))).toEqual(wanted)
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.descendants',
    level: 'must',
    statement: 'S4.8, S4.6, S4.15, R15',
    says: 'descendants_of of a group lists no more than that of the group above it, and two groups side by side share nothing',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const { parts } = await readShelves(api, kind, registryGroup, items)

        const inParts = parts.flatMap((part) => uids(part.items))
        const all = uids(items)
        expect(inParts.filter((uid) => !all.includes(uid))).toEqual([])
        expect(inParts.filter((uid, index) => inParts.indexOf(uid) !== index)).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.children',
    level: 'must',
    statement: 'S4.9, S4.15, R16',
    says: 'children_of lists nothing that stands below a group further down',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const { parts } = await readShelves(api, kind, registryGroup, items)
        const query = { 'uidp.children_of': registryGroup, page_size: 200 }

        const direct = await walk(api[kind].list, query, items.length)

        const deeper = parts.flatMap((part) => uids(part.items))
        expect(uids(direct.items).filter((uid) => deeper.includes(uid))).toEqual([])
        expect(uids(direct.items).filter((uid) => !uids(items).includes(uid))).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.elsewhere',
    level: 'must',
    statement: 'S4.8, S4.9, S4.15, R15',
    says: 'A group beside the registry lists nothing of what that holds, in either scope',
  },
  (kind) =>
    async ({ api, over, scratch }) => {
      await over(kind, async ({ items }) => {
        const pages = await Promise.all(
          [scratch.children, scratch.descendants].map((scope) => api[kind].list({ ...scope, page_size: 200 })),
        )

        const shown = pages.flatMap((page) => uids(page.items))
        expect(shown.filter((uid) => uids(items).includes(uid))).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.descendants.never-issued',
    level: 'must',
    statement: 'S4.8, S4.15, R15',
    says: 'A scope that does not exist, however alike to one that does, lists nothing (descendants_of)',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const above = registryGroup.slice(0, Math.max(0, registryGroup.lastIndexOf('/')))
        const unissued = await unissuedUids(api, registryGroup, above)

        const answers = await Promise.all(
          unissued.map((uid) => api.attempt[kind].list({ ...descendantsOf(uid), page_size: 200 })),
        )

        const shown = answers.flatMap((answer) => listedUids(kind, answer))
        expect(shown.filter((uid) => uids(items).includes(String(uid)))).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.token.other-scope',
    level: 'must',
    statement: 'S4.8, S4.12, S4.15, R14',
    says: 'A token that is sent with another scope never brings back what lies outside that scope',
  },
  (kind) =>
    async ({ api, over, registryGroup, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const { parts } = await readShelves(api, kind, registryGroup, items)
        const { nextPageToken } = await api[kind].list({ ...scope, page_size: 2 })
        atLeast(1, 'page tokens', nextPageToken === undefined ? 0 : 1)

        const answers = await Promise.all(
          parts.map(({ uid }) =>
            api.attempt[kind].list({ ...descendantsOf(uid), page_size: 200, page_token: nextPageToken }),
          ),
        )

        const inside = parts.map((part) => uids(part.items))
        const strays = answers.map((answer, index) =>
          listedUids(kind, answer).filter((uid) => !inside[index]!.includes(String(uid))),
        )
        expect(strays).toEqual(parts.map(() => []))
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.empty.answer',
    level: 'must',
    statement: 'S4.16, S4.18, S4.15, R13, R23',
    says: 'An empty list is no error: no result, no token, and no total but 0',
  },
  (kind) =>
    async ({ api, over, scratch, atLeast }) => {
      await over(kind, async () => {
        const page = await api[kind].list(scratch.descendants)

        atLeast(1, `empty lists of ${kind}`, page.items.length === 0 ? 1 : 0)
        expect([page.nextPageToken, page.totalCount ?? '0']).toEqual([undefined, '0'])
      })
    },
)

requirement(
  {
    id: 'group.delete.holds-repos',
    level: 'must',
    statement: 'S7.6, S2.16, R29, R30',
    says: 'Delete of a group that holds repos is refused, and the group and its repos stay',
    profile: 'registry',
  },
  async ({ api, scratch, expendableGroup, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const scope = descendantsOf(expendableGroup)
    const there = await api.attempt.groups.get(expendableGroup)
    const before = listedUids('repos', await api.attempt.repos.list(scope))
    atLeast(1, `repos in the group ${expendableGroup}`, succeeded(there) ? before.length : 0)

    refused(await api.attempt.groups.delete(expendableGroup), 'deleting a group that holds repos')

    accepted(await api.attempt.groups.get(expendableGroup), 'Get of a group whose Delete was refused')
    const after = await api.repos.list(scope)
    expect(
      uids(after.items).some((uid) => before.includes(uid)),
      'its repos are still there',
    ).toBe(true)
  },
)
