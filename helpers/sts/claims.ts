import { isObject, type Received } from '../api/received.ts'

/** A claim match for another identity: the issuer of one that the target took, and a subject of its own (R54). */
export function anotherClaim(identity: Received, name: string): { issuer: string; subject: string } {
  const { issuer } = isObject(identity.claimMatch) ? identity.claimMatch : {}
  return { issuer: String(issuer), subject: `subject ${name}` }
}
