import { kindNames } from '../../schemas/kind-names.ts'
import type { Case, Exchange, Profile } from '../../schemas/types.ts'
import type { Row } from './outcome.ts'

/** Operations on kinds of resources, by the kind's plural, as `list, get, create`. */
export type Rights = Readonly<Record<string, string>>

const all = 'list, get, create, update, delete'
const lasting = 'list, get, create, delete'
const seldom = 'list, create, delete'
/** What the run lists when it deletes what it made. */
const swept = { roles: 'list', identityProviders: 'list', accountAssociations: 'list', groupInvites: 'list' }
const scratch = { groups: lasting, identities: seldom, roleBindings: seldom, ...swept }
const everyKind = {
  groups: all,
  identities: all,
  roles: 'list, get',
  roleBindings: all,
  identityProviders: all,
  accountAssociations: all,
  groupInvites: lasting,
}

/** The rights that the token needs, by the part of the service that is examined: the one table of rights. */
export const rights: Readonly<Record<Profile, Rights>> = {
  core: { ...swept, groups: all, identities: lasting, roleBindings: lasting },
  identities: everyKind,
  registry: { ...scratch, repos: 'list, get', tags: 'list, get' },
  vulnerabilities: { ...scratch, advisories: 'list, get' },
  sts: everyKind,
  v1: {
    groups: all,
    identities: seldom,
    roleBindings: seldom,
    roles: 'list',
    identityProviders: 'list',
    accountAssociations: 'list',
    groupInvites: 'list',
    repos: 'list',
    'v1 groups': all,
    'v1 repos': 'list',
  },
  grpc: {
    ...everyKind,
    repos: 'list, get',
    tags: 'list, get',
    advisories: 'list, get',
    'v1 groups': all,
  },
  time: {
    ...everyKind,
    repos: 'list, get',
    tags: 'list, get',
    advisories: 'list, get',
    'v1 groups': all,
  },
}

/** The kind of an operation, by its plural, and the action; nothing for a call that needs no right of the API. */
function rightOf(operation: string): { kind: string; done: string } | undefined {
  const parts = operation.split('.')
  const done = parts.pop() ?? ''
  const called = parts.join(' ')
  const named = (plural: string) => plural.replace(/\w+$/, (last) => Object(kindNames)[last])
  const kind = Object.values(rights)
    .flatMap((own) => Object.keys(own))
    .find((plural) => named(plural) === called)
  return kind !== undefined && all.split(', ').includes(done) ? { kind, done } : undefined
}

/** The sentence for an operator whose token was refused an operation: the missing right, and what needs it. */
function missingRight(operation: string): string | undefined {
  const right = rightOf(operation)
  if (right === undefined) return undefined
  const { kind, done } = right
  const parts = Object.entries(rights).flatMap(([profile, own]) =>
    own[kind]?.split(', ').includes(done) ? [profile] : [],
  )
  return `the token seems to lack the right to ${done} ${kind} (needed for ${parts.join(', ')})`
}

/** A row that is inconclusive because an arranging call was forbidden names the missing right. */
export function withMissingRight(row: Row, { ending }: Case, answered: ReadonlySet<string>): Row {
  if (row.outcome !== 'inconclusive') return row
  const { stop = undefined } = 'stop' in ending ? ending : {}
  const stopped = stop && lacksRight(stop) ? stop.operation : undefined
  const own = row.header.id.replace(/\.answers$/, '')
  const refused = row.exchanges.findLast(
    (each) => isForbidden(each) && (each.phase === 'arrange' || each.operation === own),
  )
  const operation = stopped ?? refused?.operation
  // what was allowed elsewhere is refused for another reason, such as the depth of a group
  if (operation === undefined || answered.has(operation)) return row
  const missing = missingRight(operation)
  if (missing === undefined || row.note?.includes(missing)) return row
  return { ...row, note: row.note === undefined ? missing : `${row.note}; ${missing}` }
}

/** True for a call with the run's own token that was answered with code 7, or 403 unless that speaks of a quota. */
function isForbidden({ request, response }: Exchange): boolean {
  const { authorization = '' } = request.headers
  if (authorization !== 'Bearer $RMAPI_ACCESS_TOKEN' || !response) return false
  const { status, body } = response
  const code = /^\s*\{\s*"code"\s*:\s*(\d+)\s*,/.exec(body)?.[1]
  return lacksRight({ status, code: Number(code) })
}

/** True for an error of code 7, or a 403 that does not speak of a quota. */
const lacksRight = ({ status = 0, code }: { status?: number; code?: number }) =>
  (status === 403 && code !== 8) || (status > 399 && code === 7)

/** The rights of a part in a few words: kinds that need the same are grouped. */
export function rightsInWords(own: Rights): string {
  const kindsOf = new Map<string, string[]>()
  for (const [kind, operations] of Object.entries(own))
    kindsOf.set(operations, [...(kindsOf.get(operations) ?? []), kind])
  return [...kindsOf]
    .sort(([a], [b]) => b.length - a.length)
    .map(([operations, kinds]) => `${operations}: ${kinds.join(', ')}`)
    .join('; ')
}
