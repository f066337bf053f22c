import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { speaksHttp2Alone } from '../../cli/run/alpn.ts'
import { Inconclusive, Stopped, TargetGone } from '../../helpers/http/case-errors.ts'
import { configFor, createTcpServer, listen, test } from '../support/runs/servers.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const sent = { uid: 'aa', name: 'größe' }

test.concurrent.for([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['BR', brotliCompressSync],
  ['gzip, br', (plain: Buffer) => brotliCompressSync(gzipSync(plain))],
  ['identity', (plain: Buffer) => plain],
] as [string, (plain: Buffer) => Buffer][])('undoes %s', async ([coding, code], { calling }) => {
  const { get } = await calling((_, response) => {
    response.writeHead(200, { 'Content-Encoding': coding }).end(code(json(sent)))
  })

  expect((await get()).json).toEqual(sent)
})

test.concurrent('puts chunks together, wherever they are cut', async ({ calling }) => {
  const { get } = await calling(async (_, response) => {
    for (const byte of json(sent)) {
      response.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    response.end()
  })

  expect((await get()).json).toEqual(sent)
})

test.concurrent('reads header names in any case, and joins those that come twice', async ({ calling }) => {
  const { get } = await calling((_, response) => {
    response.writeHead(200, ['X-One', 'a', 'x-one', 'b', 'ReTrY', 'c']).end('{}')
  })

  expect((await get()).headers).toMatchObject({ 'x-one': 'a,b', retry: 'c' })
})

test.concurrent('reads no more than the cap', async ({ calling }) => {
  const megabyte = Buffer.alloc(1024 * 1024, ' ')
  const { get } = await calling(async ({ url }, response) => {
    if (url !== '/things') return response.end('{}')
    for (let written = 0; written < 40 && !response.destroyed; written++) {
      if (!response.write(megabyte)) await once(response, 'drain')
    }
    return response.end()
  })

  const open = get()
  await expect(open).rejects.toThrow(/thing.get cannot be judged: .*larger than/)
  await expect(open).rejects.toBeInstanceOf(Inconclusive)
})

test.concurrent('does not unpack more than the cap', async ({ calling }) => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '))
  const { get } = await calling(({ url }, response) => {
    if (url !== '/things') return response.end('{}')
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })

  await expect(get()).rejects.toThrow(Stopped)
})

test.concurrent('an answer that never comes stops the call, and says how long it took', async ({ calling }) => {
  const { get, post, log } = await calling(
    ({ url }, response) => {
      if (url !== '/things') response.end('{}')
    },
    { within: 300 },
  )

  await expect(get()).rejects.toThrow(Stopped)
  await expect(post()).rejects.toThrow(Inconclusive)
  for (const { silence } of log.exchanges) expect(silence).toMatch(/^no answer within 0.3 seconds$/)
})

