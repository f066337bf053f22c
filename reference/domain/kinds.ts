import type { Kind } from './item.ts'
import { accountAssociations, groupInvites, identityProviders } from './kinds/access.ts'
import { roleBindings } from './kinds/bindings.ts'
import { groups } from './kinds/groups.ts'
import { identities } from './kinds/identities.ts'
import { advisories, repos, tags } from './kinds/registry.ts'
import type { Resource } from './kinds/resource.ts'
import { roles } from './kinds/roles.ts'

/** Every kind with what is specific to it (S1.2). */
export const kinds: Readonly<Record<Kind, Resource>> = {
  groups,
  identities,
  roles,
  roleBindings,
  identityProviders,
  accountAssociations,
  groupInvites,
  repos,
  tags,
  advisories,
}
