import { expect } from 'vitest'
import { changesSince, sideBySide } from '../../helpers/arrange/observed.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { accepted, outcomeOf } from '../../helpers/assertions/refused.ts'
import { controlUpdates } from '../../helpers/auth/control-calls.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'group.update.mask.absent',
    level: 'observe',
    statement: 'S4.27, R31',
    quote: 'A field that is listed but missing in the body is emptied or kept',
    says: 'How a field that is in the mask but not in the body is treated',
  },
  async ({ api, scratch, names, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const update = (updateMask: string, body: Record<string, string>) =>
      api.attempt.groups.update(before.uid, body, { query: { updateMask } })

    const description = await sideBySide({ description: update('description', { name: names.fresh() }) })
    const name = await sideBySide({ name: update('name', { description: 'second' }) })

    observe(`${description}; ${name}; then ${changesSince(before, await api.groups.get(before.uid))}`)
  },
)

requirement(
  {
    id: 'group.update.mask.star',
    level: 'observe',
    statement: 'S4.27, R31',
    quote: 'A field that is listed but missing in the body is emptied or kept, and `*`: _observe_',
    says: 'How an Update with updateMask=* and only a name in its body is treated',
  },
  async ({ api, scratch, names, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const query = { updateMask: '*' }

    const answered = await sideBySide({
      '*': api.attempt.groups.update(before.uid, { name: names.fresh() }, { query }),
    })

    observe(`${answered}; then ${changesSince(before, await api.groups.get(before.uid))}`)
  },
)

const oddMasks: Record<string, { query: Record<string, string>; quote: string }> = {
  spelling: {
    query: { update_mask: 'name' },
    quote: 'Query parameters are sent as the contract spells them',
  },
  empty: {
    query: { updateMask: '' },
    quote: 'a PATCH with `updateMask` changes only the fields that the mask lists',
  },
  blanks: {
    query: { updateMask: ' name , colour' },
    quote: 'A mask with an unknown field is refused or ignored, _observe_',
  },
}

for (const [what, { query, quote }] of Object.entries(oddMasks)) {
  requirement(
    {
      id: `group.update.mask.odd.${what}`,
      level: 'observe',
      statement: 'S4.27, R31, R47',
      quote,
      says: `How an Update of name and description with the query ${JSON.stringify(query)} is treated`,
    },
    async ({ api, scratch, names, observe }) => {
      const before = await scratch.makeKnown({ description: 'first' })
      const body = { name: names.fresh(), description: 'second' }

      const answered = await sideBySide({ [what]: api.attempt.groups.update(before.uid, body, { query }) })

      observe(`${answered}; then ${changesSince(before, await api.groups.get(before.uid))}`)
    },
  )
}

for (const [listed, ignored] of [
  ['name', 'description'],
  ['description', 'name'],
] as const) {
  requirement(
    {
      id: `group.update.mask.${listed}`,
      level: 'must',
      statement: 'S4.27',
      quote: 'a PATCH with `updateMask` changes only the fields that the mask lists and ignores all others in the body',
      restsOn: ['group.update.mask.description', 'group.update.time.advances'],
      says: `An Update with updateMask=${listed} changes only the ${listed}, despite a ${ignored} in its body`,
    },
    async ({ api, scratch, names, eventually }) => {
      const before = await scratch.makeKnown({ description: 'first' })
      const body = { name: names.fresh(), description: 'second' }

      await api.groups.update(before.uid, body, { updateMask: listed })

      await eventually(async () =>
        expect(await api.groups.get(before.uid), `the group after updateMask=${listed}`).toMatchObject({
          [listed]: body[listed],
          [ignored]: before[ignored],
        }),
      )
    },
  )
}

requirement(
  {
    id: 'group.update.mask.ignores-invalid',
    level: 'must',
    statement: 'S4.27, R31',
    quote: 'What the mask does not list must be ignored, valid or not',
    restsOn: ['group.update.mask.description'],
    says: 'A bad name that the mask does not list is ignored',
  },
  async ({ api, scratch, names, eventually }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const body = { name: `${names.fresh()}@B`, description: 'second' }

    const answer = await api.attempt.groups.update(before.uid, body, { query: { updateMask: 'description' } })

    accepted(answer, 'an Update with a bad name that its mask does not list')
    await eventually(async () =>
      expect(await api.groups.get(before.uid), 'the group after the Update').toMatchObject({
        name: before.name,
        description: 'second',
      }),
    )
  },
)

requirement(
  {
    id: 'group.update.mask.clears',
    level: 'must',
    statement: 'S4.27, S2.7, R6',
    quote: 'A PATCH to `""` with the mask must clear it',
    restsOn: ['group.update.mask.description'],
    says: 'An empty description with updateMask=description clears the description',
  },
  async ({ api, scratch, eventually }) => {
    const before = await scratch.makeKnown({ description: 'to be cleared' })

    await api.groups.update(before.uid, { description: '' }, { updateMask: 'description' })

    await eventually(async () =>
      expect((await api.groups.get(before.uid)).description ?? '', 'the description').toBe(''),
    )
  },
)

requirement(
  {
    id: 'group.update.mask.several',
    level: 'should',
    statement: 'S4.27, R31',
    quote: 'Several fields separated by commas',
    restsOn: ['group.update.mask.description'],
    says: 'A mask of several fields separated by commas updates each of them',
  },
  async ({ api, scratch, names, eventually }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const body = { name: names.fresh(), description: 'second' }

    const answer = await api.attempt.groups.update(before.uid, body, {
      query: { updateMask: 'name,description' },
    })

    accepted(answer, 'an Update with updateMask=name,description')
    await eventually(async () =>
      expect(await api.groups.get(before.uid), 'the group after the Update').toMatchObject(body),
    )
  },
)

requirement(
  {
    id: 'group.update.mask.unknown',
    level: 'must',
    statement: 'S4.27, R31',
    quote: 'A mask with an unknown field is refused or ignored, _observe_, but nothing else may change',
    restsOn: ['group.update.mask.description'],
    says: 'A mask with an unknown field changes no known field, even one with a similar name',
  },
  async ({ api, scratch, names, eventually, atLeast }) => {
    atLeast(1, 'plain Updates that take effect', await controlUpdates({ api, scratch }))
    const before = await scratch.makeKnown({ description: 'kept' })
    const body = { name: names.fresh(), description: 'changed', colour: 'red' }

    for (const updateMask of ['colour', 'nickname', 'names', 'descriptions', 'display_name']) {
      await api.attempt.groups.update(before.uid, body, { query: { updateMask } })
    }

    await eventually(async () => same(await api.groups.get(before.uid), before, 'updateTime'))
  },
)

requirement(
  {
    id: 'group.update.mask.unknown.answer',
    level: 'observe',
    statement: 'S4.27, R31',
    quote: 'A mask with an unknown field is refused or ignored, _observe_',
    says: 'How unusual masks are answered',
  },
  async ({ api, scratch, observe }) => {
    const masks = ['colour', '*', 'name', 'uid', 'update_time', 'description,description']

    const answers = await Promise.all(
      masks.map((updateMask) =>
        api.attempt.groups.update(scratch.uid, { description: 'same' }, { query: { updateMask } }),
      ),
    )

    observe(answers.map((answer, index) => `${masks[index]}: ${outcomeOf(answer)}`).join(', '))
  },
)
