import { expect } from 'vitest'
import { requirement } from '../../helpers/case/requirement.ts'

for (const [id, view, says, statement, quote, profile] of [
  [
    'list.lag',
    'children',
    'A list of what is directly in a group shows a change at once',
    'S4.1',
    'Groups have List, Get, Create',
  ],
  [
    'list.lag.descendants',
    'descendants',
    'A list of everything below a group shows a change at once',
    'S4.8',
    'a List holds only resources that are anywhere below the group',
  ],
  [
    'list.lag.name',
    'name',
    'A filter by name finds a new or renamed group at once',
    'S4.10',
    'parameter keeps exact matches only',
  ],
  [
    'list.lag.order',
    'order',
    'An ordered list shows a change at once',
    'S4.22',
    '`name` ascends, `name desc` descends',
  ],
  ['service.lag.get', 'get', 'Get shows what was written at once', 'S4.1', 'Groups have List, Get, Create'],
  [
    'service.lag.deletion',
    'deletion',
    'What was deleted is gone at once',
    'S4.7',
    'A DELETE that succeeds answers with an empty body',
  ],
  [
    'binding.lag.embedded',
    'embedded',
    'A role binding shows a change of what it embeds at once',
    'S2.14',
    'it embeds whole objects',
    'identities',
  ],
  ['v1.lag', 'v1', 'v1 shows at once what was written', 'S2.17', 'its lists hold their array under `items`', 'v1'],
] as const) {
  requirement(
    {
      id,
      level: 'should',
      statement: `${statement}, R52`,
      quote,
      says,
      alone: 'whole run',
      ...(profile === undefined ? {} : { profile }),
    },
    async ({ run, evidence, atLeast }) => {
      const { atOnce, late, longest, proof } = run.lateness.of(view)
      atLeast(1, 'readings of what the run wrote', atOnce + late)

      evidence.push(...proof)
      const when = late === 0 ? 'at once' : `late, after ${Math.round(longest)} ms at the longest`
      expect(when, 'when a reading shows what was written').toBe('at once')
    },
  )
}

requirement(
  {
    id: 'list.lag.length',
    level: 'observe',
    statement: 'S4.1, R52',
    quote: 'Groups have List, Get, Create',
    says: 'How long a list of what is directly in a group takes to show a change',
    alone: 'whole run',
  },
  async ({ run, observe, atLeast }) => {
    const { atOnce, late, longest } = run.lateness.of('children')
    atLeast(1, 'readings of what the run wrote', atOnce + late)

    observe(late === 0 ? 'no time' : `${Math.ceil(longest / 100) / 10} s`)
  },
)
