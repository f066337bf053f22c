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

const kindsExceptGroups = listedKinds.filter((kind) => kind !== 'groups')
const readKinds: readonly KindName[] = ['roles', ...registryKinds]
const namedInRegistry = registryKinds.filter((kind) => kinds[kind].named)

requirementOnEach(
  readKinds,
  {
    id: 'list.page-size.default',
    level: 'must',
    statement: 'S4.11, S8.1, S4.15, R19',
    quote: 'The default of `page_size` is 50',
    says: 'A page of {many} without page_size holds 50 results, or all if fewer exist',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const page = await api[kind].list(scope)

        expect(page.items, 'the results on the page').toHaveLength(Math.min(50, items.length))
        // R11 allows a token on a full last page
        expect(page.nextPageToken !== undefined || items.length <= 50, 'a page that is not the last has a token').toBe(
          true,
        )
      })
    },
)

requirementOnEach(
  ['repos'] as const,
  {
    id: 'list.page-size.maximum',
    level: 'must',
    statement: 'S4.11, S8.2, S4.15, R19',
    quote: 'The maximum of `page_size` is 200',
    says: 'A page of {many} holds up to 200 results and never more',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const page = await api[kind].list({ ...scope, page_size: 200 })
        const above = await api.attempt[kind].list({ ...scope, page_size: 1000 })

        expect(page.items, 'the results with page_size=200').toHaveLength(Math.min(200, items.length))
        expect(listedUids(kind, above).length, 'the number of results with page_size=1000').toBeLessThanOrEqual(200)
      })
    },
)

requirementOnEach(
  kindsExceptGroups,
  {
    id: 'list.token.last-page',
    level: 'must',
    statement: 'S4.17, S4.15, R11',
    quote: 'On the last page `nextPageToken` is absent or empty',
    says: 'The last page of {many} has no token unless it is full',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const { length } = items
        const sizes = [Math.ceil(length / 3), Math.ceil(length / 2), length - 1, 199].filter(
          (size) => size > 1 && size < length && size <= 200 && length % size !== 0,
        )
        atLeast(1, 'page sizes that leave the last page partly empty', sizes.length)

        const walks = await Promise.all(
          sizes.map((size) => walk(api[kind].list, { ...scope, page_size: size }, length)),
        )

        expect(
          walks.map(({ pages }) => pages.length),
          'the pages of each walk',
        ).toEqual(sizes.map((size) => Math.ceil(length / size)))
      })
    },
)

requirementOnEach(
  kindsExceptGroups,
  {
    id: 'list.walk.other-page-size',
    level: 'should',
    statement: 'S4.11, S4.12, S4.25, S4.15',
    quote: 'follows `nextPageToken` until it is absent has seen all results',
    says: 'A change of page_size during a walk over {many} loses no result',
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
  kindsExceptGroups,
  {
    id: 'list.skip.beyond-end',
    level: 'must',
    statement: 'S4.14, S4.15, R20',
    quote: 'Beyond the end a skip may answer an empty page or an error (_observe_), but never items',
    says: 'A skip to the end of the {many} or beyond returns no result',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const skips = [items.length, items.length + 1000]

        const [last, ...answers] = await Promise.all(
          [items.length - 1, ...skips].map((skip) => api.attempt[kind].list({ ...scope, skip })),
        )

        atLeast(1, 'results after a skip to the last one', listedUids(kind, last!).length)
        expect(
          answers.map((answer) => listedUids(kind, answer)),
          'the results at and beyond the end',
        ).toEqual(skips.map(() => []))
      })
    },
)

