import type { Cursor } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { overGrpc } from '../../replace.ts'

/** Faults in lists over gRPC that show beside near misses, other walks or changes (S1.5, S4.8, S4.10, S4.12). */
export const grpcNearbyFaults: readonly Fault[] = [
  fault(
    'over gRPC all walks of one query share a cursor',
    { turnsRed: ['grpc.list.walk.interleaved'], spreadsTo: ['grpc.*'] },
    overGrpc((contract) => {
      const cursors = new Map<string, Cursor>()
      return {
        encodeToken(cursor, at) {
          const { childrenOf, descendantsOf, name, order, size } = at.query!
          const key = JSON.stringify([at.kind, childrenOf, descendantsOf, name, order, size])
          cursors.set(key, cursor)
          return Buffer.from(key).toString('base64url')
        },
        decodeToken: (token, at) =>
          cursors.get(Buffer.from(token, 'base64url').toString()) ?? contract.decodeToken(token, at),
      }
    }),
  ),
]
