/** Each kind by the plural in its paths, as operations and ids name one of it. */
export const kindNames = {
  groups: 'group',
  identities: 'identity',
  roles: 'role',
  roleBindings: 'roleBinding',
  identityProviders: 'identityProvider',
  accountAssociations: 'accountAssociation',
  groupInvites: 'groupInvite',
  repos: 'repo',
  tags: 'tag',
  advisories: 'advisory',
} as const
