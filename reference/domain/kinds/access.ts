import { Refusal } from '../refusal.ts'
import { firstInvalid, namedResource, type Resource, timeAt, visible } from './resource.ts'

/** Identity providers: where the members of an organization log in (S1.2). */
export const identityProviders = namedResource(
  (item, at) => at.world.rules.identityProvider(item, timeAt(at), at),
  ({ oidc }, at) => ({ oidc: () => at.world.rules.oidcProblem(oidc, at) }),
)

/** Account associations: external accounts that belong to a group (S1.2). */
export const accountAssociations = namedResource((item, at) => at.world.rules.accountAssociation(item, timeAt(at), at))

/** Invites into a group, each with the role that it grants (S1.2); the published definitions have no Update. */
export const groupInvites: Resource = {
  family: 'iam',
  operations: ['list', 'get', 'create', 'delete'],
  refuses({ roleUid }, listed, at) {
    const { rules } = at.world
    const malformed = firstInvalid(listed, {
      roleUid: () => rules.referenceProblem(roleUid, 'roleUid', at),
    })
    if (malformed) return malformed
    if (rules.referenceHolds(visible('roles', String(roleUid), at), 'roles', at)) return undefined
    return new Refusal('missing', 'roles', `there is no ${JSON.stringify(roleUid)}`)
  },
  render: (item, at) => at.world.rules.groupInvite(item, timeAt(at), at),
}
