import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { alsoFrom } from '../auth/refuses.ts'
import { minute } from '../durations.ts'
import { parameterIn, uidIn } from '../paths.ts'
import { foundByModel } from '../run/histories.ts'

const scopes = ['uidp.children_of', 'uidp.descendants_of']

/** A method that no list of methods names changes something, and nobody looks at the token. */
const byMethod =
  (method: string, version: string, kind: Kind = 'groups'): Replacement =>
  (contract) => ({
    async transport(request: IncomingMessage, response: ServerResponse, serve, at) {
      const item = at.world.store.get(kind, uidIn(request.url))
      if (request.method !== method || at.kind !== kind || at.version !== version || !item)
        return contract.transport(request, response, serve, at)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const sent = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Partial<Item>
      const next = {
        ...item,
        ...(sent.name && { name: sent.name }),
        ...(sent.description && { description: sent.description }),
      }
      at.world.store.put({ ...next, updateTime: at.world.now() })
      response.writeHead(200, { 'content-type': 'application/json', date: new Date(at.world.now()).toUTCString() })
      response.end(JSON.stringify({ uid: item.uid, name: next.name, description: next.description }))
    },
  })

/** Reads that are answered from a cache for a minute, unless the caller asks past it. */
export const fromCache: Replacement = (contract) => {
  const kept = new Map<string, { answer: Answer; time: number }>()
  const keys = new AsyncLocalStorage<string | undefined>()
  const isRead = ({ operation }: At) => operation === 'get' || operation === 'list'
  return {
    transport(request, response, serve, at) {
      const key = request.method === 'GET' && isRead(at) ? request.url : undefined
      const known = kept.get(key ?? '')
      const isPast = /no-cache|no-store/.test(request.headers['cache-control'] ?? '')
      if (isPast || known === undefined || Date.now() - known.time > minute)
        return keys.run(key, () => contract.transport(request, response, serve, at))
      const text = JSON.stringify(known.answer.body)
      const length = String(Buffer.byteLength(text))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(text)
      return Promise.resolve()
    },
    render(answer, at) {
      const rendered = contract.render(answer, at)
      const key = keys.getStore()
      if (key !== undefined && rendered.status < 300) kept.set(key, { answer: rendered, time: Date.now() })
      return rendered
    },
  }
}

/** Guards that know only the usual calls, and a cache in front of them. */
export const ordinaryGuardFaults: readonly Fault[] = [
  // S5.1, R39
  fault(
    'a list of groups without a scope needs no token',
    foundByModel,
    on(
      'groups',
      during(
        'list',
        withRequest((request, contract) => ({
          needsToken(at) {
            const isScoped = scopes.some((name) => parameterIn(request()?.url, name) !== null)
            return at.over === 'grpc' || isScoped ? contract.needsToken(at) : false
          },
        })),
      ),
    ),
  ),
  // S5.1, S4.28
  fault('what was read within a minute is shown to anybody who does not ask past the cache', foundByModel, fromCache),
  // S5.1, R39
  fault('a PUT in v2 changes a group without a token', foundByModel, byMethod('PUT', 'v2beta1')),
  fault('a PATCH in v1 changes a group without a token', foundByModel, byMethod('PATCH', 'v1')),
  fault(
    'a list in a scope that is not there needs no token',
    foundByModel,
    during(
      'list',
      withRequest((request, contract) => ({
        needsToken(at) {
          const asked = scopes.map((name) => parameterIn(request()?.url, name)).find((each) => each !== null)
          const isMissing = asked !== undefined && at.world.store.get('groups', asked ?? '') === undefined
          return at.over === 'grpc' || !isMissing ? contract.needsToken(at) : false
        },
      })),
    ),
  ),
  fault('the code of a group invite will do as a token', foundByModel, (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const isCode = () => [...at.world.store.all('groupInvites')].some(({ code }) => code === token)
      return caller ?? (isCode() ? at.world.operator : undefined)
    },
  })),
  fault(
    'a token in X-Auth-Request-Access-Token will do',
    foundByModel,
    alsoFrom((headers) => [headers['x-auth-request-access-token']].flat()[0]),
  ),
  // S2.11, R41
  fault(
    'an exchange for another audience does not look at the subject',
    foundByModel,
    withRequest((request, contract) => ({
      sameSubject(claimed, matched, at) {
        const { url, headers } = request()
        const aud = parameterIn(url, 'aud')
        const isOwn = aud?.includes(String(headers.host))
        return contract.sameSubject(claimed, matched, at) || (!isOwn && typeof claimed === 'string')
      },
    })),
  ),
  // S5.1, R39
  fault('a cookie that a good call got opens everything', foundByModel, (contract) => {
    const session = `s${Math.random().toString(36).slice(2)}`
    return {
      transport(request, response, serve, at) {
        if (request.headers.authorization && at.operation !== 'exchange') {
          const write = response.writeHead.bind(response) as (...all: unknown[]) => typeof response
          response.writeHead = ((status: number, ...others: unknown[]) => {
            if (status < 300) response.setHeader('set-cookie', `session=${session}; HttpOnly; Path=/`)
            return write(status, ...others)
          }) as typeof response.writeHead
        }
        return contract.transport(request, response, serve, at)
      },
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ??
        (at.operation !== 'exchange' && headers.cookie?.includes(`session=${session}`) ? session : undefined),
      authenticate: async (token, reader, at) =>
        token === session ? at.world.operator : contract.authenticate(token, reader, at),
    }
  }),
  fault('a PUT in v2 changes an identity without a token', foundByModel, byMethod('PUT', 'v2beta1', 'identities')),
  fault(
    'the family of a path may be in capitals, and then no token is needed',
    ['auth.refuses.path-shapes'],
    (contract) => ({
      async transport(request, response, serve, at) {
        const { url = '', method } = request
        const item = /^\/IAM\//.test(url) && method === 'GET' ? at.world.store.get('groups', uidIn(url)) : undefined
        if (item === undefined) return contract.transport(request, response, serve, at)
        const { uid, name, description } = item
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ uid, name, description }))
      },
    }),
  ),
]