/** Answers `{}` on bare connections, and counts what each request brought; ends them after so many answers. */
function closer(header: string, most: number, later: number) {
  const made = new Map<string, number>()
  const server = createTcpServer((socket) => {
    let answered = 0
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      const body = text.slice(end + 4)
      if (body !== '') made.set(body, (made.get(body) ?? 0) + 1)
      text = ''
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${header}\r\n{}`)
      if (++answered === most) later ? setTimeout(() => socket.end(), later) : socket.end()
    })
  })
  return { made, server }
}

// what a run is: many writes and reads, side by side; an honest server may close whenever it likes
test.concurrent.for([
  ['with the header', 'connection: close\r\n', 1, 0],
  ['without a word', '', 1, 0],
  ['without a word, a moment later', '', 1, 3],
  ['without a word, after the third answer', '', 3, 0],
] as const)('loses nothing where connections are closed %s', async ([, header, most, later], { closing, callerOf }) => {
  const { made, server } = closer(header, most, later)
  closing.push(() => server.close())
  const { get, post } = callerOf(`http://127.0.0.1:${await listen(server)}`)
  const open: unknown[] = []
  const step = async (index: number) => {
    const answers = [await post('/a', { body: { index } }).catch((error) => error), await get('/b')]
    open.push(...answers.filter((answer) => answer.name === 'Inconclusive'))
    return answers.filter((answer) => answer.status !== 200 && answer.name !== 'Inconclusive')
  }

  await step(-1)
  const bad = await Promise.all(Array.from({ length: 100 }, (_, index) => step(index)))

  expect(bad.flat()).toEqual([])
  expect([...made.values()].filter((times) => times !== 1)).toEqual([])
  expect(made.size).toBeGreaterThanOrEqual(101 - open.length)
  // only one that had kept its connections may leave a write open, and from the first time on no more
  expect(open.length).toBeLessThanOrEqual(most === 1 && later === 0 ? 0 : 32)
})

test.concurrent('keeps connections for writes where the target keeps them', async ({ closing, callerOf }) => {
  let opened = 0
  const server = createTcpServer((socket) => {
    opened++
    socket.on('error', () => {})
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
  })
  closing.push(() => server.close())
  const { get, post } = callerOf(`http://127.0.0.1:${await listen(server)}`, { concurrency: 1 })

  await get()
  await get()
  for (let writes = 0; writes < 20; writes++) await post()

  expect(opened).toBe(1)
})

let folder = ''
const at = (file: string) => join(folder, file)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wire-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const local = ['-addext', 'subjectAltName=IP:127.0.0.1']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=tiny ca')
  openssl(
    ...['req', '-x509', ...key, '-keyout', 'key.pem', '-out', 'cert.pem', '-days', '2', '-subj', '/CN=tiny'],
    ...['-CA', 'ca.pem', '-CAkey', 'ca.key', ...local],
  )
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = () => ({ key: readFileSync(at('key.pem')), cert: readFileSync(at('cert.pem')) })
const ca = () => readFileSync(at('ca.pem'), 'utf8')

test('TLS needs the authority, and no authority is dropped for another', async ({ closing, callerOf }) => {
  const server = createTlsServer(files(), (_, response) => response.end('{}'))
  const baseUrl = `https://127.0.0.1:${await listen(server)}`
  closing.push(() => server.close())

  await expect(callerOf(baseUrl).get()).rejects.toThrow(TargetGone)
  expect((await callerOf(baseUrl, { ca: ca() }).get()).json).toEqual({})
  expect(await speaksHttp2Alone(configFor(baseUrl, { ca: ca() }).target)).toBe(false)
})

test.for([true, false])('HTTP/2 where HTTP/1.1 is offered: %s', async (allowHTTP1, { closing, callerOf }) => {
  const versions = new Set<string>()
  const server = createSecureServer({ ...files(), allowHTTP1 }, (request, response) => {
    versions.add(request.httpVersion)
    response.end(JSON.stringify({ method: request.method }))
  })
  const baseUrl = `https://127.0.0.1:${await listen(server)}`
  closing.push(() => server.close())
  const alone = await speaksHttp2Alone(configFor(baseUrl, { ca: ca() }).target)
  const { get, post } = callerOf(baseUrl, { ca: ca(), ...(alone ? { http2: true } : {}) })

  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => (index % 2 ? get() : post())))

  expect(alone).toBe(!allowHTTP1)
  expect(answers.map(({ json: body }) => body)).toContainEqual({ method: 'POST' })
  expect([...versions]).toEqual([alone ? '2.0' : '1.1'])
})

test('a proxy carries what the usual variables send through it', async ({ serve, closing, tunnel, callerOf }) => {
  const baseUrl = await serve((_, response) => response.end('{}'))
  const server = createTlsServer(files(), (_, response) => response.end('{}'))
  const secureUrl = `https://127.0.0.1:${await listen(server)}`
  const { url, asked } = await tunnel()
  closing.unshift(() => server.close())
  const through = async (variables: Record<string, string>, address: string, embedded = false) => {
    Object.assign(process.env, variables)
    const { get, post } = callerOf(address, { ca: ca(), embedded })
    for (const name of Object.keys(variables)) delete process.env[name]
    expect([(await get()).status, (await post()).status]).toEqual([200, 200])
    return asked.splice(0).filter((host, index, all) => all.indexOf(host) === index)
  }

  expect(await through({ HTTP_PROXY: url }, baseUrl)).toEqual([baseUrl.slice(7)])
  expect(await through({ HTTPS_PROXY: url }, secureUrl)).toEqual([secureUrl.slice(8)])
  expect(await through({ HTTPS_PROXY: url }, baseUrl)).toEqual([])
  expect(await through({ HTTP_PROXY: url }, baseUrl, true)).toEqual([])
})
