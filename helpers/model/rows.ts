import { type KindName, kinds } from '../api/kinds.ts'
import type { Header, Level, Profile } from '../requirement/header.ts'

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

interface Clause {
  statement: string
  quote: string
  says: string
}

/** The citation of each aspect, and its claim about a kind. */
const clauses: Record<Aspect, Clause> = {
  answer: {
    statement: 'S4.1, S4.3, S4.4, S4.5, R56',
    quote: 'have List, Get, Create',
    says: 'Every valid call on {many} succeeds',
  },
  members: {
    statement: 'S4.8, S4.9, S4.10, R15, R16, R28, R50',
    quote: 'holds only resources that are anywhere below the group',
    says: 'Every list of {many} shows what belongs there and nothing else',
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
    says: 'Every page of {many} has its due length',
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
    says: 'Every refusal on {many} has its error body',
  },
  effect: {
    statement: 'S4.26, S4.27, R5, R29, R31',
    quote: 'changes only the fields that its body has',
    says: 'No call on {many} changes anything else',
  },
  time: {
    statement: 'S2.4, R2, R26',
    quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
    says: 'The times of {many} move only with a write, and never back',
  },
  credential: {
    statement: 'S5.1, S5.5, S5.9, R39, R40',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'Every call on {many} with a bad credential is refused',
  },
}

/** A row of the model, which the report shows like any other requirement. */
export interface Row extends Header {
  /** How many judgements it takes to pass. */
  least: number
}

const inList: readonly Aspect[] = ['members', 'order', 'page', 'total', 'skipped', 'token']

const aspectsOf: Partial<Record<KindName, readonly Aspect[]>> = {
  groups: ['answer', 'content', ...inList, 'refusal', 'error', 'effect', 'time', 'credential'],
  identities: ['answer', 'content', 'filter', ...inList, 'refusal', 'effect', 'time', 'credential'],
  roleBindings: ['answer', ...inList, 'embedded', 'refusal', 'effect', 'time', 'credential'],
  identityProviders: ['content', 'filter', ...inList, 'effect', 'credential'],
  accountAssociations: ['content', 'filter', ...inList, 'effect', 'credential'],
  groupInvites: [...inList, 'effect', 'credential'],
  roles: ['answer', 'content', 'filter', ...inList, 'credential'],
  repos: ['content', 'filter', ...inList, 'credential'],
  tags: ['content', 'filter', ...inList, 'credential'],
  advisories: [...inList, 'credential'],
}

/** The aspects that count as a *must* for printed operations, whatever the level of the list (R49). */
const witnesses: readonly Aspect[] = ['effect', 'credential', 'refusal', 'answer', 'embedded', 'error', 'content']

function levelOf(kind: KindName, aspect: Aspect): Level {
  const { listed, shown } = kinds[kind]
  if (aspect === 'credential') return 'must'
  if (aspect === 'filter') return 'should'
  return listed.level === 'must' || (shown && (witnesses.includes(aspect) || aspect === 'members' || aspect === 'time'))
    ? 'must'
    : 'should'
}

/** The ids of the same judgements in earlier releases. */
const formerly: Readonly<Record<string, string[]>> = {
  'group.content': ['group.story.changes'],
  'group.members': ['group.story.lists'],
}

function rowsOf(kind: KindName): Row[] {
  const { name, label, listed } = kinds[kind]
  const named = (says: string) =>
    says
      .replaceAll('{one}', label.one)
      .replaceAll('{many}', label.many)
      .replaceAll('{a}', `${/^[aeiou]/.test(label.one) ? 'an' : 'a'} ${label.one}`)
  return (aspectsOf[kind] ?? []).map((aspect) => ({
    ...clauses[aspect],
    id: `model.${name}.${aspect}`,
    ...(formerly[`${name}.${aspect}`] && { formerly: formerly[`${name}.${aspect}`] }),
    level: levelOf(kind, aspect),
    profile: listed.profile as Profile,
    says: named(clauses[aspect].says),
    least: 1,
  }))
}

const others: Row[] = [
  {
    id: 'model.group.refusal.child',
    level: 'should',
    statement: 'S7.6, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    says: 'A group that holds an identity or a role binding is not deleted',
    profile: 'core',
    least: 1,
  },
  {
    id: 'model.exchange.refusal',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    quote: 'anyone who holds a token with matching claims may assume the identity',
    says: 'Every exchange whose token does not match the identity is refused',
    profile: 'sts',
    least: 1,
  },
  {
    id: 'model.exchange.answer',
    level: 'must',
    statement: 'S5.3, S5.4, R41',
    quote: 'its `token` is the API token',
    says: 'Every exchange with a token that matches the identity succeeds',
    profile: 'sts',
    least: 1,
  },
  {
    id: 'model.exchange.lifetime',
    level: 'must',
    statement: 'S5.5, S8.5, R40, R41',
    quote: 'is valid for one hour',
    says: 'Every API token works for 59 minutes and not after 70',
    profile: 'sts',
    least: 1,
  },
  {
    id: 'model.v1.content',
    level: 'must',
    statement: 'S2.17, S9.2, R44',
    quote: '`id`, `createdAt` and `updatedAt` become `uid`, `createTime` and `updateTime`',
    says: 'Every group that v1 shows is the group that v2 has',
    profile: 'v1',
    least: 1,
  },
  {
    id: 'model.v1.members',
    level: 'must',
    statement: 'S2.17, S9.3, R44',
    quote: 'A v1 list holds its array under `items`',
    says: 'Every v1 list shows the groups in its scope',
    profile: 'v1',
    least: 1,
  },
  {
    id: 'model.v1.update',
    level: 'should',
    statement: 'S9.4, R45',
    quote: 'takes the whole resource and resets what is left out to its zero value',
    says: 'A v1 update resets what it leaves out',
    profile: 'v1',
    least: 1,
  },
]

/** Every row of the model, in the order of the report. */
export const modelRows: readonly Row[] = [...(Object.keys(kinds) as KindName[]).flatMap(rowsOf), ...others]

/** The id of a row; an aspect without a row of its kind counts as content, or else as membership in its lists. */
export function rowOf(kind: KindName, aspect: Aspect): string {
  const known = ids[kind]
  known[aspect] ??= `model.${kinds[kind].name}.${nearest(kind, aspect)}`
  return known[aspect]
}

function nearest(kind: KindName, aspect: Aspect): Aspect {
  const there = aspectsOf[kind] ?? []
  if (there.includes(aspect)) return aspect
  return aspect === 'time' && there.includes('content') ? 'content' : 'members'
}

const ids = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, {}])) as Record<
  KindName,
  Partial<Record<Aspect, string>>
>
