import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Message } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { compressionGzip, connectNodeAdapter } from '@connectrpc/connect-node'
import { publishedServices, servicesIn } from '../../schemas/proto/services.ts'
import type { Context, Service } from '../domain/service.ts'
import type { TokenReader } from '../rules/values.ts'
import { answerGrpc, placeOf } from './call.ts'
import { serveReflection } from './reflection.ts'

const versions = ['v2beta1', 'v2']

/** The call that the rules get before anything is known about it. */
const unknown = (world: Service): Context => ({
  world,
  kind: 'none',
  operation: 'none',
  version: '',
  over: 'grpc',
  caller: undefined,
  page: 0,
  query: undefined,
})

/** Answers gRPC, gRPC-Web and Connect with the operations of the domain; everything else goes to `others` (S1.5). */
export function grpcHandler(world: Service, reader: TokenReader, others: RequestListener): RequestListener {
  const nowhere = unknown(world)
  const { rules } = world
  const prefix = rules.grpcPrefix(nowhere)
  const registries = versions.map((version) => publishedServices(prefix, version))
  const places = new Map<string, Context>()
  const adapter = connectNodeAdapter({
    grpc: true,
    grpcWeb: true,
    connect: true,
    acceptCompression: rules.grpcCompresses(nowhere) ? [compressionGzip] : [],
    fallback: (request, response) => unimplemented(request as IncomingMessage, response as ServerResponse, others),
    routes: (router) => {
      for (const service of registries.flatMap(servicesIn)) {
        const version = service.file.proto.package.replace(/^.*\./, '')
        const methods = service.methods.map((method) => {
          const at: Context = { ...nowhere, version, ...placeOf(service, method) }
          places.set(`/${service.typeName}/${method.name}`, at)
          const answer = (message: Message, context: HandlerContext) =>
            answerGrpc(method, message, context, reader, { ...at })
          return [method.localName, answer]
        })
        router.service(service, Object.fromEntries(methods) as ServiceImpl<typeof service>)
      }
      if (rules.grpcReflects(nowhere)) serveReflection(router, registries)
    },
  })
  return (request, response) => {
    const serve = async () => adapter(request, response)
    const at = places.get(request.url ?? '') ?? nowhere
    withPlainMessages(response)
    void rules.grpcTransport(request, response, serve, at)
  }
}

/** What no service answers: status 12 for a call over gRPC, otherwise left to HTTP. */
function unimplemented(request: IncomingMessage, response: ServerResponse, others: RequestListener): void {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/grpc(\+|;|$)/.test(type)) return void others(request, response)
  request.resume()
  response.writeHead(200, { 'content-type': type })
  response.addTrailers({ 'grpc-status': '12', 'grpc-message': 'there is no such method' })
  response.end()
}

/** Writes messages with as few characters encoded as the protocol asks for: some clients decode no others. */
function withPlainMessages(response: ServerResponse): void {
  const add = response.addTrailers.bind(response)
  response.addTrailers = (trailers) => {
    const { 'grpc-message': message, ...others } = trailers as Record<string, string>
    add(message === undefined ? others : { ...others, 'grpc-message': encoded(decodeURIComponent(message)) })
  }
}

const encoded = (message: string) =>
  [...Buffer.from(message)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x25
        ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')

/** True for the path of a method: the service's package has a dot, which no path of the contract has in that place. */
export const isOfGrpc = (path = '') => /^\/[\w]+(\.\w+)+\/\w+$/.test(path)
