import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, type Replacement } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { foundByModel } from '../run/histories.ts'

type Found = Rules['found']

/** One operation on a kind that also finds something under another text than its uid. */
const alsoFinds = (kind: Kind, operation: 'get' | 'update' | 'delete', other: Found): Replacement =>
  on(
    kind,
    during(operation, (contract) => ({
      found: (uid, asked, at) => contract.found(uid, asked, at) ?? (asked === kind ? other(uid, asked, at) : undefined),
    })),
  )

/** What satisfies a condition, of all that a server has of a kind. */
const firstWhere =
  (holds: (item: Item, text: string) => boolean): Found =>
  (text, kind, at) =>
    [...at.world.store.all(kind)].find((item) => holds(item, text))

const endsWith = firstWhere(({ uid }, text) => uid.endsWith(`/${text}`))
const isNamed = firstWhere(({ name }, text) => name === text)
const isIn = firstWhere(({ parent }, text) => parent === text)

/** Finds what another kind has under that uid. */
const under =
  (other: Kind): Found =>
  (uid, _kind, at) =>
    at.world.store.get(other, uid)

/** Faults of a Get, an Update or a Delete that finds what the uid does not name (R38). */
export const lookedUpFaults: readonly Fault[] = [
  fault('Get finds a repo by its name', ['repo.get.missing'], alsoFinds('repos', 'get', isNamed)),
  fault('Get finds a repo by the last part of its uid', ['repo.get.missing'], alsoFinds('repos', 'get', endsWith)),
  fault(
    'Get finds an advisory by the last part of its uid',
    ['advisory.get.missing'],
    alsoFinds('advisories', 'get', endsWith),
  ),
  fault(
    'Get of a tag with the uid of a repo shows a tag of that repo',
    ['tag.get.missing'],
    alsoFinds('tags', 'get', isIn),
  ),
  fault(
    'Get of a repo with the uid of a group shows a repo in it',
    ['repo.get.missing'],
    alsoFinds('repos', 'get', isIn),
  ),
  fault(
    'Get over gRPC finds a repo by a uid with a digit more',
    ['grpc.error.status.missing@repos'],
    on(
      'repos',
      overGrpc((contract) => ({
        found: (uid, kind, at) => contract.found(uid, kind, at) ?? contract.found(uid.slice(0, -1), kind, at),
      })),
    ),
  ),
  fault(
    'Get of an account association finds the one of a group by the uid of that group',
    foundByModel,
    alsoFinds('accountAssociations', 'get', isIn),
  ),
  fault(
    'a delete of an invite deletes the identity provider whose uid it is given',
    foundByModel,
    alsoFinds('groupInvites', 'delete', under('identityProviders')),
  ),
  fault(
    'a delete of an account association deletes the identity whose uid it is given',
    foundByModel,
    alsoFinds('accountAssociations', 'delete', under('identities')),
  ),
  fault(
    'an update of an account association describes the identity provider whose uid it is given',
    foundByModel,
    alsoFinds('accountAssociations', 'update', under('identityProviders')),
  ),
  fault(
    'an account association is found by the last part of its uid, whatever comes before it',
    foundByModel,
    on('accountAssociations', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'accountAssociations' ? endsWith(uid.slice(uid.lastIndexOf('/') + 1), kind, at) : undefined),
    })),
  ),
  fault(
    'a delete of an invite forgives a digit too many',
    foundByModel,
    alsoFinds('groupInvites', 'delete', (uid, kind, at) => at.world.store.get(kind, uid.slice(0, -1))),
  ),
  fault('an identity provider can be made below an identity', foundByModel, (contract) => ({
    found: (uid, kind, at) =>
      contract.found(uid, kind, at) ??
      (at.kind === 'identityProviders' && at.operation === 'create' && kind === 'groups'
        ? at.world.store.get('identities', uid)
        : undefined),
  })),
]
