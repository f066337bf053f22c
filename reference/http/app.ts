import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Kind, Operation } from '../domain/item.ts'
import { kinds } from '../domain/kinds.ts'
import type { At, World } from '../domain/world.ts'
import { exchangeIn, type Issuer } from '../issuer.ts'
import { answer, answerExchange, type Call } from './answer.ts'
import { bytesOf } from './body.ts'
import { clockPath, moveClock } from './clock.ts'
import { send } from './send.ts'

const version = ':version{v2beta1|v2}'
/** What v1 has of a kind; its paths of single resources are not shown, and follow those of v2 (S2.17, S9.1). */
const v1: Partial<Record<Kind, readonly Operation[]>> = {
  groups: ['list', 'get', 'create', 'update', 'delete'],
  repos: ['list'],
}
const places: Readonly<Record<Operation, { method: string; below: string }>> = {
  list: { method: 'GET', below: '' },
  get: { method: 'GET', below: '/:uid{.+}' },
  create: { method: 'POST', below: '/:uid{.+}' },
  update: { method: 'PATCH', below: '/:uid{.+}' },
  delete: { method: 'DELETE', below: '/:uid{.+}' },
}

/** The table from wire to operation, as a plain Node handler (section 4, S9.1). */
export function httpHandler(world: World, issuer: Issuer): RequestListener {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const nowhere = {
    world,
    kind: 'none',
    operation: 'none',
    caller: undefined,
    page: 0,
    query: undefined,
  } as const
  const door = (kind: Kind | 'none', operation: Operation | 'none', collection: string) => {
    return async (context: Context<{ Bindings: HttpBindings }>) => {
      const version = /^\/[a-z]+\/(v[0-9a-z]+)\//.exec(context.req.path)?.[1] ?? ''
      const at: At = {
        ...nowhere,
        version,
        ...(world.rules.serves(version, { ...nowhere, version }) ? { kind, operation } : {}),
      }
      const { incoming, outgoing } = context.env as { incoming: IncomingMessage; outgoing: ServerResponse }
      const serve = async () => {
        const call = await readCall(incoming, collection)
        send(outgoing, await answer(call, issuer, at), at)
      }
      await world.rules.transport(incoming, outgoing, serve, at)
      return RESPONSE_ALREADY_SENT
    }
  }

  for (const [kind, { family, operations }] of Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]) {
    for (const operation of operations) {
      const { method, below } = places[operation]
      app.on(method, `/${family}/${version}/${kind}${below}`, door(kind, operation, kind))
    }
    app.all(`/${family}/${version}/${kind}`, door(kind, 'none', kind))
    app.all(`/${family}/${version}/${kind}/:uid{.+}`, door(kind, 'none', kind))
  }
  for (const [kind, operations] of Object.entries(v1) as [Kind, readonly Operation[]][]) {
    const collection = `/${kinds[kind].family}/v1/${kind}`
    for (const operation of operations) {
      const { method, below } = places[operation]
      app.on(operation === 'update' ? 'PUT' : method, collection + below, door(kind, operation, kind))
    }
    app.all(collection, door(kind, 'none', kind))
    app.all(`${collection}/:uid{.+}`, door(kind, 'none', kind))
  }
  app.post(clockPath, async ({ env }) => {
    const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse }
    const at: At = { ...nowhere, version: '' }
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
  app.notFound(door('none', 'none', ''))
  app.onError((error, { env: { outgoing } }) => {
    // Either the caller hung up, or a replaced rule threw where no answer can be made of it.
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
    else outgoing.writeHead(500).end(String(error))
    return RESPONSE_ALREADY_SENT
  })

  const listener = getRequestListener(app.fetch, { hostname: '127.0.0.1', overrideGlobalObjects: false })
  return (request, response) => void listener(request, response)
}

// The framework decodes and normalizes paths; a uid is wanted as it came.
async function readCall(incoming: IncomingMessage, collection: string): Promise<Call> {
  const [, path = '', search = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/i.exec(incoming.url ?? '') ?? []
  const rawUid = path.slice(path.indexOf(`/${collection}/`) + collection.length + 2)
  const query = new URLSearchParams(search)
  return { headers: incoming.headers, rawUid, query, body: await bytesOf(incoming) }
}
