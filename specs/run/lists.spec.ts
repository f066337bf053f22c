import { expect } from 'vitest'
import { childrenOf } from '../../helpers/arrange/scratch.ts'
import { everyAnswer } from '../../helpers/case/every-answer.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.lag',
    level: 'should',
    statement: 'S4.1, R52',
    quote: 'The existence of a lag is a single _should_ requirement',
    says: 'A list shows a new group at once',
    alone: 'whole run',
  },
  async ({ api, runGroup, atLeast }) => {
    const { items } = await api.groups.list(childrenOf(runGroup.uid))
    atLeast(1, 'new groups that a list shows', items.length)

    expect(runGroup.lag > 0 ? 'late' : 'at once', 'when a list shows a new group').toBe('at once')
  },
)

requirement(
  {
    id: 'list.lag.length',
    level: 'observe',
    statement: 'S4.1, R52',
    quote: 'the run measures how long it takes until a list shows a new group',
    says: 'How long a list takes to show a new group',
    alone: 'whole run',
  },
  async ({ runGroup, observe }) => {
    observe(runGroup.lag === 0 ? 'no time' : `${Math.ceil(runGroup.lag / 100) / 10} s`)
  },
)

everyAnswer(
  {
    id: 'list.total.every-answer',
    level: 'must',
    statement: 'S4.18, R13',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    says: 'Every totalCount of an unchanged list equals its number of groups',
  },
  {
    of: ({ totals }) => totals,
    least: 20,
    what: 'answers about unchanged lists',
    expected: 'the number of groups in the list',
    got: ({ total, wanted }) => `${total} for a list of ${wanted}`,
  },
)

everyAnswer(
  {
    id: 'list.every-answer.belongs',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    quote: 'a List holds only resources that are anywhere below the group',
    says: 'No answer about an unchanged list shows an outside group or a duplicate',
  },
  {
    of: ({ shown }) => shown,
    least: 20,
    what: 'answers that show results of unchanged lists',
    expected: 'each group of the list at most once, and no other',
    got: (uids) => uids,
  },
)
