import { AsyncLocalStorage } from 'node:async_hooks'
import type { Phase } from './case-errors.ts'
import type { Exchange } from './exchange.ts'
import type { Query } from './url.ts'
/** The value of the Authorization header, and how a report shows it. */
export interface Credential {
  /** Absent: no header at all. */
  header?: string
  /** As a shell writes it, secrets as variables. */
  shown: string
  /** Other headers, in which a token does not count (R39). */
  beside?: Record<string, string>
}

/** What differs in a call over gRPC from what its method, path and query say. */
export interface RpcForm {
  /** In place of the method's own path. */
  path?: string
  /** In place of the request message. */
  message?: Uint8Array
  gzip?: true
  metadata?: Record<string, string>
  /** Given up as soon as it was sent. */
  cancel?: true
}

/** One call to the API. */
export interface Call {
  operation: string
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** From the base URL on, or with `at` from the auth URL on, already encoded. */
  path: string
  at?: 'auth'
  /** The protocol that it goes over; that of the run unless it is set. */
  over?: 'grpc' | 'http'
  rpc?: RpcForm
  query?: Query
  /** Sent as JSON; `{ raw }` is sent unchanged. */
  body?: unknown | { raw: string }
  /** The run's own token unless another one is given. */
  credential?: Credential
  /** In place of `application/json`; empty for none at all. */
  contentType?: string
  /** Headers in place of those that every call has, or besides them; one that the operator sets stays as it is. */
  headers?: Record<string, string>
  /** Gets the body of the answer before anything of it is written down, to hide what is secret in it. */
  conceal?: (body: string) => void
}

/** The operation of a Get of the operator's group that shows whether the target still answers the run. */
export const controlCall = 'control'

/** The answer to a call, whatever it was. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** The body as it may be shown to anybody: secrets are out of it. */
  text: string
  /** Undefined where the body is no JSON. */
  json: unknown
  /** Why the body is no JSON; absent where it is. */
  notJson?: string
  exchange: Exchange
  /** Set where it came over gRPC: status, headers and JSON are those that HTTP would have (R60). */
  over?: 'grpc'
}

/** Where the exchanges of one case, or of one shared fixture, are written down. */
export interface Log {
  phase: Phase
  exchanges: Exchange[]
}

/** True for 2xx: any of them is success (R57). */
export const succeeded = ({ status }: { status: number }) => status >= 200 && status < 300

/** True for 404, and for 410, which some answer in its place. */
export const isNotFound = ({ status }: { status?: number | undefined }) => status === 404 || status === 410

/** The status of an answer and the beginning of its body, in words. */
export const answerInWords = ({ status, text }: Pick<Answer, 'status' | 'text'>) =>
  `${status}${text === '' ? ' without a body' : `: ${text.slice(0, 200)}`}`

/** The RPC code in an error body, where there is one. */
export function codeIn({ json }: Pick<Answer, 'json'>): number | undefined {
  const code = typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined
  return typeof code === 'number' ? code : undefined
}

/** A call with its answer, whichever log it was written to. */
export interface Noted {
  call: Call
  answer: Answer
}

const noted = new AsyncLocalStorage<Noted[]>()

/** Runs something and notes every call that it causes, in the order of the answers. */
export function noting<T>(into: Noted[], run: () => Promise<T> | T): Promise<T> {
  return noted.run(into, async () => run())
}

/** Passes an answer to the code that listens for it. */
export function noteAnswer(call: Call, answer: Answer): Answer {
  noted.getStore()?.push({ call, answer })
  return answer
}
