import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { doorOf, following, foundByDoors, lateFor, undeleted, unlistedFor } from './doors.ts'

/** Faults in what one protocol or version has written, for readers and writers by another (S1.5, S4.28, S9.1, R28, R55). */
export const changedByDoorFaults: readonly Fault[] = [
  fault(
    'over gRPC a group is not found by a name that HTTP gave it under a mask',
    foundByDoors,
    unlistedFor(
      'groups',
      ({ by, masked, created }, at) =>
        !created && by === 'http' && masked && doorOf(at) === 'grpc' && at.query?.name !== undefined,
    ),
  ),
  fault(
    'over HTTP an identity is not found by name once gRPC has changed it under a mask',
    foundByDoors,
    unlistedFor(
      'identities',
      ({ by, masked, created }, at) =>
        !created && by === 'grpc' && masked && doorOf(at) === 'http' && at.query?.name !== undefined,
    ),
  ),
  fault(
    'a list of what is below a group shows role bindings as they were before updates under a mask',
    foundByDoors,
    lateFor('roleBindings', ({ by, masked }, at) => by === 'http' && masked && at.query?.descendantsOf !== undefined),
  ),
  fault(
    'Get over HTTP shows a role binding as it was before gRPC changed it under a mask',
    foundByDoors,
    lateFor(
      'roleBindings',
      ({ by, masked }, at) => by === 'grpc' && masked && at.operation === 'get' && doorOf(at) === 'http',
    ),
  ),
  fault(
    'in the order of names HTTP lists no identity provider that gRPC made',
    foundByDoors,
    unlistedFor(
      'identityProviders',
      ({ by, created }, at) => created && by === 'grpc' && doorOf(at) === 'http' && at.query?.order.field === 'name',
    ),
  ),
  fault(
    'in the order of their times HTTP lists no invite that gRPC made',
    foundByDoors,
    unlistedFor(
      'groupInvites',
      ({ by }, at) => by === 'grpc' && doorOf(at) === 'http' && at.query?.order.field === 'createTime',
    ),
  ),
  fault(
    'an update over HTTP under a mask of an identity that gRPC made is answered and forgotten',
    foundByDoors,
    following('identities', (last) => (contract) => {
      const masked = new WeakSet<object>()
      return {
        changed(sent, mask, settable, at) {
          if (mask) masked.add(at)
          return contract.changed(sent, mask, settable, at)
        },
        modify(steps, at) {
          const old = steps.read()
          const write = last(old.uid)
          const hit = at.kind === 'identities' && write?.created && write.by === 'grpc' && doorOf(at) === 'http'
          return hit && masked.has(at) ? steps.change(old) : contract.modify(steps, at)
        },
      }
    }),
  ),
  fault(
    'an update of a group over HTTP under a mask undoes the update over gRPC under a mask before it',
    foundByDoors,
    following('groups', (last) => (contract) => {
      const masked = new WeakSet<object>()
      return {
        changed(sent, mask, settable, at) {
          if (mask) masked.add(at)
          return contract.changed(sent, mask, settable, at)
        },
        modify(steps, at) {
          const write = at.kind === 'groups' ? last(steps.read().uid) : undefined
          const hit = write && !write.created && write.masked && write.by === 'grpc' && doorOf(at) === 'http'
          if (!hit || !masked.has(at)) return contract.modify(steps, at)
          const { name, description } = write.before
          return contract.modify({ ...steps, change: (old) => steps.change({ ...old, name, description }) }, at)
        },
      }
    }),
  ),
  fault(
    'a role binding that gRPC made stays when HTTP deletes it',
    foundByDoors,
    undeleted('roleBindings', ({ by, created }, at) => created && by === 'grpc' && doorOf(at) === 'http'),
  ),
  fault(
    'an invite that gRPC made stays when HTTP deletes it',
    foundByDoors,
    undeleted('groupInvites', ({ by }, at) => by === 'grpc' && doorOf(at) === 'http'),
  ),
  fault(
    'a group that gRPC changed stays when v1 deletes it',
    foundByDoors,
    undeleted('groups', ({ by, created }, at) => !created && by === 'grpc' && doorOf(at) === 'v1'),
  ),
  fault(
    'a group that v1 made stays when v1 deletes it unchanged',
    foundByDoors,
    undeleted('groups', ({ by, created }, at) => created && by === 'v1' && doorOf(at) === 'v1'),
  ),
  fault(
    'account associations that HTTP has changed are not found by name over gRPC',
    foundByDoors,
    unlistedFor(
      'accountAssociations',
      ({ by, created }, at) => !created && by === 'http' && doorOf(at) === 'grpc' && at.query?.name !== undefined,
    ),
  ),
  fault(
    'an identity provider that HTTP changed stays when gRPC deletes it',
    foundByDoors,
    undeleted('identityProviders', ({ by, created }, at) => !created && by === 'http' && doorOf(at) === 'grpc'),
  ),
  fault(
    'among the children of a group v1 lists none that v1 made',
    foundByDoors,
    on('groups', (contract) => {
      const made = new Set<string>()
      return {
        keep(item, at) {
          if (at.version === 'v1') made.add(item.uid)
          contract.keep(item, at)
        },
        v1Listed(items, at) {
          const parents = new Set(items.map(({ parent }) => parent))
          return contract.v1Listed(parents.size > 1 ? items : items.filter(({ uid }) => !made.has(uid)), at)
        },
      }
    }),
  ),
]
