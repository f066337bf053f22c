import {
  type ClientHttp2Session,
  connect,
  constants,
  type IncomingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, rootCertificates } from 'node:tls'
import { largestAnswer } from '../http/body-budget.ts'
import type { Wire } from '../http/progress.ts'
import { mostTries } from '../http/waits.ts'
import { BrokenOff } from '../http/wire/broken-off.ts'

/** What came back on one stream. */
export interface RawAnswer {
  status: number
  /** The headers, overridden by the trailers. */
  headers: Record<string, string>
  bytes: Buffer
}

/** How one stream is sent. */
export interface Sending {
  headers: Record<string, string>
  bytes: Buffer
  /** How long the target may stay silent, in milliseconds (R59). */
  within: number
  /** Set to give the stream up as soon as it is sent. */
  cancel?: boolean
}

/** The result of a stream whose answer nobody reads. */
const cancelled: RawAnswer = {
  status: 200,
  headers: { 'grpc-status': '1', 'grpc-message': 'given up by the suite', 'content-type': 'application/grpc' },
  bytes: Buffer.alloc(0),
}

/** Why a stream is reset, by its code (RFC 9113, section 7). */
const resets = [
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR',
  'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED',
] // biome-ignore format: a table

/** HTTP/2 to one address: one connection carries every stream, and is replaced when it ends. */
export class Channel {
  readonly #origin: string
  readonly #options: SecureClientSessionOptions
  readonly #wire: Wire
  #session: ClientHttp2Session | undefined
  /** How many calls are under way on each connection. */
  readonly #under = new Map<ClientHttp2Session, number>()

  constructor(origin: string, ca: string | undefined, wire: Wire) {
    this.#origin = origin
    this.#options = ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }
    this.#wire = wire
  }

  /**
   * One stream from headers to trailers; throws as `Connections` does if no whole answer came. What was refused before
   * anything of it was read, as at the end of a connection, is sent again (RFC 9113, 8.7).
   */
  async ask(path: string, sending: Sending): Promise<RawAnswer> {
    for (let tries = 1; ; tries++) {
      // a gateway may end a connection with its first call: one that was refused twice gets its own
      const own = tries > 2 ? this.#connect() : undefined
      try {
        return await this.#askOnce(path, sending, own ?? this.#open())
      } catch (error) {
        if (!(error instanceof StreamRefused) || tries === mostTries) throw error
        await sleep(betweenRefused * tries)
      } finally {
        own?.close()
      }
    }
  }

  #askOnce(
    path: string,
    { headers, bytes, within, cancel = false }: Sending,
    session: ClientHttp2Session,
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#wire.sent++
      this.#count(session, 1)
      const stream = session.request({ ...headers, ':method': 'POST', ':path': path })
      let [status, seen]: [number | undefined, Record<string, string>] = [undefined, {}]
      const chunks: Buffer[] = []
      let [size, failed]: [number, Error | undefined] = [0, undefined]
      stream.setTimeout(within, () => {
        failed = status === undefined ? new TimedOut('no answer came') : new BrokenOff(status, 'dripped on', true)
        stream.close(constants.NGHTTP2_CANCEL)
      })
      stream.on('response', (came) => {
        status = came[':status']
        seen = flat(came)
      })
      stream.on('trailers', (came) => {
        seen = { ...seen, ...flat(came) }
      })
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= largestAnswer) return void chunks.push(chunk)
        failed = new BrokenOff(status!, 'is larger than is read of any answer', false, true)
        stream.close(constants.NGHTTP2_CANCEL)
      })
      stream.on('error', (error: Error) => {
        failed ??= error
      })
      stream.on('close', () => {
        this.#count(session, -1)
        if (cancel) return resolve(cancelled)
        const { rstCode = 0 } = stream
        // a status that came is the answer, however the stream was closed afterwards
        if (status !== undefined && (rstCode === 0 || 'grpc-status' in seen) && !(failed instanceof BrokenOff))
          return resolve({ status, headers: seen, bytes: Buffer.concat(chunks) })
        if (status === undefined && rstCode === constants.NGHTTP2_REFUSED_STREAM)
          return reject(new StreamRefused('the stream was reset (REFUSED_STREAM)'))
        const why = failed ?? new Error(`the stream was reset (${resets[rstCode] ?? rstCode})`)
        reject(
          status === undefined || why instanceof BrokenOff ? why : new BrokenOff(status, `broke off: ${why.message}`),
        )
      })
      stream.end(bytes)
      if (cancel) setImmediate(() => stream.close(constants.NGHTTP2_CANCEL))
    })
  }

  destroy(): void {
    this.#session?.destroy()
    this.#session = undefined
  }

  #open(): ClientHttp2Session {
    const known = this.#session
    if (known && !known.closed && !known.destroyed) return known
    const session = this.#connect()
    this.#session = session
    return session
  }

  #connect(): ClientHttp2Session {
    const session = connect(this.#origin, { ...this.#options, rejectUnauthorized: true })
    const forget = () => {
      if (this.#session === session) this.#session = undefined
    }
    session.on('error', forget)
    session.on('goaway', forget)
    session.on('close', forget)
    session.unref()
    return session
  }

  /** A call keeps the process alive; an idle connection does not. */
  #count(session: ClientHttp2Session, more: number): void {
    const under = (this.#under.get(session) ?? 0) + more
    if (under > 0) {
      this.#under.set(session, under)
      session.ref()
    } else {
      this.#under.delete(session)
      session.unref()
    }
  }
}

/** The wait before a refused stream is sent again, in milliseconds for each try. */
const betweenRefused = 20

/** The target read nothing of a stream. */
class StreamRefused extends Error {}

class TimedOut extends Error {
  override readonly name = 'TimeoutError'
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const named = Object.entries(headers).filter(([name, value]) => !name.startsWith(':') && value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]))
}
