import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, type Replacement } from '../../replace.ts'
import { hiddenFromGet, knowingMade } from '../lookups.ts'
import { changed, foundByModel } from '../run/histories.ts'

/** Get over gRPC still finds what some calls deleted. */
const stillFound = (kind: Kind, isDeleter: (at: At) => boolean): Replacement =>
  on(kind, (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        if (item.kind === kind && isDeleter(at)) gone.set(item.uid, item)
        contract.forget(steps, item, at)
      },
      found(uid, sought, at) {
        const isAsked = sought === kind && at.over === 'grpc' && at.operation === 'get'
        return contract.found(uid, sought, at) ?? (isAsked ? gone.get(uid) : undefined)
      },
    }
  })

const isV1 = ({ version }: At) => version === 'v1'

/** Faults of what is written over one protocol and read by Get over the other (S1.5, S4.28, R28, R55). */
export const grpcProtocolFaults: readonly Fault[] = [
  fault('over gRPC Get still finds a group that v1 deleted', foundByModel, stillFound('groups', isV1)),
  fault(
    'over gRPC Get still finds an identity that was deleted over gRPC',
    foundByModel,
    stillFound('identities', ({ over }) => over === 'grpc'),
  ),
  fault(
    'over gRPC Get does not find a group that v1 made',
    foundByModel,
    knowingMade(isV1, (isOne, contract) => overGrpc(hiddenFromGet('groups', isOne))(contract)),
  ),
  fault(
    'Get over HTTP shows a role binding as it was before it was changed over gRPC',
    foundByModel,
    on('roleBindings', (contract) => {
      const before = new Map<string, Item>()
      return {
        ...changed(contract, (old, next, at) => {
          if (at.over !== 'grpc') before.delete(old.uid)
          else if (!before.has(old.uid)) before.set(old.uid, old)
          return next
        }),
        seen(item, at) {
          const isAsked = item.kind === 'roleBindings' && at.operation === 'get' && at.over !== 'grpc'
          return contract.seen((isAsked && before.get(item.uid)) || item, at)
        },
      }
    }),
  ),
  fault('Get does not find an account association that was renamed over gRPC', foundByModel, (contract) => {
    const lost = new Set<string>()
    return {
      ...on(
        'accountAssociations',
        changed(contract, (old, next, at) => {
          if (next.name !== old.name) lost[at.over === 'grpc' ? 'add' : 'delete'](next.uid)
          return next
        }),
      )(contract),
      ...hiddenFromGet('accountAssociations', (uid) => lost.has(uid))(contract),
    }
  }),
]
