import { accountAssociations, groupInvites, identityProviders } from './access.ts'
import { roleBindings } from './bindings.ts'
import { groups } from './groups.ts'
import { identities } from './identities.ts'
import type { Kind } from './item.ts'
import { advisories, repos, tags } from './registry.ts'
import type { Resource } from './resource.ts'
import { roles } from './roles.ts'

/** Every kind with what it does its own way (S1.2). */
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
