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
 * what a run, or a part of it, comes to
 */
export type Verdict = 'conformant' | 'partial' | 'undetermined' | 'nonconformant'
/**
 * a part of the service
 */
export type Profile = 'core' | 'identities' | 'registry' | 'vulnerabilities' | 'sts' | 'v1' | 'grpc' | 'time'
/**
 * how binding a requirement is: must, should, or observe for what the contract leaves open
 */
export type Level = 'must' | 'should' | 'observe'
/**
 * pass; fail: a must that the target breaks; warning: a should that it does not follow; observed: a value; not offered: about an operation that the contract does not print and the target does not have; inconclusive: it could not be decided; error: the suite or the network broke
 */
export type Outcome = 'pass' | 'fail' | 'warning' | 'observed' | 'not offered' | 'inconclusive' | 'error'
/**
 * how a case ended
 */
export type Ending =
  | {
      /**
       * how it ended
       */
      how: 'passed'
    }
  | {
      /**
       * how it ended
       */
      how: 'violated'
      /**
       * what happened, in words
       */
      note: string
      /**
       * what the contract asks for
       */
      expected?: string
      /**
       * what came instead
       */
      got?: string
      /**
       * the place in the answer, or the line of the spec
       */
      where?: string
      /**
       * the words of contract.md that were broken and their number, where the header quotes others
       */
      quote?: string
    }
  | {
      /**
       * how it ended
       */
      how: 'stopped'
      /**
       * that call
       */
      stop: Stop
      /**
       * what happened, in words
       */
      note: string
      /**
       * the place in the answer, or the line of the spec
       */
      where?: string
    }
  | {
      /**
       * how it ended
       */
      how: 'missing'
      /**
       * those operations, such as identity.get
       */
      operations: string[]
      /**
       * what happened, in words
       */
      note: string
    }
  | {
      /**
       * how it ended
       */
      how: 'untold'
      /**
       * what happened, in words
       */
      note: string
    }
  | {
      /**
       * how it ended
       */
      how: 'broken'
      /**
       * what happened, in words
       */
      note: string
      /**
       * the place in the answer, or the line of the spec
       */
      where?: string
    }
/**
 * broken: it fails or warns that did not; different: it fails in another way; lost: it is no longer decided; told: it is decided now; observation: something else is seen; removed: the suite no longer has it; lowered: it was a must and is none now
 */
export type ChangeKind =
  'broken' | 'fixed' | 'different' | 'lost' | 'told' | 'observation' | 'added' | 'removed' | 'lowered'
/**
 * what became of the requirement; null where a report does not have it
 */
export type ComparedOutcome =
  'pass' | 'fail' | 'warning' | 'observed' | 'not offered' | 'inconclusive' | 'error' | null
/**
 * one line of trace.ndjson.gz: every exchange of a run in the order in which it ended, secrets taken out
 */
export type TraceLine =
  | TraceHeader
  | TraceSent
  | TraceExchange
  | TraceClock
  | TraceMoved
  | TraceRestarted
  | TraceEnded
  | TraceFooter
  | TraceRaw

/**
 * every schema of what a server answers by the name of its file
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
   * what is in the way, a string (S7.4)
   */
  description: string
  [k: string]: unknown
}
/**
 * how many of how many
 */
export interface Ratio {
  /**
   * how many passed
   */
  passed: number
  /**
   * of how many
   */
  total: number
}
/**
 * how many requirements passed by level, and how many could not be judged
 */
export interface Counts {
  /**
   * the requirements that the contract promises
   */
  must: Ratio
  /**
   * the requirements whose breach is a warning
   */
  should: Ratio
  /**
   * how many open questions were answered by looking
   */
  observed: number
  /**
   * how many requirements could not be decided
   */
  inconclusive: number
  /**
   * how many cases broke for reasons of the suite or the network
   */
  error: number
  /**
   * how many are about operations that the target need not have and does not; in no other count
   */
  notOffered?: number
}
/**
 * one part of the service with its own verdict
 */
