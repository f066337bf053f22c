import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context as HonoContext } from 'hono'
import type { Kind, Operation } from '../domain/item.ts'
import { kinds } from '../domain/kinds.ts'
import type { Context, Service } from '../domain/service.ts'
import { exchangeIn, type Issuer } from '../identity/issuer.ts'
import { answer, answerExchange } from './answer.ts'
import { bytesOf } from './body.ts'
import type { Call } from './call.ts'
import { clockPath, moveClock } from './clock.ts'
import { send } from './send.ts'

/** The operation of a method on a collection, and on one resource in it (section 4); HEAD is a GET without its body. */
const ofCollection: Readonly<Record<string, Operation>> = { GET: 'list', HEAD: 'list' }
const ofOne: Readonly<Record<string, Operation>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  DELETE: 'delete',
}
const ofOneInV2: typeof ofOne = { ...ofOne, PATCH: 'update' }
const ofOneInV1: typeof ofOne = { ...ofOne, PUT: 'update' }

/** Routes a request to a kind that its family has in this version, and to the operation that the kind offers there. */
function placeOf(
  method: string,
  { family, version, kind = '', uid }: Record<string, string | undefined>,
  { rules }: Service,
) {
  const named = Object.hasOwn(kinds, kind) ? (kind as Kind) : 'none'
  const inV1 = version === 'v1'
  if (named === 'none' || kinds[named].family !== family) return { kind: 'none', operation: 'none' } as const
  const offered = inV1 ? rules.offeredInV1(named) : [...kinds[named].operations, ...rules.alsoOffered(named)]
  if (offered.length === 0) return { kind: 'none', operation: 'none' } as const
  const asked = uid === undefined ? ofCollection[method] : (inV1 ? ofOneInV1 : ofOneInV2)[method]
  return { kind: named, operation: offered.find((operation) => operation === asked) ?? 'none' } as const
}

/** Where a description of the API is, as far as one was given; it is not part of the API, and needs no token. */
const openapiPath = '/openapi.json'

/** Routes requests to operations, as a plain Node handler (section 4, S9.1). */
export function httpHandler(world: Service, issuer: Issuer, openapi?: object): RequestListener {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const nowhere = {
    world,
    kind: 'none',
    operation: 'none',
    caller: undefined,
    page: 0,
    query: undefined,
  } as const
  const handle = async ({ req, env }: HonoContext<{ Bindings: HttpBindings }>) => {
    const version = /^\/[a-z]+\/(v[0-9a-z]+)\//.exec(req.path)?.[1] ?? ''
    const named = req.param() as Record<string, string | undefined>
    const place = placeOf(req.method, named, world)
    const at: Context = {
      ...nowhere,
      version,
      ...(world.rules.serves(version, { ...nowhere, version }) ? place : {}),
    }
    const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse }
    const serve = async () => {
      const call = await readCall(incoming, named.kind ?? '')
      send(outgoing, await answer(call, issuer, at), at)
    }
    await world.rules.transport(incoming, outgoing, serve, at)
    return RESPONSE_ALREADY_SENT
  }

  // few patterns: the table is a lookup, where a router would try a hundred
  app.all('/:family/:version{v2beta1|v2|v1}/:kind', handle)
  app.all('/:family/:version{v2beta1|v2|v1}/:kind/:uid{.+}', handle)
  app.post(clockPath, async ({ env }) => {
    const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse }
    const at: Context = { ...nowhere, version: '' }
    send(outgoing, await moveClock(incoming, at), at)
    return RESPONSE_ALREADY_SENT
  })
  app.on(['GET', 'POST'], '/sts/exchange', async ({ env: { incoming, outgoing } }) => {
    const at = exchangeIn(world)
    const serve = async () => {
      const call = await readCall(incoming as IncomingMessage, '')
      send(outgoing as ServerResponse, await answerExchange(call, issuer, at), at)
    }
    await world.rules.transport(incoming as IncomingMessage, outgoing as ServerResponse, serve, at)
    return RESPONSE_ALREADY_SENT
  })
  if (openapi) app.get(openapiPath, (context) => context.json(openapi))
  app.notFound(handle)
  app.onError((error, { env: { outgoing } }) => {
    // Either the caller hung up, or a replaced rule threw where no answer can be built.
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
    else outgoing.writeHead(500).end(String(error))
    return RESPONSE_ALREADY_SENT
  })

  const listener = getRequestListener(app.fetch, { hostname: '127.0.0.1', overrideGlobalObjects: false })
  return (request, response) => void listener(request, response)
}

// The framework decodes and normalizes paths; a uid is needed as it was sent.
async function readCall(incoming: IncomingMessage, collection: string): Promise<Call> {
  const [, path = '', search = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/i.exec(incoming.url ?? '') ?? []
  const rawUid = path.slice(path.indexOf(`/${collection}/`) + collection.length + 2)
  const query = new URLSearchParams(search)
  return { headers: incoming.headers, rawUid, query, body: await bytesOf(incoming) }
}
