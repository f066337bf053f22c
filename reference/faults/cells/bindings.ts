import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { type Door, doorOf, following, foundByDoors } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'
import { beforeFirstIf, type Change, isRename, remembering } from './past.ts'

const reads = ({ operation }: At) => operation === 'list' || operation === 'get'

/** Role bindings that embed a part as it was before some changes, if they were made after these by a door. */
const embeddingBefore = (part: Kind, isOne: (change: Change) => boolean, by: Door): Replacement =>
  remembering(beforeFirstIf(part, isOne), (known, contract) => {
    const stale = new Map<string, Item>()
    return {
      keep(item, at) {
        const uid = part === 'groups' ? item.parent : item.identityUid
        const before = item.kind === 'roleBindings' && doorOf(at) === by ? known.get(uid ?? '') : undefined
        if (before) stale.set(item.uid, before)
        contract.keep(item, at)
      },
      hydrated(found, kind, binding, at) {
        const shown = contract.hydrated(found, kind, binding, at)
        const before = kind === part && doorOf(at) === by ? stale.get(binding.uid) : undefined
        return shown && before && known.has(shown.uid) ? before : shown
      },
    }
  })

/** Readers that see in role bindings the claims that their identities had before some changes: older names are lawful (R7). */
const embeddedAsBefore = (isOne: (change: Change) => boolean, applies: (at: At) => boolean): Replacement =>
  remembering(beforeFirstIf('identities', isOne), (known, contract) => ({
    hydrated(found, kind, binding, at) {
      const shown = contract.hydrated(found, kind, binding, at)
      const before = shown && kind === 'identities' && reads(at) && applies(at) ? known.get(shown.uid) : undefined
      return shown && before ? ({ ...shown, claimMatch: before.claimMatch } as Item) : shown
    },
  }))

/** Faults in role bindings after a change of their identity, of their group or of themselves (S2.14, R7, R28). */
export const bindingCellFaults: readonly Fault[] = [
  fault(
    'a role binding that HTTP makes shows its identity as it was before gRPC changed it',
    foundByDoors,
    embeddingBefore('identities', ({ by }) => by === 'grpc', 'http'),
  ),
  fault(
    'a role binding that gRPC makes shows its identity as it was before HTTP changed it',
    foundByDoors,
    embeddingBefore('identities', ({ by }) => by === 'http', 'grpc'),
  ),
  fault(
    'a role binding that HTTP makes shows its group as it was before gRPC renamed it',
    foundByDoors,
    embeddingBefore('groups', (change) => isRename(change) && change.by === 'grpc', 'http'),
  ),
  fault(
    'a role binding that gRPC makes shows its group as it was before v1 renamed it',
    foundByDoors,
    embeddingBefore('groups', (change) => isRename(change) && change.by === 'v1', 'grpc'),
  ),
  fault(
    'over HTTP role bindings show the claims that their identity had before gRPC changed them',
    foundByDoors,
    embeddedAsBefore(
      ({ by }) => by === 'grpc',
      (at) => doorOf(at) === 'http',
    ),
  ),
  fault(
    'over gRPC role bindings show the claims that their identity had before HTTP changed them',
    foundByDoors,
    embeddedAsBefore(
      ({ by }) => by === 'http',
      (at) => doorOf(at) === 'grpc',
    ),
  ),
  fault(
    'Get of a role binding shows the claims that its identity had before a mask changed them',
    foundByModel,
    embeddedAsBefore(
      ({ mask }) => mask !== undefined,
      ({ operation }) => operation === 'get',
    ),
  ),
  fault('over gRPC two of its role bindings go with an identity', foundByDoors, (contract) => ({
    alsoRemoved: (item, at) => contract.alsoRemoved(item, at).slice(0, at.over === 'grpc' ? 2 : undefined),
  })),
  fault(
    'a role binding that a mask gave to an identity stays when that is deleted',
    foundByModel,
    remembering(
      ({ before, after, mask }) =>
        before.kind === 'roleBindings' && before.identityUid !== after.identityUid
          ? mask === undefined
            ? 'nothing'
            : after
          : undefined,
      (given, contract) => ({
        alsoRemoved: (item, at) => contract.alsoRemoved(item, at).filter(({ uid }) => !given.has(uid)),
      }),
    ),
  ),
  fault(
    'a role binding whose role gRPC changed stays when HTTP deletes it',
    foundByDoors,
    following('roleBindings', (last) => (contract) => ({
      forget(steps, item, at) {
        const write = item.kind === 'roleBindings' && at.kind === 'roleBindings' ? last(item.uid) : undefined
        const stays = write && !write.created && write.by === 'grpc' && doorOf(at) === 'http'
        if (!stays) contract.forget(steps, item, at)
      },
    })),
  ),
  fault(
    'claims that gRPC changes reach the first role binding of their identity only',
    foundByDoors,
    remembering(
      beforeFirstIf('identities', ({ by }) => by === 'grpc'),
      (known, contract) => ({
        hydrated(found, kind, binding, at) {
          const shown = contract.hydrated(found, kind, binding, at)
          if (kind !== 'identities' || !shown || !reads(at)) return shown
          const [first] = at.world.store.bindingsOf(shown.uid)
          const before = first?.uid === binding.uid ? undefined : known.get(shown.uid)
          return before ? ({ ...shown, claimMatch: before.claimMatch } as Item) : shown
        },
      }),
    ),
  ),
]
