import type { At } from '../../domain/at.ts'
import type { Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { type Door, doorOf, foundByDoors } from '../doors/doors.ts'
import { isRename, knowingMaker, remembering } from './past.ts'

/** What some door made is left out of some pages. */
const madeLeftOut = (kind: Kind, maker: Door, applies: (at: At) => boolean): Replacement =>
  knowingMaker({ kind, maker }, (isMade, contract) => ({
    page(rest, skip, size, at) {
      const left = at.kind === kind && applies(at) ? rest.filter(({ uid }) => !isMade(uid)) : rest
      return contract.page(left, skip, size, at)
    },
  }))

const isLater = ({ page }: At) => page > 1
const isBy = (field: string) => (at: At) => at.query?.order.field === field

/** Faults in later pages and skips where other doors have written what a list holds (S4.14, S4.25, R60). */
export const walkCellFaults: readonly Fault[] = [
  fault(
    'later pages in the order of names leave out what gRPC has renamed',
    foundByDoors,
    remembering(
      (change) =>
        change.before.kind !== 'groups' || !isRename(change)
          ? undefined
          : change.by === 'grpc'
            ? change.after
            : 'nothing',
      (known, contract) => ({
        page: (rest, skip, size, at) =>
          contract.page(
            isLater(at) && isBy('name')(at) && doorOf(at) === 'http' ? rest.filter(({ uid }) => !known.has(uid)) : rest,
            skip,
            size,
            at,
          ),
      }),
    ),
  ),
  fault(
    'later pages in the order of time leave out the groups that v1 has made',
    foundByDoors,
    madeLeftOut('groups', 'v1', (at) => isLater(at) && isBy('createTime')(at)),
  ),
  fault(
    'a skip leaves out the identities that gRPC has made as well',
    foundByDoors,
    madeLeftOut('identities', 'grpc', (at) => doorOf(at) === 'http' && (at.query?.skip ?? 0) > 0),
  ),
  fault(
    'over gRPC later pages in descending order leave out the identities that HTTP has made',
    foundByDoors,
    madeLeftOut('identities', 'http', (at) => at.over === 'grpc' && isLater(at) && at.query?.order.descending === true),
  ),
  fault(
    'later pages leave out the role bindings that gRPC has changed',
    foundByDoors,
    remembering(
      ({ before, after, by }) => (before.kind !== 'roleBindings' ? undefined : by === 'grpc' ? after : 'nothing'),
      (known, contract) => ({
        page: (rest, skip, size, at) =>
          contract.page(isLater(at) ? rest.filter(({ uid }) => !known.has(uid)) : rest, skip, size, at),
      }),
    ),
  ),
]
