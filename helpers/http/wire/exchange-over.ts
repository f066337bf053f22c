import type { Dispatcher } from 'undici'
import { decoded, endsEarly, payloadOf } from '../body.ts'
import { BodyShare } from '../body-budget.ts'
import type { Wire } from '../progress.ts'
import { BrokenOff, isLate } from './broken-off.ts'

/** A request for the wire, exactly as written here. */
export interface OutgoingRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  /** How another protocol sends it. */
  carry?: (headers: Record<string, string>) => Promise<IncomingResponse>
}

/** What came back, without its content coding. */
export interface IncomingResponse {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

/** The longest the target may take for one answer (R59), in milliseconds. */
export const answerWithin = 30_000

/** One exchange over the pool; throws an `Error` with a short reason if no answer came. */
export function exchangeOver(
  pool: Dispatcher,
  out: OutgoingRequest,
  within = answerWithin,
  wire: Wire = { sent: 0 },
): Promise<IncomingResponse> {
  return new Promise((resolve, reject) => {
    let began: { status: number; headers: Record<string, string> } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let given: Error | undefined
    const chunks: Buffer[] = []
    const share = new BodyShare()
    const giveUp = (why: Error) => {
      given = why
      controller?.abort(why)
    }
    // the pool notices silence; this is for an answer that trickles without end
    const timer = setTimeout(() => giveUp(new TimedOut('the answer took too long')), 2 * within).unref()
    const fail = (error: Error) => {
      clearTimeout(timer)
      share.release()
      const why = error instanceof TooLarge ? error.message : `broke off: ${error.message}`
      reject(began === undefined ? error : new BrokenOff(began.status, why, isLate(error), error instanceof TooLarge))
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(own) {
        controller = own
        wire.sent++
        if (given) own.abort(given)
      },
      onResponseStart(_own, status, headers) {
        if (status >= 200) began = { status, headers: flat(headers) }
      },
      onResponseData(own, chunk) {
        const full = share.take(chunk.length)
        if (full !== undefined) own.abort(new TooLarge(full))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        clearTimeout(timer)
        share.release()
        try {
          const { status, headers } = began!
          const read = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
          const incoming = { status, headers, bytes: decoded(read, headers['content-encoding']) }
          // nothing else says that such a body is not whole
          if (endsWithConnection(headers) && endsEarly(incoming.bytes))
            throw new BrokenOff(status, 'broke off: its connection ended within its JSON')
          // the connection is free one turn later, and the next call should find it
          queueMicrotask(() => setImmediate(resolve, incoming))
        } catch (error) {
          reject(error)
        }
      },
      onResponseError: (_own, error) => fail(error),
    }
    const { method, url } = out
    try {
      pool.dispatch({ ...placeOf(url), method: method as Dispatcher.HttpMethod, ...payloadOf(out) }, handler)
    } catch (error) {
      fail(error as Error)
    }
  })
}

/** True for a body without a length, which ends where its connection does (RFC 9112, section 6.3). */
const endsWithConnection = (headers: Record<string, string>) =>
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  /close/i.test(headers.connection ?? '')

class TooLarge extends Error {}

class TimedOut extends Error {
  override readonly name = 'TimeoutError'
}

const origins = new Map<string, string>()

/** An address in two parts; the part after the origin is sent unchanged. */
function placeOf(url: string): { origin: string; path: string } {
  const [, start = '', rest = ''] = /^([^:]+:\/\/[^/?#]*)(.*)$/s.exec(url) ?? []
  const origin = origins.get(start) ?? new URL(start).origin
  origins.set(start, origin)
  return { origin, path: rest.startsWith('/') ? rest : `/${rest}` }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name in headers) all[name] = String(headers[name])
  return all
}
