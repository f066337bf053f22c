import { decodeJwt } from 'jose'
import { type Fault, fault } from '../../fault.ts'
import { overGrpc } from '../../replace.ts'
import { day } from '../durations.ts'
import { knowingMade } from '../lookups.ts'

/** A replacement that knows by their uids the identities and groups made over gRPC. */
const madeOverGrpc = (change: Parameters<typeof knowingMade>[1]) => knowingMade(({ over }) => over === 'grpc', change)

/** Faults in the exchange of tokens, in their ends and in v1 that only gRPC shows (S5.3, S8.3, S8.5, S9.2). */
export const grpcTokenFaults: readonly Fault[] = [
  fault(
    'identities that gRPC makes are not known to the exchange',
    { turnsRed: ['grpc.sts.identity'], spreadsTo: ['sts.*', 'grpc.*'] },
    madeOverGrpc((isOne, contract) => ({
      assumable: (uid, at) => (isOne(uid) ? undefined : contract.assumable(uid, at)),
    })),
  ),
  fault(
    'exchanged tokens are not taken over gRPC',
    { turnsRed: ['grpc.sts.token'], spreadsTo: ['grpc.*', 'sts.*'] },
    overGrpc((contract) => ({
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        return caller?.subject === at.world.operator.subject ? caller : undefined
      },
    })),
  ),
  fault(
    'exchanged tokens are read over gRPC without looking at their signature',
    { turnsRed: ['grpc.auth.refuses.exchanged-forged'], spreadsTo: ['grpc.auth.*', 'model.*'] },
    overGrpc((contract) => ({
      async authenticate(token, reader, at) {
        const claimed = reader.unverified(token)
        return claimed?.subject === at.world.operator.subject ? contract.authenticate(token, reader, at) : claimed
      },
    })),
  ),
  fault(
    'the end of an exchanged token does not count over gRPC',
    { turnsRed: ['grpc.auth.refuses.expired-token'], spreadsTo: ['grpc.auth.*'] },
    overGrpc((contract) => ({
      async authenticate(token, reader, at) {
        const claimed = reader.unverified(token)
        const isOver = claimed && (decodeJwt(token).exp ?? 0) * 1000 < at.world.now()
        return isOver ? claimed : contract.authenticate(token, reader, at)
      },
    })),
  ),
  fault('page tokens live for ever over gRPC', ['grpc.list.token.restarts'], overGrpc({ expired: () => false })),
  fault(
    'page tokens live for two days over gRPC',
    ['grpc.list.token.lives'],
    overGrpc({ expired: (issued, now) => now - issued > 2 * day }),
  ),
  fault(
    'v1 does not list groups that gRPC makes',
    { turnsRed: ['grpc.create.in-v1'], spreadsTo: ['grpc.*', 'model.*'] },
    madeOverGrpc((isOne, contract) => ({
      belongs: (item, at) => contract.belongs(item, at) && !(at.version === 'v1' && isOne(item.uid)),
    })),
  ),
]