export interface ProfileReport {
  /**
   * the part
   */
  profile: Profile
  /**
   * the verdict over this part alone
   */
  verdict: Verdict
  /**
   * the requirements that the contract promises
   */
  must: Ratio
  /**
   * the requirements whose breach is a warning
   */
  should: Ratio
  /**
   * how many open questions were answered by looking
   */
  observed: number
  /**
   * how many requirements could not be decided
   */
  inconclusive: number
  /**
   * how many cases broke for reasons of the suite or the network
   */
  error: number
  /**
   * how many are about operations that the target need not have and does not; in no other count
   */
  notOffered?: number
}
/**
 * SHA-256 digests, in hexadecimal, of what the report rests on
 */
export interface Digests {
  /**
   * of the shipped files of the suite, all in all
   */
  suite: string
  /**
   * of each of them, by its path
   */
  files: {
    [k: string]: string
  }
  /**
   * of the text of the contract
   */
  contract: string
  /**
   * of the configuration
   */
  configuration: string
  /**
   * of the exchanges that the report keeps
   */
  exchanges: string
}
/**
 * what a baseline of known deviations makes of a run
 */
export interface BaselineReport {
  /**
   * the failures that are known
   */
  covered: CoveredDeviation[]
  /**
   * the entries that no longer describe the target
   */
  stale: {
    /**
     * the requirement that the entry names
     */
    id: string
    /**
     * why the entry no longer fits
     */
    why: string
  }[]
  /**
   * what should be done about the other entries
   */
  remarks: string[]
}
/**
 * a known deviation that excuses a failure of the run
 */
export interface CoveredDeviation {
  /**
   * the requirement
   */
  id: string
  /**
   * why it is accepted for now
   */
  reason: string
  /**
   * where it is followed up
   */
  link?: string
  /**
   * who answers for it
   */
  owner: string
  /**
   * the last day on which it is excused
   */
  expires: string
}
/**
 * a row that does not hold, with the fewest calls that show it
 */
export interface ExploredRow {
  /**
   * the id of the requirement
   */
  row: string
  /**
   * the name of the file that replay takes
   */
  file: string
  /**
   * how many calls showed it first
   */
  drawn: number
  /**
   * how many calls are enough
   */
  calls: number
  /**
   * whether they showed it again in a fresh group
   */
  reproduced: boolean
}
/**
 * a later run that continued this one, and what was taken from it
 */
export interface ResumedPart {
  /**
   * when that run began
   */
  startedAt: string
  /**
   * how long it took, in milliseconds
   */
  durationMs: number
  /**
   * the seed of its inputs
   */
  seed: number
  /**
   * how many calls it sent
   */
  exchangesSent: number
  /**
   * the requirements whose outcome is from that run
   */
  told: string[]
  /**
   * of that run, as those of this one
   */
  digests?: {
    /**
     * of the shipped files of the suite, all in all
     */
    suite: string
    /**
     * of the text of the contract
     */
    contract: string
    /**
     * of the configuration
     */
    configuration: string
    /**
     * of the exchanges that the report keeps
     */
    exchanges: string
  }
}
/**
 * one requirement with what became of it
 */
