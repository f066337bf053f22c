import { expect } from 'vitest'
import { kinds, registryKinds } from '../../helpers/api/kinds.ts'
import { isReceived, names as namesOf, type Received, uids } from '../../helpers/api/received.ts'
import { readRegistryGroups, sharedName, sortedUids } from '../../helpers/arrange/registry-groups.ts'
import { childrenOf, descendantsOf } from '../../helpers/arrange/scratch.ts'
import { ofEachValue } from '../../helpers/case/of-each.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.filter.finds',
    level: 'must',
    statement: 'S4.10, S4.24',
    quote: '`name` and `uidp.descendants_of` can be combined',
    restsOn: ['list.scope.descendants'],
    says: 'The name filter finds a group at any depth',
  },
  async ({ api, run, forest }) => {
    const own = forest.belowFirst.filter(({ uid }) => run.journal.made(uid))
    const sought = [...forest.branches, ...own.filter(({ name }) => name !== forest.twins[0]?.name)]

    const pages = await Promise.all(sought.map(({ name }) => api.groups.list({ ...forest.scope, name: String(name) })))

    const there = [...forest.all, ...forest.strangers]
    const wanted = sought.map(({ name }) => there.filter((group) => group.name === name))
    expect(
      pages.map(({ items }) => uids(items).sort()),
      ofEachValue('the groups found by each name', 'name', namesOf(sought)),
    ).toEqual(wanted.map((groups) => uids(groups).sort()))
  },
)

requirement(
  {
    id: 'list.filter.every-one',
    level: 'must',
    statement: 'S4.10, S4.24',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.finds'],
    says: 'The name filter finds every group of that name, under any parent',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)

    const page = await api.groups.list({ ...forest.scope, name: String(forest.twins[0]?.name) })

    expect(uids(page.items).sort(), 'the groups of that name').toEqual(uids(forest.twins).sort())
  },
)

requirement(
  {
    id: 'list.filter.crowd',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.exact', 'list.total.crowd'],
    says: 'The name filter finds its group anywhere among hundreds of siblings',
  },
  async ({ api, crowd }) => {
    const sought = crowd.siblings.filter((_, index) => index % 19 === 0 || index === crowd.siblings.length - 1)

    const pages = await Promise.all(sought.map(({ name }) => api.groups.list({ ...crowd.scope, name: String(name) })))

    expect(
      pages.map(({ items }) => uids(items)),
      ofEachValue('the groups found by each name', 'name', namesOf(sought)),
    ).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.with-descendants',
    level: 'must',
    statement: 'S4.24, S4.10, S4.8',
    quote: '`name` and `uidp.descendants_of` can be combined',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
    says: 'The name filter with descendants_of leaves out groups of that name elsewhere',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)

    const wanted = uids(forest.belowFirst.filter((group) => group.name === name))
    atLeast(1, 'groups of that name in the scope', wanted.length)

    const page = await api.groups.list({ ...descendantsOf(String(forest.branches[0]?.uid)), name })

    expect(uids(page.items).sort(), 'the groups of that name in the scope').toEqual(wanted.sort())
  },
)

requirement(
  {
    id: 'list.filter.with-children',
    level: 'should',
    statement: 'S4.10, S4.9, R21',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
    says: 'The name filter combines with children_of',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)
    const parent = String(forest.branches[0]?.uid)
    const isChild = ({ uid }: Received) => uid.slice(0, uid.lastIndexOf('/')) === parent
    const wanted = uids(forest.belowFirst.filter((group) => group.name === name && isChild(group)))
    atLeast(1, 'groups of that name in the scope', wanted.length)

    const page = await api.groups.list({ ...childrenOf(parent), name })

    expect(uids(page.items), 'the groups of that name in the scope').toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.filter.outside-scope',
    level: 'must',
    statement: 'S4.24, S4.8, R24',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    restsOn: ['list.filter.exact'],
    says: 'A name that only a group outside the scope has finds nothing',
  },
  async ({ api, forest, atLeast }) => {
    const outside = String(forest.branches[1]?.name)
    const holders = await api.groups.list({ ...forest.scope, name: outside })
    atLeast(1, 'groups of that name outside the scope', holders.items.length)

    const page = await api.groups.list({ ...descendantsOf(String(forest.branches[0]?.uid)), name: outside })

    expect(uids(page.items), 'the groups of that name in the scope').toEqual([])
  },
)

const namedInRegistry = registryKinds.filter((kind) => kinds[kind].named)

requirementOnEach(
  namedInRegistry,
  {
    id: 'list.filter.with-descendants',
    level: 'should',
    statement: 'S4.24, S4.10, S4.8, S4.15, R21',
    quote: '`name` and `uidp.descendants_of` can be combined',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
    says: 'The name filter with descendants_of leaves out {many} of that name elsewhere',
  },
  (kind) =>
    async ({ api, withPopulation, registryGroup }) => {
      await withPopulation(kind, async ({ items }) => {
        const { name, bearers } = sharedName(kind, items, 2)
        const { parts } = await readRegistryGroups(api, kind, registryGroup, items)

        const pages = await Promise.all(
          parts.map(({ uid }) => api[kind].list({ ...descendantsOf(uid), name, page_size: 200 })),
        )

        const wanted = parts.map((part) => sortedUids(part.items).filter((uid) => bearers.includes(uid)))
        expect(
          pages.map((page) => sortedUids(page.items)),
          ofEachValue('the results of that name in each scope', 'uidp.descendants_of', uids(parts)),
        ).toEqual(wanted)
      })
    },
)

requirement(
  {
    id: 'list.filter.trailing-blank',
    level: 'should',
    statement: 'S4.10, R3',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
    says: 'The name filter distinguishes a name from the same name with a trailing space',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    const name = names.fresh()
    const create = (sent: string) => api.attempt.groups.create(scratch.uid, { name: sent })
    const answers = [await create(name), await create(`${name} `)]
    const asSent = answers.flatMap(({ json }, index) =>
      isReceived(json) && json.name === [name, `${name} `][index] ? [json] : [],
    )
    atLeast(2, 'names that came back as sent', asSent.length)

    await eventually(async () => {
      const pages = await Promise.all(
        asSent.map((group) => api.groups.list({ ...scratch.children, name: String(group.name) })),
      )
      expect(
        pages.map(({ items }) => uids(items)),
        ofEachValue('uids found by each name', 'name', namesOf(asSent)),
      ).toEqual(asSent.map(({ uid }) => [uid]))
    })
  },
)
