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
    says: 'name finds the group that bears it, whatever its depth',
  },
  async ({ api, forest }) => {
    const sought = [...forest.branches, ...forest.belowFirst.filter(({ name }) => name !== forest.twins[0]?.name)]

    const pages = await Promise.all(sought.map(({ name }) => api.groups.list({ ...forest.scope, name: String(name) })))

    expect(pages.map(({ items }) => uids(items))).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.every-one',
    level: 'must',
    statement: 'S4.10, S4.24',
    says: 'name finds every group that bears it, under whatever parent',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)

    const page = await api.groups.list({ ...forest.scope, name: String(forest.twins[0]?.name) })

    expect(uids(page.items).sort()).toEqual(uids(forest.twins).sort())
  },
)

requirement(
  {
    id: 'list.filter.crowd',
    level: 'must',
    statement: 'S4.10',
    says: 'name finds its group among hundreds, wherever it stands',
  },
  async ({ api, crowd }) => {
    const sought = crowd.siblings.filter((_, index) => index % 19 === 0 || index === crowd.siblings.length - 1)

    const pages = await Promise.all(sought.map(({ name }) => api.groups.list({ ...crowd.scope, name: String(name) })))

    expect(pages.map(({ items }) => uids(items))).toEqual(sought.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.exact',
    level: 'must',
    statement: 'S4.10',
    says: 'name matches exactly: no prefix, no suffix, no part, no other case, no added blank',
  },
  async ({ api, forest, atLeast }) => {
    const name = String(forest.branches[0]?.name)
    const near = [
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
      near.map((other) => ({ name: other, order_by })),
    )

    const [found, ...answers] = await Promise.all(
      [{ name }, ...asked].map((more) => api.attempt.groups.list({ ...forest.scope, ...more })),
    )

    atLeast(1, 'groups of the very name', listedUids('groups', found!).length)
    expect(answers.map((answer) => listedUids('groups', answer))).toEqual(asked.map(() => []))
  },
)

requirement(
  {
    id: 'list.filter.literal',
    level: 'must',
    statement: 'S4.10',
    says: 'Characters that are wildcards elsewhere are themselves: _ . * % and their like match nothing else',
  },
  async ({ api, forest, atLeast }) => {
    const name = String(forest.branches[0]?.name)
    const masks = [
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
      [name, ...masks].map((mask) => api.attempt.groups.list({ ...forest.scope, name: mask })),
    )

    atLeast(1, 'groups of the very name', listedUids('groups', found!).length)
    expect(answers.map((answer) => listedUids('groups', answer))).toEqual(masks.map(() => []))
  },
)

requirement(
  {
    id: 'list.filter.punctuation',
    level: 'must',
    statement: 'S4.10',
    says: 'Names that differ in one punctuation character are told apart: a_b, a.b, a-b, a b, axb',
  },
  async ({ api, punctuated, atLeast }) => {
    atLeast(5, 'names with punctuation that came back as sent', punctuated.asSent.length)

    const pages = await Promise.all(
      punctuated.asSent.map(({ name }) => api.groups.list({ ...punctuated.scope, name: String(name) })),
    )

    expect(pages.map(({ items }) => uids(items))).toEqual(punctuated.asSent.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.with-descendants',
    level: 'must',
    statement: 'S4.24, S4.10, S4.8',
    says: 'name combines with descendants_of: what bears the name elsewhere is left out',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)

    const wanted = uids(forest.belowFirst.filter((group) => group.name === name))
    atLeast(1, 'groups of that name in the scope', wanted.length)

    const page = await api.groups.list({ ...descendantsOf(String(forest.branches[0]?.uid)), name })

    expect(uids(page.items)).toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.filter.with-children',
    level: 'should',
    statement: 'S4.10, S4.9, R21',
    says: 'name combines with children_of',
  },
  async ({ api, forest, atLeast }) => {
    atLeast(2, 'groups of one name', forest.twins.length)
    const name = String(forest.twins[0]?.name)
    const wanted = uids(forest.belowFirst.filter((group) => group.name === name))
    atLeast(1, 'groups of that name in the scope', wanted.length)

    const page = await api.groups.list({ ...childrenOf(String(forest.branches[0]?.uid)), name })

    expect(uids(page.items)).toEqual(wanted)
  },
)

requirement(
  {
    id: 'list.filter.outside-scope',
    level: 'must',
    statement: 'S4.24, S4.8, R24',
    says: 'A name that only a group outside the scope bears finds nothing',
  },
  async ({ api, forest, atLeast }) => {
    const outside = String(forest.branches[1]?.name)
    const bearers = await api.groups.list({ ...forest.scope, name: outside })
    atLeast(1, 'groups that bear the name outside', bearers.items.length)

    const page = await api.groups.list({ ...descendantsOf(String(forest.branches[0]?.uid)), name: outside })

    expect(uids(page.items)).toEqual([])
  },
)

requirement(
  {
    id: 'list.filter.identities',
    level: 'should',
    statement: 'S4.10, S4.15, R21',
    says: 'name filters identities by exact match',
    profile: 'identities',
  },
  async ({ api, scratch, present }) => {
    await present(api.attempt.identities.list(scratch.children))
    const [one] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    const page = await api.identities.list({ ...scratch.children, name: String(one.name) })

    expect(uids(page.items)).toEqual([one.uid])
  },
)
