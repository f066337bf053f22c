import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { type Door, doorOf, foundByDoors } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'
import { beforeIf, type Change, isRename, knowingAgain, knowingMaker, remembering } from './past.ts'

/** Groups that some door deletes though nothing but one kind is in them. */
const deletedWith = (kind: Kind, by: Door): Replacement => {
  const isAlone = (living: readonly Kind[]) => living.length === 1 && living[0] === kind
  return (contract) => ({
    blocksDelete: (item, living, at) =>
      !(doorOf(at) === by && isAlone(living)) && contract.blocksDelete(item, living, at),
  })
}

/** Groups that some door deletes with what another door made in them. */
const deletedWithMade = (kind: Kind, maker: Door, by: Door): Replacement =>
  knowingMaker({ kind, maker }, (isMade, contract) => ({
    blocksDelete(item, living, at) {
      if (doorOf(at) !== by || living.some((one) => one !== kind)) return contract.blocksDelete(item, living, at)
      const inside = [...at.world.store.under(kind, item.uid)]
      return inside.some(({ uid }) => !isMade(uid)) && contract.blocksDelete(item, living, at)
    },
  }))

/** Groups that some door deletes with all that is in them after some change. */
const deletedAfter = (isOne: (change: Change) => boolean, by: Door, ofChild = false): Replacement =>
  remembering(beforeIf('groups', isOne), (known, contract) => ({
    blocksDelete(item, living, at) {
      const isRight = ofChild
        ? living.every((kind) => kind === 'groups') && childrenOf(item, at).every(({ uid }) => known.has(uid))
        : known.has(item.uid)
      return !(isRight && doorOf(at) === by) && contract.blocksDelete(item, living, at)
    },
  }))

const childrenOf = ({ uid }: Item, at: At) => [...at.world.store.under('groups', uid)]

/** What was made again under an old name and stays when some door deletes it. */
const againStays = (kind: Kind, applies: (at: At) => boolean): Replacement =>
  knowingAgain(kind, (isAgain, contract) => ({
    forget(steps, item, at) {
      if (!(item.kind === kind && at.kind === kind && isAgain(item.uid) && applies(at)))
        contract.forget(steps, item, at)
    },
  }))

/** Faults in deletes whose door and whose past come together (S7.6, R28, R30). */
export const deleteCellFaults: readonly Fault[] = [
  fault(
    'over gRPC a group is deleted that holds nothing but identities',
    foundByDoors,
    deletedWith('identities', 'grpc'),
  ),
  fault(
    'over gRPC a group is deleted that holds nothing but role bindings',
    foundByDoors,
    deletedWith('roleBindings', 'grpc'),
  ),
  fault('v1 deletes a group that holds nothing but role bindings', foundByModel, deletedWith('roleBindings', 'v1')),
  fault('v1 deletes a group whose groups gRPC has made', foundByDoors, deletedWithMade('groups', 'grpc', 'v1')),
  fault('v1 deletes a group whose identities gRPC has made', foundByDoors, deletedWithMade('identities', 'grpc', 'v1')),
  fault(
    'an identity that was made again under the name of a deleted one stays when it is deleted',
    foundByModel,
    againStays('identities', () => true),
  ),
  fault(
    'a group that was made again under the name of a deleted one stays when v1 deletes it',
    foundByModel,
    againStays('groups', (at) => doorOf(at) === 'v1'),
  ),
  fault(
    'a role binding for an identity and a role that were bound before stays when gRPC deletes it',
    foundByDoors,
    (contract) => {
      const [gone, again] = [new Set<string>(), new Set<string>()]
      const placeOf = ({ parent, identityUid, roleUid }: Item) => `${parent} ${identityUid} ${roleUid}`
      return {
        keep(item, at) {
          if (item.kind === 'roleBindings' && gone.has(placeOf(item))) again.add(item.uid)
          contract.keep(item, at)
        },
        forget(steps, item, at) {
          if (item.kind === 'roleBindings') gone.add(placeOf(item))
          const stays = at.kind === 'roleBindings' && again.has(item.uid) && doorOf(at) === 'grpc'
          if (!stays) contract.forget(steps, item, at)
        },
      }
    },
  ),
  fault(
    'a group is deleted whose children gRPC has renamed',
    foundByDoors,
    deletedAfter((change) => isRename(change) && change.by === 'grpc', 'http', true),
  ),
  fault(
    'a group that gRPC renamed is deleted with what is in it',
    foundByDoors,
    deletedAfter((change) => isRename(change) && change.by === 'grpc', 'http'),
  ),
  fault(
    'over gRPC a group that HTTP renamed is deleted with what is in it',
    foundByDoors,
    deletedAfter((change) => isRename(change) && change.by === 'http', 'grpc'),
  ),
  fault('over gRPC a group is deleted the second time it is tried', foundByDoors, (contract) => {
    const refused = new Set<string>()
    return {
      blocksDelete(item, living, at) {
        if (at.over !== 'grpc') return contract.blocksDelete(item, living, at)
        const isSecond = refused.has(item.uid)
        refused.add(item.uid)
        return !isSecond && contract.blocksDelete(item, living, at)
      },
    }
  }),
]