export interface Requirement {
  /**
   * its name, stable from version to version
   */
  id: string
  /**
   * what it was called in earlier releases
   */
  formerly?: string[]
  /**
   * how binding it is
   */
  level: Level
  /**
   * the part of the service that it belongs to
   */
  profile: Profile
  /**
   * the statements and rulings of the contract that it stems from
   */
  statement: string
  /**
   * the words of contract.md that the case checks or, where a failure broke other words, those and their number
   */
  quote?: string
  /**
   * the claim in one sentence
   */
  says: string
  /**
   * the section of the contract under which it is counted
   */
  section: string
  /**
   * set where every call of the run is judged: such a requirement says nothing alone
   */
  judges?: 'whole run'
  /**
   * what became of it
   */
  outcome: Outcome
  /**
   * what happened, in words
   */
  note?: string
  /**
   * what the contract asks for
   */
  expected?: string
  /**
   * what came instead
   */
  got?: string
  /**
   * the place in the answer, or the line of the spec
   */
  where?: string
  /**
   * the requirement whose failure blocks this one
   */
  blockedBy?: string
  /**
   * what was seen
   */
  observed?: string
  /**
   * how much the case met of what it is about, such as '12 page boundaries, 3 ties'
   */
  met?: string
  /**
   * where a failure needs a history: the shortest that was found, in plain words, the last step saying what was expected and what came
   */
  steps?: string[]
  /**
   * the evidence, only for what did not pass: the last exchanges, within 12 (60 where steps lead to the failure) and 64 KB
   */
  exchanges?: Exchange[]
  /**
   * how many calls the case made, shared arrangement left out
   */
  requests: number
  /**
   * when the case began, an RFC 3339 time by the suite's clock; absent where it never did
   */
  startedAt?: string
  /**
   * how long the case took, in milliseconds
   */
  ms: number
}
/**
 * one request with its answer, secrets replaced by the names of their variables
 */
export interface Exchange {
  /**
   * its number in the run, in the order of sending
   */
  number: number
  /**
   * the operation that was called, such as group.create
   */
  operation: string
  /**
   * whether it prepared the case or is what the case is about
   */
  phase: 'arrange' | 'act'
  /**
   * when it was sent, an RFC 3339 time by the suite's clock
   */
  sentAt: string
  /**
   * from sending to the last byte, in milliseconds
   */
  ms: number
  /**
   * what was sent
   */
  request: {
    /**
     * the HTTP method
     */
    method: string
    /**
     * the whole address
     */
    url: string
    /**
     * the headers that the suite set
     */
    headers: {
      [k: string]: string
    }
    /**
     * the body, absent where none was sent
     */
    body?: string
  }
  /**
   * what came back, absent where no answer came
   */
  response?: {
    /**
     * the HTTP status
     */
    status: number
    /**
     * the headers of the answer
     */
    headers: {
      [k: string]: string
    }
    /**
     * the body as text, cut where it is long
     */
    body: string
    /**
     * the length of the body in bytes
     */
    bytes: number
  }
  /**
   * why there was no answer
   */
  silence?: string
}
/**
 * what a requirement says about itself
 */
export interface Header {
  /**
   * its name, stable from version to version
   */
  id: string
  /**
   * what it was called in earlier releases
   */
  formerly?: string[]
  /**
   * how binding it is
   */
  level: Level
  /**
   * the statements and rulings of the contract that it stems from
   */
  statement: string
  /**
   * the words of the contract that the case checks
   */
  quote?: string
  /**
   * the claim in one sentence
   */
  says: string
  /**
   * the part of the service that it belongs to; core where it is absent
   */
  profile?: Profile
  /**
   * set where nothing else may run at the same time, or where every call of the run is judged
   */
  alone?: true | 'whole run'
  /**
   * the ids or globs of plainer requirements that explain its failure
   */
  restsOn?: string[]
}
/**
 * a call that has to succeed and did not
 */
export interface Stop {
  /**
   * the operation, such as group.create
   */
  operation: string
  /**
   * whether it prepared the case or is what the case is about
   */
  phase: 'arrange' | 'act'
  /**
   * what came instead
   */
  why: string
  /**
   * the HTTP status, absent where no answer came
   */
  status?: number
  /**
   * the RPC code in the error body, where there is one
   */
  code?: number
  /**
   * set where the operation itself may not be offered: its path is not printed, and it was answered as missing
   */
  absent?: true
  /**
   * what the target does not trust or bind, where that is why it refused
   */
  distrusted?: 'claimMatch' | 'role'
}
/**
 * one case as it ended, before anybody is blamed
 */
