import type { Api } from '../api/api.ts'
import type { Answer } from '../http/call.ts'
import type { Query } from '../http/url.ts'

/** What such calls name: the scratch group, a group with a child, a uid that was never issued, or an identity. */
export type Place = 'home' | 'full' | 'missing' | 'identity'
type Refusal = (api: Api, uid: string, name: string, home: string) => Promise<Answer>

/** Calls that both protocols refuse for the same reason (R60). */
export const refusals: Record<string, [says: string, place: Place, call: Refusal]> = {
  'bad-name': ['a bad name', 'home', (api, uid) => api.attempt.groups.create(uid, { name: 'NO' })],
  'no-name': ['no name', 'home', (api, uid) => api.attempt.groups.create(uid, { description: 'nameless' })],
  'bad-rename': ['a bad new name', 'home', (api, uid) => api.attempt.groups.update(uid, { name: 'NO' })],
  'nameless-identity': [
    'an identity without a name',
    'home',
    (api, uid) => api.attempt.identities.create(uid, { description: 'nameless' }),
  ],
  'full-group': ['a group that has a child', 'full', (api, uid) => api.attempt.groups.delete(uid)],
  'missing-group': ['an unknown group', 'missing', (api, uid) => api.attempt.groups.get(uid)],
  'missing-changed': [
    'an unknown group to change',
    'missing',
    (api, uid) => api.attempt.groups.update(uid, { description: 'nobody' }),
  ],
  'missing-identity': ['an unknown identity', 'missing', (api, uid) => api.attempt.identities.get(uid)],
  'missing-identity-changed': [
    'an unknown identity to change',
    'missing',
    (api, uid) => api.attempt.identities.update(uid, { description: 'nobody' }),
  ],
  'unknown-identity': [
    'an unknown identity to bind',
    'missing',
    (api, uid, _, home) => api.attempt.roleBindings.create(home, { identityUid: uid, roleUid: uid }),
  ],
  'unknown-role': [
    'an unknown role to bind',
    'identity',
    (api, uid, _, home) => api.attempt.roleBindings.create(home, { identityUid: uid, roleUid: 'f'.repeat(40) }),
  ],
  'missing-parent': ['an unknown parent', 'missing', (api, uid, name) => api.attempt.groups.create(uid, { name })],
  'missing-parent-of-identity': [
    'an unknown group for an identity',
    'missing',
    (api, uid, name) => api.attempt.identities.create(uid, { name }),
  ],
  'missing-parent-of-binding': [
    'an unknown group for a role binding',
    'missing',
    (api, uid) => api.attempt.roleBindings.create(uid, { identityUid: uid, roleUid: uid }),
  ],
}

/** Calls that a server may answer or refuse: in the same way where both protocols refuse (R28, R47). */
export const perhapsRefused: Record<string, [says: string, place: Place, call: Refusal]> = {
  'missing-deleted': ['Delete of an unknown group', 'missing', (api, uid) => api.attempt.groups.delete(uid)],
  'missing-identity-deleted': [
    'Delete of an unknown identity',
    'missing',
    (api, uid) => api.attempt.identities.delete(uid),
  ],
  'missing-binding-deleted': [
    'Delete of an unknown role binding',
    'missing',
    (api, uid) => api.attempt.roleBindings.delete(uid),
  ],
  'name-taken-away': [
    'an update that takes the name of an identity away',
    'identity',
    (api, uid) => api.attempt.identities.update(uid, { name: '' }, { query: { updateMask: 'name' } }),
  ],
}

/** List calls that both protocols refuse, or neither does (R14, R18, R20). */
export const refusable: Record<string, [says: string, query: Query]> = {
  'negative-skip': ['a negative skip', { skip: -1 }],
  'bad-token': ['an unknown page token', { page_token: 'never-issued' }],
  'bad-order': ['an unknown order', { order_by: 'no_such_field' }],
}
