import { createServer } from 'node:http'
import { constants, createServer as createHttp2Server } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Channel } from '../../helpers/grpc/channel.ts'
import { Unreachable } from '../../helpers/http/case-errors.ts'
import { listen, test } from '../support/runs/servers.ts'

test('a write that finds no connection is made once the target takes one', async ({ closing, callerOf }) => {
  const first = createServer()
  const port = await listen(first)
  await new Promise((closed) => first.close(closed))
  const { post } = callerOf(`http://127.0.0.1:${port}`)
  let made = 0

  const answer = post()
  await sleep(300)
  const again = createServer(({ method }, response) => response.end(`{"made":${method === 'POST' ? ++made : made}}`))
  closing.push(() => again.close())
  await new Promise<void>((open) => again.listen(port, '127.0.0.1', open))

  expect(await answer).toMatchObject({ status: 200, json: { made: 1 } })
})

test('a target that takes no connections any more ends the run', async ({ callerOf }) => {
  const { get, post, client } = callerOf('http://127.0.0.1:1', { within: 400 })
  const ended = new Promise((resolve) => client.onEnded(resolve))

  await expect(post()).rejects.toThrow(Unreachable)

  expect(await ended).toMatch(/^the target takes no connections any more: .*ECONNREFUSED/)
  await expect(get()).rejects.toThrow(/takes no connections any more/)
})

test('a stream that was refused before anything of it was read is sent again', async ({ closing }) => {
  const streams: string[] = []
  const server = createHttp2Server()
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (streams.push(headers[':path']!) < 3) return stream.close(constants.NGHTTP2_REFUSED_STREAM)
    stream.respond({ ':status': 200, 'grpc-status': '0' }, { endStream: true })
  })
  const channel = new Channel(`http://127.0.0.1:${await listen(server)}`, undefined, { sent: 0 })
  closing.push(
    () => server.close(),
    () => channel.destroy(),
  )

  const { status } = await channel.ask('/a.B/C', { headers: {}, bytes: Buffer.from('x'), within: 2_000 })

  expect(status).toBe(200)
  expect(streams).toEqual(['/a.B/C', '/a.B/C', '/a.B/C'])
})

test.for([502, 504, 520, 524])(
  'a gateway that answers %s gave up: only a read is made again',
  async (status, { calling }) => {
    let calls = 0
    const { get, post } = await calling((_, response) => {
      response.writeHead(++calls % 2 === 1 ? status : 200).end('{}')
    })

    expect((await get()).status).toBe(200)
    await expect(post()).rejects.toThrow(`answered ${status}: whether it arrived is open`)
    expect(calls).toBe(3)
  },
)
