import { type KindName, kinds } from '../api/kinds.ts'
import { isOptional } from '../api/soft-refusal.ts'
import type { Header, Level, Profile } from '../requirement/header.ts'
import { plainLists, plainOverGrpc } from '../requirement/plain-lists.ts'
import { type Aspect, clauses, ofLists } from './clauses.ts'

const inList: readonly Aspect[] = ['members', 'order', 'page', 'total', 'skipped', 'token']

const aspectsOf: Partial<Record<KindName, readonly Aspect[]>> = {
  groups: ['answer', 'content', ...inList, 'walk', 'refusal', 'error', 'effect', 'time', 'credential'],
  identities: ['answer', 'content', 'filter', ...inList, 'walk', 'refusal', 'effect', 'time', 'credential'],
  roleBindings: ['answer', ...inList, 'walk', 'embedded', 'refusal', 'effect', 'time', 'credential'],
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
  if (aspect === 'filter' || aspect === 'walk') return 'should'
  return listed.level === 'must' || (shown && (witnesses.includes(aspect) || aspect === 'members' || aspect === 'time'))
    ? 'must'
    : 'should'
}

/** The ids of the same judgements in earlier releases. */
const formerly: Readonly<Record<string, string[]>> = {
  'group.content': ['group.story.changes'],
  'group.members': ['group.story.lists'],
}

function rowsOf(kind: KindName): Header[] {
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
  }))
}

const others: Header[] = [
  {
    id: 'model.roleBinding.update',
    level: 'should',
    statement: 'S4.28, R25, R26, R38, R49',
    quote: 'answers the resource as it is after the update',
    says: 'Every role binding shows the identity, the role and the updateTime of its last Update',
    profile: 'identities',
  },
  {
    id: 'model.roleBinding.orphan',
    level: 'should',
    statement: 'S4.3, S4.5, R28',
    quote: 'lists and counts must leave it out',
    says: 'No list shows a role binding of a deleted identity',
    profile: 'identities',
  },
  {
    id: 'model.role.own',
    level: 'should',
    statement: 'S1.2, S2.3, R10, R28, R49',
    quote: 'offers List, Get, Create, Update and Delete',
    says: 'A role that the run made is where its last write put it',
    profile: 'identities',
  },
  {
    id: 'model.group.refusal.child',
    level: 'should',
    statement: 'S7.6, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    says: 'A group that holds an identity or a role binding is not deleted',
    profile: 'core',
  },
  {
    id: 'model.exchange.refusal',
    level: 'must',
    statement: 'S2.11, S5.3, R41',
    quote: 'anyone who holds a token with matching claims may assume the identity',
    says: 'Every exchange whose token does not match the identity is refused',
    profile: 'sts',
  },
  {
    id: 'model.exchange.answer',
    level: 'must',
    statement: 'S5.3, S5.4, R41',
    quote: 'its `token` is the API token',
    says: 'Every exchange with a token that matches the identity succeeds',
    profile: 'sts',
  },
  {
    id: 'model.exchange.lifetime',
    level: 'must',
    statement: 'S5.5, S8.5, R40, R41',
    quote: 'is valid for one hour',
    says: 'Every API token works for 59 minutes and not after 70',
    profile: 'sts',
  },
  {
    id: 'model.v1.content',
    level: 'must',
    statement: 'S2.17, S9.2, R38, R44',
    quote: '`id`, `createdAt` and `updatedAt` become `uid`, `createTime` and `updateTime`',
    says: 'Every group that v1 shows is the group that v2 has',
    profile: 'v1',
  },
  {
    id: 'model.v1.members',
    level: 'must',
    statement: 'S2.17, S9.3, S2.1, R23, R28, R44, R55',
    quote: 'A v1 list holds its array under `items`',
    says: 'Every v1 list shows the groups in its scope',
    profile: 'v1',
  },
  {
    id: 'model.v1.answer',
    level: 'should',
    statement: 'S9.1, S2.17, R44, R49',
    quote: 'v1 stays available beside v2',
    says: 'Every group that v2 has is found by a v1 Get that finds others',
    profile: 'v1',
  },
  {
    id: 'model.v1.update',
    level: 'should',
    statement: 'S2.6, S7.6, S9.4, R4, R38, R44, R45, R49, R55',
    quote: 'takes the whole resource and resets what is left out to its zero value',
    says: 'Every v1 write refuses what v2 refuses, resets what it leaves out and answers what it made',
    profile: 'v1',
  },
  {
    id: 'model.v1.others',
    level: 'should',
    statement: 'S9.2, S9.3, R28, R38, R44, R55',
    quote: '`id`, `createdAt` and `updatedAt` become `uid`, `createTime` and `updateTime`',
    says: 'Where v1 has kinds other than groups, it shows them as v2 has them',
    profile: 'v1',
  },
  {
    id: 'model.foreign.same',
    level: 'should',
    statement: 'S2.4, S2.13, S2.16, R1, R24, R49, R55',
    quote: 'A resource must be the same wherever it shows',
    says: 'Every role, repo, tag and advisory has the same name and times in every List and Get',
    profile: 'registry',
  },
  {
    id: 'model.refusal.shape',
    level: 'should',
    statement: 'S7.1, R33',
    quote: 'The shape of S7.1 is _must_ for the errors of S7.5 and S7.6, _should_ elsewhere',
    says: 'Every call that is refused for a mistake in it gets the error of the contract, as JSON',
  },
  {
    id: 'model.grpc.status',
    level: 'should',
    statement: 'S1.5, S7.1, R60',
    quote: 'its status must equal the JSON `code`',
    says: 'Every call that is refused over both protocols has one code',
    profile: 'grpc',
  },
]

