/** The kinds of resource; the word is the path's last segment and the list's key (S4.16). */
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

/** The kinds of which only a definition is published. */
export const publishedKinds = ['identityProviders', 'accountAssociations', 'groupInvites'] as const satisfies Kind[]

export const isPublished = (kind: string): boolean => publishedKinds.some((one) => one === kind)

/** The API family of a kind: the first segment of its paths (S1.1). */
export type Family = 'iam' | 'registry' | 'vulnerabilities'

/** The operations on a kind (S1.2). */
export type Operation = 'list' | 'get' | 'create' | 'update' | 'delete'

/** The token issuer and subject that may assume an identity (S2.11). */
export interface ClaimMatch {
  readonly issuer: string
  readonly subject: string
}

/**
 * One stored resource (section 2). It is never changed, always replaced, so a reference to one is a snapshot.
 * Times are milliseconds since 1970. `parent` is the uid of its group, of its repo for a tag, '' where there is none;
 * `org` is the uid of the organization's root group, '' where the item belongs to all.
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

/** Identifies an item among all: two kinds may use one uid (S2.1). */
export const keyOf = ({ kind, uid }: Pick<Item, 'kind' | 'uid'>) => `${kind} ${uid}`
