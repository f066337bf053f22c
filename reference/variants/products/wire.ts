import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync } from 'node:zlib'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

type Head = [number, Record<string, string>]

/** The body of an answer packed otherwise. */
const packed =
  (coding: string, pack: (bytes: Buffer) => Buffer): Replacement =>
  () => ({
    transport(request, response, serve) {
      if (!String(request.headers['accept-encoding'] ?? '').includes(coding)) return serve()
      const { writeHead, end } = response
      let head: Head = [200, {}]
      response.writeHead = ((...given: Head) => {
        head = given
        return response
      }) as typeof writeHead
      response.end = ((text = '') => {
        const bytes = pack(Buffer.from(text))
        const headers = { ...head[1], 'content-encoding': coding, 'content-length': String(bytes.length) }
        writeHead.call(response, head[0], headers)
        return end.call(response, bytes, 'utf8')
      }) as typeof end
      return serve()
    },
  })

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<h1>${status}</h1>`)
}

/** The headers of every answer changed just before they are sent. */
const headed =
  (change: (headers: Record<string, string>) => Record<string, string>): Replacement =>
  (contract) => ({
    transport(request, response, serve, at) {
      const { writeHead } = response
      response.writeHead = ((status: number, headers: Record<string, string>) =>
        writeHead.call(response, status, change(headers))) as typeof writeHead
      return contract.transport(request, response, serve, at)
    },
  })

/** No answer says when it was sent. */
export const undated: Replacement = (contract) => ({
  transport(request, response, serve, at) {
    const { writeHead } = response
    response.sendDate = false
    response.writeHead = ((status: number, { date: _, ...headers }: Record<string, string>) =>
      writeHead.call(response, status, headers)) as typeof writeHead
    return contract.transport(request, response, serve, at)
  },
})

/** A connection over HTTP/1.1 that is silent for a fifth of a second after an answer is ended so. */
const endedWhenSilent =
  (end: (socket: Socket) => void): Replacement =>
  (contract) => {
    const timers = new WeakMap<Socket, NodeJS.Timeout>()
    return {
      transport(request, response, serve, at) {
        const { socket } = request
        if (request.httpVersionMajor === 1) {
          // what comes after the end is never read
          if (socket.writableEnded) return Promise.resolve()
          clearTimeout(timers.get(socket))
          response.on('finish', () => timers.set(socket, setTimeout(() => end(socket), 200).unref()))
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }

const page = '<h1>Request Time-out</h1>'
const timedOut = [
  'HTTP/1.1 408 Request Timeout',
  'Connection: close',
  'Content-Type: text/html',
  `Content-Length: ${page.length}`,
  '',
  page,
].join('\r\n')

/** Lawful servers and gateways, as they send (R43, R51, R56, R57). */
export const productWireVariants: readonly Variant[] = [
  variant('answers are packed by brotli where that is accepted', packed('br', brotliCompressSync)),
  variant('answers are deflated where that is accepted', packed('deflate', deflateSync)),
  variant('an answer has no length and ends with its connection', (contract) => ({
    transport(request, response, serve, at) {
      if (request.httpVersionMajor !== 1) return contract.transport(request, response, serve, at)
      const { writeHead } = response
      response.useChunkedEncodingByDefault = false
      response.shouldKeepAlive = false
      response.writeHead = ((status: number, { 'content-length': _, ...headers }: Record<string, string>) =>
        writeHead.call(response, status, headers)) as typeof writeHead
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('no answer has a Date', undated),
  variant(
    'answers have the headers of a content network, cookies included',
    headed((headers) => ({
      ...headers,
      'set-cookie': '__cf_bm=abc; path=/; HttpOnly; Secure',
      'cf-cache-status': 'DYNAMIC',
      'cache-control': 'private, max-age=60',
      age: '7',
      etag: 'W/"1"',
      'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT',
      vary: 'Accept-Encoding, Origin',
      'alt-svc': 'h3=":443"; ma=86400',
      'server-timing': 'total;dur=3.2',
    })),
  ),
  variant(
    'JSON has the type of a vendor',
    headed((headers) =>
      headers['content-type'] === 'application/json'
        ? { ...headers, 'content-type': 'application/vnd.reference.v2+json; charset=utf-8' }
        : headers,
    ),
  ),
  variant(
    'a silent connection is ended after a fifth of a second',
    endedWhenSilent((socket) => socket.destroy()),
  ),
  variant(
    'a connection over HTTP that is silent for a fifth of a second gets a 408 and is closed',
    endedWhenSilent((socket) => {
      if (socket.writable) socket.end(timedOut)
    }),
  ),
  variant('all connections are cut every fifteen seconds', (contract) => {
    const sockets = new Set<{ destroy(): void }>()
    let next = performance.now() + 15_000
    return {
      transport(request, response, serve, at) {
        if (request.httpVersionMajor === 1 && !sockets.has(request.socket)) {
          sockets.add(request.socket)
          request.socket.once('close', () => sockets.delete(request.socket))
        }
        if (performance.now() > next) {
          next += 15_000
          for (const socket of sockets) socket.destroy()
          return Promise.resolve()
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('one body in two hundred and fifty is cut', (contract) => {
    let calls = 0
    return {
      transport(request, response, serve, at) {
        if (request.httpVersionMajor === 1 && ++calls % 250 === 249) {
          const { end } = response
          response.end = ((text: string) => {
            response.write(String(text ?? '').slice(0, 20))
            setTimeout(() => request.socket.destroy(), 5)
            return response
          }) as typeof end
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('now and then a call is asked to wait for half a second, as a fraction', (contract) => {
    let calls = 0
    return {
      transport(request, response, serve, at) {
        if (++calls % 300 !== 299) return contract.transport(request, response, serve, at)
        refuse(response, 429, { 'retry-after': '0.5' })
        return Promise.resolve()
      },
    }
  }),
  variant('what looks like an attack is forbidden by a firewall', (contract) => {
    const attack = /<|--|%3c|%27|\.\.|%2e%2e|\bselect\b|\bunion\b|\bscript\b|\/\*/i
    return {
      transport(request, response, serve, at) {
        if (attack.test(request.url ?? '')) {
          refuse(response, 403)
          return Promise.resolve()
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('a body of more than two kilobytes is too large, and an address of more than four too long', (contract) => ({
    transport(request, response, serve, at) {
      const isLarge = Number(request.headers['content-length'] ?? 0) > 2_048
      if (isLarge || (request.url ?? '').length > 4_096) {
        request.resume()
        refuse(response, isLarge ? 413 : 414)
        return Promise.resolve()
      }
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('an address of more than a thousand characters is too long', (contract) => ({
    transport(request, response, serve, at) {
      if ((request.url ?? '').length <= 1_000) return contract.transport(request, response, serve, at)
      request.resume()
      refuse(response, 414)
      return Promise.resolve()
    },
  })),
  variant('what does not accept JSON, or says no agent, is refused', (contract) => ({
    transport(request, response, serve, at) {
      const { accept = '*/*', 'user-agent': agent } = request.headers
      const isServed = /json|\*\/\*/.test(accept) && agent !== undefined
      if (isServed || request.httpVersionMajor !== 1) return contract.transport(request, response, serve, at)
      refuse(response, agent === undefined ? 403 : 406)
      return Promise.resolve()
    },
  })),
]
