import { setTimeout as sleep } from 'node:timers/promises'
import type { At } from '../../domain/at.ts'
import type { Fields } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'

const rendered =
  (change: (answer: Answer, at: At) => Answer): Replacement =>
  (contract) => ({
    render: (answer, at) => change(contract.render(answer, at), at),
    text: (body) => (typeof body === 'string' ? body : JSON.stringify(body)),
  })

const atStatus = (status: number, other: Answer) => rendered((answer) => (answer.status === status ? other : answer))

/** One in so many writes takes effect, and a gateway answers it with that status. */
const losing =
  (status: number, often: number, headers: Readonly<Record<string, string>> = {}): Replacement =>
  (contract) => {
    let writes = 0
    return {
      transport(request, response, serve, at) {
        const isWrite = ['POST', 'PATCH', 'DELETE'].includes(request.method ?? '') && at.kind !== 'none'
        if (isWrite && ++writes % often === often - 1) {
          const { writeHead, end } = response
          response.writeHead = (() => response) as typeof writeHead
          response.end = (() => {
            writeHead.call(response, status, { 'content-length': '0', ...headers })
            return end.call(response, undefined, 'utf8')
          }) as typeof end
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }

/** Lawful gateways in front of HTTP. */
export const runGatewayVariants: readonly Variant[] = [
  variant(
    'who brings no valid token is sent to a login',
    atStatus(401, {
      status: 302,
      headers: { location: 'https://login.reference.test/?next=/', 'content-type': 'text/html' },
      body: '<a href="https://login.reference.test/">Log in</a>',
    }),
    ['auth.status', 'auth.first', 'sts.refusal.status'],
  ),
  variant('who brings no valid token finds nothing', atStatus(401, { status: 404, headers: {}, body: undefined }), [
    'auth.status',
    'auth.first',
  ]),
  variant(
    'who brings no valid token has made a bad request',
    atStatus(401, { status: 400, headers: {}, body: { error: 'invalid_request' } }),
    ['auth.status', 'auth.first'],
  ),
  variant('a page that is not all is answered 206, and other readings by a proxy 203', (contract) => ({
    render(answer, at) {
      const shown = contract.render(answer, at)
      if (shown.status !== 200 || (at.operation !== 'list' && at.operation !== 'get')) return shown
      const isPart = at.operation === 'list' && Boolean((shown.body as { nextPageToken?: string }).nextPageToken)
      return { ...shown, status: isPart ? 206 : 203 }
    },
  })),
  variant(
    'a transcoder shows grpc-status and grpc-message in the headers of every answer over HTTP as well',
    (contract) => ({
      render(answer, at) {
        const shown = contract.render(answer, at)
        const { code = 0, message = '' } = ((shown.status >= 400 && shown.body) || {}) as Fields
        // half a character has no encoding, and a header has no room for everything
        const text = Buffer.from(String(message).slice(0, 1_000)).toString()
        const headers = { 'grpc-status': String(code), 'grpc-message': encodeURI(text) }
        return { ...shown, headers: { ...shown.headers, ...headers } }
      },
    }),
  ),
  variant('early hints come before every answer', (contract) => ({
    transport(request, response, serve, at) {
      if (request.httpVersionMajor === 1) response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('a 102 comes before the answer to every write', (contract) => ({
    transport(request, response, serve, at) {
      const isWrite = !['GET', 'HEAD'].includes(request.method ?? '') && at.operation !== 'exchange'
      if (isWrite && request.httpVersionMajor === 1) response.writeProcessing()
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('now and then a gateway gives up on a write that takes effect', losing(504, 150)),
  variant('now and then a proxy answers 503 to a write that took effect, as its connection ended', losing(503, 300)),
  variant(
    'now and then a proxy answers 503 to a write that took effect, and asks to wait no time',
    losing(503, 200, { 'retry-after': '0' }),
  ),
  variant('the service is down for five seconds in every twenty-five', (contract) => {
    const began = performance.now()
    return {
      async transport(request, response, serve, at) {
        const isDown = (performance.now() - began) % 25_000 > 20_000
        if (!isDown) return contract.transport(request, response, serve, at)
        response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
      },
    }
  }),
  variant('one answer in four hundred comes six seconds late', (contract) => {
    let calls = 0
    return {
      transport(request, response, serve, at) {
        if (++calls % 400 === 399) {
          const { end } = response
          response.end = ((...given: Parameters<typeof end>) => {
            setTimeout(() => end.apply(response, given), 6_000)
            return response
          }) as typeof end
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('writes hang for forty seconds once', (contract) => {
    let [writes, until] = [0, 0]
    return {
      async transport(request, response, serve, at) {
        const isWrite = ['POST', 'PATCH', 'DELETE'].includes(request.method ?? '') && at.kind !== 'none'
        if (isWrite && ++writes === 700) until = performance.now() + 40_000
        if (isWrite && performance.now() < until) await sleep(until - performance.now())
        return contract.transport(request, response, serve, at)
      },
    }
  }),
]
