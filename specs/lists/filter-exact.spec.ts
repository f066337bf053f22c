import { expect } from 'vitest'
import { kinds, listedKinds } from '../../helpers/api/kinds.ts'
import { alikeToTheEnd, cut } from '../../helpers/api/names.ts'
import { isReceived, names as namesOf, uids } from '../../helpers/api/received.ts'
import { listedUids } from '../../helpers/arrange/listings.ts'
import { countedAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { uniquelyNamed } from '../../helpers/arrange/registry-groups.ts'
import { ofEach, ofEachValue } from '../../helpers/case/of-each.ts'
import { type Context, requirement, requirementOnEach } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.filter.empty',
    level: 'observe',
    statement: 'S4.10, R21',
    quote: 'The `name` parameter keeps exact matches only',
    says: 'How a name filter that is empty or padded with blanks is answered',
  },
  async ({ api, scratch, observe }) => {
    const [one] = await scratch.makeGroups(2)
    const list = (name: string) => api.attempt.groups.list({ ...scratch.children, name })

    observe(await sideBySide({ empty: list(''), 'outer blanks': list(` ${one!.name} `) }, countedAs('groups')))
  },
)

for (const [id, level, length] of [
  ['list.filter.long-names', 'must', 30],
  ['list.filter.longer-names', 'should', 60],
] as const) {
  requirement(
    {
      id,
      level,
      statement: 'S4.10, R3',
      quote: 'The `name` parameter keeps exact matches only',
      restsOn: ['list.filter.exact', 'list.walk.filter', 'group.name.accepts.sixty-three-characters'],
      says: `The name filter distinguishes names of ${length} characters that differ only near their end`,
    },
    findsEachOf((fresh) => alikeToTheEnd(fresh, length)),
  )
}

// a collation that reads numbers as numbers makes them equal
requirement(
  {
    id: 'list.filter.zeros',
    level: 'must',
    statement: 'S4.10, R3',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
    says: 'The name filter distinguishes names that differ in a zero alone',
  },
  findsEachOf((fresh) => ['1', '01', '10', '1.0'].map((number) => fresh + number)),
)

/** A case that filters by names that are nearly equal: a shorter key makes long ones equal. */
function findsEachOf(alike: (fresh: string) => string[]) {
  return async ({ api, scratch, names, eventually, atLeast }: Context) => {
    const sent = alike(names.fresh())
    const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
    const made = answers.flatMap(({ json }) => (isReceived(json) ? [json] : []))
    atLeast(sent.length, 'accepted names', made.length)

    await eventually(async () => {
      const found = await Promise.all(
        made.map(({ name }) => api.groups.list({ ...scratch.children, name: String(name) })),
      )
      expect(
        found.map(({ items }) => uids(items)),
        ofEachValue('the groups found by each name', 'name', namesOf(made)),
      ).toEqual(made.map(({ uid }) => [uid]))
    })
  }
}

requirement(
  {
    id: 'list.filter.exact',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.every-one'],
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
      ofEach('the groups found by each similar name', asked),
    ).toEqual(asked.map(() => []))
  },
)

requirement(
  {
    id: 'list.filter.literal',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
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
      ofEachValue('the groups found by each pattern', 'name', patterns),
    ).toEqual(patterns.map(() => []))
  },
)

requirement(
  {
    id: 'list.filter.punctuation',
    level: 'must',
    statement: 'S4.10',
    quote: 'The `name` parameter keeps exact matches only',
    restsOn: [
      'group.name.accepts.space',
      'group.name.accepts.dot',
      'group.name.accepts.underscore',
      'group.name.accepts.hyphen',
      'list.filter.exact',
      'list.walk.filter',
    ],
    says: 'The name filter distinguishes names that differ in one punctuation character',
  },
  async ({ api, punctuated, atLeast }) => {
    atLeast(5, 'names with punctuation that came back as sent', punctuated.asSent.length)

    const pages = await Promise.all(
      punctuated.asSent.map(({ name }) => api.groups.list({ ...punctuated.scope, name: String(name) })),
    )

    expect(
      pages.map(({ items }) => uids(items)),
      ofEachValue('the groups found by each name', 'name', namesOf(punctuated.asSent)),
    ).toEqual(punctuated.asSent.map(({ uid }) => [uid]))
  },
)

requirement(
  {
    id: 'list.filter.identities',
    level: 'should',
    statement: 'S4.10, S4.15, R21',
    quote: 'The exact match is _must_ on groups and _should_ on other lists whose items have a `name`',
    restsOn: ['list.filter.exact', 'list.walk.filter'],
    says: 'The name filter finds identities by exact match',
    profile: 'identities',
  },
  async ({ api, scratch, present, eventually }) => {
    await present(api.attempt.identities.list(scratch.children))
    const [one] = [await scratch.makeIdentity(), await scratch.makeIdentity()]

    await eventually(async () => {
      const page = await api.identities.list({ ...scratch.children, name: String(one.name) })
      expect(uids(page.items), 'the identities of that name').toEqual([one.uid])
    })
  },
)

const kindsExceptGroups = listedKinds.filter((kind) => kind !== 'groups')

requirementOnEach(
  kindsExceptGroups.filter((kind) => kinds[kind].named),
  {
    id: 'list.filter.exact',
    level: 'should',
    statement: 'S4.10, S4.15, R21',
    quote: 'The exact match is _must_ on groups and _should_ on other lists whose items have a `name`',
    restsOn: ['list.filter.every-one'],
    says: 'The name filter finds only {many} of exactly that name',
  },
  (kind) =>
    async ({ api, withPopulation, atLeast }) => {
      await withPopulation(kind, async ({ scope, items }) => {
        const sought = uniquelyNamed(items, 3)
        atLeast(1, `${kind} with unique names`, sought.length)
        const name = String(sought[0]?.name)
        const start = cut(name, 0, -1)
        const similar = [start, cut(name, 1), name.toUpperCase(), `${name}a`, `${start}_`, `${start}%`].filter(
          (other) => other !== '' && !items.some((item) => item.name === other),
        )

        const pages = await Promise.all(sought.map((one) => api[kind].list({ ...scope, name: String(one.name) })))
        const others = await Promise.all(similar.map((other) => api.attempt[kind].list({ ...scope, name: other })))

        expect(
          pages.map((page) => uids(page.items)),
          ofEachValue('the results for each name', 'name', namesOf(sought)),
        ).toEqual(sought.map(({ uid }) => [uid]))
        expect(
          others.map((answer) => listedUids(kind, answer)),
          ofEachValue('the results for each similar name', 'name', similar),
        ).toEqual(similar.map(() => []))
      })
    },
)