requirementOnEach(
  kindsExceptGroups.filter((kind) => kinds[kind].named),
  {
    id: 'list.filter.exact',
    level: 'should',
    statement: 'S4.10, S4.15, R21',
    quote: 'The exact match is _must_ on groups and _should_ on other lists whose items have a `name`',
    says: 'The name filter finds only {many} of exactly that name',
  },
  (kind) =>
    async ({ api, over, atLeast }) => {
      await over(kind, async ({ scope, items }) => {
        const sought = uniquelyNamed(items, 3)
        atLeast(1, `${kind} with unique names`, sought.length)
        const name = String(sought[0]?.name)
        const similar = [name.slice(0, -1), name.slice(1), name.toUpperCase(), `${name}a`].filter(
          (other) => other !== '' && !items.some((item) => item.name === other),
        )

        const pages = await Promise.all(sought.map((one) => api[kind].list({ ...scope, name: String(one.name) })))
        const others = await Promise.all(similar.map((other) => api.attempt[kind].list({ ...scope, name: other })))

        expect(
          pages.map((page) => uids(page.items)),
          'the results for each name',
        ).toEqual(sought.map(({ uid }) => [uid]))
        expect(
          others.map((answer) => listedUids(kind, answer)),
          'the results for each similar name',
        ).toEqual(similar.map(() => []))
      })
    },
)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.walk.filter',
    level: 'should',
    statement: 'S4.10, S4.24, S4.25, S4.15, R21',
    quote: '`name` and `uidp.descendants_of` can be combined',
    says: 'The name filter and the scope hold on every page of a walk over {many}',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const { name, bearers } = sharedName(kind, items, 3)
        const page_size = Math.ceil(bearers.length / 12)

        const found = await walk(api[kind].list, { ...scope, name, page_size }, bearers.length)

        expect(sortedUids(found.items), 'the results of the walk').toEqual(bearers)
      })
    },
)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.total.filtered',
    level: 'should',
    statement: 'S4.18, S4.10, S4.15, R13, R21',
    quote: '`totalCount`, gives the matches across all pages',
    says: 'totalCount counts only the {many} that match the name filter',
  },
  (kind) =>
    async ({ api, over }) => {
      await over(kind, async ({ scope, items }) => {
        const { name, bearers } = sharedName(kind, items, 2)

        const page = await api[kind].list({ ...scope, name, page_size: 1 })

        expect(page.totalCount, 'totalCount with the name filter').toBe(String(bearers.length))
      })
    },
)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.filter.with-descendants',
    level: 'should',
    statement: 'S4.24, S4.10, S4.8, S4.15, R21',
    quote: '`name` and `uidp.descendants_of` can be combined',
    says: 'The name filter with descendants_of leaves out {many} of that name elsewhere',
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
        expect(
          pages.map((page) => sortedUids(page.items)),
          'the results of that name in each scope',
        ).toEqual(wanted)
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.descendants',
    level: 'must',
    statement: 'S4.8, S4.6, S4.15, R15',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    says: 'The {many} below a group are listed below its parent, never below its sibling',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const { parts } = await readShelves(api, kind, registryGroup, items)

        const inParts = parts.flatMap((part) => uids(part.items))
        const all = uids(items)
        expect(
          inParts.filter((uid) => !all.includes(uid)),
          'listed for a group, not for its parent',
        ).toEqual([])
        expect(
          inParts.filter((uid, index) => inParts.indexOf(uid) !== index),
          'listed for two sibling groups',
        ).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.children',
    level: 'must',
    statement: 'S4.9, S4.15, R16',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    says: 'children_of lists no {one} from a group further down',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const { parts } = await readShelves(api, kind, registryGroup, items)
        const query = { 'uidp.children_of': registryGroup, page_size: 200 }

        const direct = await walk(api[kind].list, query, items.length)

        const deeper = parts.flatMap((part) => uids(part.items))
        expect(
          uids(direct.items).filter((uid) => deeper.includes(uid)),
          'listed although further down',
        ).toEqual([])
        expect(
          uids(direct.items).filter((uid) => !uids(items).includes(uid)),
          'listed although outside the group',
        ).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.elsewhere',
    level: 'must',
    statement: 'S4.8, S4.9, S4.15, R15',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    says: 'A scope outside the registry group lists none of its {many}',
  },
  (kind) =>
    async ({ api, over, scratch }) => {
      await over(kind, async ({ items }) => {
        const pages = await Promise.all(
          [scratch.children, scratch.descendants].map((scope) => api[kind].list({ ...scope, page_size: 200 })),
        )

        const shown = pages.flatMap((page) => uids(page.items))
        expect(
          shown.filter((uid) => uids(items).includes(uid)),
          'listed although outside the scope',
        ).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.descendants.never-issued',
    level: 'must',
    statement: 'S4.8, S4.15, R15',
    quote:
      'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
    says: 'descendants_of with an unknown uid lists no {many}, even if it resembles a real uid',
  },
  (kind) =>
    async ({ api, over, registryGroup }) => {
      await over(kind, async ({ items }) => {
        const above = registryGroup.slice(0, Math.max(0, registryGroup.lastIndexOf('/')))
        const unknown = await unissuedUids(api, registryGroup, above)

        const answers = await Promise.all(
          unknown.map((uid) => api.attempt[kind].list({ ...descendantsOf(uid), page_size: 200 })),
        )

        const shown = answers.flatMap((answer) => listedUids(kind, answer))
        expect(
          shown.filter((uid) => uids(items).includes(String(uid))),
          'listed for an unknown uid',
        ).toEqual([])
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.token.other-scope',
    level: 'must',
    statement: 'S4.8, S4.12, S4.15, R14',
    quote: 'it never brings back resources from outside the scope that the request names',
    says: 'A token sent with another scope lists no {one} outside that scope',
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
        expect(strays, 'listed although outside the scope').toEqual(parts.map(() => []))
      })
    },
)

requirementOnEach(
  registryKinds,
  {
    id: 'list.empty.answer',
    level: 'must',
    statement: 'S4.16, S4.18, S4.15, R13, R23',
    quote: 'An empty result has `"0"`; that it is absent there is a warning',
    says: 'An empty list of {many} has no token and no totalCount above 0',
  },
  (kind) =>
    async ({ api, over, scratch, atLeast }) => {
      await over(kind, async () => {
        const page = await api[kind].list(scratch.descendants)

        atLeast(1, `empty lists of ${kind}`, page.items.length === 0 ? 1 : 0)
        expect([page.nextPageToken, page.totalCount ?? '0'], 'the token and the total of an empty list').toEqual([
          undefined,
          '0',
        ])
      })
    },
)

requirement(
  {
    id: 'group.delete.holds-repos',
    level: 'must',
    statement: 'S7.6, S2.16, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    says: 'Delete of a group that holds repos is refused without effect',
    profile: 'registry',
  },
  async ({ api, scratch, expendableGroup, atLeast }) => {
    atLeast(1, 'plain deletes that succeed', await plainDeletes({ api, scratch }))
    const scope = descendantsOf(expendableGroup)
    const group = await api.attempt.groups.get(expendableGroup)
    const before = listedUids('repos', await api.attempt.repos.list(scope))
    atLeast(1, `repos in the group ${expendableGroup}`, succeeded(group) ? before.length : 0)

    refused(await api.attempt.groups.delete(expendableGroup), 'Delete of a group that holds repos')

    accepted(await api.attempt.groups.get(expendableGroup), 'Get of a group whose Delete was refused')
    const after = await api.repos.list(scope)
    expect(
      uids(after.items).some((uid) => before.includes(uid)),
      'the group still holds one of its repos',
    ).toBe(true)
  },
)
