import { expect } from 'vitest'
import { uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { childrenOf, descendantsOf } from '../helpers/arrange/scratch.ts'
import { requirement } from '../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.filter.finds',
    level: 'must',
    statement: 'S4.10, S4.24',
    quote: '`name` and `uidp.descendants_of` can be combined',
    says: 'The name filter finds a group at any depth',
  },
  async ({ api, forest }) => {
    const sought = [...forest.branches, ...forest.belowFirst.filter(({ name }) => name !== forest.twins[0]?.name)]

    const pages = await Promise.all(sought.map(({ name }) => api.groups.list({ ...forest.scope, name: String(name) })))

    expect(
      pages.map(({ items }) => uids(items)),
      'the groups found by each name',
    ).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.every-one',
    level: 'must',
    statement: 'S4.10, S4.24',
    quote: 'The `name` parameter keeps exact matches only',
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
    says: 'The name filter finds its group anywhere among hundreds of siblings',
  },
  async ({ api, crowd }) => {
    const sought = crowd.siblings.filter((_, index) => index % 19 === 0 || index === crowd.siblings.length - 1)

    const pages = await Promise.all(sought.map(({ name }) => api.groups.list({ ...crowd.scope, name: String(name) })))

    expect(
      pages.map(({ items }) => uids(items)),
      'the groups found by each name',
    ).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.exact',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'The name filter finds exact matches only: no part, other case or added space',
  },
  async ({ api, forest, atLeast }) => {
    const name = String(forest.branches[0]?.name)
    const similar = [
      name.slice(0, -1),
      name.slice(1),
      name.slice(2, -2),
      `${name}a`,
      name.toUpperCase(),
      `${name} `,
      ` ${name}`,
      name[0] ?? '',
    ]

    const asked = [undefined, 'name', 'created_at desc'].flatMap((order_by) =>
      similar.map((other) => ({ name: other, order_by })),
    )

    const [found, ...answers] = await Promise.all(
      [{ name }, ...asked].map((more) => api.attempt.groups.list({ ...forest.scope, ...more })),
    )

    atLeast(1, 'groups with exactly that name', listedUids('groups', found!).length)
    expect(
      answers.map((answer) => listedUids('groups', answer)),
      'the groups found by each similar name',
    ).toEqual(asked.map(() => []))
  },
)

requirement(
  {
    id: 'list.filter.literal',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'The name filter treats wildcard characters such as % and * literally',
  },
  async ({ api, forest, atLeast }) => {
    const name = String(forest.branches[0]?.name)
    const patterns = [
      '%',
      '*',
      '_'.repeat(name.length),
      `${name.slice(0, -1)}%`,
      `${name.slice(0, -1)}_`,
      `${name.slice(0, -1)}.`,
      `${name.slice(0, -1)}*`,
      `${name}|x`,
      `"${name}"`,
      '.*',
    ]

    const [found, ...answers] = await Promise.all(
      [name, ...patterns].map((pattern) => api.attempt.groups.list({ ...forest.scope, name: pattern })),
    )

    atLeast(1, 'groups with exactly that name', listedUids('groups', found!).length)
    expect(
      answers.map((answer) => listedUids('groups', answer)),
      'the groups found by each pattern',
    ).toEqual(patterns.map(() => []))
  },
)

requirement(
  {
    id: 'list.filter.punctuation',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'The name filter distinguishes names that differ in one punctuation character',
  },
  async ({ api, punctuated, atLeast }) => {
    atLeast(5, 'names with punctuation that came back as sent', punctuated.asSent.length)

    const pages = await Promise.all(
      punctuated.asSent.map(({ name }) => api.groups.list({ ...punctuated.scope, name: String(name) })),
    )

    expect(
      pages.map(({ items }) => uids(items)),
      'the groups found by each name',
    ).toEqual(punctuated.asSent.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.with-descendants',
    level: 'must',
    statement: 'S4.24, S4.10, S4.8',
    quote: '`name` and `uidp.descendants_of` can be combined',
    says: 'The name filter with descendants_of leaves out groups of that name elsewhere',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)

    const wanted = uids(forest.belowFirst.filter((group) => group.name === name))
    atLeast(1, 'groups of that name in the scope', wanted.length)

    const page = await api.groups.list({ ...descendantsOf(String(forest.branches[0]?.uid)), name })

    expect(uids(page.items), 'the groups of that name in the scope').toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.filter.with-children',
    level: 'should',
    statement: 'S4.10, S4.9, R21',
    quote: 'With `uidp.children_of` a List holds only direct children of the group',
    says: 'The name filter combines with children_of',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)
    const wanted = uids(forest.belowFirst.filter((group) => group.name === name))
    atLeast(1, 'groups of that name in the scope', wanted.length)

    const page = await api.groups.list({ ...childrenOf(String(forest.branches[0]?.uid)), name })

    expect(uids(page.items), 'the groups of that name in the scope').toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.filter.outside-scope',
    level: 'must',
    statement: 'S4.24, S4.8, R24',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
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

requirement(
  {
    id: 'list.filter.identities',
    level: 'should',
    statement: 'S4.10, S4.15, R21',
    quote: 'The exact match is _must_ on groups and _should_ on other lists whose items have a `name`',
    says: 'The name filter finds identities by exact match',
    profile: 'identities',
  },
  async ({ api, scratch, present }) => {
    await present(api.attempt.identities.list(scratch.children))
    const [one] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    const page = await api.identities.list({ ...scratch.children, name: String(one.name) })

    expect(uids(page.items), 'the identities of that name').toEqual([one.uid])
  },
)
