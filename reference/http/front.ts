import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttp2Server, createSecureServer } from 'node:http2'
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'

/** A certificate with its key, as PEM text. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** One port for HTTP/1.1 and HTTP/2. */
export interface Front {
  readonly server: TcpServer
  /** Ends every connection. */
  close(): Promise<void>
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
/** Some bytes of the preface are a method of HTTP/1.1 as well, such as `PATCH`. */
const distinct = 4
/** How long a connection may stay silent before its first bytes, in milliseconds. */
const silence = 60_000

/** Opens a front: with a certificate ALPN chooses the protocol, else the first bytes do. */
export function openFront(
  handler: RequestListener,
  { tls, http2 = true, maxHeaderSize }: { tls?: Certificate; http2?: boolean; maxHeaderSize?: number },
): Front {
  const settings = { settings: { maxHeaderListSize: maxHeaderSize ?? 65_535 } }
  const listener = handler as (request: unknown, response: unknown) => void
  const sockets = new Set<Socket>()
  const server = tls
    ? createSecureServer(
        { ...tls, ...settings, allowHTTP1: true, ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'] },
        listener,
      )
    : cleartext(createHttpServer(handler), createHttp2Server(settings, listener), http2)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function cleartext(h1: Server, h2: ReturnType<typeof createHttp2Server>, http2: boolean): TcpServer {
  h1.keepAliveTimeout = 60_000
  return createTcpServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    if (!http2) return void h1.emit('connection', socket)
    const timer = setTimeout(() => socket.destroy(), silence)
    socket.once('close', () => clearTimeout(timer))
    let held: Buffer | undefined
    const sniff = () => {
      const came: Buffer | null = socket.read()
      if (came === null) return void socket.once('readable', sniff)
      held = held ? Buffer.concat([held, came]) : came
      const length = Math.min(held.length, preface.length)
      const may = preface.subarray(0, length).equals(held.subarray(0, length))
      if (may && length < distinct) return void socket.once('readable', sniff)
      clearTimeout(timer)
      socket.unshift(held)
      ;(may ? h2 : h1).emit('connection', socket)
    }
    socket.once('readable', sniff)
  })
}
