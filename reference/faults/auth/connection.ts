import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { isSigned, readToken } from '../../identity/tokens.ts'
import { during, on, withRequest } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Looks at who makes something when all else about the call is right. */
export const callerCheckedLast = during('create', (contract) => ({
  credential: (headers, query, at) => contract.credential(headers, query, at) ?? 'anonymous',
  authenticate: async (token, reader, at) =>
    token === 'anonymous'
      ? { subject: 'anonymous', org: at.world.operator.org }
      : contract.authenticate(token, reader, at),
  nameTaken(wanted, at) {
    if (at.caller?.subject === 'anonymous')
      throw new Refusal('unauthenticated', 'authorization', 'a valid bearer token is required')
    return contract.nameTaken(wanted, at)
  },
}))

/** Faults in authentication that depend on other calls. */
export const authConnectionFaults: readonly Fault[] = [
  fault(
    'what is wrong with a call is reported before who calls is checked',
    ['auth.first'],
    on('groups', callerCheckedLast),
  ),
  fault('nobody looks at the signature', { turnsRed: ['auth.in-parallel'], spreadsTo: ['auth.*'] }, () => ({
    authenticate: async (token, reader) => reader.unverified(token),
  })),
  fault(
    'who asks while a good call is under way is let through',
    { turnsRed: ['auth.in-parallel'], spreadsTo: ['auth.*'] },
    (contract) => {
      let last = 0
      return {
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          if (caller) last = at.world.now()
          return caller ?? (at.operation === 'list' && at.world.now() - last < 20 ? at.world.operator : undefined)
        },
      }
    },
  ),
  fault(
    'calls that were forwarded for the machine itself need no token',
    foundByModel,
    withRequest((request, contract) => ({
      needsToken: (at) =>
        at.over === 'grpc' || !/^(127\.0\.0\.1|::1)\b/.test(String(request()?.headers['x-forwarded-for'] ?? ''))
          ? contract.needsToken(at)
          : false,
    })),
  ),
  fault(
    'a user whom a proxy names needs no token to read',
    foundByModel,
    withRequest((request, contract) => ({
      needsToken: (at) =>
        at.over === 'grpc' || !request()?.headers['x-remote-user'] || !['get', 'list'].includes(at.operation)
          ? contract.needsToken(at)
          : false,
    })),
  ),
  fault('the key that an API token brings along is believed', foundByModel, (contract) => ({
    async authenticate(token, reader, at) {
      const { alg, jwk } = readToken(token)?.header ?? {}
      const brought = jwk !== undefined && (await isSigned(token, jwk, alg))
      return brought ? reader.unverified(token) : contract.authenticate(token, reader, at)
    },
  })),
  fault('a refused caller is refused with 400', ['auth.status', 'auth.first'], (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'unauthenticated' ? 400 : contract.errorStatus(refusal, at)),
  })),
]
