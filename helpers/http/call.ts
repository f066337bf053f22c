import { AsyncLocalStorage } from 'node:async_hooks'
import type { Phase } from './case-errors.ts'
import type { Exchange } from './exchange.ts'
import type { Query } from './url.ts'
/** The value of the Authorization header, and how a report shows it. */
export interface Credential {
  /** Absent: no header at all. */
  header?: string
  /** As a shell would write it, with variables for secrets. */
  shown: string
  /** Other headers, in which a token does not count (R39). */
  beside?: Record<string, string>
}

/** No Authorization header. */
export const noCredential: Credential = { shown: 'none' }

/** An API token that was exchanged for an identity token, as the bearer token. */
export const exchangedToken = (token: string): Credential => ({
  header: `Bearer ${token}`,
  shown: 'Bearer <exchanged API token>',
})

/** How a call over gRPC differs from what its method, path and query say. */
export interface RpcForm {
  /** In place of the method's own path. */
  path?: string
  /** In place of the request message. */
  message?: Uint8Array
  gzip?: true
  metadata?: Record<string, string>
  /** Given up as soon as it is sent. */
  cancel?: true
}

/** One call to the API. */
export interface Call {
  operation: string
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** From the base URL on, or with `at` from the auth URL on; already encoded. */
  path: string
  at?: 'auth'
  /** The protocol of the call; by default that of the run. */
  over?: 'grpc' | 'http'
  rpc?: RpcForm
  /** Over gRPC, the content type in place of `application/grpc`. */
  rpcType?: string
  query?: Query
  /** Set where the slashes in the query are not escaped. */
  plainSlashes?: true
  /** Sent as JSON; `{ raw }` is sent unchanged. */
  body?: unknown | { raw: string }
  /** The run's own token unless another is given. */
  credential?: Credential
  /** In place of `application/json`; empty for none. */
  contentType?: string
  /** Headers that replace those of every call, or are added; one that the operator sets is kept. */
  headers?: Record<string, string>
  /** Receives the body of the answer before any of it is recorded, to hide the secrets in it. */
  conceal?: (body: string) => void
  /** Set where a 503 may come of what it names, such as an issuer that nobody can reach: waiting need not help (R43). */
  brief?: true
  /** The same call with another token: sent in its place where its own may work only once (R41). */
  renewed?: () => Promise<Call>
}

/** The operation of a Get of the operator's group that shows whether the target still answers the run. */
export const controlCall = 'control'

/** The answer to a call, whatever it was. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** The body as anybody may see it: without secrets. */
  text: string
  /** Undefined where the body is not JSON. */
  json: unknown
  /** Why the body is not JSON; absent where it is. */
  notJson?: string
  exchange: Exchange
  /** Set for gRPC: status, headers and JSON are those that HTTP would have (R60). */
  over?: 'grpc'
}

/** Called when a call has ended, without an answer if none came. */
export type Ended = (exchange: Exchange, answer?: Answer) => void

/** Where the exchanges of one case, or of one shared fixture, are recorded. */
export interface Log {
  phase: Phase
  exchanges: Exchange[]
}

/** A status, where one came. */
type Status = { status?: number | undefined }

/** True for 2xx: any of them is success (R57). */
export const succeeded = ({ status = 0 }: Status) => status >= 200 && status < 300

/** True for 404, and for 410, which some servers use instead. */
export const isNotFound = ({ status }: Status) => status === 404 || status === 410

/** True above 511, which no RFC assigns: a content network lost the server for a moment, and nobody asks to wait. */
export const isOfNetwork = ({ status = 0 }: Status) => status > 511

/** True where a gateway gave up on the server (R43). */
export const isGivenUp = ({ status }: Status) => status === 502 || status === 504 || isOfNetwork({ status })

/** A call over gRPC, where its operation has a name of its own (R60). */
export const overGrpc = (call: Call): Call => ({ ...call, operation: `grpc.${call.operation}`, over: 'grpc' })

/** True for an answer in place of the server's: the caller is asked to wait, or a gateway gave up (R43). */
export const isThrottled = ({ status }: Status) => status === 429 || status === 503 || isGivenUp({ status })

/** True for an answer elsewhere in place of one (304 is none). */
export const isRedirect = ({ status = 0 }: Status) => status >= 300 && status < 400 && status !== 304

/** The beginning of a body, with a mark where it goes on. */
export const beginningOf = (text: string, most = 200) => (text.length > most ? `${text.slice(0, most)}…` : text)

/** The status of an answer and the beginning of its body. */
export const answerInWords = ({ status, text }: Pick<Answer, 'status' | 'text'>) =>
  `${status}${text === '' ? ' without a body' : `: ${beginningOf(text)}`}`

/** The RPC code in an error body, where there is one. */
export function codeIn({ json }: { json?: unknown }): number | undefined {
  const code = typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined
  return typeof code === 'number' ? code : undefined
}

/** A call with its answer, whichever log has it. */
export interface Noted {
  call: Call
  answer: Answer
}

const noted = new AsyncLocalStorage<Noted[]>()

/** Runs something and notes every call that it makes, in the order of the answers. */
export function noting<T>(into: Noted[], run: () => Promise<T> | T): Promise<T> {
  return noted.run(into, async () => run())
}

/** Passes an answer on to the code that collects them. */
export function noteAnswer(call: Call, answer: Answer): Answer {
  noted.getStore()?.push({ call, answer })
  return answer
}
