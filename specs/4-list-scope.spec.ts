import { expect } from 'vitest'
import { ownKinds } from '../helpers/api/kinds.ts'
import { uids } from '../helpers/api/received.ts'
import { listedUids } from '../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../helpers/arrange/observed.ts'
import { childrenOf, descendantsOf } from '../helpers/arrange/scratch.ts'
import { stillUnissued, unissuedUids } from '../helpers/arrange/unknown-uids.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import type { Query } from '../helpers/http/url.ts'

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
      const { scope, inside } = await neighboursOf(kind)

      const page = await api[kind].list(scope)

      expect(uids(page.items).sort()).toEqual(uids(inside).sort())
    },
)

requirementOnEach(
  ownKinds,
  {
    id: 'list.scope.descendants',
    level: 'must',
    statement: 'S4.8, S4.15, S5.8, R15',
    quote: 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
    says: 'descendants_of lists exactly the {many} below the group, at every depth',
  },
  (kind) =>
    async ({ api, neighboursOf }) => {
      const { descendants, inside, below } = await neighboursOf(kind)

      const page = await api[kind].list(descendants)

      expect(uids(page.items).sort()).toEqual(uids([...inside, ...below]).sort())
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
    says: 'Both scopes of an empty group list nothing',
  },
  async ({ api, scratch, atLeast }) => {
    const leaf = await scratch.makeGroup()

    const [around, children, descendants] = await Promise.all([
      api.groups.list(scratch.children),
      api.groups.list(childrenOf(leaf.uid)),
      api.groups.list(descendantsOf(leaf.uid)),
    ])

    atLeast(1, 'results where there is a group', around.items.length)
    expect(uids(children.items), 'children of an empty group').toEqual([])
    expect(
      uids(descendants.items).filter((uid) => uid !== leaf.uid),
      'descendants of an empty group',
    ).toEqual([])
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
      says: `${what}_of lists no {many} for an unknown uid, even one that resembles a real uid`,
    },
    (kind) =>
      async ({ api, neighboursOf, atLeast }) => {
        const { group, parent, inside, below, beside } = await neighboursOf(kind)
        const [top = ''] = group.uid.split('/')
        const list = (uid: string) => api.attempt[kind].list({ ...scopeOf(uid), page_size: 200 })
        const unissued = await unissuedUids(api, group.uid, parent)

        atLeast(1, 'uids that were never issued', unissued.length)
        const [own, ...near] = await Promise.all([group.uid, ...unissued].map(list))
        atLeast(1, 'results where the scope exists', listedUids(kind, own!).length)
        // an organization with that uid may exist, but holds none of our resources
        const tops = await Promise.all([top.slice(0, -1), `${top}0`].filter(Boolean).map(list))

        const ours = uids([...inside, ...below, ...beside])
        const still = await stillUnissued(api, unissued)
        const shown = unissued.map((uid, index) => ({ uid, shows: listedUids(kind, near[index]!) }))
        expect(
          shown.filter(({ uid, shows }) => shows.length > 0 && still.includes(uid)),
          'unknown scopes that list something',
        ).toEqual([])
        expect(
          tops.flatMap((answer) => listedUids(kind, answer)).filter((uid) => ours.includes(String(uid))),
          'own uids listed for an unknown organization',
        ).toEqual([])
      },
  )
}

requirementOnEach(
  ownKinds,
  {
    id: 'list.scope.parent-of-none',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    quote: 'two scopes of which neither holds the other must share no item',
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
    id: 'list.scope.wildcard',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    quote:
      'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
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

    const answers = await Promise.all(
      patterns.flatMap((uid) => [childrenOf(uid), descendantsOf(uid)].map((query) => api.attempt.groups.list(query))),
    )

    expect(
      answers.map((answer) => listedUids('groups', answer)),
      'uids listed for each wildcard',
    ).toEqual(answers.map(() => []))
  },
)

requirement(
  {
    id: 'list.scope.unusual',
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