export interface Case {
  /**
   * what the requirement says about itself
   */
  header: Header
  /**
   * how it ended
   */
  ending: Ending
  /**
   * the evidence, where it did not pass
   */
  exchanges: Exchange[]
  /**
   * how many calls it made
   */
  requests: number
  /**
   * what was seen
   */
  observed?: string
  /**
   * how much it met of what it is about, each by its name
   */
  met?: {
    [k: string]: number
  }
  /**
   * where a failure needs a history: the shortest that was found
   */
  steps?: string[]
  /**
   * operations that answered in the run, as far as no case before says so
   */
  answered?: string[]
  /**
   * the throw-away group that it was given
   */
  scratch?: string
  /**
   * when it began, an RFC 3339 time by the suite's clock
   */
  startedAt?: string
  /**
   * how long it took, in milliseconds
   */
  ms: number
}
/**
 * a file that holds every exchange of a run
 */
export interface TraceFile {
  /**
   * its name in the folder of the report
   */
  file: string
  /**
   * its SHA-256 digest
   */
  sha256: string
  /**
   * its size
   */
  bytes: number
  /**
   * how many exchanges it holds
   */
  exchanges: number
  /**
   * the name of the run that it is of
   */
  run: string
  /**
   * why it ends before the run did
   */
  cut?: string
}
/**
 * the report of one run: who was examined, what was asked, and what became of each requirement
 */
export interface Report {
  /**
   * the version of this format
   */
  reportVersion: 1
  /**
   * what the whole run comes to
   */
  verdict: Verdict
  /**
   * the parts of the service that were examined, each with its own verdict
   */
  profiles: ProfileReport[]
  /**
   * every requirement of the run, in the contract's order
   */
  requirements: Requirement[]
  /**
   * the counts of the whole run
   */
  totals: Counts
  /**
   * who was examined
   */
  target: {
    /**
     * the name that the operator gives it
     */
    name: string
    /**
     * its version, as the operator states it
     */
    version: string
    /**
     * its address
     */
    baseUrl: string
    /**
     * the version segment of the paths
     */
    apiVersion: string
    /**
     * whether it is the suite's own reference server
     */
    embedded: boolean
  }
  /**
   * what examined it
   */
  suite: {
    /**
     * the package
     */
    name: string
    /**
     * its version
     */
    version: string
  }
  /**
   * the version of Node.js that ran the suite
   */
  node: string
  /**
   * when the run began, an RFC 3339 time
   */
  startedAt: string
  /**
   * how long it took, in milliseconds
   */
  durationMs: number
  /**
   * the seed of the generated inputs
   */
  seed: number
  /**
   * what was asked for; empty lists ask for everything
   */
  selection: {
    /**
     * the ids or globs to examine
     */
    only: string[]
    /**
     * the ids or globs to leave out
     */
    skip: string[]
    /**
     * the parts of the service to examine
     */
    profiles: string[]
    /**
     * what the calls went over, where that is not HTTP: requirements about HTTP itself were left out
     */
    transport?: 'grpc'
    /**
     * the part of the run that this report is about; absent where it is the whole run
     */
    shard?: {
      /**
       * which part, from 1 on
       */
      index: number
      /**
       * of how many
       */
      of: number
    }
  }
  /**
   * how many calls the run's cases sent
   */
  exchangesSent: number
  /**
   * what kept the run from being whole
   */
  problems: string[]
  /**
   * statements of the contract that no requirement of this run cites: the verdict says nothing of them
   */
  notExamined: {
    /**
     * the statement's id
     */
    id: string
    /**
     * its words
     */
    text: string
    /**
     * why no black box can check it: the certificate does not cover it
     */
    outside?: string
  }[]
  /**
   * the words of what the requirements cite: statements, then rulings, in the contract's order
   */
  cited: {
    /**
     * the id of a statement, such as S4.23, or of a ruling, such as R14
     */
    id: string
    /**
     * its words
     */
    text: string
  }[]
  /**
   * what the run made and could not delete
   */
  left: string[]
  /**
   * set where nothing was written to the target
   */
  readOnly?: true
  /**
   * the name under which the run left page tokens for another one, days later
   */
  resumable?: string
  /**
   * the run that this one continues
   */
  resumes?: string
  /**
   * later runs that continued this one, with what was taken from them
   */
  resumed?: ResumedPart[]
  /**
   * the scratch groups of failing cases that stay because the operator wants to look at them
   */
  kept?: {
    /**
     * the requirement
     */
    id: string
    /**
     * the uid of the group
     */
    uid: string
  }[]
  /**
   * the settings of the run, secrets left out
   */
  configuration?: {
    [k: string]: unknown
  }
  /**
   * what the report rests on, as digests
   */
  digests?: Digests
  /**
   * what a baseline of known deviations makes of the run
   */
  baseline?: BaselineReport
  /**
   * of a shard alone: how its cases ended, before anybody is blamed; merging judges those of all shards
   */
  cases?: Case[]
  /**
   * set where calls were drawn for a while instead of running the requirements: no certificate is made of it
   */
  explored?: {
    /**
     * how many histories were drawn
     */
    histories: number
    /**
     * how many writes they sent
     */
    commands: number
    /**
     * in how many different states a resource was when a write reached it
     */
    states: number
    /**
     * how many different writes in different states were sent
     */
    combinations: number
    /**
     * each row that does not hold, and the file beside the report that replay takes
     */
    findings: ExploredRow[]
  }
  /**
   * the traces of the run: one, or with --merge one of each part; absent where none was written
   */
  traces?: TraceFile[]
}
/**
 * a requirement that is known to fail
 */
