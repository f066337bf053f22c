import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../domain/refusal.ts'

/** One request as it arrived. */
export interface Call {
  readonly headers: IncomingHttpHeaders
  /** The part of the path behind the collection, still encoded; empty on the collection itself. */
  readonly rawUid: string
  readonly query: URLSearchParams
  readonly body: Uint8Array
}

/** The value of a parameter; two are refused, because dropping one of two scopes would show too much. */
export function single(query: URLSearchParams, parameter: string): string | undefined {
  const values = query.getAll(parameter)
  if (values.length > 1) throw new Refusal('invalid', parameter, 'the parameter may be given only once')
  return values[0]
}
