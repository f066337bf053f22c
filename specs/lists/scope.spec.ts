import { expect } from 'vitest'
import { type KindName, ownKinds, registryKinds } from '../../helpers/api/kinds.ts'
import { ownUids } from '../../helpers/api/own-items.ts'
import { type Received, uids } from '../../helpers/api/received.ts'
import { listedItems, listedUids } from '../../helpers/arrange/listings.ts'
import { readRegistryGroups } from '../../helpers/arrange/registry-groups.ts'
import { childrenOf, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { alikeTo, stillUnissued } from '../../helpers/arrange/unknown-uids.ts'
import { foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import { makeLine } from '../../helpers/auth/control-calls.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { Answer } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'list.scope.children.named',
    level: 'must',
    statement: 'S4.9, S4.10, R16',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    restsOn: ['list.scope.descendants.never-issued', 'list.filter.outside-scope', 'list.walk.filter'],
    says: 'children_of with a name lists no grandchild of that name',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const [branch] = forest.branches
    const twin = forest.twins.find(({ uid }) => forest.belowFirst.some((group) => group.uid === uid))

    const above = await api.attempt.groups.list({ ...forest.children, name: String(twin?.name) })
    const direct = await api.attempt.groups.list({
      ...childrenOf(String(branch?.uid)),
      name: String(twin?.name),
    })

    expect(listedUids('groups', above), 'the grandchildren that the list shows').toEqual([])
    atLeast(1, 'direct children of that name', listedItems('groups', direct).length)
  },
)

requirement(
  {
    id: 'list.scope.from-above',
    level: 'must',
    statement: 'S4.8, S4.24, R15',
    quote: '`name` and `uidp.descendants_of` can be combined',
    restsOn: ['list.filter.with-descendants'],
    says: "A list below the operator's group finds a group of the run by its name, levels below",
  },
  async ({ api, run, scratch, eventually, atLeast }) => {
    const deepest = (await makeLine(scratch, scratch.group, 4)).at(-1)
    atLeast(1, 'groups below the scratch group', deepest ? 1 : 0)

    await eventually(async () => {
      const query = { ...descendantsOf(run.journal.operatorsGroup), name: String(deepest?.name) }
      const { items } = await api.groups.list(query)
      expect(ownUids(items, run), 'the groups of the run found by that name').toEqual([deepest?.uid])
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
    restsOn: ['list.scope.children'],
    says: 'The {many} below a group are listed below its parent, never below its sibling',
  },
  (kind) =>
    async ({ api, withPopulation, registryGroup }) => {
      await withPopulation(kind, async ({ items }) => {
        const { parts } = await readRegistryGroups(api, kind, registryGroup, items)

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
    async ({ api, withPopulation, registryGroup }) => {
      await withPopulation(kind, async ({ items }) => {
        const { parts } = await readRegistryGroups(api, kind, registryGroup, items)
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

/** Groups whose uid shows that they are not direct children of a group; uids of other kinds need not show it (R10). */
const misplaced = (kind: KindName, parent: string, items: readonly Received[]) =>
  kind === 'groups' ? uids(items).filter((uid) => uid.slice(0, uid.lastIndexOf('/')) !== parent) : []

requirementOnEach(
  ownKinds,
  {
    id: 'list.scope.children',
    level: 'must',
    statement: 'S4.9, S4.15, S5.8, R16',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    says: 'children_of lists exactly the {many} directly in the group',
  },
  (kind) =>
    async ({ api, neighboursOf }) => {
      const { scope, group, inside, below, beside } = await neighboursOf(kind)

      const found = await walk(api[kind].list, scope, inside.length)

      foundAll(found, inside, [...below, ...beside])
      expect(misplaced(kind, group.uid, found.items), 'groups that are no direct children').toEqual([])
    },
)

requirementOnEach(
  ownKinds,
  {
    id: 'list.scope.descendants',
    level: 'must',
    statement: 'S4.8, S4.15, S5.8, R15',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.scope.children'],
    says: 'descendants_of lists exactly the {many} below the group, at every depth',
  },
  (kind) =>
    async ({ api, neighboursOf }) => {
      const { descendants, inside, below, beside } = await neighboursOf(kind)

      const all = [...inside, ...below]

      foundAll(await walk(api[kind].list, descendants, all.length), all, beside)
    },
)

for (const [what, scopeOf] of [
  ['children', childrenOf],
  ['descendants', descendantsOf],
] as const) {
  requirementOnEach(
    ownKinds,
    {
      id: `list.scope.${what}.never-issued`,
      level: 'must',
      statement: `${what === 'children' ? 'S4.9' : 'S4.8'}, R15`,
      quote:
        'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
      restsOn: ['list.scope.descendants.never-issued', 'list.page-size.maximum'],
      says: `${what}_of lists no {many} for an unknown uid, even one that resembles a real uid`,
    },
    (kind) =>
      async ({ api, neighboursOf, atLeast }) => {
        const { group, parent, inside, below, beside } = await neighboursOf(kind)
        const [top = ''] = group.uid.split('/')
        const list = (uid: string) => api.attempt[kind].list({ ...scopeOf(uid), page_size: 200 })
        const unissued = alikeTo(group, parent)

        atLeast(1, 'uids that were never issued', unissued.length)
        const [own, ...near] = await Promise.all([group.uid, ...unissued].map(list))
        atLeast(1, 'results where the scope exists', listedUids(kind, own!).length)
        // an organization with that uid may exist, but holds none of our resources
        const tops = await Promise.all([top.slice(0, -1), `${top}0`].filter(Boolean).map(list))

        const ours = uids([...inside, ...below, ...beside])
        const lists = unissued.map((_, index) => listedUids(kind, near[index]!))
        const showing = unissued.filter((_, index) => lists[index]!.length > 0)
        const still = await stillUnissued(api, showing)
        expect(
          unissued.map((uid, index) => (still.includes(uid) ? lists[index]! : [])),
          ofEach(`the ${kind} listed in each unknown scope`, unissued.map(scopeOf)),
        ).toEqual(unissued.map(() => []))
        expect(
          tops.flatMap((answer) => listedUids(kind, answer)).filter((uid) => ours.includes(String(uid))),
          'own uids listed for an unknown organization',
        ).toEqual([])
      },
  )
}

requirementOnEach(
  registryKinds,
  {
    id: 'list.scope.descendants.never-issued',
    level: 'must',
    statement: 'S4.8, S4.15, R15',
    quote:
      'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
    restsOn: ['list.scope.descendants'],
    says: 'descendants_of with an unknown uid lists no {many}, even if it resembles a real uid',
  },
  (kind) =>
    async ({ api, withPopulation, registryGroup }) => {
      await withPopulation(kind, async ({ items }) => {
        const above = registryGroup.slice(0, Math.max(0, registryGroup.lastIndexOf('/')))
        const unknown = alikeTo({ uid: registryGroup }, above)

        const answers = await Promise.all(
          unknown.map((uid) => api.attempt[kind].list({ ...descendantsOf(uid), page_size: 200 })),
        )

        const shows = (answer: Answer) => listedUids(kind, answer).some((uid) => uids(items).includes(String(uid)))
        const showing = unknown.filter((_, index) => shows(answers[index]!))
        expect(await stillUnissued(api, showing), 'unknown uids that list something').toEqual([])
      })
    },
)
