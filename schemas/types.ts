// Made from schemas/*.json by `npm run types:generate`; do not edit.

/**
 * an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)
 */
export type Timestamp = string
/**
 * the error of a create with a bad name, a JSON object (S7.5)
 */
export type InvalidNameError = ContractError & ErrorInvalidName
/**
 * the error of the delete of a group that has child resources, a JSON object (S7.6)
 */
export type NotEmptyError = ContractError & ErrorNotEmpty

/**
 * every schema by the name of its file
 */
export interface Schemas {
  timestamp: Timestamp
  group: Group
  'group-list': GroupList
  identity: Identity
  'identity-list': IdentityList
  role: Role
  'role-list': RoleList
  'role-binding': RoleBinding
  'role-binding-list': RoleBindingList
  repo: Repo
  'repo-list': RepoList
  tag: Tag
  'tag-list': TagList
  advisory: Advisory
  'advisory-list': AdvisoryList
  'identity-provider': IdentityProvider
  'identity-provider-list': IdentityProviderList
  'account-association': AccountAssociation
  'account-association-list': AccountAssociationList
  'group-invite': GroupInvite
  'group-invite-list': GroupInviteList
  error: ContractError
  'error-invalid-name': InvalidNameError
  'error-not-empty': NotEmptyError
  token: ExchangedToken
  'v1-group': V1Group
  'v1-group-list': V1GroupList
  'v1-repo': V1Repo
  'v1-repo-list': V1RepoList
}
/**
 * a group, a JSON object: one node in the hierarchy of the organization (S2.5 to S2.9)
 */
export interface Group {
  /**
   * the group's uid, assigned by the server: hexadecimal segments joined by '/' (S2.2, S2.5)
   */
  uid: string
  /**
   * the group's name: one or more of a-z, 0-9, space, '.', '_' and '-' (S2.6)
   */
  name: string
  /**
   * a description, a string where it is set (S2.7)
   */
  description?: string | null
  /**
   * the resource limits, an object, empty when no limits are set (S2.8)
   */
  resourceLimits: {
    [k: string]: unknown
  }
  /**
   * whether the group is verified, a boolean (S2.9)
   */
  verified?: boolean | null
  /**
   * when the group was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)
   */
  createTime: Timestamp
  /**
   * when the group was last changed, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)
   */
  updateTime: Timestamp
  [k: string]: unknown
}
/**
 * a page of groups, a JSON object with an array under 'groups' (S4.16)
 */
