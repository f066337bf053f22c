import type { Received } from '../helpers/api/received.ts'
import { keptAs, sideBySide } from '../helpers/arrange/observed.ts'
import { requirement } from '../helpers/case/requirement.ts'

/** What became of name and description, in words. */
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
    says: 'What becomes of a field that the mask lists and the body lacks',
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
    says: 'What updateMask=* does with a body that holds a name alone',
  },
  async ({ api, scratch, names, observe }) => {
    const before = await scratch.makeKnown({ description: 'first' })
    const query = { updateMask: '*' }

    const said = await sideBySide({
      '*': api.attempt.groups.update(before.uid, { name: names.fresh() }, { query }),
    })

    observe(`${said}; then ${effectOn(before)(await api.groups.get(before.uid))}`)
  },
)

for (const [what, query] of Object.entries({
  spelling: { update_mask: 'name' },
  empty: { updateMask: '' },
  blanks: { updateMask: ' name , colour' },
})) {
  requirement(
    {
      id: `group.update.mask.odd.${what}`,
      level: 'observe',
      statement: 'S4.27, R31, R47',
      says: `What ${JSON.stringify(query)} does with a body that holds name and description`,
    },
    async ({ api, scratch, names, observe }) => {
      const before = await scratch.makeKnown({ description: 'first' })
      const body = { name: names.fresh(), description: 'second' }

      const said = await sideBySide({ [what]: api.attempt.groups.update(before.uid, body, { query }) })

      observe(`${said}; then ${effectOn(before)(await api.groups.get(before.uid))}`)
    },
  )
}

requirement(
  {
    id: 'group.update.null',
    level: 'observe',
    statement: 'S4.26, R6, R46',
    says: 'What null does in the place of a name and of a description',
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
    says: 'Whether an Update that sends what the server owns is refused or goes on without it',
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
