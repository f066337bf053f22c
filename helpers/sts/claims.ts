import type { Api } from '../api/api.ts'
import { isPublished, type KindName } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { makeOne } from '../arrange/populations.ts'
import { publishedBody } from '../arrange/published-bodies.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { claimsOf } from '../trace/observation-of.ts'

/** A claim match for another identity: the issuer of one that the target accepted, and a new subject (R54). */
export function anotherClaim(identity: Received, name: string): { issuer: string; subject: string } {
  const { issuer } = isObject(identity.claimMatch) ? identity.claimMatch : {}
  return { issuer: String(issuer), subject: `subject-${name}` }
}

/** What of an identity token is not as its identity demands, in words that follow on what it is called. */
export function unlike({ issuer, subject }: { issuer: string; subject: string }, token: string): string {
  const { iss, sub } = claimsOf(token, 1) ?? {}
  const wrong = [
    ['sub', sub, subject],
    ['iss', iss, issuer],
  ].filter(([, sent, wanted]) => sent !== wanted)
  const each = wrong.map(([name, sent, wanted]) => `${name} ${JSON.stringify(sent) ?? 'absent'}, not "${wanted}"`)
  return each.length > 0 ? ` (${each.join('; ')})` : ''
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
