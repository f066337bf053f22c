import { createServer } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import { createServer as createTcpServer } from 'node:net'
import { expect } from 'vitest'
import { probeGrpc } from '../../helpers/grpc/probe.ts'
import { Grpc } from '../../helpers/grpc/protocol.ts'
import { GrpcSupport } from '../../helpers/grpc/support.ts'
import { configFor, listen, test } from '../support/runs/servers.ts'

const knock = (port: number, within?: number) =>
  probeGrpc(configFor(`http://127.0.0.1:${port}/api`).target, 'Bearer abc', within)

test.for<[string, (stream: ServerHttp2Stream) => void]>([
  [
    'HTTP 200, grpc-status 0',
    (stream) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(Buffer.alloc(5))
    },
  ],
  [
    'HTTP 200, grpc-status 12',
    (stream) => stream.respond({ ':status': 200, 'grpc-status': '12' }, { endStream: true }),
  ],
  ['HTTP 404, no grpc-status', (stream) => stream.respond({ ':status': 404 }, { endStream: true })],
  [
    'HTTP 200, grpc-status no number',
    (stream) => stream.respond({ ':status': 200, 'grpc-status': 'Bearer abc' }, { endStream: true }),
  ],
  [
    'HTTP 200, no grpc-status',
    (stream) => {
      stream.on('error', () => {})
      stream.respond({ ':status': 200 })
      setTimeout(() => stream.close(2), 5)
    },
  ],
  ['nothing within 0.3 s', () => {}],
])('a look for gRPC shows: %s', async ([shown, answer], { closing }) => {
  const asked: unknown[] = []
  const server = createHttp2Server()
  server.on('stream', (stream, headers) => {
    asked.push([headers[':path'], headers['content-type'], headers.authorization])
    answer(stream)
  })
  const port = await listen(server)
  closing.push(() => server.close())

  expect(await knock(port, 300)).toBe(shown)
  expect(asked).toEqual([
    ['/chainguard.platform.iam.v2beta1.GroupsService/ListGroups', 'application/grpc', 'Bearer abc'],
  ])
})

test('a server of HTTP/1.1, one that hangs up, and none at all have no HTTP/2', async ({ closing }) => {
  const [plain, rude] = [createServer(), createTcpServer((socket) => socket.destroy())]
  const [port, rudePort] = await Promise.all([listen(plain), listen(rude)])
  closing.push(
    () => plain.close(),
    () => rude.close(),
  )

  expect(await knock(port)).toBe('no HTTP/2')
  expect(await knock(rudePort)).toBe('no HTTP/2')
  expect(await knock(1)).toBe('no HTTP/2')
})

test('one connection that is cut does not hide a service', async ({ closing }) => {
  const server = createHttp2Server()
  server.once('session', (session) => session.destroy())
  server.on('stream', (stream) => stream.respond({ ':status': 200, 'grpc-status': '5' }, { endStream: true }))
  const port = await listen(server)
  closing.push(() => server.close())
  const config = configFor(`http://127.0.0.1:${port}/api`)
  const grpc = new Grpc(config.target, { sent: 0 })

  expect(await new GrpcSupport(grpc, config, async () => undefined).mustBeServed()).toBeUndefined()
})

test('a server that takes the connection and says nothing is not waited for', async ({ closing }) => {
  const silent = createTcpServer((socket) => void closing.push(() => socket.destroy()))
  const port = await listen(silent)
  closing.push(() => silent.close())

  expect(await knock(port, 300)).toBe('nothing within 0.3 s')
})
