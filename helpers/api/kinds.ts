import { kindNames } from '../../schemas/kind-names.ts'
import type { Schemas } from '../../schemas/types.ts'
import type { Profile } from '../requirement/header.ts'

/** One kind of resource, as the contract or its published definitions describe it. */
export interface Kind {
  /** As in operations and ids: `group` in `group.create.answers`. */
  name: string
  /** As written in prose. */
  label: { one: string; many: string }
  family: 'iam' | 'registry' | 'vulnerabilities'
  /** The path segment, and the member that holds the array of a list (S4.16). */
  plural: string
  schema: keyof Schemas
  listSchema: keyof Schemas
  /** The operations whose paths the contract prints or says to follow the groups' (S4.1 to S4.6). */
  printed: readonly Operation[]
  /** The level of what its List does (R49, S4.15), and its profile. */
  listed: { level: 'must' | 'should'; profile: Profile }
  /** The operations that it has by S1.2 to S1.4 and the published definitions, as far as the run may use them. */
  offered: readonly Operation[]
  /** True where the contract shows its members (section 2); of the others only the uid is certain. */
  shown: boolean
  /** True where its items have a `name` to order and filter by. */
  named: boolean
  /** True where its items have a `createTime` to order by. */
  dated: boolean
  /** True where its items have a `description` that an Update may change. */
  described: boolean
  /** True where the run cannot make any: the items may change between two readings (R24). */
  foreign: boolean
}

/** The operations of S1.2, in the suite's words. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

const everything = ['list', 'get', 'create', 'update', 'delete'] as const
const reading = ['list', 'get'] as const

/** The kinds of the suite, by the plural in their paths. */
export const kinds = {
  groups: {
    name: kindNames.groups,
    label: { one: 'group', many: 'groups' },
    family: 'iam',
    plural: 'groups',
    schema: 'group',
    listSchema: 'group-list',
    printed: everything,
    listed: { level: 'must', profile: 'core' },
    offered: everything,
    shown: true,
    named: true,
    dated: true,
    described: true,
    foreign: false,
  },
  identities: {
    name: kindNames.identities,
    label: { one: 'identity', many: 'identities' },
    family: 'iam',
    plural: 'identities',
    schema: 'identity',
    listSchema: 'identity-list',
    printed: everything,
    listed: { level: 'must', profile: 'identities' },
    offered: everything,
    shown: true,
    named: true,
    dated: true,
    described: true,
    foreign: false,
  },
  roles: {
    name: kindNames.roles,
    label: { one: 'role', many: 'roles' },
    family: 'iam',
    plural: 'roles',
    schema: 'role',
    listSchema: 'role-list',
    printed: ['list'],
    listed: { level: 'must', profile: 'identities' },
    offered: reading,
    shown: true,
    named: true,
    dated: true,
    described: true,
    foreign: true,
  },
  roleBindings: {
    name: kindNames.roleBindings,
    label: { one: 'role binding', many: 'role bindings' },
    family: 'iam',
    plural: 'roleBindings',
    schema: 'role-binding',
    listSchema: 'role-binding-list',
    printed: ['create', 'delete'],
    listed: { level: 'should', profile: 'identities' },
    offered: everything,
    shown: true,
    named: false,
    dated: true,
    described: false,
    foreign: false,
  },
  identityProviders: {
    name: kindNames.identityProviders,
    label: { one: 'identity provider', many: 'identity providers' },
    family: 'iam',
    plural: 'identityProviders',
    schema: 'identity-provider',
    listSchema: 'identity-provider-list',
    printed: [],
    listed: { level: 'should', profile: 'identities' },
    offered: everything,
    shown: false,
    named: true,
    dated: true,
    described: true,
    foreign: false,
  },
  accountAssociations: {
    name: kindNames.accountAssociations,
    label: { one: 'account association', many: 'account associations' },
    family: 'iam',
    plural: 'accountAssociations',
    schema: 'account-association',
    listSchema: 'account-association-list',
    printed: [],
    listed: { level: 'should', profile: 'identities' },
    offered: everything,
    shown: false,
    named: true,
    dated: true,
    described: true,
    foreign: false,
  },
  groupInvites: {
    name: kindNames.groupInvites,
    label: { one: 'group invite', many: 'group invites' },
    family: 'iam',
    plural: 'groupInvites',
    schema: 'group-invite',
    listSchema: 'group-invite-list',
    printed: [],
    listed: { level: 'should', profile: 'identities' },
    offered: ['list', 'get', 'create', 'delete'],
    shown: false,
    named: false,
    dated: true,
    described: false,
    foreign: false,
  },
  repos: {
    name: kindNames.repos,
    label: { one: 'repo', many: 'repos' },
    family: 'registry',
    plural: 'repos',
    schema: 'repo',
    listSchema: 'repo-list',
    printed: ['list'],
    listed: { level: 'must', profile: 'registry' },
    offered: reading,
    shown: true,
    named: true,
    dated: true,
    described: false,
    foreign: true,
  },
  tags: {
    name: kindNames.tags,
    label: { one: 'tag', many: 'tags' },
    family: 'registry',
    plural: 'tags',
    schema: 'tag',
    listSchema: 'tag-list',
    printed: [],
    listed: { level: 'should', profile: 'registry' },
    offered: reading,
    shown: false,
    named: true,
    dated: false,
    described: false,
    foreign: true,
  },
  advisories: {
    name: kindNames.advisories,
    label: { one: 'advisory', many: 'advisories' },
    family: 'vulnerabilities',
    plural: 'advisories',
    schema: 'advisory',
    listSchema: 'advisory-list',
    printed: [],
    listed: { level: 'should', profile: 'vulnerabilities' },
    offered: reading,
    shown: false,
    named: false,
    dated: true,
    described: false,
    foreign: true,
  },
} as const satisfies Record<string, Kind>

/** The plural of a kind. */
export type KindName = keyof typeof kinds

/** Those that a run can only make where the target accepts bodies made from the published definitions. */
export type PublishedKind = 'identityProviders' | 'accountAssociations' | 'groupInvites'

/** Those that must exist in the target before the run, in a group that the operator names. */
export type RegistryKind = 'repos' | 'tags' | 'advisories'

const allKinds = Object.keys(kinds) as KindName[]

/** True for a kind that the run makes as far as the target allows. */
export const isPublished = (kind: KindName): kind is PublishedKind => !kinds[kind].shown && !kinds[kind].foreign
/** True for a kind that is read in the group that RMAPI_REGISTRY_GROUP_UID names. */
export const isOfRegistry = (kind: KindName): kind is RegistryKind => kinds[kind].family !== 'iam'

/** Every kind: all lists work the same way. */
export const listedKinds: readonly KindName[] = allKinds
/** The kinds that every run makes: the contract shows their bodies. */
export const madeKinds = ['groups', 'identities', 'roleBindings'] as const
/** A kind whose items the run makes itself. */
export type OwnKind = (typeof madeKinds)[number] | PublishedKind
/** All of these. */
export const ownKinds: readonly OwnKind[] = allKinds.filter((kind): kind is OwnKind => !kinds[kind].foreign)
/** Those that the run makes as far as the target allows. */
export const publishedKinds: readonly PublishedKind[] = allKinds.filter(isPublished)
/** Those that are read in the group that RMAPI_REGISTRY_GROUP_UID names. */
export const registryKinds: readonly RegistryKind[] = allKinds.filter(isOfRegistry)

/** Those whose description an Update may change, except groups: they have their own requirements. */
export const describedKinds: readonly KindName[] = ownKinds.filter((kind) => kinds[kind].described && kind !== 'groups')
