import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in lists of roles and repos that only gRPC shows (S1.5, S4.9, S4.14, S4.18). */
export const grpcForeignFaults: readonly Fault[] = [
  fault('over gRPC a list of roles leaves nothing out', foundByModel, on('roles', overGrpc({ skipApplied: () => 0 }))),
  fault(
    'over gRPC later pages of roles have no total',
    foundByModel,
    on(
      'roles',
      overGrpc((contract) => ({
        listBody(parts, at) {
          const { totalCount, ...others } = contract.listBody(parts, at) as Record<string, unknown>
          return at.page < 2 ? { totalCount, ...others } : others
        },
      })),
    ),
  ),
  fault(
    'over gRPC repos are never in descending order',
    { turnsRed: ['model.repo.order'], spreadsTo: ['grpc.*'] },
    on(
      'repos',
      overGrpc((contract) => ({
        order(asked, cursor, at) {
          const order = contract.order(asked, cursor, at)
          return order && { ...order, descending: false }
        },
      })),
    ),
  ),
  fault(
    'over gRPC the children of a group are all repos below it',
    { turnsRed: ['model.repo.*'], spreadsTo: ['grpc.*'] },
    on(
      'repos',
      overGrpc((contract) => ({
        *candidates(at) {
          if (at.query?.childrenOf === undefined) yield* contract.candidates(at)
          else yield* at.world.store.all('repos')
        },
        withinScope: (item, at) =>
          at.query?.childrenOf === undefined
            ? contract.withinScope(item, at)
            : `${item.parent}/`.startsWith(`${at.query.childrenOf}/`),
      })),
    ),
  ),
]
