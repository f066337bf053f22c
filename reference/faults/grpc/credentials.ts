import type { Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, on, overGrpc } from '../../replace.ts'

/** The model finds them by the kind on which the call got through. */
const byModel = { turnsRed: ['model.*.credential'], spreadsTo: ['model.*', 'grpc.auth.*'] }

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