export interface KnownDeviation {
  /**
   * the id of the requirement
   */
  id: string
  /**
   * why it is accepted for now: a run refuses a text that begins with TODO
   */
  reason: string
  /**
   * where it is followed up
   */
  link?: string
  /**
   * who answers for it: a run refuses a text that begins with TODO
   */
  owner: string
  /**
   * the last day on which it is excused
   */
  expires: string
  /**
   * how it fails, as 'baseline update' writes it: another failure of the same requirement is not excused
   */
  fingerprint: string
}
/**
 * the deviations of one target that are known and for now accepted
 */
export interface Baseline {
  /**
   * the version of this format
   */
  baselineVersion: 1
  /**
   * the seed of the run that it was made from: runs that are held against it take the same, unless they are given another
   */
  seed?: number
  /**
   * one entry for each requirement that is known to fail
   */
  deviations: KnownDeviation[]
  /**
   * every must of the suite that wrote it, by its id: a later suite that lacks one says so
   */
  musts?: string[]
}
/**
 * one of the reports that are compared
 */
export interface ComparedReport {
  /**
   * who was examined
   */
  name: string
  /**
   * which version of it
   */
  version: string
  /**
   * by which suite, name and version
   */
  suite: string
  /**
   * when the run began, an RFC 3339 time by the suite's clock
   */
  startedAt: string
  /**
   * what the whole run came to
   */
  verdict: 'conformant' | 'partial' | 'undetermined' | 'nonconformant'
  /**
   * the flags by which it was asked for a part alone
   */
  asked?: string
  /**
   * the last line that the run printed
   */
  line: string
}
/**
 * one requirement in all reports
 */
export interface ComparedRequirement {
  /**
   * its name
   */
  id: string
  /**
   * how binding it is
   */
  level: 'must' | 'should' | 'observe'
  /**
   * the statements and rulings of the contract that it stems from
   */
  statement: string
  /**
   * the claim in one sentence
   */
  says: string
  /**
   * what became of it in each report
   */
  outcomes: ComparedOutcome[]
  /**
   * what was seen in each report
   *
   * Items: the words of the report, or null
   */
  observed: (string | null)[]
  /**
   * whether the reports do not all say the same
   */
  differs: boolean
}
/**
 * one requirement that is not what it was
 */
