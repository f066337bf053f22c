import { once } from 'node:events'
import type { Caller } from './domain/world.ts'
import { during, type Fault, fault, on, type Replacement } from './replace.ts'

/** Operations that ask nobody for a token. */
const open: Replacement = () => ({ needsToken: () => false })

/** Tokens that are also found another way. */
const alsoFrom =
  (
    find: (headers: { authorization?: string | undefined }, query: URLSearchParams) => string | undefined,
  ): Replacement =>
  (contract) => ({
    credential: (headers, query, at) => contract.credential(headers, query, at) ?? find(headers, query),
  })

/** What goes wrong at the door (section 5) and on the wire. */
export const faultsOfDoors: readonly Fault[] = [
  fault('a delete needs no token', ['auth.required.delete*', 'auth.first'], during('delete', open)),
  fault('a list of roles needs no token', ['auth.required.list@roles'], on('roles', during('list', open))),
  fault('get of an identity needs no token', ['auth.required.get@identities'], on('identities', during('get', open))),
  fault(
    'an update of a binding needs no token',
    ['auth.required.update@roleBindings'],
    on('roleBindings', during('update', open)),
  ),
  fault(
    'a list with an order needs no token',
    ['auth.required.list*'],
    during('list', (contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? (query.has('order_by') ? 'nobody' : undefined),
      authenticate: async (token, reader, at) =>
        token === 'nobody' ? at.world.operator : contract.authenticate(token, reader, at),
    })),
  ),
  fault(
    'an update under a mask needs no token',
    ['auth.required.update*'],
    during('update', (contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? (query.has('updateMask') ? 'nobody' : undefined),
      authenticate: async (token, reader, at) =>
        token === 'nobody' ? at.world.operator : contract.authenticate(token, reader, at),
    })),
  ),
  fault(
    'a token in the query will do',
    ['auth.refuses.in-query*'],
    alsoFrom((_headers, query) => query.get('access_token') ?? undefined),
  ),
  fault(
    'a bare token will do',
    ['auth.refuses.bare*'],
    alsoFrom(({ authorization }) => authorization),
  ),
  fault(
    'any scheme will do',
    ['auth.refuses.other-scheme*'],
    alsoFrom(({ authorization }) => /^\w+ +([^ ]+)$/.exec(authorization ?? '')?.[1]),
  ),
  fault('nobody looks at the signature', { turnsRed: ['auth.in-parallel'], spreadsTo: ['auth.*'] }, () => ({
    authenticate: async (token, reader) => reader.unverified(token),
  })),
  fault('a token of algorithm none is believed', ['auth.refuses.unsigned*'], (contract) => ({
    authenticate: async (token, reader, at) =>
      token.endsWith('.') ? reader.unverified(token) : contract.authenticate(token, reader, at),
  })),
  fault(
    'tokens are remembered by their first two parts',
    { turnsRed: ['auth.refuses.other-signer', 'auth.refuses.other-signer@*'], spreadsTo: ['auth.*'] },
    (contract) => {
      const known = new Map<string, Caller>()
      return {
        async authenticate(token, reader, at) {
          const key = token.split('.').slice(0, 2).join('.')
          const caller = known.get(key) ?? (await contract.authenticate(token, reader, at))
          if (caller) known.set(key, caller)
          return caller
        },
      }
    },
  ),
  fault(
    'a connection that once had a good token is let through',
    { turnsRed: ['auth.required.list', 'auth.required.list@*'], spreadsTo: ['auth.*'] },
    (contract) => {
      const known = new WeakSet<object>()
      const sockets = new WeakMap<object, object>()
      return {
        transport(request, response, serve, at) {
          sockets.set(request.headers, request.socket)
          return contract.transport(request, response, serve, at)
        },
        credential(headers, query, at) {
          const socket = sockets.get(headers)
          const token = contract.credential(headers, query, at)
          if (token !== undefined && socket) known.add(socket)
          if (token !== undefined || !socket || !known.has(socket)) return token
          return 'known'
        },
        authenticate: async (token, reader, at) =>
          token === 'known' ? at.world.operator : contract.authenticate(token, reader, at),
      }
    },
  ),
  fault(
    'who asks while a good call is under way is let through',
    { turnsRed: ['auth.in-parallel'], spreadsTo: ['auth.*'] },
    (contract) => {
      let last = 0
      return {
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          if (caller) last = at.world.now()
          return caller ?? (at.operation === 'list' && at.world.now() - last < 20 ? at.world.operator : undefined)
        },
      }
    },
  ),
  fault('a refused caller is refused with 400', ['auth.status', 'auth.first'], (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'unauthenticated' ? 400 : contract.errorStatus(refusal, at)),
  })),

  fault(
    'a delete takes any token',
    { turnsRed: ['auth.refuses.garbage', 'auth.refuses.garbage@*'], spreadsTo: ['auth.refuses.*'] },
    during('delete', (contract) => ({
      authenticate: async (token, reader, at) => (await contract.authenticate(token, reader, at)) ?? at.world.operator,
    })),
  ),

  // On the wire
  fault(
    'half a character goes out as it came in',
    { turnsRed: ['service.encoding'], spreadsTo: ['group.description.odd'] },
    () => ({
      text: (body) => {
        const halves = JSON.stringify(body).split('\\ud83d')
        const bytes = halves.flatMap((part) => [Buffer.from([0xed, 0xa0, 0xbd]), Buffer.from(part)])
        return Buffer.concat(bytes.slice(1))
      },
    }),
  ),
  fault(
    'an update answers with a byte order mark',
    ['group.update.answers'],
    on('groups', during('update', { text: (body) => `\uFEFF${JSON.stringify(body)}` })),
  ),
  fault('answers are called plain text', ['service.json'], (contract) => ({
    render(answer, at) {
      const { headers, ...rest } = contract.render(answer, at)
      return { ...rest, headers: { ...headers, 'content-type': 'text/plain' } }
    },
  })),
  fault(
    'a create beyond a hundred in one group fails',
    { turnsRed: ['group.create.answers', 'service.faults'], spreadsTo: ['list.*.crowd'] },
    on('groups', (contract) => ({
      keep(item, at) {
        contract.keep(item, at)
        const siblings = [...at.world.store.under('groups', item.parent)].length
        if (siblings % 100 === 0) throw new Error('deadline exceeded')
      },
    })),
  ),
  fault(
    'a token will do as a password',
    ['auth.refuses.as-password'],
    alsoFrom(({ authorization }) => {
      const [, encoded] = /^basic +([^ ]+)$/i.exec(authorization ?? '') ?? []
      return encoded && Buffer.from(encoded, 'base64').toString().split(':')[1]
    }),
  ),
  fault('a token in the body will do', ['auth.refuses.in-body'], (contract) => ({
    async transport(request, response, serve, at) {
      const { authorization, 'content-length': length } = request.headers
      if (authorization === undefined && Number(length) > 0) {
        await once(request, 'readable')
        const chunk: Buffer = request.read()
        request.unshift(chunk)
        const [, token] = /"access_token": ?"([^"]+)"/.exec(String(chunk)) ?? []
        if (token) request.headers.authorization = `Bearer ${token}`
      }
      return contract.transport(request, response, serve, at)
    },
  })),
]
