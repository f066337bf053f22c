import { randomBytes } from 'node:crypto'
import type { Kind } from '../domain/item.ts'
import type { Rules } from '../rules.types.ts'

const settableFields: Record<Kind | 'none', readonly string[]> = {
  groups: ['name', 'description'],
  identities: ['name', 'description', 'claimMatch'],
  roles: [],
  roleBindings: ['identityUid', 'roleUid'],
  identityProviders: ['name', 'description', 'defaultRole', 'oidc'],
  accountAssociations: ['name', 'description'],
  groupInvites: ['roleUid', 'email', 'singleUse', 'expirationTime'],
  repos: [],
  tags: [],
  advisories: [],
  none: [],
}
const sevenDays = 7 * 24 * 60 * 60 * 1000

/** The rules about fields of a resource, and what Create makes of them (section 2). */
export const fieldRules = {
  nameProblem(name, at) {
    if (name === undefined || name === '') return 'a name is required'
    if (typeof name !== 'string') return 'a name is a string'
    if (at.kind === 'groups' && !/^[a-z0-9 ._-]{1,}$/.test(name)) {
      return 'a name holds a to z, 0 to 9, space, dot, underscore and hyphen only'
    }
    return undefined
  },
  descriptionProblem(description) {
    const fits = description === undefined || typeof description === 'string'
    return fits ? undefined : 'a description is a string'
  },
  claimMatchProblem(claimMatch) {
    if (typeof claimMatch !== 'object' || claimMatch === null) return 'a claim match is required'
    const { issuer, subject } = claimMatch as Record<string, unknown>
    const fits = typeof issuer === 'string' && issuer !== '' && typeof subject === 'string' && subject !== ''
    return fits ? undefined : 'a claim match has an issuer and a subject'
  },
  oidcProblem(oidc) {
    const { issuer, clientId } = (typeof oidc === 'object' ? (oidc ?? {}) : {}) as Record<string, unknown>
    const fits = typeof issuer === 'string' && issuer !== '' && typeof clientId === 'string'
    return fits ? undefined : 'an identity provider has an issuer and a client'
  },
  referenceProblem: (uid) => (typeof uid === 'string' && uid !== '' ? undefined : 'a uid is required'),
  referenceHolds: (found) => found !== undefined,
  nameTaken: () => false,
  settable: (at) => settableFields[at.kind],
  stored(value, field) {
    if (field !== 'claimMatch' || typeof value !== 'object' || value === null) return value
    const { issuer, subject } = value as Record<string, unknown>
    return { issuer, subject }
  },
  mintUid: (parent) => `${parent.uid}/${randomBytes(8).toString('hex')}`,
  born: (now, at) => ({
    createTime: now,
    updateTime: now,
    ...(at.kind === 'identities' ? { lastSeenTime: now } : {}),
  }),
  newborn: (at) => ({
    description: '',
    ...(at.kind === 'groups' ? { resourceLimits: {}, verified: false } : {}),
    ...(at.kind === 'groupInvites' && {
      code: randomBytes(24).toString('base64url'),
      keyId: randomBytes(4).toString('hex'),
      expirationTime: new Date(at.world.now() + sevenDays).toISOString(),
    }),
  }),
  keep: (item, at) => at.world.store.put(item),
  leftByRefusedCreate: () => [],
} satisfies Partial<Rules>