export interface Change {
  /**
   * how it changed
   */
  kind: ChangeKind
  /**
   * the requirement
   */
  id: string
  /**
   * the report that shows it, by its place among the columns, the first being 0
   */
  at: number
  /**
   * what the report before it said; absent where it had no such requirement
   */
  before?: string
  /**
   * what this report says; absent where it has no such requirement
   */
  now?: string
}
/**
 * what several reports say beside one another, as `compare --json` prints it and compare.json holds it
 */
export interface Comparison {
  /**
   * the version of this format
   */
  comparisonVersion: 1
  /**
   * time: one target, one report after the other; matrix: several implementations beside one another
   */
  of: 'time' | 'matrix'
  /**
   * the reports, in the order in which they were given
   */
  columns: ComparedReport[]
  /**
   * every requirement that any of the reports has
   */
  rows: ComparedRequirement[]
  /**
   * what changed from each report to the next; of a matrix only the musts that a later suite does not have, or has as no must
   */
  changes: Change[]
  /**
   * what some of the reports call by a former id
   */
  renamed: {
    /**
     * the former id
     */
    before: string
    /**
     * what it is called now
     */
    now: string
  }[]
}
/**
 * one call; ${group} is the throw-away group, ${name} what all names begin with, ${role viewer} the role of that name, ${tomorrow} a time in a day, ${3.uid} and ${3.nextPageToken} what call 3 answered
 */
export interface RecordedCall {
  /**
   * its number, by which later calls refer to its answer
   */
  number: number
  /**
   * the operation
   */
  does: 'list' | 'get' | 'create' | 'update' | 'delete'
  /**
   * the plural of the kind that it is about
   */
  kind:
    | 'groups'
    | 'identities'
    | 'roles'
    | 'roleBindings'
    | 'identityProviders'
    | 'accountAssociations'
    | 'groupInvites'
  /**
   * set where it goes to v1, which takes groups alone
   */
  version?: 'v1'
  /**
   * the uid in its path: of a create the parent's; a list has none
   */
  uid?: string
  /**
   * the query parameters
   */
  query?: {
    [k: string]: string | number
  }
  /**
   * the body; an object with raw alone is sent as that text
   */
  body?:
    | {
        [k: string]: unknown
      }
    | unknown[]
    | string
    | number
    | boolean
    | null
  /**
   * the Content-Type where it is not application/json
   */
  contentType?: string
}
/**
 * what explore found: the fewest calls that show it, to be sent again by replay
 */
export interface ExploredFinding {
  /**
   * the version of this format
   */
  findingVersion: 1
  /**
   * what found it
   */
  suite: {
    /**
     * the package
     */
    name: string
    /**
     * its version
     */
    version: string
  }
  /**
   * where it was found
   */
  target: {
    /**
     * the name that the operator gives it
     */
    name: string
    /**
     * its version, as the operator states it
     */
    version: string
    /**
     * its address
     */
    baseUrl: string
    /**
     * the version segment of the paths
     */
    apiVersion: string
    /**
     * whether it is the suite's own reference server
     */
    embedded: boolean
  }
  /**
   * the seed of the exploration
   */
  seed: number
  /**
   * what the calls went over, where that is not HTTP
   */
  transport?: 'grpc'
  /**
   * the requirement that does not hold, a row of the model
   */
  row: string
  /**
   * what the contract asks for
   */
  expected: string
  /**
   * what came instead
   */
  got: string
  /**
   * whether the calls showed it again in a fresh group
   */
  reproduced: boolean
  /**
   * how many calls showed it first
   */
  drawn: number
  /**
   * the calls in their order
   */
  calls: RecordedCall[]
}
/**
 * the first line: which run this is the trace of
 */
