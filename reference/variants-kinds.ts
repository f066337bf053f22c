import type { Kind } from './domain/item.ts'
import { type Problem, Refusal } from './domain/refusal.ts'
import { during, on, type Replacement, type Variant, variant } from './replace.ts'

const registry: readonly string[] = ['repos', 'tags', 'advisories']

/** Some operations on a kind are not there. */
const without =
  (kinds: readonly Kind[], problem: Problem, status: number, operations?: readonly string[]): Replacement =>
  (contract) => {
    const lacks = (kind: string, operation: string) =>
      kinds.some((one) => one === kind) && (operations === undefined || operations.includes(operation))
    return {
      objection: (_uid, { kind, operation }) =>
        lacks(kind, operation) ? new Refusal(problem, 'path', 'nothing is served here') : undefined,
      errorStatus: (refusal, at) =>
        lacks(at.kind, at.operation) && refusal.problem === problem ? status : contract.errorStatus(refusal, at),
    }
  }

const opaque = (uid: unknown) => Buffer.from(String(uid)).toString('base64url')

/** Shows the uids of a kind as text without a path, and takes them back. */
const opaquely = (kind: 'repos' | 'tags', render: 'repo' | 'tag'): Replacement =>
  on(kind, (contract) => ({
    [render]: (...given: Parameters<typeof contract.repo>) => {
      const fields = contract[render](...given)
      return { ...fields, uid: opaque(fields.uid) }
    },
    found: (uid, wanted, at) =>
      contract.found(wanted === kind ? Buffer.from(uid, 'base64url').toString() : uid, wanted, at),
  }))

const imported = { createTime: Date.UTC(2024, 1, 29, 12), updateTime: Date.UTC(2024, 1, 29, 12) }

/** Servers that do otherwise with the kinds of which the contract shows little or nothing. */
export const variantsOfKinds: readonly Variant[] = [
  variant('no tags are served, which is answered 404', without(['tags'], 'missing', 404)),
  variant(
    'no tags and no invites are served, which is answered 501',
    without(['tags', 'groupInvites'], 'unimplemented', 501),
  ),
  variant(
    'neither tags nor advisories are served, which is a fault of code 12',
    without(['tags', 'advisories'], 'unimplemented', 500),
  ),
  variant('no Get is served where none is printed', (contract) =>
    without(
      ['repos', 'tags', 'advisories', 'identityProviders', 'accountAssociations', 'groupInvites', 'roles'],
      'unimplemented',
      405,
      ['get'],
    )(contract),
  ),
  variant('repos have uids without a path', opaquely('repos', 'repo')),
  variant('tags have uids without a path', opaquely('tags', 'tag')),
  variant('the registry is empty', (contract) => ({
    candidates: (at) => (registry.includes(at.kind) ? [] : contract.candidates(at)),
  })),
  variant('tags and advisories show nothing but a uid', (contract) => ({
    tag: (...given) => ({ uid: contract.tag(...given).uid }),
    advisory: (...given) => ({ uid: contract.advisory(...given).uid }),
  })),
  variant('providers, associations and invites show nothing but a uid', (contract) => ({
    identityProvider: (...given) => ({ uid: contract.identityProvider(...given).uid }),
    accountAssociation: (...given) => ({ uid: contract.accountAssociation(...given).uid }),
    groupInvite: (...given) => ({ uid: contract.groupInvite(...given).uid }),
  })),
  variant(
    'an identity provider has to be reached before it is made',
    on('identityProviders', during('create', { oidcProblem: () => 'no discovery document was found there' })),
  ),
  variant(
    'tags and advisories tell their times to the microsecond',
    (contract) => ({
      timestamp: (milliseconds, at) =>
        at.kind === 'tags' || at.kind === 'advisories'
          ? new Date(milliseconds).toISOString().replace('Z', '345Z')
          : contract.timestamp(milliseconds, at),
    }),
    ['time.form', 'time.format.unshown'],
  ),
  variant('nobody may make invites or associations', (contract) => ({
    objection: (uid, at) =>
      at.operation === 'create' && ['groupInvites', 'accountAssociations'].includes(at.kind)
        ? new Refusal('forbidden', at.kind, 'you may not do this')
        : contract.objection(uid, at),
  })),
  variant('a group has one identity provider and one account association at the most', (contract) => ({
    nameTaken: (wanted, at) =>
      wanted.kind === 'identityProviders' || wanted.kind === 'accountAssociations'
        ? [...at.world.store.under(wanted.kind, wanted.parent)].some(({ uid }) => uid !== wanted.uid)
        : contract.nameTaken(wanted, at),
  })),
  variant('an identity provider cannot be changed', (contract) => ({
    objection: (uid, at) =>
      at.operation === 'update' && at.kind === 'identityProviders'
        ? new Refusal('invalid', 'oidc', 'what it is made with stays')
        : contract.objection(uid, at),
  })),
  variant('tags know no filter by name', on('tags', { matchesName: () => true }), [
    'list.filter.exact@tags',
    'list.filter.with-descendants@tags',
    'list.total.filtered@tags',
    'list.walk.filter@tags',
  ]),
  variant('roles, repos and advisories were all made at one moment', (contract) => ({
    role: (item, ...given) => contract.role({ ...item, ...imported }, ...given),
    repo: (item, ...given) => contract.repo({ ...item, ...imported }, ...given),
    v1Repo: (item, ...given) => contract.v1Repo({ ...item, ...imported }, ...given),
    advisory: (item, ...given) => contract.advisory({ ...item, ...imported }, ...given),
  })),
  variant('a group has room for two hundred and thirty others', (contract) => ({
    objection: (uid, at) =>
      at.operation === 'create' && at.kind === 'groups' && [...at.world.store.under('groups', uid)].length >= 230
        ? new Refusal('forbidden', 'parent', 'there is no more room')
        : contract.objection(uid, at),
  })),
]
