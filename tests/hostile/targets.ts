import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { behind } from './gateways.ts'
import { type Hostile, judged, token, verdict } from './target-forms.ts'

/** The most that any run may take, in megabytes. */
export const mostMemory = 400
/** In seconds, unless a target says otherwise: the bound of a stall, that of the clean-up, and what the run needs itself. */
export const usualTime = 60
const unreachable = /does not answer|no answer|VERDICT undetermined/
const notExamined = [2, 3]

const answers = (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Hostile['does'] => ({
  http: (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  },
})

const always = (what: string, body: string | Buffer, status = 200, headers: Record<string, string> = {}): Hostile => ({
  what: `answers ${what}`,
  does: answers(body, status, headers),
  says: verdict,
  exit: judged,
})

/** What is too busy or not available is not examined now, and may be later. */
const busy = (what: string, status: number, headers: Record<string, string> = {}): Hostile => ({
  ...always(what, '{}', status, headers),
  says: new RegExp(`answers everything with ${status}: it is too busy or not available`),
  exit: [3],
})

const streams = (what: string, write: (response: ServerResponse) => void, more: Partial<Hostile> = {}): Hostile => ({
  what,
  does: {
    http: (request, response) => {
      request.resume()
      response.on('error', () => {})
      write(response)
    },
  },
  says: /VERDICT (nonconformant|undetermined) |does not answer/,
  exit: [1, 2, 3],
  ...more,
})

const bytes = (what: string, write: (socket: Socket) => void, more: Partial<Hostile> = {}): Hostile => ({
  what,
  does: {
    bytes: (socket) => {
      socket.on('error', () => {})
      write(socket)
    },
  },
  says: verdict,
  exit: [1, 2, 3],
  ...more,
})

const ok = (length: number | string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
const repeat = (socket: Socket, text: string, ms: number) => {
  const timer = setInterval(() => socket.write(text), ms)
  socket.on('close', () => clearInterval(timer))
}
const zeros = Buffer.alloc(64 * 1024 * 1024, 0x20)

const statuses: Hostile[] = [
  ...[204, 206, 304, 400, 404, 405, 409, 410, 418, 422, 451, 500, 501, 505, 599].map((status) =>
    always(
      `everything with ${status}`,
      status === 204 || status === 304 ? '' : '{"code":5,"message":"no","details":[]}',
      status,
    ),
  ),
  ...[401, 403, 300, 302, 307].map(
    (status): Hostile => ({
      what: `answers everything with ${status}`,
      does: answers('{}', status, { location: `https://elsewhere.example/?t=${token}` }),
      says: /were answered \d+/,
      exit: [2],
    }),
  ),
  ...[429, 503, 502, 504].map((status) => busy(`everything with ${status}`, status)),
  busy('429 with a Retry-After of a century', 429, { 'retry-after': '3153600000' }),
  busy('503 with a Retry-After below zero', 503, { 'retry-after': '-1' }),
  busy('503 with a Retry-After that is no time', 503, { 'retry-after': 'soon' }),
]

const bodies: Hostile[] = [
  ...['{}', '[]', 'null', '', '0', 'true', '"text"', '{', '{}{}', '\uFEFF{}', '<html></html>', '1e999', '[1,]'].map(
    (body) => always(`everything with ${JSON.stringify(body)}`, body),
  ),
  always('arrays 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)),
  always('objects 50,000 deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  always('a list with 500,000 items', `{"groups":[${'{},'.repeat(499_999)}{}],"totalCount":"500000"}`),
  always('one text of 1.9 MB', JSON.stringify({ uid: 'a'.repeat(1_900_000), name: 'b' })),
  always('40 MB', zeros.subarray(0, 40 * 1024 * 1024)),
  always('a gzip bomb', gzipSync(zeros), 200, { 'content-encoding': 'gzip' }),
  always('a deflate bomb', deflateSync(zeros), 200, { 'content-encoding': 'deflate' }),
  always('a brotli bomb', brotliCompressSync(zeros.subarray(0, 8_000_000)), 200, { 'content-encoding': 'br' }),
  always('a thousand content codings', '{}', 200, { 'content-encoding': Array(1000).fill('gzip').join(',') }),
  always('gzip that is none', '{}', 200, { 'content-encoding': 'gzip' }),
  always('UTF-16', Buffer.from('{"groups":[]}', 'utf16le')),
  always('bytes that are no text', Buffer.from([0x22, 0xff, 0xfe, 0x00, 0x22])),
  always(
    'escapes of a terminal',
    JSON.stringify({ uid: '\u001b[2J\u001b]0;x\u0007', name: '\u202e\u001b[31m', groups: [] }),
  ),
  always('lone surrogates', '{"uid":"\\ud800","name":"\\udfff","groups":[{"uid":"\\ud800"}]}'),
  always('a member called __proto__', '{"__proto__":{"uid":"a"},"constructor":{"prototype":{}},"uid":"a","groups":[]}'),
  always(
    'the token',
    JSON.stringify({ uid: token, name: token, groups: [{ uid: token, name: token }], nextPageToken: token }),
  ),
]

const heads: Hostile[] = [
  always('a header of 30 KB', '{}', 200, { 'x-long': 'a'.repeat(30_000) }),
  always('400 headers', '{}', 200, Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`x-${at}`, 'a']))),
  always('RateLimit headers that are none', '{}', 200, { 'ratelimit-remaining': '-5', 'ratelimit-reset': 'NaN' }),
  always('a Date in another century', '{}', 200, { date: 'Fri, 31 Dec 9999 23:59:59 GMT' }),
  always('a Date that is none', '{}', 200, { date: 'yesterday' }),
  always('the token in its headers', '{}', 200, {
    'x-echo': token,
    'set-cookie': `t=${token}`,
    'x-hex': Buffer.from(token).toString('hex'),
  }),
  bytes('says 100 Continue without end', (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 20)),
  bytes('promises more than it sends', (socket) => socket.once('data', () => socket.end(`${ok(100)}{`))),
  bytes('sends more than it promised', (socket) => socket.on('data', () => socket.write(`${ok(2)}{}{}{}`))),
  bytes('has a negative length', (socket) => socket.once('data', () => socket.end(`${ok(-1)}{}`))),
  bytes('has two lengths', (socket) => socket.once('data', () => socket.end(`${ok('2\r\ncontent-length: 3')}{}`))),
  bytes('sends chunks that are none', (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n')),
  ),
  bytes('sends a chunk without end', (socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffff\r\n{')),
  ),
  bytes('sends headers without end', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    repeat(socket, `x-${Date.now()}: a\r\n`, 20)
  }),
]

const connections: Hostile[] = [
  bytes('accepts and is silent', () => {}, { says: unreachable, exit: notExamined, within: 100 }),
  bytes('closes at once', (socket) => void socket.end(), { says: unreachable, exit: notExamined }),
  bytes('resets at once', (socket) => void socket.resetAndDestroy(), { says: unreachable, exit: notExamined }),
  bytes('closes after one byte', (socket) => void socket.end('H')),
  bytes('speaks HTTP/0.9', (socket) => void socket.once('data', () => socket.end('{}'))),
  bytes('is an SSH server', (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n')),
  bytes('answers with a TLS alert', (socket) => void socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x28]))),
  bytes('answers before it is asked', (socket) => void socket.write(`${ok(2)}{}`)),
  bytes('answers everything twice', (socket) => void socket.on('data', () => socket.write(`${ok(2)}{}`.repeat(2)))),
  bytes('sends NUL bytes', (socket) => void socket.once('data', () => socket.end(Buffer.alloc(10_000)))),
  bytes('drips its headers', (socket) => void socket.once('data', () => repeat(socket, 'H', 200)), { within: 100 }),
  streams(
    'drips a body without end',
    (response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.writeHead(200).on('close', () => clearInterval(timer))
    },
    { within: 150 },
  ),
  streams('streams without end', (response) => {
    response.writeHead(200)
    const more = () => {
      while (response.write(zeros.subarray(0, 1_000_000)) && !response.destroyed);
    }
    response.on('drain', more)
    more()
  }),
  streams('is silent after the headers', (response) => void response.writeHead(200).flushHeaders(), { within: 150 }),
  streams('breaks off in the middle', (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"groups":')
    setTimeout(() => response.destroy(), 5)
  }),
]

/** Every hostile target. */
export const targets: readonly Hostile[] = [...statuses, ...bodies, ...heads, ...connections, ...behind]
