import { everyAnswer } from '../../helpers/case/every-answer.ts'

everyAnswer(
  {
    id: 'list.total.every-answer',
    level: 'must',
    statement: 'S4.18, R13',
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    restsOn: ['list.total.crowd'],
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
