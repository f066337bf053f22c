import type { Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { foundByModel } from '../run/histories.ts'
import { hmacOf } from '../sts/identity-tokens.ts'

/** Faults in API tokens that were forged from a good one (R39). */
export const authForgeryFaults: readonly Fault[] = [
  fault('API tokens are remembered by their signature', foundByModel, (contract) => {
    const known = new Map<string, { caller: Caller; end: number }>()
    return {
      async authenticate(token, reader, at) {
        const [, , signature = ''] = token.split('.')
        const kept = known.get(signature)
        if (kept && kept.end > at.world.now()) return kept.caller
        const caller = await contract.authenticate(token, reader, at)
        if (caller && signature !== '')
          known.set(signature, { caller, end: Number(readToken(token)?.claims.exp) * 1000 })
        return caller
      },
    }
  }),
  fault('an API token of the algorithm none is believed where it has a signature', foundByModel, (contract) => ({
    authenticate: async (token, reader, at) =>
      readToken(token)?.header.alg === 'none' && !token.endsWith('.')
        ? reader.unverified(token)
        : contract.authenticate(token, reader, at),
  })),
  fault('an API token signed by HMAC with an empty secret is believed', foundByModel, (contract) => ({
    authenticate: async (token, reader, at) =>
      readToken(token)?.header.alg === 'HS256' && token.endsWith(`.${hmacOf(token, '')}`)
        ? reader.unverified(token)
        : contract.authenticate(token, reader, at),
  })),
]
