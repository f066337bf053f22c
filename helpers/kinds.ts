import type { SchemaName } from './schema.ts'

/** One kind of resource, as the contract or its published definitions describe it. */
export interface Kind {
  /** As in operations and ids: `group` in `group.create.answers`. */
  name: string
  family: 'iam' | 'registry' | 'vulnerabilities'
  /** The path segment, and the member that holds the array of a list (S4.16). */
  plural: string
  schema: SchemaName
  listSchema: SchemaName
  /** The operations whose paths the contract prints or says to follow the groups' (S4.1 to S4.6). */
  printed: readonly Operation[]
  /** How what its List does is judged (R49, S4.15), and in which profile. */
  listed: { level: 'must' | 'should'; profile: 'core' | 'identities' }
  /** True where its members hold a `name` to order and filter by. */
  named: boolean
  /** True where the run cannot make any: what is there may change between two readings (R24). */
  foreign: boolean
}

/** The operations of S1.2 by the words that the suite uses for them. */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

const everything = ['list', 'get', 'create', 'update', 'delete'] as const

/** The kinds of the suite, by the plural that stands in their paths. */
export const kinds = {
  groups: {
    name: 'group',
    family: 'iam',
    plural: 'groups',
    schema: 'group',
    listSchema: 'group-list',
    printed: everything,
    listed: { level: 'must', profile: 'core' },
    named: true,
    foreign: false,
  },
  identities: {
    name: 'identity',
    family: 'iam',
    plural: 'identities',
    schema: 'identity',
    listSchema: 'identity-list',
    printed: everything,
    listed: { level: 'must', profile: 'identities' },
    named: true,
    foreign: false,
  },
  roles: {
    name: 'role',
    family: 'iam',
    plural: 'roles',
    schema: 'role',
    listSchema: 'role-list',
    printed: ['list'],
    listed: { level: 'must', profile: 'identities' },
    named: true,
    foreign: true,
  },
  roleBindings: {
    name: 'roleBinding',
    family: 'iam',
    plural: 'roleBindings',
    schema: 'role-binding',
    listSchema: 'role-binding-list',
    printed: ['create', 'delete'],
    listed: { level: 'should', profile: 'identities' },
    named: false,
    foreign: false,
  },
} as const satisfies Record<string, Kind>

/** The plural of a kind. */
export type KindName = keyof typeof kinds
