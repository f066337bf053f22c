import type { Replacement } from '../replace.ts'
import { type PublicKey, readToken } from './tokens.ts'

/** The keys of each issuer are kept for so many milliseconds, and read again by the first exchange after that. */
export const keysKeptFor =
  (milliseconds: number): Replacement =>
  (contract) => {
    const known = new Map<unknown, { keys: readonly PublicKey[]; at: number }>()
    return {
      signedByIssuer(token, header, keys, at) {
        const { iss } = readToken(token)?.claims ?? {}
        const kept = known.get(iss)
        const now = at.world.now()
        if (!kept || now - kept.at >= milliseconds) known.set(iss, { keys, at: now })
        return contract.signedByIssuer(token, header, known.get(iss)!.keys, at)
      },
    }
  }
