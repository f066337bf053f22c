/** What a judgement is about: the last part of a row's id. */
export type Aspect =
  | 'answer'
  | 'members'
  | 'filter'
  | 'content'
  | 'order'
  | 'page'
  | 'total'
  | 'skipped'
  | 'token'
  | 'embedded'
  | 'refusal'
  | 'error'
  | 'effect'
  | 'time'
  | 'credential'
  | 'walk'

/** What lists alone show: a Get does not make up for a List that is not offered (R49). */
export const ofLists: ReadonlySet<string> = new Set([
  'members',
  'filter',
  'order',
  'page',
  'total',
  'skipped',
  'token',
  'walk',
  'effect',
  'orphan',
])

interface Clause {
  statement: string
  quote: string
  says: string
}

/** The citation of each aspect, and its claim about a kind. */
export const clauses: Record<Aspect, Clause> = {
  answer: {
    statement: 'S4.1, S4.3, S4.4, S4.5, R56',
    quote: 'have List, Get, Create',
    says: 'Every valid call on {many} succeeds',
  },
  members: {
    statement: 'S4.8, S4.9, S4.10, R15, R16, R28, R50',
    quote: 'holds only resources that are anywhere below the group',
    says: 'Every list and every Get of {many} shows what is there and nothing else',
  },
  filter: {
    statement: 'S4.10, S4.24, R21',
    quote: 'keeps exact matches only',
    says: 'Every list of {many} by name shows exactly those that have it',
  },
  content: {
    statement: 'S4.28, R25, R55',
    quote: 'answers the resource as it is after the update',
    says: 'Every answer shows {a} as it was last written',
  },
  order: {
    statement: 'S4.20, S4.21, S4.22, R17, R22',
    quote: 'there is a stable order all the same, and cursors go on in it',
    says: 'Every list of {many} keeps one order',
  },
  page: {
    statement: 'S4.11, S4.14, S4.23, R19',
    quote: 'where fewer are left, fewer come back',
    says: 'Every page of {many} has the expected length',
  },
  total: {
    statement: 'S4.18, R13',
    quote: 'gives the matches across all pages',
    says: 'Every total of {many} counts the matches',
  },
  skipped: {
    statement: 'S4.19, R12',
    quote: 'echoes how many results were skipped',
    says: 'Every list of {many} echoes what it skipped',
  },
  token: {
    statement: 'S4.12, S4.17, S4.25, S8.3, R11, R14, R42',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
    says: 'Every page token of {many} leads to the next page and the last has none',
  },
  embedded: {
    statement: 'S2.14, R7',
    quote: 'it embeds whole objects',
    says: 'Every {one} embeds its identity, group and role',
  },
  refusal: {
    statement: 'S2.6, S7.6, R3, R4, R38',
    quote: 'a create needs a `name`, and it matches',
    says: 'Every invalid call on {many} is refused',
  },
  error: {
    statement: 'S7.5, S7.6, R33, R36',
    quote: 'gives code 3, the reason `INVALID_ARGUMENT`, a BadRequest with one violation on `name`',
    says: 'Every refusal on {many} has the error body of the contract',
  },
  effect: {
    statement: 'S4.26, S4.27, R5, R29, R31',
    quote: 'changes only the fields that its body has',
    says: 'A call on {many} changes nothing but what it names',
  },
  time: {
    statement: 'S2.4, R2, R26',
    quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
    says: 'The times of {many} change only with a write, and never go back',
  },
  credential: {
    statement: 'S5.1, S5.5, S5.9, R39, R40',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'Every call on {many} with a bad credential is refused',
  },
  walk: {
    statement: 'S4.20, S4.25, R22',
    quote: 'a resource that exists all the time appears exactly once',
    says: 'No walk of {many} misses or repeats what exists all the time, whatever else changes',
  },
}
