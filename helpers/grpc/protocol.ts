import type { FileRegistry } from '@bufbuild/protobuf'
import type { Call, Credential } from '../http/call.ts'
import type { Wire } from '../http/progress.ts'
import type { Protocol } from '../http/request.ts'
import { answerWithin, type OutgoingRequest } from '../http/wire/exchange-over.ts'
import type { Target } from '../settings/configuration.ts'
import { answerOf } from './answer.ts'
import { Channel } from './channel.ts'
import { descriptorsFor, grpcVersionOf } from './descriptors.ts'
import { bytesFor, unwrapped } from './frames.ts'
import { grpcForm } from './request.ts'

/** The contract's calls over gRPC (S1.5): the same calls and answers, in protobuf. */
export class Grpc implements Protocol {
  readonly channel: Channel
  /** Carries what no client of the contract would send, so that it cannot disturb other calls. */
  readonly #apart: Channel
  readonly #target: Target
  readonly #origin: string
  readonly #within: number
  #registry: FileRegistry | undefined

  constructor(target: Target, wire: Wire, within = answerWithin) {
    this.#within = within
    this.#target = target
    this.#origin = new URL(target.grpcUrl ?? target.baseUrl).origin
    this.channel = new Channel(this.#origin, target.ca, wire)
    this.#apart = new Channel(this.#origin, target.ca, wire)
  }

  /** The descriptors of the services. */
  get registry(): FileRegistry {
    this.#registry ??= descriptorsFor(this.#target)
    return this.#registry
  }

  /** From now on the services are those that the target itself described. */
  set registry(described: FileRegistry) {
    this.#registry = described
  }

  /** The call as it goes out; undefined where it has no form in gRPC. */
  request(call: Call, credential: Credential): OutgoingRequest | undefined {
    const { apiVersion, headers } = this.#target
    const form = grpcForm(call, this.registry, { http: apiVersion, grpc: grpcVersionOf(this.#target) })
    if (form === undefined) return undefined
    const { gzip, metadata, message = form.message, path = form.path, cancel } = call.rpc ?? {}
    return {
      method: 'POST',
      url: this.#origin + path,
      headers: {
        ...headers,
        'content-type': call.rpcType ?? 'application/grpc',
        te: 'trailers',
        // short messages are cheaper uncompressed
        'grpc-accept-encoding': gzip ? 'identity,gzip' : 'identity',
        ...(gzip && { 'grpc-encoding': 'gzip' }),
        ...metadata,
        ...credential.beside,
        // HTTP/2 does not allow white space at the end of a value
        ...(credential.header === undefined ? {} : { authorization: credential.header.trim() }),
      },
      body: form.shown,
      carry: async (sent) => {
        const bytes = bytesFor(message, call.rpcType, gzip)
        const channel = call.rpc ? this.#apart : this.channel
        const raw = await channel.ask(path, { headers: sent, bytes, within: this.#within, cancel: cancel ?? false })
        const answer = answerOf(form.method, unwrapped(raw, call.rpcType))
        // a deadline set by the suite is not a request for patience
        return metadata?.['grpc-timeout'] && answer.status === 504 ? { ...answer, status: 408 } : answer
      },
    }
  }

  destroy(): void {
    this.channel.destroy()
    this.#apart.destroy()
  }
}
