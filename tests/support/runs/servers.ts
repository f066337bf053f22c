import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { test as base } from 'vitest'
import { tokenSource } from '../../../helpers/http/access-token.ts'
import type { Answer, Call, Log } from '../../../helpers/http/call.ts'
import { Client } from '../../../helpers/http/client.ts'
import { Secrets } from '../../../helpers/http/secrets.ts'
import type { Config, Credentials, Target } from '../../../helpers/settings/configuration.ts'

/** The token that the tiny servers are called with; every character that a URL or JSON would write otherwise is in it. */
export const token = 'tok/en+with=odd"signs'
export const groupUid = '3f2a9c0d1e4b5a6978c0d1e2f3a4b5c6d7e8f901'

/** What a test may settle about the target. */
type Settled = Partial<Target> & {
  credentials?: Credentials
  concurrency?: number
  rateLimit?: number
  within?: number
}

/** A client with its log, and the calls that the tests make. */
interface Caller {
  client: Client
  log: Log
  secrets: Secrets
  get(path?: string, more?: Partial<Call>): Promise<Answer>
  post(path?: string, more?: Partial<Call>): Promise<Answer>
}

export function configFor(baseUrl: string, settled: Settled = {}): Config {
  const { credentials = { accessToken: token }, concurrency = 32, rateLimit, within: _, ...target } = settled
  return {
    target: {
      name: 'tiny',
      version: '0',
      embedded: false,
      baseUrl,
      authUrl: baseUrl,
      apiVersion: 'v2beta1',
      groupUid,
      headers: {},
      ...target,
    },
    credentials,
    sts: { audience: baseUrl, identityAudience: baseUrl },
    concurrency,
    seed: 1,
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
}

/** Starts any server on a free port of the loopback; returns its port. */
export function listen(server: Server | TcpServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Servers and clients that end with the test. */
export const test = base
  .extend('closing', ({}, { onCleanup }): (() => unknown)[] => {
    const closing: (() => unknown)[] = []
    onCleanup(async () => {
      for (const close of closing.reverse()) await close()
    })
    return closing
  })
  /** Starts an HTTP server and returns its address. */
  .extend('serve', ({ closing }) => async (listener: RequestListener): Promise<string> => {
    const server = createServer((request, response) => {
      request.resume()
      listener(request, response)
    })
    const port = await listen(server)
    closing.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${port}`
  })
  /** A client of an address. */
  .extend('callerOf', ({ closing }) => (baseUrl: string, settled: Settled = {}): Caller => {
    const config = configFor(baseUrl, settled)
    const secrets = new Secrets()
    const client = new Client(config, secrets, tokenSource(config, secrets), settled.within)
    // the tiny servers are the tests' own
    client.admit(client, () => async () => {})
    closing.unshift(() => client.close())
    const log: Log = { phase: 'act', exchanges: [] }
    const send = (method: Call['method'], path: string, more: Partial<Call>) =>
      client.send({ operation: `thing.${method.toLowerCase()}`, method, path, ...more }, log)
    return {
      client,
      log,
      secrets,
      get: (path = '/things', more = {}) => send('GET', path, more),
      post: (path = '/things', more = {}) => send('POST', path, { body: { name: 'a' }, ...more }),
    }
  })
  /** Starts an HTTP server and returns a client of it. */
  .extend(
    'calling',
    ({ serve, callerOf }) =>
      async (listener: RequestListener, settled?: Settled) =>
        callerOf(await serve(listener), settled),
  )
  /** Starts a proxy that tunnels by CONNECT; returns its address and the hosts that were asked of it. */
  .extend('tunnel', ({ closing }) => async (): Promise<{ url: string; asked: string[] }> => {
    const asked: string[] = []
    const proxy = createServer((_request, response) => response.writeHead(405).end())
    proxy.on('connect', ({ url = '' }, socket, head) => {
      asked.push(url)
      const [host, port] = url.split(':')
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.write(head)
        onward.pipe(socket).pipe(onward)
      })
      for (const end of [socket, onward]) end.on('error', () => socket.destroy() && onward.destroy())
      socket.on('close', () => onward.destroy())
    })
    const port = await listen(proxy)
    closing.push(() => proxy.close())
    return { url: `http://127.0.0.1:${port}`, asked }
  })

/** A server on bare TCP: what it is given is called with each connection. */
export { createTcpServer }
