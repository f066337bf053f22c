import { expect } from 'vitest'
import { requirement } from '../../helpers/case/requirement.ts'
import type { View } from '../../helpers/invariants/lateness.ts'
import type { Profile } from '../../helpers/requirement/header.ts'

/** A claim about one view: it shows at once what was written. */
interface Immediate {
  id: string
  view: View
  says: string
  statement: string
  quote: string
  profile?: Profile
  restsOn?: string[]
}

/** Lists that never show the newest are late as well. */
const restsOn = ['list.newest']

const immediate: readonly Immediate[] = [
  {
    id: 'list.lag',
    view: 'children',
    restsOn,
    says: 'A list of what is directly in a group shows a change at once',
    statement: 'S4.1',
    quote: 'Groups have List, Get, Create',
  },
  {
    id: 'list.lag.descendants',
    view: 'descendants',
    restsOn,
    says: 'A list of everything below a group shows a change at once',
    statement: 'S4.8',
    quote: 'a List holds only resources that are anywhere below the group',
  },
  {
    id: 'list.lag.name',
    view: 'name',
    restsOn,
    says: 'A filter by name finds a new or renamed group at once',
    statement: 'S4.10',
    quote: 'parameter keeps exact matches only',
  },
  {
    id: 'list.lag.order',
    view: 'order',
    restsOn,
    says: 'An ordered list shows a change at once',
    statement: 'S4.22',
    quote: '`name` ascends, `name desc` descends',
  },
  {
    id: 'service.lag.get',
    view: 'get',
    says: 'Get shows what was written at once',
    statement: 'S4.1',
    quote: 'Groups have List, Get, Create',
  },
  {
    id: 'service.lag.deletion',
    view: 'deletion',
    says: 'What was deleted is gone at once',
    statement: 'S4.7',
    quote: 'A DELETE that succeeds answers with an empty body',
  },
  {
    id: 'binding.lag.embedded',
    view: 'embedded',
    says: 'A role binding shows a change of what it embeds at once',
    profile: 'identities',
    statement: 'S2.14',
    quote: 'it embeds whole objects',
  },
  {
    id: 'v1.lag',
    view: 'v1',
    says: 'v1 shows at once what was written',
    statement: 'S2.17',
    quote: 'its lists hold their array under `items`',
  },
]

for (const { view, statement, ...header } of immediate) {
  requirement(
    { ...header, level: 'should', statement: `${statement}, R52`, alone: 'whole run' },
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
