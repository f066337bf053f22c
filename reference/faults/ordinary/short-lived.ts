import type { At } from '../../domain/at.ts'
import type { Replacement } from '../../replace.ts'

/** The page tokens that some calls get live for so many milliseconds only. */
export const shortLived =
  (isShort: (at: At) => boolean, life: number): Replacement =>
  (contract) => {
    const [short, asked] = [new Set<string>(), new WeakSet<At>()]
    return {
      encodeToken(cursor, at) {
        const token = contract.encodeToken(cursor, at)
        if (isShort(at)) short.add(token)
        return token
      },
      decodeToken(token, at) {
        if (short.has(token)) asked.add(at)
        return contract.decodeToken(token, at)
      },
      expired: (issued, now, at) => contract.expired(issued, now, at) || (asked.has(at) && now - issued > life),
    }
  }
