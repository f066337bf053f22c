import type { Received } from '../helpers/api/received.ts'
import { keptAs, sideBySide } from '../helpers/arrange/observed.ts'
import { requirement } from '../helpers/case/requirement.ts'

/** The effect of an Update on name and description, in words. */
const effectOn = (before: Received) => (after: Received) => {
  const name = after.name === before.name ? 'the name stays' : 'the name changes'
  const description = { [String(before.description)]: 'stays', '': 'is emptied', undefined: 'is emptied' }
  return `${name}, the description ${description[String(after.description)] ?? 'changes'}`
}

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

    observe(`${description}; ${name}; then ${effectOn(before)(await api.groups.get(before.uid))}`)
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

    observe(`${answered}; then ${effectOn(before)(await api.groups.get(before.uid))}`)
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

      observe(`${answered}; then ${effectOn(before)(await api.groups.get(before.uid))}`)
    },
  )
}

requirement(
  {
    id: 'group.update.null',
    level: 'observe',
    statement: 'S4.26, R6, R46',
    quote: 'a PATCH without `updateMask` changes only the fields that its body has',
    says: 'How null in place of a name or a description is treated',
  },
  async ({ api, scratch, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })

    const name = await sideBySide({ name: api.attempt.groups.update(before.uid, { name: null }) })
    const description = await sideBySide({
      description: api.attempt.groups.update(before.uid, { description: null }),
    })

    observe(`${name}; ${description}; then ${effectOn(before)(await api.groups.get(before.uid))}`)
  },
)

requirement(
  {
    id: 'group.update.server-owned',
    level: 'observe',
    statement: 'S4.26, S2.5, R5',
    quote: 'may be refused or ignored when a client sends it',
    says: 'How an Update with fields that the server owns is answered',
  },
  async ({ api, scratch, observe }) => {
    const owned = {
      uid: 'x',
      verified: true,
      createTime: '2001-02-03T04:05:06.007Z',
      resourceLimits: { a: 1 },
    }
    const update = ([member, value]: [string, unknown]) =>
      [member, api.attempt.groups.update(scratch.uid, { [member]: value })] as const

    observe(
      await sideBySide(Object.fromEntries(Object.entries(owned).map(update)), (answer, member) => {
        const sent = owned[member as keyof typeof owned]
        return keptAs(member, sent)(answer) === 'kept' ? 'taken' : 'ignored'
      }),
    )
  },
)
