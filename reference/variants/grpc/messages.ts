import type { ServerResponse } from 'node:http'
import { type Variant, variant } from '../../fault.ts'
import { withTrailers } from '../../faults/grpc/trailers.ts'

/** A percent-encoded message, cut after some sixty bytes, within a character if there is one beyond ASCII. */
function cutWithin(message: string): string {
  const bytes = message.match(/%..|./g) ?? []
  const end = bytes.findIndex((byte, index) => index >= 60 && /^%[89AB]/.test(byte))
  const plain = (byte: string) => (/^%(?!25|7F)[2-7]/.test(byte) ? decodeURIComponent(byte) : byte)
  return bytes
    .slice(0, end === -1 ? bytes.length : end)
    .map(plain)
    .join('')
}

/** Where the message of a refusal is over gRPC, and how much of it (R36, R60). */
export const grpcMessageVariants: readonly Variant[] = [
  variant(
    'over gRPC the message of an error with details is in grpc-status-details-bin alone',
    withTrailers(({ 'grpc-message': message, ...others }) =>
      message === undefined || 'grpc-status-details-bin' in others ? others : { ...others, 'grpc-message': message },
    ),
  ),
  variant(
    'messages of errors end in German, and grpc-message is cut after some sixty bytes, also within a character',
    (contract) => ({
      errorMessage: (refusal, at) => `${contract.errorMessage(refusal, at)} — ${'äöüß '.repeat(15).trim()}`,
      grpcTransport(request, response, serve, at) {
        // half a character cannot be decoded, so the message is sent as it is
        const { addTrailers } = Object.getPrototypeOf(response) as ServerResponse
        response.addTrailers = (trailers) => {
          const { 'grpc-message': message, ...others } = trailers as Record<string, string>
          const shown = message === undefined ? others : { ...others, 'grpc-message': cutWithin(message) }
          addTrailers.call(response, shown)
        }
        return contract.grpcTransport(request, response, serve, at)
      },
    }),
  ),
]
