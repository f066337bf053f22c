/** What kinds of resource are kept; the word is the path's last segment and the list's key (S4.16). */
export type Kind =
  | 'groups'
  | 'identities'
  | 'roles'
  | 'roleBindings'
  | 'identityProviders'
  | 'accountAssociations'
  | 'groupInvites'
  | 'repos'
  | 'tags'
  | 'advisories'

/** The part of the service that a kind belongs to: the first segment of its paths (S1.1). */
export type Family = 'iam' | 'registry' | 'vulnerabilities'

/** What can be asked of a kind (S1.2). */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

/** Whom an identity may be assumed by (S2.11). */
interface ClaimMatch {
  readonly issuer: string
  readonly subject: string
}

/**
 * One kept resource (section 2). Never changed, always replaced, so that whoever holds one holds a snapshot.
 * Times are milliseconds since 1970. `parent` is the uid of the group it lives in, a tag's that of its repo, '' where there is none;
 * `org` the uid of the organization's root group, '' where it belongs to all.
 */
export interface Item {
  readonly kind: Kind
  readonly uid: string
  readonly parent: string
  readonly org: string
  readonly name: string
  readonly description: string
  readonly createTime: number
  readonly updateTime: number
  readonly resourceLimits?: Readonly<Record<string, number>>
  readonly verified?: boolean
  readonly claimMatch?: ClaimMatch
  readonly lastSeenTime?: number
  readonly identityUid?: string
  readonly roleUid?: string
  readonly defaultRole?: string
  readonly oidc?: Fields
  readonly email?: string
  readonly singleUse?: boolean
  readonly expirationTime?: string
  readonly code?: string
  readonly keyId?: string
  readonly digest?: string
  readonly deprecated?: boolean
  readonly bundles?: readonly string[]
  readonly advisoryId?: string
  readonly artifactName?: string
  readonly artifactType?: string
  readonly componentName?: string
  readonly componentType?: string
  readonly aliases?: readonly string[]
}

/** A JSON object on its way in or out (S1.6). */
export type Fields = Readonly<Record<string, unknown>>
