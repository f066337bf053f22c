import { type Kind, type Operation, publishedKinds } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { on, overGrpc, type Replacement, when } from '../../replace.ts'

/** Kinds of which no path is printed: their services may be missing (R49). */
const unprinted: readonly Kind[] = ['tags', 'advisories', ...publishedKinds]

/** One protocol without some operations of a kind. */
const without = (over: 'HTTP' | 'gRPC', kind: Kind, ...operations: Operation[]): Replacement =>
  when(
    (at) =>
      (at.over === 'grpc') === (over === 'gRPC') &&
      at.kind === kind &&
      at.version !== 'v1' &&
      operations.includes(at.operation as Operation),
    (contract) => ({
      objection: () => new Refusal('unimplemented', 'method', 'this protocol has no such method'),
      errorStatus: (refusal, at) => (refusal.problem === 'unimplemented' ? 405 : contract.errorStatus(refusal, at)),
      errorCode: (refusal, at) => (refusal.problem === 'unimplemented' ? 12 : contract.errorCode(refusal, at)),
    }),
  )

/** What a target may name, serve or leave out over gRPC (S1.5, S9.7, R49, R60). */
export const grpcNameVariants: readonly Variant[] = [
  variant('gRPC is not served', () => ({ grpcOffered: () => false })),
  variant('services cannot be listed by reflection', () => ({ grpcReflects: () => false })),
  variant('the packages of gRPC have another prefix', () => ({ grpcPrefix: () => 'example.platform' })),
  variant('the packages of gRPC have another prefix that nothing shows', () => ({
    grpcPrefix: () => 'example.platform',
    grpcReflects: () => false,
  })),
  variant(
    'what has no printed path is not served over gRPC',
    overGrpc({ grpcServes: ({ kind }) => !unprinted.includes(kind as Kind) }),
  ),
  variant('bindings and roles have no Get over gRPC', (contract) => ({
    grpcServes: (at) =>
      contract.grpcServes(at) && !(at.operation === 'get' && ['roleBindings', 'roles'].includes(at.kind)),
  })),
  variant(
    'repos cannot be got one by one over gRPC',
    overGrpc(
      on('repos', (contract) => ({
        grpcRequest(request, at) {
          if (at.operation === 'get') throw new Refusal('unimplemented', 'method', 'repos are listed alone')
          return contract.grpcRequest(request, at)
        },
      })),
    ),
  ),
  variant('identities can be updated over gRPC alone', without('HTTP', 'identities', 'update')),
  variant('identities can be updated over HTTP alone', without('gRPC', 'identities', 'update')),
  variant('identities can be read over gRPC alone', without('HTTP', 'identities', 'get', 'list')),
  variant('identities can be read over HTTP alone', without('gRPC', 'identities', 'get', 'list')),
  variant('role bindings can be read one by one over gRPC alone', without('HTTP', 'roleBindings', 'get', 'update')),
  variant('role bindings can be read one by one over HTTP alone', without('gRPC', 'roleBindings', 'get', 'update')),
]