export interface GroupList {
  /**
   * the groups of this page, an array (S4.16, R23)
   */
  groups?: Group[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * an identity, a JSON object: whom a token with matching claims may act as (S2.10 to S2.12)
 */
export interface Identity {
  /**
   * the identity's uid, a non-empty string (S2.1)
   */
  uid: string
  /**
   * the identity's name, a non-empty string (S2.10)
   */
  name: string
  /**
   * a description, a string where it is set (S2.10)
   */
  description?: string | null
  /**
   * the claim match, an object with the strings issuer and subject (S2.11)
   */
  claimMatch: {
    /**
     * the issuer that a token must name, a non-empty string (S2.11)
     */
    issuer: string
    /**
     * the subject that a token must name, a non-empty string (S2.11)
     */
    subject: string
    [k: string]: unknown
  }
  /**
   * when the identity was last seen, an RFC 3339 UTC timestamp with at most three fraction digits (S2.12)
   */
  lastSeenTime: Timestamp
  /**
   * when the identity was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)
   */
  createTime: Timestamp
  /**
   * when the identity was last changed, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4)
   */
  updateTime: Timestamp
  [k: string]: unknown
}
/**
 * a page of identities, a JSON object with an array under 'identities' (S4.16)
 */
export interface IdentityList {
  /**
   * the identities of this page, an array (S4.16, R23)
   */
  identities?: Identity[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * a role, a JSON object: what a role binding grants (S2.13)
 */
export interface Role {
  /**
   * the role's uid: one flat hexadecimal string (S2.3)
   */
  uid: string
  /**
   * the role's name, a non-empty string (S2.13)
   */
  name: string
  /**
   * a description, a string where it is set (S2.13)
   */
  description?: string | null
  /**
   * when the role was made, an RFC 3339 UTC timestamp with at most three fraction digits, where it is set (S2.4, R1)
   */
  createTime?: Timestamp | null
  /**
   * when the role was last changed, an RFC 3339 UTC timestamp with at most three fraction digits, where it is set (S2.4, R1)
   */
  updateTime?: Timestamp | null
  [k: string]: unknown
}
/**
 * a page of roles, a JSON object with an array under 'roles' (S4.16)
 */
export interface RoleList {
  /**
   * the roles of this page, an array (S4.16, R23)
   */
  roles?: Role[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * a role binding, a JSON object that embeds its identity, group and role (S2.14)
 */
export interface RoleBinding {
  /**
   * the binding's uid, a non-empty string (S2.1)
   */
  uid: string
  identity: BoundIdentity
  group: BoundGroup
  role: BoundRole
  /**
   * when the binding was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4, S2.14)
   */
  createTime: Timestamp
  /**
   * when the binding was last changed, an RFC 3339 UTC timestamp with at most three fraction digits, where it is set (S2.4, R1)
   */
  updateTime?: Timestamp | null
  [k: string]: unknown
}
/**
 * the identity that is granted the role, an object with uid, name, subject and issuer (S2.14)
 */
export interface BoundIdentity {
  /**
   * the identity's uid, a non-empty string (S2.1)
   */
  uid: string
  /**
   * the identity's name, a non-empty string (S2.14)
   */
  name: string
  /**
   * the identity's description, a string where it is set (S2.14, R7)
   */
  description?: string | null
  /**
   * the subject of its claim match, a string (S2.14, R7)
   */
  subject: string
  /**
   * the issuer of its claim match, a string (S2.14, R7)
   */
  issuer: string
  [k: string]: unknown
}
/**
 * the group in which the role is granted, an object with uid and name (S2.14)
 */
export interface BoundGroup {
  /**
   * a group's uid: hexadecimal segments joined by '/' (S2.2)
   */
  uid: string
  /**
   * the group's name, a non-empty string (S2.14)
   */
  name: string
  /**
   * the group's description, a string where it is set (S2.14, R7)
   */
  description?: string | null
  [k: string]: unknown
}
/**
 * the role that is granted, an object with uid and name (S2.14)
 */
export interface BoundRole {
  /**
   * a role's uid: one flat hexadecimal string (S2.3)
   */
  uid: string
  /**
   * the role's name, a non-empty string (S2.14)
   */
  name: string
  /**
   * the role's description, a string where it is set (S2.14, R7)
   */
  description?: string | null
  [k: string]: unknown
}
/**
 * a page of role bindings, a JSON object with an array under 'roleBindings' (S4.16)
 */
export interface RoleBindingList {
  /**
   * the role bindings of this page, an array (S4.16, R23)
   */
  roleBindings?: RoleBinding[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * a repo, a JSON object (S2.16)
 */
export interface Repo {
  /**
   * the repo's uid, a non-empty string (S2.1)
   */
  uid: string
  /**
   * the repo's name, a non-empty string (S2.16)
   */
  name: string
  /**
   * when the repo was made, an RFC 3339 UTC timestamp with at most three fraction digits (S2.4, S2.16)
   */
  createTime: Timestamp
  /**
   * when the repo was last changed, an RFC 3339 UTC timestamp with at most three fraction digits, where it is set (S2.4, R1)
   */
  updateTime?: Timestamp | null
  [k: string]: unknown
}
/**
 * a page of repos, a JSON object with an array under 'repos' (S4.16)
 */
export interface RepoList {
  /**
   * the repos of this page, an array (S4.16, R23)
   */
  repos?: Repo[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * a tag, a JSON object with a uid (S2.1); no other field of it is shown
 */
export interface Tag {
  /**
   * its uid, a non-empty string (S2.1)
   */
  uid: string
  [k: string]: unknown
}
/**
 * a page of tags, a JSON object with an array under 'tags' (S4.16)
 */
export interface TagList {
  /**
   * the tags of this page, an array (S4.16, R23)
   */
  tags?: Tag[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * an advisory, a JSON object with a uid (S2.1); no other field of it is shown
 */
export interface Advisory {
  /**
   * its uid, a non-empty string (S2.1)
   */
  uid: string
  [k: string]: unknown
}
/**
 * a page of advisories, a JSON object with an array under 'advisories' (S4.16)
 */
export interface AdvisoryList {
  /**
   * the advisories of this page, an array (S4.16, R23)
   */
  advisories?: Advisory[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * an identity provider, a JSON object with a uid (S2.1); no other field of it is shown
 */
export interface IdentityProvider {
  /**
   * its uid, a non-empty string (S2.1)
   */
  uid: string
  [k: string]: unknown
}
/**
 * a page of identity providers, a JSON object with an array under 'identityProviders' (S4.16)
 */
export interface IdentityProviderList {
  /**
   * the identity providers of this page, an array (S4.16, R23)
   */
  identityProviders?: IdentityProvider[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * an account association, a JSON object with a uid (S2.1); no other field of it is shown
 */
export interface AccountAssociation {
  /**
   * its uid, a non-empty string (S2.1)
   */
  uid: string
  [k: string]: unknown
}
/**
 * a page of account associations, a JSON object with an array under 'accountAssociations' (S4.16)
 */
export interface AccountAssociationList {
  /**
   * the account associations of this page, an array (S4.16, R23)
   */
  accountAssociations?: AccountAssociation[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * a group invite, a JSON object with a uid (S2.1); no other field of it is shown
 */
export interface GroupInvite {
  /**
   * its uid, a non-empty string (S2.1)
   */
  uid: string
  [k: string]: unknown
}
/**
 * a page of group invites, a JSON object with an array under 'groupInvites' (S4.16)
 */
export interface GroupInviteList {
  /**
   * the group invites of this page, an array (S4.16, R23)
   */
  groupInvites?: GroupInvite[]
  /**
   * the token of the next page, a string; absent or empty on the last page (S4.17)
   */
  nextPageToken?: string | null
  /**
   * the number of matches across all pages, a string of decimal digits without a leading zero (S4.18)
   */
  totalCount?: string | null
  /**
   * how many results were skipped, an integer (S4.19)
   */
  skipped?: number | null
  [k: string]: unknown
}
/**
 * an error, a JSON object with code, message and details (S7.1)
 */
export interface ContractError {
  /**
   * the RPC status code, an integer from 1 to 16 (S7.1)
   */
  code: number
  /**
   * a message, a string (S7.1)
   */
  message: string
  /**
   * the details, an array of objects that each have an @type (S7.1)
   */
  details: ErrorDetail[]
  [k: string]: unknown
}
/**
 * a detail, an object with an @type (S7.1)
 */
export interface ErrorDetail {
  /**
   * the type URL of the detail, such as type.googleapis.com/google.rpc.ErrorInfo (S7.1, R34)
   */
  '@type': string
  [k: string]: unknown
}
export interface ErrorInvalidName {
  /**
   * the RPC status code 3 (S7.5)
   */
  code: 3
  /**
   * a message that begins with 'Invalid argument: name: ' (S7.5)
   */
  message: string
  /**
   * the details, among them an ErrorInfo and a BadRequest (S7.5)
   */
  details: {
    [k: string]: unknown
  }[]
  [k: string]: unknown
}
export interface ErrorNotEmpty {
  /**
   * the RPC status code 9 (S7.6)
   */
  code: 9
  /**
   * a message that begins with 'Precondition failed: ' (S7.6)
   */
  message: string
  /**
   * the details, among them an ErrorInfo and a PreconditionFailure (S7.6)
   */
  details: {
    [k: string]: unknown
  }[]
  [k: string]: unknown
}
/**
 * the answer of the token exchange, a JSON object with the string token (S5.4)
 */
export interface ExchangedToken {
  /**
   * the API token, a non-empty string (S5.4)
   */
  token: string
  [k: string]: unknown
}
/**
 * a group in its v1 form, a JSON object (S2.17)
 */
export interface V1Group {
  /**
   * the group's id, a non-empty string (S2.17)
   */
  id: string
  /**
   * the group's name, a string (R44)
   */
  name?: string | null
  /**
   * a description, a string where it is set (R44)
   */
  description?: string | null
  /**
   * the resource limits, an object whose members clusters, idps and repositories are integers (S2.17)
   */
  resourceLimits?: {
    /**
     * the limit of clusters, an integer where it is set (S2.17)
     */
    clusters?: number | null
    /**
     * the limit of identity providers, an integer where it is set (S2.17)
     */
    idps?: number | null
    /**
     * the limit of repositories, an integer where it is set (S2.17)
     */
    repositories?: number | null
    [k: string]: unknown
  } | null
  /**
   * when the group was made, as a string (S2.17)
   */
  createdAt: string
  /**
   * when the group was last changed, as a string (S2.17)
   */
  updatedAt: string
  [k: string]: unknown
}
/**
 * a v1 list of groups, a JSON object with an array under 'items' (S2.17, S9.3)
 */
export interface V1GroupList {
  /**
   * the groups, an array (S2.17, S9.3)
   */
  items?: V1Group[]
  [k: string]: unknown
}
/**
 * a repo in its v1 form, a JSON object (S2.17)
 */
export interface V1Repo {
  /**
   * the repo's id, a non-empty string (S2.17)
   */
  id: string
  /**
   * the repo's name, a string (R44)
   */
  name?: string | null
  /**
   * when the repo was made, as a string (S2.17)
   */
  createdAt: string
  /**
   * when the repo was last changed, as a string where it is set (S2.17)
   */
  updatedAt?: string | null
  [k: string]: unknown
}
/**
 * a v1 list of repos, a JSON object with an array under 'items' (S2.17, S9.3)
 */
export interface V1RepoList {
  /**
   * the repos, an array (S2.17, S9.3)
   */
  items?: V1Repo[]
  [k: string]: unknown
}
/**
 * an ErrorInfo, an object with reason and domain (S7.2)
 */
export interface ErrorInfo {
  /**
   * the type URL of the detail, such as type.googleapis.com/google.rpc.ErrorInfo (S7.1, R34)
   */
  '@type': string
  /**
   * the reason, a non-empty string such as INVALID_ARGUMENT (S7.2)
   */
  reason: string
  /**
   * the domain of the IAM service, a non-empty string (S7.2, R35)
   */
  domain: string
  [k: string]: unknown
}
/**
 * a BadRequest, an object with fieldViolations (S7.3)
 */
export interface BadRequest {
  /**
   * the type URL of the detail, such as type.googleapis.com/google.rpc.ErrorInfo (S7.1, R34)
   */
  '@type': string
  /**
   * the field violations, an array of objects with field and description (S7.3)
   */
  fieldViolations: FieldViolation[]
  [k: string]: unknown
}
/**
 * a violation, an object with field and description (S7.3)
 */
export interface FieldViolation {
  /**
   * the field that is wrong, a string (S7.3)
   */
  field: string
  /**
   * what is wrong with it, a string (S7.3)
   */
  description: string
  [k: string]: unknown
}
/**
 * a PreconditionFailure, an object with violations (S7.4)
 */
export interface PreconditionFailure {
  /**
   * the type URL of the detail, such as type.googleapis.com/google.rpc.ErrorInfo (S7.1, R34)
   */
  '@type': string
  /**
   * the violations, an array of objects with type and description (S7.4)
   */
  violations: PreconditionViolation[]
  [k: string]: unknown
}
/**
 * a violation, an object with type and description (S7.4)
 */
export interface PreconditionViolation {
  /**
   * the kind of violation, a string (S7.4)
   */
  type: string
  /**
   * what stands in the way, a string (S7.4)
   */
  description: string
  [k: string]: unknown
}
