import type { IncomingMessage, ServerResponse } from 'node:http'
import type { At } from './domain/at.ts'
import type { Fields } from './domain/item.ts'
import type { Refusal } from './domain/refusal.ts'

/** A field of a message by its number, as it is written. */
interface UnknownField {
  readonly no: number
  readonly wireType: number
  readonly data: Uint8Array
}

/** The decisions about gRPC (S1.5, S9.7, R60); what an operation does is decided by the rules of the domain. */
export interface GrpcRules {
  /** Whether gRPC is served at all (S1.5); asked once. */
  grpcOffered(at: At): boolean
  /** What the packages begin with (S9.7); asked once. */
  grpcPrefix(at: At): string
  /** Whether the services can be listed by reflection; asked once. */
  grpcReflects(at: At): boolean
  /** Whether gzip is read and written; asked once. */
  grpcCompresses(at: At): boolean
  /** How many bytes of metadata a call may have; asked once. */
  grpcMaxMetadata(at: At): number
  /** Whether a method is implemented: each is (S1.5). */
  grpcServes(at: At): boolean
  /** Runs one call over HTTP/2; `serve` answers it. */
  grpcTransport(request: IncomingMessage, response: ServerResponse, serve: () => Promise<void>, at: At): Promise<void>
  /** A request in protobuf's JSON, as the operation reads it: as it was sent. */
  grpcRequest(request: Fields, at: At): Fields
  /** The last change to the message of an answer, in protobuf's JSON. */
  grpcMessage(message: Fields, at: At): Fields
  /** Fields beside those of the published messages (R8). */
  grpcUnknownFields(at: At): readonly UnknownField[]
  /** The status of a refusal: the code that the JSON form has (R60). */
  grpcStatus(code: number, refusal: Refusal, at: At): number
  /** The message of a refusal: that of the JSON form. */
  grpcStatusMessage(message: string, refusal: Refusal, at: At): string
  /** The details of a refusal, in `grpc-status-details-bin`: those of the JSON form (S7.1, R60). */
  grpcDetails(details: readonly Fields[], refusal: Refusal, at: At): readonly Fields[]
  /** Metadata of an answer, besides the date. */
  grpcMetadata(at: At): Record<string, string>
}
