import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { knowingMasks, type Replacement } from '../../replace.ts'
import { type Door, doorOf, foundByDoors } from '../doors/doors.ts'
import { day } from '../durations.ts'
import { foundByModel } from '../run/histories.ts'
import { beforeIf, isRename, remembering } from './past.ts'

const isOld = (item: Item | undefined, at: At) => item !== undefined && at.world.now() - item.createTime > day

/** Updates of what is older than a day that are answered and forgotten. */
const oldForgotten = (kind: Kind, applies: (at: At, isMasked: boolean) => boolean): Replacement =>
  knowingMasks((isMasked, contract) => ({
    modify(steps, at) {
      const old = steps.read()
      const isLost = old.kind === kind && isOld(old, at) && applies(at, isMasked(at))
      return isLost ? steps.change(old) : contract.modify(steps, at)
    },
  }))

/** What some door makes in a group that is older than a day is in no list. */
const unlistedInOld =
  (kind: Kind, by: Door): Replacement =>
  (contract) => {
    const lost = new Set<string>()
    return {
      keep(item, at) {
        const isLost = item.kind === kind && doorOf(at) === by && isOld(at.world.store.get('groups', item.parent), at)
        if (isLost) lost.add(item.uid)
        contract.keep(item, at)
      },
      withinScope: (item, at) => contract.withinScope(item, at) && !lost.has(item.uid),
    }
  }

const deletedOldBy =
  (by: Door): Replacement =>
  (contract) => ({
    blocksDelete: (item, living, at) =>
      !(doorOf(at) === by && isOld(item, at)) && contract.blocksDelete(item, living, at),
  })

/** Faults in calls by one door, or of one form, on what is older than a day (S4.1, S4.26, R28). */
export const agedCellFaults: readonly Fault[] = [
  fault(
    'over gRPC an update of an identity that is older than a day is answered and forgotten',
    foundByDoors,
    oldForgotten('identities', (at) => at.over === 'grpc'),
  ),
  fault(
    'over gRPC an update of a role binding that is older than a day is answered and forgotten',
    foundByDoors,
    oldForgotten('roleBindings', (at) => at.over === 'grpc'),
  ),
  fault(
    'a PUT in v1 of a group that is older than a day is answered and forgotten',
    foundByModel,
    oldForgotten('groups', (at) => doorOf(at) === 'v1'),
  ),
  fault(
    'over gRPC a role binding that is made in a group older than a day is in no list',
    foundByDoors,
    unlistedInOld('roleBindings', 'grpc'),
  ),
  fault(
    'over gRPC an identity that is made in a group older than a day is in no list',
    foundByDoors,
    unlistedInOld('identities', 'grpc'),
  ),
  fault('what v1 makes in a group older than a day is in no list', foundByModel, unlistedInOld('groups', 'v1')),
  fault('over gRPC a group older than a day is deleted with what is in it', foundByDoors, deletedOldBy('grpc')),
  fault('v1 deletes a group older than a day with what is in it', foundByModel, deletedOldBy('v1')),
  fault('an identity is not found by a name that it got when it was older than a day', foundByModel, (contract) => {
    const renamed = new Set<string>()
    return {
      async modify(steps, at) {
        const before = steps.read()
        const after = await contract.modify(steps, at)
        if (after.kind === 'identities' && before.name !== after.name && isOld(before, at)) renamed.add(after.uid)
        return after
      },
      matchesName: (item, name, at) =>
        contract.matchesName(item, name, at) && !(item.kind === 'identities' && renamed.has(item.uid)),
    }
  }),
  fault('a rename under a mask of a group older than a day is answered and forgotten', foundByModel, (contract) => {
    const naming = new WeakSet<At>()
    return {
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields?.includes('name')) naming.add(at)
        return fields
      },
      modify(steps, at) {
        const old = steps.read()
        const isLost = old.kind === 'groups' && isOld(old, at) && naming.has(at)
        return isLost ? steps.change(old) : contract.modify(steps, at)
      },
    }
  }),
  fault('a rename of an identity provider older than a day is answered and forgotten', foundByModel, (contract) => ({
    modify(steps, at) {
      const old = steps.read()
      const isLost = old.kind === 'identityProviders' && isOld(old, at) && steps.change(old).name !== old.name
      return isLost ? steps.change(old) : contract.modify(steps, at)
    },
  })),
  fault(
    'an identity older than a day that was renamed is assumed no more',
    foundByModel,
    remembering(beforeIf('identities', isRename), (known, contract) => ({
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        return identity && known.has(uid) && isOld(identity, at) ? undefined : identity
      },
    })),
  ),
]
