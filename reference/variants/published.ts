import type { At } from '../domain/at.ts'
import { type Item, isPublished, type Kind } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { during, on, type Replacement, when } from '../replace.ts'

/** What the contract prints, by kind: everything of groups, and of others what section 4 shows (R49). */
const printed: Readonly<Record<string, readonly string[]>> = {
  groups: ['list', 'get', 'create', 'update', 'delete'],
  identities: ['create', 'delete'],
  roles: ['list'],
  roleBindings: ['create', 'delete'],
  repos: ['list'],
}

/** Offers what the contract prints and nothing else; of v1 the two lists. */
const onlyPrinted: Replacement = (contract) => {
  const lacks = ({ kind, operation, version }: At) =>
    kind !== 'none' &&
    operation !== 'exchange' &&
    !(version === 'v1'
      ? ['groups', 'repos'].includes(kind) && operation === 'list'
      : printed[kind]?.includes(operation))
  return {
    objection: (uid, at) =>
      lacks(at) ? new Refusal('missing', 'path', 'nothing lives at this path') : contract.objection(uid, at),
  }
}

/** True for an invite whose time has come. */
const isOver = ({ kind, expirationTime = '' }: Item, { world }: At) =>
  kind === 'groupInvites' && Date.parse(expirationTime) < world.now()

/** Where a group or one above has identity providers, an identity is of one of their issuers, or it is not trusted. */
const providersDecide: Replacement = (contract) => {
  const isTrusted = ({ parent, claimMatch }: Item, { world: { store } }: At) => {
    const issuers: unknown[] = []
    for (let group = store.get('groups', parent); group; group = store.get('groups', group.parent))
      issuers.push(...[...store.under('identityProviders', group.uid)].map(({ oidc }) => oidc?.issuer))
    return issuers.length === 0 || issuers.includes(claimMatch?.issuer)
  }
  return {
    nameTaken(wanted, at) {
      if (wanted.kind === 'identities' && !isTrusted(wanted, at))
        throw new Refusal('invalid', 'claimMatch.issuer', 'no identity provider has this issuer')
      return contract.nameTaken(wanted, at)
    },
    assumable(uid, at) {
      const identity = contract.assumable(uid, at)
      return identity && isTrusted(identity, at) ? identity : undefined
    },
  }
}

/** Lawful kinds of which the contract only publishes a definition. */
export const publishedVariants: readonly Variant[] = [
  variant('only what the contract prints is offered', onlyPrinted),
  variant('providers, associations and invites are served over gRPC alone', (contract) => ({
    objection: (uid, at) =>
      isPublished(at.kind) && at.over === undefined
        ? new Refusal('missing', 'path', 'nothing lives at this path')
        : contract.objection(uid, at),
  })),
  variant('identities are made and deleted, and nothing more', (contract) => ({
    objection: (uid, at) =>
      at.kind === 'identities' && !['create', 'delete'].includes(at.operation)
        ? new Refusal('missing', 'path', 'nothing lives at this path')
        : contract.objection(uid, at),
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
  variant(
    'a group that has identity providers trusts their issuers alone, and so does what is below it',
    providersDecide,
  ),
  variant('an identity provider cannot be changed', (contract) => ({
    objection: (uid, at) =>
      at.operation === 'update' && at.kind === 'identityProviders'
        ? new Refusal('invalid', 'oidc', 'what it is made with stays')
        : contract.objection(uid, at),
  })),
  variant(
    'invites can be looked at and made, but not deleted, which is answered 501',
    on(
      'groupInvites',
      during('delete', {
        objection: () => new Refusal('unimplemented', 'method', 'an invite ends by itself'),
        errorStatus: () => 501,
      }),
    ),
  ),
  variant(
    'providers and associations are listed and nothing more',
    when(({ kind, operation }) => isPublished(kind) && operation !== 'list', {
      objection: () => new Refusal('unimplemented', 'method', 'not implemented'),
      errorStatus: () => 404,
    }),
  ),
  variant(
    'an account association names its account',
    on('accountAssociations', during('create', { nameProblem: () => 'an association names an account of a cloud' })),
  ),
  variant('an invite is gone when its time has come', (contract) => ({
    seen: (item, at) => (isOver(item, at) ? undefined : contract.seen(item, at)),
    blocksDelete(item, living, at) {
      const isThere = (kind: Kind) => [...at.world.store.under(kind, item.uid)].some((inner) => !isOver(inner, at))
      return contract.blocksDelete(item, living.filter(isThere), at)
    },
  })),
]
