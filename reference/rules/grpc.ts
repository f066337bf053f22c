import { publishedPrefix } from '../../schemas/proto/services.ts'
import type { Rules } from '../rules.types.ts'

/** The rules about gRPC (S1.5, S9.7, R60). */
export const grpcRules = {
  grpcOffered: () => true,
  grpcPrefix: () => publishedPrefix,
  grpcReflects: () => true,
  grpcCompresses: () => true,
  grpcMaxMetadata: () => 16 * 1024,
  grpcServes: () => true,
  grpcTransport: (_request, _response, serve) => serve(),
  grpcRequest: (request) => request,
  grpcMessage: (message) => message,
  grpcUnknownFields: () => [],
  grpcStatus: (code) => code,
  grpcStatusMessage: (message) => message,
  grpcDetails: (details) => details,
  grpcMetadata: () => ({}),
} satisfies Partial<Rules>
