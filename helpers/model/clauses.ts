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
    statement: 'S4.1, S4.3, S4.4, S4.5, S4.7, S4.16, R56',
    quote: 'have List, Get, Create',
    says: 'Every valid call on {many} succeeds',
  },
  members: {
    statement: 'S4.8, S4.9, S4.10, S4.25, S2.1, R15, R16, R28, R50, R55',
    quote: 'holds only resources that are anywhere below the group',
    says: 'Every list and every Get of {many} shows what is there and nothing else',
  },
  filter: {
    statement: 'S4.10, S4.24, S4.25, R21, R28',
    quote: 'keeps exact matches only',
    says: 'Every list of {many} by name shows exactly those that have it',
  },
  content: {
    statement: 'S4.28, S2.1, S2.2, S2.5, S2.8, S2.9, R8, R10, R25, R46, R52, R55',
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
    statement: 'S2.14, R7, R55',
    quote: 'it embeds whole objects',
    says: 'Every {one} embeds its identity, group and role',
  },
  refusal: {
    statement: 'S2.6, S2.10, S7.6, R3, R4, R37, R38',
    quote: 'a create needs a `name`, and it matches',
    says: 'Every invalid call on {many} is refused',
  },
  error: {
    statement: 'S7.5, S7.6, R33, R36',
    quote: 'gives code 3, the reason `INVALID_ARGUMENT`, a BadRequest with one violation on `name`',
    says: 'Every refusal on {many} has the error body of the contract',
  },
  effect: {
    statement: 'S4.26, S4.27, R5, R29, R31, R38',
    quote: 'changes only the fields that its body has',
    says: 'A call on {many} changes nothing but what it names',
  },
  time: {
    statement: 'S2.4, R2, R26, R41, R55',
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

/** The sentences that findings break, by their statement or ruling and, where one has several, a word for each. */
export const sentences = {
  'S2.1': 'Every resource has a unique string `uid`',
  'S2.2': 'a child group has the uid of its parent and one segment more',
  'S2.3': 'The uid of a role is a single flat hexadecimal string',
  'S2.5': 'the server assigns the `uid`',
  'S2.6': 'a create needs a `name`, and it matches `^[a-z0-9 ._-]{1,}$`',
  'S2.8': '`resourceLimits` is an object, and empty as long as no limits are set',
  'S2.9': '`verified` is a boolean; a new group has false',
  'S2.10': 'a `name` that a create needs',
  'S2.17': 'its `resourceLimits` has the integer members `clusters`, `idps` and `repositories`',
  'S4.5': 'Creating a role binding under a group answers the binding with its embedded objects filled in',
  'S4.7': 'A DELETE that succeeds answers with an empty body',
  'S4.8': 'With `uidp.descendants_of` a List holds only resources that are anywhere below the group',
  'S4.9': 'With `uidp.children_of` a List holds only direct children of the group',
  'S4.10': 'The `name` parameter keeps exact matches only',
  'S4.16': 'The array of a List answer is under the plural name of the resource',
  'S4.17': 'On the last page `nextPageToken` is absent or empty',
  'S4.20': 'without `order_by` there is a stable order all the same, and cursors go on in it',
  'S4.22': '`name` ascends, `name desc` descends, and `created_at desc` puts the newest first',
  'S4.25': 'anyone who follows `nextPageToken` until it is absent has seen all results',
  'S4.28': 'a PATCH answers the resource as it is after the update',
  'S7.6': 'Deleting a group that has child resources gives code 9',
  'S9.3': 'A v1 list holds its array under `items`',
  'S9.4': 'An update in v1 takes the whole resource and resets what is left out to its zero value',
  R2: "What was just made has a `createTime` within 20 minutes of the target's own clock",
  'R2 form': 'A timestamp must be RFC 3339, must denote UTC',
  R4: 'a bad name must be refused, because a resource that breaks its own field rule is a violation',
  R7: '`identity.subject` and `identity.issuer` must equal the claim match of the identity',
  R8: 'A member that the contract names must have its type',
  R10: 'the uid of one resource must be the same, byte for byte, wherever it appears',
  R11: 'a page seen before, or more than two pages beyond `ceil(total / page_size)`, is a must failure',
  R14: 'a token must go on from its own page',
  R15: 'A scope that does not exist (an unknown uid, or a real one with one digit more or fewer) is refused or empty',
  R16: 'That the group is not its own child is _must_',
  R19: 'No page, the last included, may hold more results than `page_size`',
  'R19 exact': 'a page that is not the last must hold exactly that many',
  R23: '`null` is not an array: must failure',
  R26: '`updateTime` must not go back, and it must advance on a real change',
  'R26 created': '`createTime` and `uid` must never change',
  R28: 'Get must not answer 2xx, and lists and counts must leave it out',
  R29: 'A failed create must leave nothing behind',
  'R29 delete': 'A failed delete of a group that is not empty must leave the group and its children',
  R30: 'Child groups, identities and role bindings are child resources as repos are',
  R37: 'Malformed JSON must never be answered with 2xx',
  'R37 body': 'nor must a JSON array or string as the body of a create, since neither has a name',
  R38: 'A missing resource (in Get, Update, Create below it; Delete is in R28) must not be answered with 2xx',
  'R38 named': 'and also one that a request body names',
  R39: 'the answer is not 2xx and holds neither the uid nor the name of what was asked for',
  'R39 effect': 'the call has no effect, whatever its content and whatever the kind',
  R41: 'An exchange must be refused for a wrong subject or issuer',
  'R41 seen': 'An exchange must change nothing in the identity except `lastSeenTime`, which must not go back',
  R44: 'each v1 item holds an `id`',
  'R44 both': 'One group read through both versions must agree',
  R46: 'These must be set: the uid, the name, the claim match and the times of R1',
  R52: 'What was shown and then is missing, or what never belonged, is not forgiven',
  R55: 'A resource must be the same wherever it shows',
} as const satisfies Record<string, string>

/** The key of a sentence that a finding breaks. */
export type Cited = keyof typeof sentences
