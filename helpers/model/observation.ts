import { type Kind, type KindName, kinds, type Operation } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { isInvalid, isSoftRefusal as isSoft, violationsIn } from '../api/soft-refusal.ts'
import { codeIn, isThrottled, succeeded } from '../http/call.ts'

/** Who calls: the run, an issued token, a credential that must be refused, or one the contract leaves open (R39). */
export type Caller = { is: 'own' } | { is: 'bearer'; token: string } | { is: 'bad'; how: string } | { is: 'open' }

/** A call as sent: everything the model needs of it. */
export interface Sent {
  method: string
  /** From the base URL on, encoded. */
  path: string
  at: 'api' | 'auth'
  query: Readonly<Record<string, string>>
  /** The JSON that was sent; undefined where there was none. */
  body?: unknown
  /** Texts in bytes that are not JSON: nothing may ever show them where the call was refused (R29). */
  texts?: readonly string[]
  /** Set where the bytes sent are not JSON, or may not count as JSON (R37, R51). */
  reads?: 'never' | 'perhaps'
  caller: Caller
  /** A monotonic time in milliseconds. */
  sent: number
}

/** Set in the query of a call that repeats a parameter: which of its values counts is open (R15, R21). */
export const repeatedParameter = 'a repeated parameter'

/** True for an Update with a parameter that the contract does not show: in another spelling it may be refused (R47). */
export const hasOtherParameters = ({ query }: Pick<Sent, 'query'>): boolean =>
  Object.keys(query).some((name) => name !== 'updateMask')

/** One call with its answer; without a status, none came. */
export interface Observation extends Sent {
  /** The number of the exchange in the run. */
  n: number
  answered: number
  /** Set for gRPC: each protocol has its own views, tokens and orders. */
  over?: 'grpc'
  status?: number
  headers?: Readonly<Record<string, string>>
  json?: unknown
  text: string
  /** The identity token of an exchange. */
  identityToken?: IdentityToken
  /** How far the target's clock had been moved when it was answered, in milliseconds. */
  moved: number
  /** The target's time when it was sent, in milliseconds since 1970, if known. */
  now?: number
  /** The lifetime in the API token of an exchange, in seconds since 1970. */
  lives?: { iat?: number; exp?: number }
}

/** The content of an identity token, and whether its issuer signed it, as far as the suite can know. */
export interface IdentityToken {
  claims: Record<string, unknown>
  /** The token itself: some are accepted only once (R41). */
  token: string
  /** What may matter besides the values of its claims: header, names of claims, audiences. */
  form: string
  /** Undefined where nobody here knows the key. */
  signed: boolean | undefined
}

/** What a call asks for, read from its method and path (section 4). */
export interface Asked {
  version: 'v2' | 'v1'
  kind: KindName
  does: Operation
  /** Undefined for a list; the parent for a create. */
  uid?: string
}

const methods: Record<string, Operation> = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' }

/** The operation that a call asks for; undefined for one that the contract does not have. */
export function askedBy({ method, path, at }: Sent, version: string): Asked | undefined {
  if (at === 'auth') return undefined
  const [, family, segment, plural = '', rest] = /^\/([a-z]+)\/([0-9a-z]+)\/([A-Za-z]+)(?:\/(.*))?$/.exec(path) ?? []
  if (!Object.hasOwn(kinds, plural) || (segment !== version && segment !== 'v1')) return undefined
  const kind = plural as KindName
  if (kinds[kind].family !== family) return undefined
  const inV1 = segment === 'v1'
  const does = inV1 && method === 'PUT' ? 'update' : inV1 && method === 'PATCH' ? undefined : methods[method]
  const asked = { version: inV1 ? 'v1' : 'v2', kind } as const
  if (rest === undefined) return method === 'GET' ? { ...asked, does: 'list' } : undefined
  const uid = decoded(rest)
  if (uid === undefined || does === undefined || uid === '' || /^\/|\/$|\/\//.test(uid)) return undefined
  return { ...asked, does, uid }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** True where a proxy or overload interfered, so nothing is known of the effect (R43). */
export const isTrouble = ({ status }: Observation) => status === undefined || isThrottled({ status })

/** True for a refusal that any valid call may get (R56), or of a name as taken; a read brings no role, issuer or name. */
export function isSoftRefusal(seen: Observation): boolean {
  const isInvalid = seen.status === 400 && codeIn(seen) === 3
  if (isInvalid && seen.at === 'api' && seen.method === 'GET') return false
  return isSoft({ status: seen.status ?? 0, json: seen.json }) || (codeIn(seen) === 3 && isTaken.test(seen.text))
}

const isTaken = /name.{0,40}(taken|in use|already|exists|unique)/i

/** True where the target does not have the operation (R49). */
export function isNotOffered(seen: Observation): boolean {
  return [404, 405, 410, 501].includes(seen.status ?? 0) || (!succeeded(seen) && codeIn(seen) === 12)
}

/** True where the resource that a call names is not there. */
export const isMissing = (seen: Observation) =>
  [404, 410].includes(seen.status ?? 0) || (!succeeded(seen) && codeIn(seen) === 5)

/**
 * True for a refusal that what is missing, or not yet known, may get: as missing, or as invalid for no member that was sent
 * (R38, R52).
 */
export function isUnknown(seen: Observation): boolean {
  const isSent = (field: string) => isObject(seen.body) && Object.hasOwn(seen.body, field.split('.')[0]!)
  return (
    isMissing(seen) ||
    (isInvalid({ status: seen.status ?? 0, json: seen.json }) && !violationsIn({ json: seen.json }).some(isSent))
  )
}

/** True where the contract prints the operation, or says that it follows that of groups (R49). */
export const isPrinted = ({ version, kind, does }: Asked) =>
  version === 'v2' &&
  (kinds[kind] as Kind).printed.includes(does) &&
  (kind !== 'identities' || does === 'create' || does === 'delete')

/** What an excuse begins with that holds until its flag is seen; any other holds once its flag is seen. */
const until = 'not '

/** The excuse of a finding in a run that has never seen this flag. */
export const untilSeen = (flag: string): string => until + flag

/** The flag that ends an excuse; undefined for one that holds once its flag is seen. */
export const endedBy = (excuse: string): string | undefined =>
  excuse.startsWith(until) ? excuse.slice(until.length) : undefined

/** The excuse of an operation that was never seen to be offered over the same protocol (R49). */
export const unlessOffered = ({ kind, does, version }: Asked, { over }: Observation): string =>
  untilSeen(`offered ${kind}.${does} ${version} over ${over === 'grpc' ? 'gRPC' : 'HTTP'}`)
