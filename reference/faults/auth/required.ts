import { Refusal } from '../../domain/refusal.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement, withRequest } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Operations that need no token. */
const withoutToken: Replacement = () => ({ needsToken: () => false })

/** Faults in which calls need a token (S5.1). */
export const authRequiredFaults: readonly Fault[] = [
  fault(
    'an invite is made without a token',
    ['auth.required.create@groupInvites'],
    on('groupInvites', during('create', withoutToken)),
  ),
  fault(
    'no create needs a token',
    ['auth.required.create*', 'auth.first'],
    during('create', () => ({ needsToken: () => false })),
  ),
  fault(
    'a delete through v1 needs no token',
    ['auth.required.delete@v1'],
    inV1(during('delete', { needsToken: () => false })),
  ),
  fault('a delete needs no token', ['auth.required.delete*', 'auth.first'], during('delete', withoutToken)),
  fault(
    'get of an identity needs no token',
    ['auth.required.get@identities'],
    on('identities', during('get', withoutToken)),
  ),
  fault('a tag is got without a token', ['auth.required.get@tags'], on('tags', during('get', withoutToken))),
  fault('a Get of v1 needs no token', ['auth.required.get@v1'], inV1(during('get', { needsToken: () => false }))),
  basicFault('nobody looks at tokens', ['auth.required.get*'], () => ({ needsToken: () => false })),
  fault(
    'a refusal shows the resource all the same',
    ['auth.required.get*'],
    withRequest((request, contract) => ({
      render(answer, at) {
        const shown = contract.render(answer, at)
        const { method, url = '' } = request()
        const uid = /\/groups\/([^?]+)/.exec(url)?.[1] ?? ''
        const refused = method === 'GET' && answer.status === 401
        const group = refused ? at.world.store.get('groups', uid) : undefined
        const resource = group && { uid, name: group.name }
        return resource ? { ...shown, body: { ...Object(shown.body), resource } } : shown
      },
    })),
  ),
  fault(
    'a list that was shown once is shown to anybody',
    { turnsRed: ['auth.required.list', 'auth.required.list@*'], spreadsTo: ['auth.*'] },
    withRequest((request, contract) => {
      const shown = new Set<string>()
      return {
        credential: (headers, query, at) =>
          contract.credential(headers, query, at) ?? (at.operation === 'list' ? 'anonymous' : undefined),
        async authenticate(token, reader, at) {
          const caller = token === 'anonymous' ? undefined : await contract.authenticate(token, reader, at)
          const url = request().url ?? ''
          if (caller && at.operation === 'list') shown.add(url)
          return caller ?? (at.operation === 'list' && shown.has(url) ? at.world.operator : undefined)
        },
      }
    }),
  ),
  fault('a list of roles needs no token', ['auth.required.list@roles'], on('roles', during('list', withoutToken))),
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
    'advisories are listed without a token',
    ['auth.required.list@advisories'],
    on('advisories', during('list', withoutToken)),
  ),
  fault(
    'the v1 list of repos needs no token',
    ['auth.required.list@v1'],
    inV1(on('repos', { needsToken: () => false })),
  ),
  fault('v1 shows roles, and needs no token for them', ['auth.required.others@v1'], (contract) => ({
    transport(request, response, serve, at) {
      const [path, uid] = /\/iam\/v1\/roles(?:\/([^?]+))?/.exec(request.url ?? '') ?? []
      if (path === undefined) return contract.transport(request, response, serve, at)
      const roles = [...at.world.store.all('roles')].map((role) => ({ id: role.uid, name: role.name }))
      const shown = uid === undefined ? { items: roles } : roles.find(({ id }) => id === uid)
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown ?? {}))
      return Promise.resolve()
    },
  })),
  fault('the list of v1 needs no token', ['auth.required.list@v1'], inV1(during('list', { needsToken: () => false }))),
  fault(
    'a list with an order needs no token',
    ['auth.required.list*'],
    during('list', (contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? (query.has('order_by') ? 'anonymous' : undefined),
      authenticate: async (token, reader, at) =>
        token === 'anonymous' ? at.world.operator : contract.authenticate(token, reader, at),
    })),
  ),
  fault(
    'an update of a binding needs no token',
    ['auth.required.update@roleBindings'],
    on('roleBindings', during('update', withoutToken)),
  ),
  fault(
    'an update through v1 needs no token',
    ['auth.required.update@v1'],
    inV1(during('update', { needsToken: () => false })),
  ),
  fault(
    'an update under a mask needs no token',
    ['auth.required.update*'],
    during('update', (contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? (query.has('updateMask') ? 'anonymous' : undefined),
      authenticate: async (token, reader, at) =>
        token === 'anonymous' ? at.world.operator : contract.authenticate(token, reader, at),
    })),
  ),
  fault('a PATCH of an identity that is refused for its token moves updateTime', foundByModel, (contract) => ({
    async transport(request, response, serve, at) {
      await contract.transport(request, response, serve, at)
      const [, uid = ''] = /identities\/(.+?)(?:\?|$)/.exec(request.url ?? '') ?? []
      const item = at.world.store.get('identities', uid)
      if (item && request.method === 'PATCH' && response.statusCode === 401)
        at.world.store.put({ ...item, updateTime: at.world.now() })
    },
  })),
  fault(
    'that a group is full is reported before who asks is checked',
    foundByModel,
    withRequest((request, contract) => ({
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (caller || at.kind !== 'groups' || at.operation !== 'delete') return caller
        const uid = decodeURIComponent(/\/groups\/([^?]+)/.exec(request().url ?? '')?.[1] ?? '')
        const { store } = at.world
        const isFull = [...store.under('groups', uid)].length > 0
        if (isFull) throw new Refusal('notEmpty', 'groups', `${store.get('groups', uid)?.name} is not empty`)
        return caller
      },
    })),
  ),
]
