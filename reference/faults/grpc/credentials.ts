import type { Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { isSigned, readToken } from '../../identity/tokens.ts'
import { during, on, overGrpc, withRequest } from '../../replace.ts'
import { alsoFrom, basicParts } from '../auth/refuses.ts'

/** The model finds them by the kind on which the call got through. */
const byModel = { turnsRed: ['model.*.credential'], spreadsTo: ['model.*', 'grpc.auth.*', 'grpc.inputs.*'] }

/** Faults in credentials that one kind takes over gRPC (S1.5, S5.1, R39). */
export const grpcCredentialFaults: readonly Fault[] = [
  fault(
    'gRPC takes identity tokens as they are',
    byModel,
    overGrpc((contract) => ({
      async authenticate(token, reader, at) {
        const { iss, sub } = readToken(token)?.claims ?? {}
        const identity = [...at.world.store.all('identities')].find(
          ({ claimMatch }) => iss !== undefined && claimMatch?.issuer === iss && claimMatch.subject === sub,
        )
        return identity ? { subject: identity.uid, org: identity.org } : contract.authenticate(token, reader, at)
      },
    })),
  ),
  fault('identities over gRPC take an API token after its hour', byModel, (contract) => {
    const known = new Map<string, Caller>()
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (caller) known.set(token, caller)
        return caller ?? (at.over === 'grpc' && at.kind === 'identities' ? known.get(token) : undefined)
      },
    }
  }),
  fault(
    'over gRPC a user whom a proxy names needs no token',
    byModel,
    overGrpc(
      withRequest((request, contract) => ({
        needsToken: (at) => request().headers['x-remote-user'] === undefined && contract.needsToken(at),
      })),
    ),
  ),
  fault(
    'over gRPC the key that an API token brings along is believed',
    byModel,
    overGrpc((contract) => ({
      async authenticate(token, reader, at) {
        const { alg, jwk } = readToken(token)?.header ?? {}
        const isBrought = jwk !== undefined && (await isSigned(token, jwk, alg))
        return isBrought ? reader.unverified(token) : contract.authenticate(token, reader, at)
      },
    })),
  ),
  fault(
    'over gRPC an API token will do as a password',
    byModel,
    overGrpc(alsoFrom(({ authorization }) => basicParts(authorization)[1])),
  ),
  fault(
    'over gRPC an exchanged token of the algorithm none is believed',
    { turnsRed: ['grpc.auth.refuses.exchanged-forged'], spreadsTo: ['model.*'] },
    overGrpc((contract) => ({
      async authenticate(token, reader, at) {
        const { header, claims } = readToken(token) ?? {}
        const isPlain = header?.alg === 'none' && String(claims?.sub).includes('/')
        return isPlain ? reader.unverified(token) : contract.authenticate(token, reader, at)
      },
    })),
  ),
  fault(
    'Get of a role over gRPC looks at no signature',
    byModel,
    on(
      'roles',
      during(
        'get',
        overGrpc((contract) => ({
          authenticate: async (token, reader, at) =>
            (await contract.authenticate(token, reader, at)) ?? reader.unverified(token),
        })),
      ),
    ),
  ),
]
