import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { type Replacement, withRequest } from '../../replace.ts'

/** A gateway refuses some paths before the service sees them. */
const refusing =
  (paths: RegExp, status: number): Replacement =>
  (contract) => ({
    async transport(request, response, serve, at) {
      if (!paths.test(request.url?.split('?')[0] ?? '')) return contract.transport(request, response, serve, at)
      response.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${status}</h1>`)
    },
  })

/** Lawful ways to read a request. */
export const runRequestsVariants: readonly Variant[] = [
  variant('the scheme of a token has a capital letter, or it is none', () => ({
    credential: (headers) => /^Bearer +([^ ]+)$/.exec(headers.authorization ?? '')?.[1],
  })),
  variant('there is no HEAD', (contract) => ({
    async transport(request, response, serve, at) {
      if (request.method !== 'HEAD') return contract.transport(request, response, serve, at)
      response.writeHead(405, { allow: 'GET' }).end()
    },
  })),
  variant(
    'only an escaped slash works in a path',
    (contract) => ({ pathUid: (raw, at) => (raw.includes('/') ? undefined : contract.pathUid(raw, at)) }),
    ['service.slashes'],
  ),
  variant(
    'only an escaped slash works in a path, and Get shows what is new two seconds late',
    (contract) => ({
      pathUid: (raw, at) => (raw.includes('/') ? undefined : contract.pathUid(raw, at)),
      seen: (item, at) =>
        at.operation === 'get' && item.org !== '' && item.createTime > at.world.now() - 2_000
          ? undefined
          : contract.seen(item, at),
    }),
    ['service.slashes', 'service.lag.get', 'v1.lag'],
    'may warn',
  ),
  variant('an escaped slash in a path is a bad request', refusing(/%2f/i, 400)),
  variant('a gateway finds no path with a slash in a uid', refusing(/^(\/[^/]+){5}/, 404), ['service.slashes']),
  variant('a uid in a path may be in capitals and between blanks', (contract) => ({
    pathUid: (raw, at) => contract.pathUid(raw, at)?.toLowerCase().trim(),
  })),
  variant(
    'a parameter that nobody knows is refused',
    withRequest((request, contract) => ({
      order(asked, cursor, at) {
        const known = /^(uidp\.(descendants|children)_of|name|page_size|page_token|order_by|skip)$/
        const sent = new URL(request().url ?? '', 'http://reference.test').searchParams
        const unknown = [...sent.keys()].find((name) => !known.test(name))
        if (unknown) throw new Refusal('invalid', unknown, 'there is no such parameter')
        return contract.order(asked, cursor, at)
      },
    })),
  ),
  variant('a body with a member that nobody knows is refused', (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      const unknown = Object.keys(fields ?? {}).find((field) => !contract.settable(at).includes(field))
      if (unknown) throw new Refusal('invalid', unknown, 'there is no such field')
      return fields
    },
  })),
  variant(
    'a body that is not said to be JSON is none',
    withRequest((request, contract) => ({
      body: (bytes, at) =>
        bytes.length === 0 || /^application\/json\b/i.test(request().headers['content-type'] ?? '')
          ? contract.body(bytes, at)
          : undefined,
    })),
  ),
  variant(
    'a body with a charset or without a length is refused',
    withRequest((request, contract) => ({
      body(bytes, at) {
        const { 'content-type': type = '', 'transfer-encoding': coding } = request()?.headers ?? {}
        if (at.over !== 'grpc' && (coding !== undefined || type.includes('charset')))
          throw new Refusal('invalid', 'body', 'it has a charset, or no length')
        return contract.body(bytes, at)
      },
    })),
  ),
  variant('a body that begins with a byte order mark is refused', (contract) => ({
    body: (bytes, at) => (bytes[0] === 0xef ? undefined : contract.body(bytes, at)),
  })),
  variant(
    'what follows a body is not read',
    (contract) => ({
      body(bytes, at) {
        const text = new TextDecoder().decode(bytes)
        try {
          return contract.body(bytes, at) ?? JSON.parse(text.slice(0, text.indexOf('}') + 1))
        } catch {
          return undefined
        }
      },
    }),
    ['error.body.trailing'],
  ),
  variant('a Get takes no query at all', (contract) => ({
    async transport(request, response, serve, at) {
      const isAsked = at.operation === 'get' && request.url?.includes('?') && request.headers.authorization
      if (!isAsked) return contract.transport(request, response, serve, at)
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"code":3,"message":"no query","details":[]}')
    },
  })),
  variant('an Idempotency-Key that is no UUID is a bad request', (contract) => ({
    async transport(request, response, serve, at) {
      const key = request.headers['idempotency-key']
      const isBad = key !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(key))
      if (!isBad || !request.headers.authorization) return contract.transport(request, response, serve, at)
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"code":3,"message":"no such key","details":[]}')
    },
  })),
]