export interface TraceHeader {
  /**
   * what this line is
   */
  line: 'header'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * the version of this format
   */
  traceVersion: 1
  suite: TraceSuite
  /**
   * the name of the run, as the User-Agent says it
   */
  run: string
  /**
   * the seed of the generated inputs
   */
  seed: number
  /**
   * the address of the API
   */
  baseUrl: string
  /**
   * the address of the token exchange
   */
  authUrl: string
  /**
   * the version segment of the paths
   */
  apiVersion: string
  /**
   * the group under which the run made its own
   */
  groupUid: string
  /**
   * the SHA-256 digest of the settings that are no secret, as the report has it
   */
  configuration: string
  /**
   * when it began, an RFC 3339 time by the suite's clock
   */
  wall: string
  /**
   * when, in milliseconds on the monotonic clock of the run
   */
  at: number
  /**
   * how long a target may lag, in milliseconds
   */
  patience: number
}
/**
 * the suite that made it
 */
export interface TraceSuite {
  /**
   * the package
   */
  name: string
  /**
   * its version
   */
  version: string
  /**
   * the SHA-256 digest of its shipped files, as the report has it
   */
  digest: string
}
/**
 * a call that may write went out
 */
export interface TraceSent {
  /**
   * what this line is
   */
  line: 'sent'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * connects this line with the one of its answer
   */
  ticket: number
  /**
   * the HTTP method
   */
  method: string
  /**
   * when, in milliseconds on the monotonic clock of the run
   */
  at: number
}
/**
 * one call with its answer, or with the reason why none came, written when it ended
 */
export interface TraceExchange {
  /**
   * what this line is
   */
  line: 'exchange'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * the number of the exchange: each client counts its own, the second from 1000001 on
   */
  n: number
  /**
   * connects it with the line of its sending, where there is one
   */
  ticket: number
  /**
   * the id of the requirement that it was sent for, or 'shared' for what many use, or 'model' for a reading that was made again
   */
  for: string
  /**
   * 1 for the first time that this call was sent
   */
  attempt: number
  /**
   * the operation that was called, such as group.create
   */
  operation: string
  /**
   * whether it prepared the case or is what the case is about
   */
  phase: 'arrange' | 'act'
  /**
   * the HTTP method
   */
  method: string
  /**
   * whether the path is below the base URL or the auth URL
   */
  below: 'api' | 'auth'
  /**
   * set where it was answered over gRPC: method, path, status and text are those that HTTP would have
   */
  over?: 'grpc'
  rpc?: TraceRpc
  /**
   * the path, as it was sent, without its query
   */
  path: string
  /**
   * the parameters in their order, each a name and a value
   */
  query: string[][]
  /**
   * what it was sent with, by name: 'good' for the token of the run, 'none', 'open' for a form that the contract leaves open, 'token: ' with the name of another token, or 'bad: ' with what is wrong
   */
  credential: string
  /**
   * the JSON that was sent
   */
  body?: {
    [k: string]: unknown
  }
  /**
   * the body that was sent as text, where it was not made from JSON
   */
  raw?: string
  /**
   * the content type that was sent, where it is not application/json
   */
  contentType?: string
  /**
   * when it was sent, in milliseconds on the monotonic clock of the run
   */
  sent: number
  /**
   * when it ended, on the same clock
   */
  answered: number
  /**
   * when it was sent, an RFC 3339 time by the suite's clock
   */
  wall: string
  /**
   * the HTTP status; absent where no answer came
   */
  status?: number
  /**
   * the headers of the answer
   */
  headers?: {
    [k: string]: string
  }
  /**
   * the body of the answer, secrets taken out
   */
  text?: string
  /**
   * why the body was not read as JSON
   */
  notJson?: string
  /**
   * why there was no answer
   */
  silence?: string
  /**
   * the name of the API token that the answer holds
   */
  issued?: string
  lives?: TraceTokenLife
  /**
   * the name of the page token that the answer holds: a token may resemble a secret, and is cut then
   */
  nextPage?: string
  /**
   * the name of the page token that was sent
   */
  page?: string
  identity?: TraceIdentityToken
  /**
   * the target's time when it ended, in milliseconds since 1970, as far as it is known
   */
  now?: number
  /**
   * the row of the model for which a reading was made again
   */
  rereads?: string
}
/**
 * set where it was sent over gRPC: what went out, which is always a POST
 */
