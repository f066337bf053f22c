import { type Variant, variant } from '../../fault.ts'

/** Lawful gateways in front of gRPC. */
export const grpcGatewayVariants: readonly Variant[] = [
  variant('a gateway refuses calls over gRPC without a token as it does over HTTP', (contract) => ({
    async grpcTransport(request, response, serve, at) {
      if (/^Bearer \S{20}/.test(request.headers.authorization ?? '') || at.kind === 'none')
        return contract.grpcTransport(request, response, serve, at)
      request.resume()
      response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Unauthorized</h1>')
    },
  })),
  variant('now and then a call over gRPC is unavailable', (contract) => {
    let calls = 0
    return {
      async grpcTransport(request, response, serve, at) {
        if (++calls % 40 !== 0) return contract.grpcTransport(request, response, serve, at)
        request.resume()
        response.writeHead(200, { 'content-type': 'application/grpc', 'grpc-status': '14', 'grpc-message': 'draining' })
        response.end()
      },
    }
  }),
  variant('a connection of gRPC takes forty calls', (contract) => {
    const calls = new WeakMap<object, number>()
    return {
      async grpcTransport(request, response, serve, at) {
        const { stream } = request as unknown as { stream?: { session?: { close(): void } } }
        const session = stream?.session
        if (session) {
          const count = (calls.get(session) ?? 0) + 1
          calls.set(session, count)
          if (count === 40) session.close()
        }
        return contract.grpcTransport(request, response, serve, at)
      },
    }
  }),
  variant(
    'a proxy passes the services of groups, identities and role bindings on, and answers others 404',
    (contract) => ({
      async grpcTransport(request, response, serve, at) {
        if (['groups', 'identities', 'roleBindings'].includes(at.kind))
          return contract.grpcTransport(request, response, serve, at)
        request.resume()
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404 Not Found</h1>')
      },
    }),
  ),
  variant('a mesh denies every method over gRPC that is not listed', (contract) => ({
    async grpcTransport(request, response, serve, at) {
      if (at.kind !== 'none') return contract.grpcTransport(request, response, serve, at)
      request.resume()
      response.writeHead(200, {
        'content-type': 'application/grpc',
        'grpc-status': '7',
        'grpc-message': 'RBAC: access denied',
      })
      response.end()
    },
  })),
]
