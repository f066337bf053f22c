import type { IncomingMessage } from 'node:http'
import { constants, type Http2ServerRequest, type ServerHttp2Stream } from 'node:http2'
import { create, type DescMessage, fromJson } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import { encodeBinaryHeader } from '@connectrpc/connect'
import { detailTypes, StatusSchema } from '../../../schemas/proto/services.ts'
import type { At } from '../../domain/at.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

/** A call that a gateway answers by itself. */
const answered =
  (
    isAnswered: (request: IncomingMessage, at: At) => boolean,
    status: number,
    headers: Record<string, string>,
    body?: string,
  ): Replacement =>
  (contract) => ({
    async grpcTransport(request, response, serve, at) {
      if (!isAnswered(request, at)) return contract.grpcTransport(request, response, serve, at)
      request.resume()
      response.writeHead(status, headers).end(body)
    },
  })

/** True for one call in so many. */
const oneIn = (often: number) => {
  let calls = 0
  return () => ++calls % often === 0
}

const html = { 'content-type': 'text/html' }
const text = { 'content-type': 'text/plain' }
const grpc = { 'content-type': 'application/grpc' }

const streamOf = (request: IncomingMessage): ServerHttp2Stream | undefined =>
  (request as unknown as Partial<Http2ServerRequest>).stream

/** The status of a call that may be made again after three tenths of a second, as a header. */
function slowDown(): string {
  const retry = detailTypes.getMessage('google.rpc.RetryInfo') as DescMessage
  const details = [anyPack(retry, fromJson(retry, { retryDelay: '0.3s' }))]
  return encodeBinaryHeader(create(StatusSchema, { code: 8, message: 'slow down', details }), StatusSchema)
}

/** True for a service of which only the method is unknown. */
const isOfKnownPackage = ({ url = '' }: IncomingMessage) => /\.v2(beta1)?\./.test(url)
const isReflection = ({ url = '' }: IncomingMessage) => url.includes('grpc.reflection')

/** Lawful gateways in front of gRPC. */
export const grpcGatewayVariants: readonly Variant[] = [
  variant(
    'a gateway refuses calls over gRPC without a token as it does over HTTP',
    answered(
      ({ headers }, { kind }) => kind !== 'none' && !/^Bearer \S{20}/.test(headers.authorization ?? ''),
      401,
      html,
      '<h1>Unauthorized</h1>',
    ),
  ),
  variant('now and then a call over gRPC is unavailable', (contract) =>
    answered(oneIn(40), 200, { ...grpc, 'grpc-status': '14', 'grpc-message': 'draining' })(contract),
  ),
  variant(
    'now and then a call over gRPC is one too many: code 8, and a RetryInfo of three tenths of a second',
    (contract) =>
      answered(oneIn(45), 200, {
        ...grpc,
        'grpc-status': '8',
        'grpc-message': 'slow down',
        'grpc-status-details-bin': slowDown(),
      })(contract),
  ),
  variant('one stream of gRPC in sixty is refused before anything is read, with REFUSED_STREAM', (contract) => {
    const isRefused = oneIn(60)
    return {
      async grpcTransport(request, response, serve, at) {
        const stream = streamOf(request)
        if (!isRefused() || !stream) return contract.grpcTransport(request, response, serve, at)
        stream.close(constants.NGHTTP2_REFUSED_STREAM)
      },
    }
  }),
  variant('a connection of gRPC takes forty calls', (contract) => {
    const calls = new WeakMap<object, number>()
    return {
      async grpcTransport(request, response, serve, at) {
        const session = streamOf(request)?.session
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
    answered(
      (_request, { kind }) => !['groups', 'identities', 'roleBindings'].includes(kind),
      404,
      html,
      '<h1>404 Not Found</h1>',
    ),
  ),
  variant(
    'a mesh denies every method over gRPC that is not listed',
    answered((_request, { kind }) => kind === 'none', 200, {
      ...grpc,
      'grpc-status': '7',
      'grpc-message': 'RBAC: access denied',
    }),
  ),
  variant(
    'what no service has is answered over gRPC with the page of an application for browsers',
    answered((request, { kind }) => kind === 'none' && !isReflection(request), 200, html, '<div id="root"></div>'),
  ),
  variant(
    'a front door answers a gRPC method that it does not know 405, and a service 400, in plain words',
    (contract) => {
      const isUnknown = (request: IncomingMessage, { kind }: At) => kind === 'none' && !isReflection(request)
      const services = answered(isUnknown, 400, text, 'no such route')(contract)
      const isMethod = (request: IncomingMessage, at: At) => isUnknown(request, at) && isOfKnownPackage(request)
      return answered(isMethod, 405, text, 'no such method')({ ...contract, ...services })
    },
  ),
]
