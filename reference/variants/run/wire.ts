import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

type Headers = Record<string, string>

/** Answers sent differently: the bytes in one or several pieces, under other headers. */
function sent(change: (bytes: Buffer, headers: Headers) => [Headers, ...Buffer[]]): Replacement {
  return () => ({
    transport(_request, response, serve) {
      const { writeHead, end } = response
      let [status, given]: [number, Headers] = [200, {}]
      response.writeHead = ((...head: [number, Headers]) => {
        ;[status, given] = head
        return response
      }) as typeof writeHead
      response.end = ((text = '') => {
        const [headers, ...pieces] = change(Buffer.from(text), given)
        writeHead.call(response, status, headers)
        for (const piece of pieces) response.write(piece)
        return end.call(response, undefined, 'utf8')
      }) as typeof end
      return serve()
    },
  })
}

/** One in so many calls is answered with a bare status instead of being served. */
const nowAndThen =
  (every: number, status: number, headers: Headers): Replacement =>
  () => {
    let calls = 0
    return {
      async transport(_request, response, serve) {
        if (++calls % every !== 0) return serve()
        response.writeHead(status, { 'content-length': '0', ...headers }).end()
      },
    }
  }

/** Of the writes in a second, those that are too many are answered 429 with code 8. */
const limitedWrites =
  (most: number): Replacement =>
  () => {
    let [second, writes] = [0, 0]
    return {
      async transport(request, response, serve) {
        if (request.method === 'GET') return serve()
        const now = Math.floor(Date.now() / 1000)
        if (now !== second) [second, writes] = [now, 0]
        if (++writes <= most) return serve()
        const body = JSON.stringify({ code: 8, message: 'too many writes', details: [] })
        response.writeHead(429, { 'content-type': 'application/json' }).end(body)
      },
    }
  }

/** Calls leak through at so many a second; what overflows this many that wait is answered 429 in a gateway's words. */
const leaking =
  (aSecond: number, most: number): Replacement =>
  () => {
    let [level, at] = [0, Date.now()]
    return {
      async transport(_request, response, serve) {
        const now = Date.now()
        level = Math.max(0, level - ((now - at) * aSecond) / 1000)
        at = now
        if (level + 1 > most) return void response.writeHead(429, { 'content-type': 'text/html' }).end('<h1>429</h1>')
        level++
        return serve()
      },
    }
  }

const jitter = (most: number) => sleep(Math.random() * most)

/** Lawful ways to send an answer, and to ask for another try. */
export const runWireVariants: readonly Variant[] = [
  variant(
    'answers are compressed',
    sent((bytes, headers) => {
      const packed = gzipSync(bytes)
      return [{ ...headers, 'content-encoding': 'gzip', 'content-length': String(packed.length) }, packed]
    }),
  ),
  variant(
    'answers come in chunks',
    sent((bytes, headers) => {
      const { 'content-length': _, ...rest } = headers
      const middle = Math.ceil(bytes.length / 2)
      return [rest, bytes.subarray(0, middle), bytes.subarray(middle)].filter(
        (piece) => !Buffer.isBuffer(piece) || piece.length > 0,
      ) as [Headers, ...Buffer[]]
    }),
  ),
  variant(
    'headers are capitals, and JSON has a charset',
    sent((bytes, headers) => [
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name.toUpperCase(),
          value === 'application/json' ? 'Application/JSON; Charset=UTF-8' : value,
        ]),
      ),
      bytes,
    ]),
  ),
  variant(
    'every answer closes its connection',
    sent((bytes, headers) => [{ ...headers, connection: 'close' }, bytes]),
  ),
  variant('every connection is closed without a word', (contract) => ({
    transport(request, response, serve, at) {
      response.on('finish', () => request.socket.end())
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('an error closes its connection at once', (contract) => ({
    transport(request, response, serve, at) {
      response.on('finish', () => {
        if (request.httpVersionMajor === 1 && response.statusCode >= 400) request.socket.destroySoon?.()
      })
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('answers are slow, some more than others', () => ({
    async transport(_request, _response, serve) {
      await jitter(60)
      await serve()
    },
  })),
  variant('now and then a call is asked to wait no time', nowAndThen(40, 503, { 'retry-after': '0' })),
  variant('now and then there are too many calls', nowAndThen(600, 429, {})),
  variant('now and then a content network finds no way to the server, and answers 522', nowAndThen(150, 522, {})),
  variant('calls leak through at three hundred a second, and what overflows is answered 429', leaking(300, 20)),
  variant('more than a hundred writes in a second are answered 429 with code 8', limitedWrites(100)),
  variant('answers have twenty-four kilobytes of headers', (contract) => ({
    transport(request, response, serve, at) {
      const sources = 'https://cdn.reference.test '.repeat(920)
      if (request.httpVersionMajor === 1) response.setHeader('content-security-policy', `default-src ${sources}`)
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('answers end in a trailer', (contract) => ({
    transport(request, response, serve, at) {
      if (request.httpVersionMajor !== 1 || request.method === 'HEAD')
        return contract.transport(request, response, serve, at)
      const { writeHead } = response
      response.writeHead = ((status: number, { 'content-length': length, ...headers }: Headers) => {
        if (length === '0') return writeHead.call(response, status, { ...headers, 'content-length': '0' })
        writeHead.call(response, status, { ...headers, trailer: 'Server-Timing' })
        response.addTrailers({ 'Server-Timing': 'app;dur=1' })
        return response
      }) as typeof writeHead
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('a connection over HTTP takes twenty calls', (contract) => {
    const calls = new WeakMap<object, number>()
    return {
      transport(request, response, serve, at) {
        if (request.httpVersionMajor === 1) {
          const count = (calls.get(request.socket) ?? 0) + 1
          calls.set(request.socket, count)
          // which the answer says
          if (count >= 20) response.shouldKeepAlive = false
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
]
