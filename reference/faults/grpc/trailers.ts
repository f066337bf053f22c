import type { ServerResponse } from 'node:http'
import type { At } from '../../domain/at.ts'
import type { Replacement } from '../../replace.ts'

type Trailers = Record<string, string>

/** A replacement that changes the trailers of the answers over gRPC. */
export const withTrailers =
  (change: (trailers: Trailers, at: At) => Trailers): Replacement =>
  (contract) => ({
    grpcTransport(request, response, serve, at) {
      const add = response.addTrailers.bind(response)
      response.addTrailers = (trailers) => add(change(trailers as Trailers, at))
      return contract.grpcTransport(request, response, serve, at)
    },
  })

/** Ends a call with a status and nothing else. */
export function endWith(response: ServerResponse, status: number, message: string): void {
  response.writeHead(200, { 'content-type': 'application/grpc' })
  response.addTrailers({ 'grpc-status': String(status), 'grpc-message': message })
  response.end()
}
