import { type DescMethod, fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf'
import { detailTypes, StatusSchema } from '../../schemas/proto/services.ts'
import type { IncomingResponse } from '../http/wire/exchange-over.ts'
import type { RawAnswer } from './channel.ts'
import { messagesIn } from './frames.ts'

/** The HTTP status of an RPC code, as gRPC gateways usually map it. */
const statuses: Readonly<Record<number, number>> = {
  0: 200,
  1: 499,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
}

const unknownCode = 2

/** An answer of gRPC in the form of HTTP: status, headers and a JSON body (R60). */
export function answerOf(method: DescMethod, { status, headers, bytes }: RawAnswer): IncomingResponse {
  const type = headers['content-type'] ?? ''
  const code = codeIn(headers)
  if (code === undefined) {
    if (status !== 200) return { status, headers, bytes }
    const why = /^application\/grpc/.test(type) ? 'without a grpc-status' : `of the type '${type}'`
    return refusal(unknownCode, `the answer was one ${why}`, [], headers)
  }
  if (code === 0) return success(method, headers, bytes)
  const answer = refused(code, headers)
  // what is refused as HTTP has that status, whatever gRPC says beside it
  return status >= 400 && status < 500 ? { ...answer, status } : answer
}

/** The status of an answer; undefined where it has none, 2 where it is not a gRPC number. */
function codeIn(headers: Record<string, string>): number | undefined {
  const text = headers['grpc-status']
  if (text === undefined) return undefined
  return /^(\d|1[0-6])$/.test(text) ? Number(text) : unknownCode
}

function success({ output }: DescMethod, headers: Record<string, string>, bytes: Buffer): IncomingResponse {
  try {
    const messages = messagesIn(bytes, headers['grpc-encoding'])
    if (messages.length !== 1) throw new Error(`${messages.length} messages came`)
    const json = toJson(output, fromBinary(output, messages[0]!), { alwaysEmitImplicit: true })
    return { status: 200, headers, bytes: Buffer.from(JSON.stringify(json)) }
  } catch (error) {
    // not JSON: a case that needs the message reports it
    return { status: 200, headers, bytes: Buffer.from(`(no ${output.name}: ${(error as Error).message})`) }
  }
}

/** The error detail that may ask for patience, and for how many seconds. */
const retryInfo = /RetryInfo$/

function refused(code: number, headers: Record<string, string>): IncomingResponse {
  const message = decoded(headers['grpc-message'] ?? '')
  const status = statusIn(headers)
  if (status === undefined) return refusal(code, message, [], headers)
  const details = status.details.map(({ typeUrl, value }): JsonObject => {
    const desc = detailTypes.getMessage(typeUrl.replace(/^.*\//, ''))
    try {
      if (desc) return { '@type': typeUrl, ...(toJson(desc, fromBinary(desc, value)) as JsonObject) }
    } catch {
      // shown as bytes
    }
    return { '@type': typeUrl, value: Buffer.from(value).toString('base64') }
  })
  const wait = details.find((detail) => retryInfo.test(String(detail['@type'])))?.retryDelay
  const patience = typeof wait === 'string' ? { 'retry-after': String(Math.ceil(Number.parseFloat(wait))) } : {}
  return refusal(code, status.message || message, details, { ...patience, ...headers }, status.code)
}

function refusal(
  code: number,
  message: string,
  details: JsonObject[],
  headers: Record<string, string>,
  inDetails = code,
): IncomingResponse {
  const body = { code: inDetails, message, details }
  return { status: statuses[code] ?? 500, headers, bytes: Buffer.from(JSON.stringify(body)) }
}

/** The status in `grpc-status-details-bin`, if it can be read. */
function statusIn(headers: Record<string, string>) {
  const coded = headers['grpc-status-details-bin']
  if (coded === undefined) return undefined
  try {
    return fromBinary(StatusSchema, Buffer.from(coded, 'base64'))
  } catch {
    return undefined
  }
}

/** A percent-encoded message; one that is cut within a character is read up to there. */
export const decoded = (message: string): string =>
  message.replace(/(%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
