import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { type Door, doorOf, foundByDoors } from './doors.ts'

interface Again {
  readonly kind: Kind
  /** By what the first one was deleted, and by what the next one is made. */
  readonly deletedBy: Door
  readonly madeBy: Door
  /** What both have. */
  readonly same: (item: Item) => string
}

const byName = ({ parent, name }: Item) => `${parent} ${name}`

/** What one door deleted is made again by another. */
function madeAgain(
  { kind, deletedBy, madeBy, same }: Again,
  spoil: { kept?: (item: Item, gone: Item) => Item; isHidden?: (at: At) => boolean; isUnknown?: true },
): Replacement {
  return (contract) => {
    const gone = new Map<string, Item>()
    const again = new Set<string>()
    return {
      forget(steps, item, at) {
        if (item.kind === kind && at.kind === kind && doorOf(at) === deletedBy) gone.set(same(item), item)
        contract.forget(steps, item, at)
      },
      keep(item, at) {
        const before = item.kind === kind && doorOf(at) === madeBy ? gone.get(same(item)) : undefined
        if (before) again.add(item.uid)
        contract.keep(before && spoil.kept ? spoil.kept(item, before) : item, at)
      },
      withinScope: (item, at) =>
        contract.withinScope(item, at) && !(again.has(item.uid) && spoil.isHidden?.(at) === true),
      assumable(uid, at) {
        return spoil.isUnknown && again.has(uid) ? undefined : contract.assumable(uid, at)
      },
    }
  }
}

/** Faults in what is made again after it was deleted by another protocol or version (S4.1, S4.3, S4.5, R28). */
export const againByDoorFaults: readonly Fault[] = [
  fault(
    'a group that v1 makes under the name of one that v1 deleted is not found by its name',
    foundByDoors,
    madeAgain(
      { kind: 'groups', deletedBy: 'v1', madeBy: 'v1', same: byName },
      { isHidden: (at) => at.query?.name !== undefined },
    ),
  ),
  fault(
    'a group that gRPC makes under the name of one that HTTP deleted is no child of its group',
    foundByDoors,
    madeAgain(
      { kind: 'groups', deletedBy: 'http', madeBy: 'grpc', same: byName },
      { isHidden: (at) => at.query?.childrenOf !== undefined },
    ),
  ),
  fault(
    'an identity that HTTP makes with the claims of one that gRPC deleted cannot be assumed',
    foundByDoors,
    madeAgain(
      { kind: 'identities', deletedBy: 'grpc', madeBy: 'http', same: ({ claimMatch }) => JSON.stringify(claimMatch) },
      { isUnknown: true },
    ),
  ),
  fault(
    'an identity provider that HTTP makes under the name of one that gRPC deleted has the description of that one',
    foundByDoors,
    madeAgain(
      { kind: 'identityProviders', deletedBy: 'grpc', madeBy: 'http', same: byName },
      { kept: (item, { description }) => ({ ...item, description }) },
    ),
  ),
  fault(
    'a role binding that HTTP makes for the identity and the role of one that gRPC deleted is in no list of its group',
    foundByDoors,
    madeAgain(
      {
        kind: 'roleBindings',
        deletedBy: 'grpc',
        madeBy: 'http',
        same: ({ parent, identityUid, roleUid }) => `${parent} ${identityUid} ${roleUid}`,
      },
      { isHidden: (at) => at.query?.childrenOf !== undefined },
    ),
  ),
  fault(
    'an account association that gRPC makes under the name of one that HTTP deleted was made when that one was',
    foundByDoors,
    madeAgain(
      { kind: 'accountAssociations', deletedBy: 'http', madeBy: 'grpc', same: byName },
      { kept: (item, { createTime }) => ({ ...item, createTime }) },
    ),
  ),
]
