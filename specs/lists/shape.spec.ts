import { expect } from 'vitest'
import { kinds, type RegistryKind, registryKinds } from '../../helpers/api/kinds.ts'
import { uids } from '../../helpers/api/received.ts'
import { type Context, requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import type { Query } from '../../helpers/http/url.ts'

/** The same list by a name that nothing has: the target may put something into every group (R50). */
const namedNothing = (kind: RegistryKind, { scratch, names }: Pick<Context, 'scratch' | 'names'>): Query =>
  kinds[kind].named ? { ...scratch.descendants, name: names.fresh() } : scratch.descendants

requirementOnEach(
  registryKinds,
  {
    id: 'list.empty.answer',
    level: 'must',
    statement: 'S4.16, S4.18, S4.15, R13, R23',
    quote: 'An empty result has `"0"`; that it is absent there is a warning',
    restsOn: ['list.total.one-name'],
    says: 'An empty list of {many} has no token and no totalCount above 0',
  },
  (kind) =>
    async ({ api, withPopulation, scratch, names, atLeast }) => {
      await withPopulation(kind, async () => {
        const whole = await api[kind].list(scratch.descendants)
        const page = whole.items.length === 0 ? whole : await api[kind].list(namedNothing(kind, { scratch, names }))

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
    id: 'list.empty.answer',
    level: 'must',
    statement: 'S4.16, S4.18, R13, R23',
    quote: 'An empty result has `"0"`; that it is absent there is a warning',
    restsOn: ['list.total.one-name'],
    says: 'An empty list has no items, no token and a totalCount of 0 or none',
  },
  async ({ api, forest, names, atLeast }) => {
    const full = await api.groups.list({ ...forest.scope, page_size: 1 })
    atLeast(1, 'results where the list is not empty', full.items.length)

    const page = await api.groups.list({ ...forest.scope, name: names.fresh() })

    expect(
      [uids(page.items), page.nextPageToken, page.totalCount ?? '0'],
      'uids, nextPageToken and totalCount of an empty list',
    ).toEqual([[], undefined, '0'])
  },
)

requirement(
  {
    id: 'list.empty.written-out',
    level: 'should',
    statement: 'S4.16, S4.18, R13, R23',
    quote: 'An empty list may give its array as `[]` or leave the member out (a warning)',
    restsOn: ['list.empty.answer'],
    says: "An empty list includes its empty array and a totalCount of '0'",
  },
  async ({ api, forest, names }) => {
    const { body } = await api.groups.list({ ...forest.scope, name: names.fresh() })

    expect([body.groups, body.totalCount], 'groups and totalCount of an empty list').toEqual([[], '0'])
  },
)