export interface TraceRpc {
  /**
   * the address, which ends with the names of the service and of the method
   */
  url: string
  /**
   * the message in the JSON of protobuf
   */
  message: string
}
/**
 * from when to when that token says that it is valid, in seconds since 1970
 */
export interface TraceTokenLife {
  /**
   * when it was issued
   */
  iat?: number
  /**
   * when it ends
   */
  exp?: number
}
/**
 * the identity token of an exchange, as far as it is no secret
 */
export interface TraceIdentityToken {
  /**
   * its name
   */
  token: string
  /**
   * those of its claims that decide
   */
  claims: {
    [k: string]: unknown
  }
  /**
   * the digest of all that may make a difference besides the values of its claims
   */
  form: string
  /**
   * whether its issuer signed it; absent where nobody here knows the key
   */
  signed?: boolean
}
/**
 * a call of the hook that moves the target's clock
 */
export interface TraceClock {
  /**
   * what this line is
   */
  line: 'clock'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * the number of the exchange
   */
  n: number
  /**
   * by how much the clock was to move
   */
  seconds: number
  /**
   * when it was sent, in milliseconds on the monotonic clock of the run
   */
  sent: number
  /**
   * when it ended, on the same clock
   */
  answered: number
  /**
   * when it was sent, an RFC 3339 time by the suite's clock
   */
  wall: string
  /**
   * the HTTP status; absent where no answer came
   */
  status?: number
  /**
   * the body of the answer
   */
  text?: string
  /**
   * why there was no answer
   */
  silence?: string
}
/**
 * the target's clock was moved
 */
export interface TraceMoved {
  /**
   * what this line is
   */
  line: 'moved'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * by how much
   */
  seconds: number
  /**
   * when, in milliseconds on the monotonic clock of the run
   */
  at: number
}
/**
 * all that the run had made was deleted before the clock moved, and is forgotten
 */
export interface TraceRestarted {
  /**
   * what this line is
   */
  line: 'restarted'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * when, in milliseconds on the monotonic clock of the run
   */
  at: number
}
/**
 * a call over gRPC that no client would send: it says nothing of the target's state
 */
export interface TraceRaw {
  /**
   * what this line is
   */
  line: 'raw'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * the number of the exchange
   */
  n: number
  /**
   * when it ended, in milliseconds on the monotonic clock of the run
   */
  at: number
}
/**
 * the case of a requirement ended
 */
export interface TraceEnded {
  /**
   * what this line is
   */
  line: 'ended'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * the requirement
   */
  id: string
  /**
   * its level
   */
  level: string
  /**
   * what the runner made of it: a skip could not be decided
   */
  state: 'pass' | 'fail' | 'skip'
  /**
   * when the case began, an RFC 3339 time by the suite's clock
   */
  startedAt: string
  /**
   * when, in milliseconds on the monotonic clock of the run
   */
  at: number
  /**
   * how many calls the report counts for it
   */
  requests: number
  /**
   * the numbers of those calls, such as '1-3 7'
   */
  exchanges: string
  /**
   * how many of those calls are not in the trace: they went out by another way than HTTP/1.1 or HTTP/2 of the API
   */
  besides: number
}
/**
 * the last line: what the trace holds
 */
export interface TraceFooter {
  /**
   * what this line is
   */
  line: 'footer'
  /**
   * the number of the line: the header has 0, and none is left out
   */
  seq: number
  /**
   * how many exchanges there are
   */
  exchanges: number
  /**
   * how many were sent for each requirement, for 'shared' and for 'model'
   */
  requirements: {
    [k: string]: number
  }
  /**
   * how many calls had not ended
   */
  open: number
  /**
   * why the trace ends before the run did
   */
  cut?: string
  /**
   * when, in milliseconds on the monotonic clock of the run
   */
  at: number
}
