import type { Api } from '../api/api.ts'
import { day } from '../api/instant.ts'
import { kinds, type PublishedKind } from '../api/kinds.ts'
import { isReceived, type Received } from '../api/received.ts'
import { anyRole } from '../api/roles.ts'
import { type Answer, beginningOf, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped } from '../http/case-errors.ts'
import { mustBePresent } from './optional-operations.ts'

/**
 * A body with the members that published definitions show, and no others. No invite names a mailbox, because somebody
 * might get mail; no provider grants a role, because somebody might log in.
 */
export async function publishedBody(
  api: Api,
  kind: PublishedKind,
  name: string,
  role = () => anyRole(api),
): Promise<Record<string, unknown>> {
  const described = { name, description: `made by ${name}` }
  if (kind === 'accountAssociations') return described
  if (kind === 'identityProviders') {
    return { ...described, oidc: ownConfiguration(name) }
  }
  // within a day, each in a second of its own, by which it is known
  const second = Math.floor((Date.now() + (day * (1 + Math.random())) / 2) / 1000)
  const expirationTime = new Date(second * 1000).toISOString()
  return { roleUid: (await role()).uid, singleUse: true, expirationTime }
}

/** The configuration of an identity provider at which nobody can log in. */
export const ownConfiguration = (name: string, issuer = `https://issuer.example/${name}`): Record<string, unknown> => ({
  issuer,
  clientId: name,
  clientSecret: 'no secret at all',
})

/** The run can make none of a kind, whenever it tries. */
export class NoneMade extends Inconclusive {}

/** Only the target knows which other members a body needs: its refusal shows nothing (R49). */
export function mustBeTaken(kind: PublishedKind, answer: Answer): Received {
  const { name } = kinds[kind]
  mustBePresent(kind, 'create', answer)
  if (!succeeded(answer)) {
    throw new NoneMade(
      `${name}.create was answered ${answer.status}: what its body must hold is not shown, so the run can make none`,
    )
  }
  if (isReceived(answer.json)) return answer.json
  const why = `was answered ${answer.status} without a uid: ${beginningOf(answer.text)}`
  throw new Stopped({ operation: `${name}.create`, phase: 'arrange', why, status: answer.status })
}