const writes = ['update.*', 'error.*', 'service.*']

/** What shows in a few calls what an aspect of the model finds in many, besides the claims about the kind itself. */
const plainerThan: Readonly<Record<Aspect | 'update' | 'orphan' | 'own', readonly string[]>> = {
  answer: ['list.*', ...writes],
  content: [...plainLists, ...writes],
  time: ['time.*', 'list.order.*', ...plainLists, ...writes],
  members: ['list.scope.*', 'list.filter.*', 'list.order.*', 'list.page-size.*', 'list.skip.*', ...plainLists],
  filter: ['list.filter.*', ...plainLists],
  order: ['list.order.*', 'list.skip.*', ...plainLists],
  page: ['list.page-size.*', 'list.skip.*', ...plainLists],
  total: ['list.total.*', 'list.scope.*', 'list.filter.*', ...plainLists],
  skipped: ['list.skip.*', ...plainLists],
  token: ['list.page-size.*', 'list.skip.*', ...plainLists],
  walk: plainLists,
  embedded: ['group.*', 'identity.*', 'update.*', 'service.*'],
  refusal: writes,
  error: writes,
  effect: writes,
  update: writes,
  orphan: ['list.*'],
  own: writes,
  credential: ['auth.*', 'grpc.auth.required', 'service.*'],
}

function restsOn(id: string): string[] {
  const [, name, aspect] = id.split('.')
  if (name === 'exchange') return ['sts.*', 'time.*', 'identity.claim*', 'auth.refuses.*']
  if (name === 'v1') return ['v1.*', 'group.*', 'list.scope.*', 'list.filter.*', 'list.walk.*', 'list.fresh']
  if (name === 'foreign') return ['role.*', 'repo.*', 'tag.*', 'advisory.*', 'list.order.*', ...plainLists]
  if (name === 'grpc') return ['grpc.*', 'error.*']
  if (name === 'refusal' || aspect === 'error') return ['error.*', 'group.delete.not-empty.*']
  const kind = (Object.keys(kinds) as KindName[]).find((other) => kinds[other].name === name)
  const plainer = [...plainerThan[aspect as keyof typeof plainerThan], ...plainOverGrpc]
  const places = [...(kind === 'groups' ? [] : [kind]), ...(aspect === 'credential' ? ['v1'] : [])]
  return [`${name}.*`, ...plainer, ...places.flatMap((place) => plainer.map((glob) => `${glob}@${place}`))]
}

/** Every row of the model, which the report shows like any other requirement, in the order of the report. */
export const modelRows: readonly Header[] = [...(Object.keys(kinds) as KindName[]).flatMap(rowsOf), ...others].map(
  (header) => ({ ...header, restsOn: restsOn(header.id) }),
)

/** The reads whose answers a row judges; where none of them is offered, neither is the row (R49). */
export function readsOf(id: string): string[] {
  const [, name = '', aspect = ''] = id.split('.')
  if (id === 'model.role.own') return ['role.create']
  if (id === 'model.foreign.same') return ['role.list', 'repo.list', 'tag.list', 'advisory.list']
  if (id === 'model.v1.answer') return ['v1.group.get']
  if (id === 'model.v1.others')
    return ['v1.identity.list', 'v1.identity.get', 'v1.roleBinding.list', 'v1.roleBinding.get']
  const list = `${name}.list`
  return isOptional(list) && ofLists.has(aspect) ? [list] : [list, `${name}.get`]
}

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
