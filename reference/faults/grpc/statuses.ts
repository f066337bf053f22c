import { Buffer } from 'node:buffer'
import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import type { Problem, Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, type Replacement, underMask } from '../../replace.ts'
import { withTrailers } from './trailers.ts'

/** Both protocols are asked the same, and most of what is deleted is asked for at the end. */
const foundByStatus = {
  turnsRed: ['model.grpc.status'],
  spreadsTo: ['service.faults', 'grpc.inputs.*', 'model.inputs.everything'],
}

/** Another status for some refusals. */
const statusOf = (status: number, problem: Problem, applies = (_refusal: Refusal) => true): Replacement =>
  overGrpc({ grpcStatus: (code, refusal) => (refusal.problem === problem && applies(refusal) ? status : code) })

/** Another status over gRPC for some calls on what was deleted. */
const ofDeleted =
  (status: number, applies: (at: At) => boolean): Replacement =>
  (contract) => {
    const gone = new Set<string>()
    const about = new WeakMap<At, string>()
    return {
      forget(steps, item: Item, at) {
        gone.add(item.uid)
        contract.forget(steps, item, at)
      },
      found(uid, kind, at) {
        about.set(at, uid)
        return contract.found(uid, kind, at)
      },
      grpcStatus(code, refusal, at) {
        const isGone = refusal.problem === 'missing' && gone.has(about.get(at) ?? '')
        return isGone && applies(at) ? status : contract.grpcStatus(code, refusal, at)
      },
    }
  }

const notFound = '5'

/** Faults in the status of refusals over gRPC that are not the plainest of their sort (R60). */
export const grpcStatusFaults: readonly Fault[] = [
  fault(
    'a rename to a bad name under a mask is UNKNOWN over gRPC',
    foundByStatus,
    underMask(
      on(
        'groups',
        statusOf(2, 'invalid', ({ field }) => field === 'name'),
      ),
    ),
  ),
  fault(
    'Get over gRPC of what was deleted is UNKNOWN',
    foundByStatus,
    ofDeleted(2, ({ operation }) => operation === 'get'),
  ),
  fault(
    'over gRPC a write on what was deleted is a DATA_LOSS',
    foundByStatus,
    ofDeleted(15, ({ operation }) => operation !== 'get'),
  ),
  fault(
    'a bad token is UNKNOWN over gRPC, except to lists',
    foundByStatus,
    overGrpc({
      grpcStatus: (code, { problem }, { operation }) =>
        problem === 'unauthenticated' && operation !== 'list' ? 2 : code,
    }),
  ),
  fault(
    'half a claim match is OUT_OF_RANGE over gRPC',
    foundByStatus,
    on(
      'identities',
      statusOf(11, 'invalid', ({ field }) => field === 'claimMatch'),
    ),
  ),
  fault(
    'an update of a role binding that is not there is CANCELLED over gRPC',
    foundByStatus,
    on('roleBindings', during('update', statusOf(1, 'missing'))),
  ),
  fault(
    'a role binding that names no identity is INTERNAL over gRPC',
    foundByStatus,
    on('roleBindings', during('create', statusOf(13, 'invalid'))),
  ),
  fault(
    'the details of what is missing have another code than its status',
    foundByStatus,
    withTrailers((trailers) => {
      const coded = trailers['grpc-status-details-bin']
      if (coded === undefined || trailers['grpc-status'] !== notFound) return trailers
      // the first member of the status is its code
      const bytes = Buffer.from(coded, 'base64')
      bytes[1] = 2
      return { ...trailers, 'grpc-status-details-bin': bytes.toString('base64').replace(/=+$/, '') }
    }),
  ),
  fault(
    'over gRPC a bad name in an update is refused without details',
    ['grpc.update.bad-name'],
    overGrpc(during('update', { grpcDetails: () => [] })),
  ),
]
