import { present } from '../../schemas/present.ts'
import type { Header } from '../requirement/header.ts'
import type { Agent, Config, Target } from '../settings/configuration.ts'
import { type Call, type Credential, controlCall } from './call.ts'
import { Inconclusive } from './case-errors.ts'
import type { ConflictTurns } from './conflicts.ts'
import type { Progress, Wire } from './progress.ts'
import { queryString } from './url.ts'
import type { OutgoingRequest } from './wire/exchange-over.ts'
import type { WriteGuards } from './write-guards.ts'

/** A protocol other than HTTP with JSON that can carry the contract's calls. */
export interface Protocol {
  /** A call as this protocol sends it; undefined where it has no form there. */
  request(call: Call, credential: Credential): OutgoingRequest | undefined
}

/** What several clients of one run share. */
export interface Shared {
  wire: Wire
  progress: Progress
  guards: WriteGuards
  turns: ConflictTurns
  /** Carries calls over gRPC; without it every call goes over HTTP. */
  grpc: Protocol | undefined
}

/** A Get of the operator's group. */
export const controlTo = ({ apiVersion, groupUid }: Config['target']): Call => ({
  operation: controlCall,
  method: 'GET',
  path: `/iam/${apiVersion}/groups/${groupUid}`,
})

/**
 * A call as it goes out over its own protocol, or over that of the run; over HTTP where it has no form in that of the
 * run. Throws `Inconclusive` where it has none in its own, because HTTP would answer instead.
 */
export function outgoing(call: Call, credential: Credential, { target, transport }: Config, grpc?: Protocol) {
  const other = (call.over ?? transport) === 'grpc' ? grpc?.request(call, credential) : undefined
  if (call.over === 'grpc' && grpc && !other)
    throw new Inconclusive(`${call.operation} has no form in gRPC as it is asked`)
  return other ?? requestFor(call, credential, target)
}

const jsonType = 'application/json'

/** A call as it goes out, with only the headers that every call has. */
export function requestFor(call: Call, credential: Credential, target: Target): OutgoingRequest {
  const { method, path, query, body, at, contentType = jsonType } = call
  const raw = (body as { raw?: unknown } | undefined)?.raw
  const text = body === undefined ? undefined : typeof raw === 'string' ? raw : JSON.stringify(body)
  const { baseUrl, authUrl } = target
  return {
    method,
    url: (at === 'auth' ? authUrl : baseUrl) + path + queryString(query, call.plainSlashes),
    headers: {
      ...target.headers,
      accept: 'application/json',
      'cache-control': 'no-cache',
      ...(text === undefined || contentType === '' ? {} : { 'content-type': contentType }),
      ...besides(call, target.headers),
      ...credential.beside,
      ...(credential.header === undefined ? {} : { authorization: credential.header }),
    },
    ...(text === undefined ? {} : { body: text }),
  }
}

/** The headers of one call, with lower-case names, without those that the operator sets. */
function besides({ headers = {} }: Call, own: Target['headers'] = {}): Record<string, string> {
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !taken.has(name)))
}

/** A call as it is recorded: with the credential as it may be shown. */
export function shownRequest({ method, url, headers, body }: OutgoingRequest, { header, shown }: Credential) {
  // that a body goes out in pieces is in no header
  const { 'transfer-encoding': coding, ...others } = headers
  const sent = coding === 'identity' ? others : headers
  const all = { ...sent, ...(header === undefined ? {} : { authorization: shown }) }
  return { method, url, headers: all, ...present({ body }) }
}

/** What exchanges are sent for: a requirement, by its id, and whether its calls go before those of others. */
type Purpose = Pick<Header, 'id' | 'long'>

const purposes = new WeakMap<object, Purpose>()

/** From now on, these exchanges name that requirement as their purpose. */
export function forRequirement<T extends object>(exchanges: T, { id, long }: Purpose): T {
  purposes.set(exchanges, { id, ...(long && { long }) })
  return exchanges
}

/** The requirement that exchanges are sent for; undefined where many use them. */
export const requirementOf = (exchanges: object) => purposes.get(exchanges)?.id

/** How soon a call is sent: a run waits for its longest chain of calls, and many cases for what they share. */
export function urgencyOf(exchanges: object): 'urgent' | 'usual' {
  const purpose = purposes.get(exchanges)
  return purpose === undefined || purpose.long ? 'urgent' : 'usual'
}

/** What exchanges are sent for, as written in the User-Agent. */
function purposeOf(exchanges: object): string {
  const id = requirementOf(exchanges)
  return id === undefined ? 'shared preparation or clean-up' : `requirement ${id}`
}

/** The User-Agent: the suite, its version, the run and its purpose, after what the operator's own header says. */
function userAgent(agent: Agent | undefined, what: string, headers: Target['headers'] = {}): string {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'user-agent')?.[1]
  const { suite, version, run } = agent ?? { suite: 'rmapi-conformance', version: '0', run: 'none' }
  return `${own === undefined ? '' : `${own} `}${suite}/${version} (run ${run}; ${what})`
}

/** Headers with the suite's User-Agent, which continues the operator's own; `what` may be the exchanges sent for it. */
export function withAgent(headers: Record<string, string>, agent: Agent | undefined, what: string | object) {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'user-agent')
  return {
    ...Object.fromEntries(others),
    'user-agent': userAgent(agent, typeof what === 'string' ? what : purposeOf(what), headers),
  }
}
