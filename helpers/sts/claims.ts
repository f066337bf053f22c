import type { Api } from '../api/api.ts'
import { isPublished, type KindName } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { makeOne } from '../arrange/populations.ts'
import { publishedBody } from '../arrange/published-bodies.ts'
import type { Scratch } from '../arrange/scratch.ts'

/** A claim match for another identity: the issuer of one that the target accepted, and a new subject (R54). */
export function anotherClaim(identity: Received, name: string): { issuer: string; subject: string } {
  const { issuer } = isObject(identity.claimMatch) ? identity.claimMatch : {}
  return { issuer: String(issuer), subject: `subject-${name}` }
}

/** The body of a Create that would succeed in the scratch group: a very similar one has just succeeded. */
export async function bodyLike(
  api: Api,
  scratch: Scratch,
  kind: KindName,
  name: string,
): Promise<Record<string, unknown>> {
  const made = await makeOne(scratch, kind, scratch.uid)
  if (isPublished(kind)) return publishedBody(api, kind, name)
  if (kind === 'identities') return { name, description: name, claimMatch: anotherClaim(made, name) }
  const { uid: identityUid } = await scratch.makeIdentity()
  return { identityUid, roleUid: isReceived(made.role) ? made.role.uid : '' }
}
