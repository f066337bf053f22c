import { expect } from 'vitest'
import { ownKinds, registryKinds } from '../../helpers/api/kinds.ts'
import { ownUids } from '../../helpers/api/own-items.ts'
import { names as namesOf, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { registryHomes } from '../../helpers/arrange/registry-groups.ts'
import { childrenOf, deleteGroup, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { foundAll, only, walk } from '../../helpers/assertions/page-walk.ts'
import { accepted } from '../../helpers/assertions/refused.ts'
import { ofEach, ofEachValue } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.elsewhere',
    level: 'must',
    statement: 'S4.8, S4.9, S4.15, R15',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.descendants.never-issued', 'list.page-size.maximum'],
    says: 'A scope outside the registry group lists none of its {many}',
  },
  (kind) =>
    async ({ api, withPopulation, scratch }) => {
      await withPopulation(kind, async ({ items }) => {
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

requirement(
  {
    id: 'list.scope.children.each@repos',
    level: 'should',
    statement: 'S4.9, S4.8, S4.25, S7.6',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    restsOn: ['list.scope.children@repos'],
    says: 'Each repo below a group is a direct child of that group or of one below it',
    profile: 'registry',
  },
  async ({ api, withPopulation, registryGroup, atLeast }) => {
    await withPopulation('repos', async ({ items }) => {
      const homes = await registryHomes(api, registryGroup)
      // others may be in groups that the caller does not see (R56), or have opaque uids (R10)
      const placed = uids(items).filter((uid) => homes.includes(uid.slice(0, Math.max(0, uid.lastIndexOf('/')))))
      atLeast(1, 'repos whose uids name their group', placed.length)

      const lists = await Promise.all(
        homes.map((uid) => walk(api.repos.list, { ...childrenOf(uid), page_size: 200 }, items.length)),
      )

      const listed = lists.flatMap((list) => uids(list.items))
      expect(
        placed.filter((uid) => !listed.includes(uid)),
        'repos that are a child of none of these groups',
      ).toEqual([])
    })
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

requirement(
  {
    id: 'list.scope.itself',
    level: 'observe',
    statement: 'S4.8, R15',
    quote: 'Whether the group itself counts as "below" is _observe_',
    says: 'How descendants_of treats the group itself',
  },
  async ({ api, scratch, observe }) => {
    const page = await api.groups.list(scratch.descendants)

    observe(uids(page.items).includes(scratch.uid) ? 'the group itself is listed' : 'only what is below')
  },
)

requirement(
  {
    id: 'list.scope.leaf',
    level: 'must',
    statement: 'S4.8, S4.9',
    quote: 'a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.descendants.never-issued'],
    says: 'Both scopes of an empty group list nothing from outside it',
  },
  async ({ api, scratch, atLeast }) => {
    const leaf = await scratch.makeGroup()
    await scratch.settled('groups', scratch.children, [leaf])

    const [around, children, descendants] = await Promise.all([
      api.groups.list(scratch.children),
      api.groups.list(childrenOf(leaf.uid)),
      api.groups.list(descendantsOf(leaf.uid)),
    ])

    atLeast(1, 'results where there is a group', around.items.length)
    const outside = (uid: string) => !uid.startsWith(`${leaf.uid}/`)
    expect(uids(children.items).filter(outside), 'listed as children of an empty group').toEqual([])
    expect(
      uids(descendants.items).filter((uid) => outside(uid) && uid !== leaf.uid),
      'listed as descendants of an empty group',
    ).toEqual([])
  },
)

requirementOnEach(
  ownKinds,
  {
    id: 'list.scope.parent-of-none',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    quote: 'two scopes of which neither holds the other must share no item',
    restsOn: ['list.scope.descendants.never-issued', 'list.page-size.maximum'],
    says: 'Separate scopes share no {many}, and a child scope excludes those directly in its parent',
  },
  (kind) =>
    async ({ api, neighboursOf, atLeast }) => {
      const { child, sibling, inside, below, beside } = await neighboursOf(kind)

      const pages = await Promise.all(
        [child, sibling].map(({ uid }) => api[kind].list({ ...descendantsOf(uid), page_size: 200 })),
      )

      const [belowChild, belowSibling] = pages.map(({ items }) => uids(items))
      const outsideSibling = uids([...inside, ...below])
      const outsideChild = uids([...inside, ...beside]).filter((uid) => uid !== child.uid)
      expect(
        belowSibling?.filter((uid) => outsideSibling.includes(uid)),
        'uids outside the sibling scope',
      ).toEqual([])
      expect(
        belowChild?.filter((uid) => outsideChild.includes(uid)),
        'uids outside the child scope',
      ).toEqual([])
      atLeast(1, 'results in each scope', Math.min(...pages.map(({ items }) => items.length)))
    },
)

requirement(
  {
    id: 'list.scope.deleted',
    level: 'must',
    statement: 'S4.8, S4.9, R15, R28',
    quote: 'Get must not answer 2xx, and lists and counts must leave it out',
    restsOn: ['list.scope.descendants.never-issued', 'list.total.follows', 'group.delete.gone-from-lists'],
    says: 'The scope of a deleted group does not list its deleted child',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const parent = await scratch.makeGroup()
    const child = await scratch.makeGroup({}, parent.uid)
    const scopes = [childrenOf(parent.uid), descendantsOf(parent.uid)]
    await eventually(async () => {
      const before = await Promise.all(scopes.map((scope) => api.groups.list(scope)))
      expect(
        before.map(({ items }) => uids(items)),
        ofEach('uids listed before the delete', scopes),
      ).toEqual(before.map(() => expect.arrayContaining([child.uid])))
    })
    accepted(await deleteGroup(api, scratch, child.uid), 'the delete of an empty group')
    const deleted = await deleteGroup(api, scratch, parent.uid)
    atLeast(1, 'empty groups that can be deleted', succeeded(deleted) ? 1 : 0)

    await eventually(async () => {
      const after = await Promise.all(scopes.map((scope) => api.attempt.groups.list(scope)))
      const gone = [parent.uid, child.uid]
      expect(
        after.map((answer) => listedUids('groups', answer).filter((uid) => gone.includes(String(uid)))),
        ofEach('deleted uids that are listed', scopes),
      ).toEqual([[], []])
    })
  },
)

requirement(
  {
    id: 'list.scope.crowd',
    level: 'must',
    statement: 'S4.8, S4.24, S4.25',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.descendants.never-issued', 'list.total.crowd'],
    says: 'descendants_of finds hundreds of groups, in a walk and by name',
  },
  async ({ api, run, crowd }) => {
    const scope = descendantsOf(String(crowd.scope['uidp.children_of']))
    const sought = [crowd.siblings[101]!, crowd.siblings.at(-1)!]

    const found = await walk(api.groups.list, { ...scope, page_size: 80 }, crowd.siblings.length + 1)
    const named = await Promise.all(sought.map(({ name }) => api.groups.list({ ...scope, name: String(name) })))

    // R15 leaves open whether the list includes the group itself
    foundAll(only(found, crowd.siblings), crowd.siblings)
    expect(
      named.map(({ items }) => ownUids(items, run)),
      ofEachValue('uids found by name', 'name', namesOf(sought)),
    ).toEqual(sought.map(({ uid }) => [uid]))
  },
)
