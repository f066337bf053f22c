import type { At } from '../../domain/at.ts'
import type { Fields, Item } from '../../domain/item.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { during, overGrpc } from '../../replace.ts'
import { lagRows } from '../lists/lagging.ts'

/** True for the two errors that the contract states by their whole form (S7.5, S7.6). */
export const isStated = ({ problem, field }: Refusal): boolean =>
  problem === 'notEmpty' || (problem === 'invalid' && field === 'name')

/** How long gRPC lags in such a variant, in milliseconds. */
const lag = 400
/** How long what is new may stay unknown to it, in milliseconds. */
const longLag = 1_500

/** How a target may answer over gRPC (S1.5, R14, R20, R52, R60). */
export const grpcAnswerVariants: readonly Variant[] = [
  variant(
    'over gRPC a listed field that is empty counts as missing and is kept',
    during('update', {
      grpcRequest({ updateMask, ...request }) {
        const [[member, resource]] = Object.entries(request) as [[string, Fields]]
        const filled = String(updateMask ?? '')
          .split(',')
          .filter((field) => field in resource)
        if (updateMask === undefined) return request
        return filled.length > 0 ? { ...request, updateMask: filled.join(',') } : { [member]: { uid: resource.uid } }
      },
    }),
    ['grpc.update.mask.clears'],
  ),
  variant('messages over gRPC are never compressed', () => ({ grpcCompresses: () => false })),
  variant('answers over gRPC have metadata of their own', () => ({
    grpcMetadata: () => ({ 'x-request-id': 'f00d', 'x-trace-bin': 'AQID' }),
  })),
  variant('messages over gRPC have fields that nobody published', () => ({
    grpcUnknownFields: () => [{ no: 2_000, wireType: 2, data: Uint8Array.from([3, 97, 98, 99]) }],
  })),
  variant(
    'errors over gRPC have a further detail',
    overGrpc({
      grpcDetails: (details) => [
        ...details,
        { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'fr', message: 'non' },
      ],
    }),
  ),
  variant(
    'only the errors of the contract have details over gRPC',
    overGrpc({
      grpcDetails: (details, refusal) => (isStated(refusal) ? details : []),
    }),
  ),
  variant('details over gRPC come in another order', overGrpc({ grpcDetails: (details) => [...details].reverse() })),
  variant(
    'page tokens of gRPC are its own',
    overGrpc((contract) => ({
      encodeToken: (cursor, at) => `rpc.${contract.encodeToken(cursor, at)}`,
      decodeToken: (token, at) => (token.startsWith('rpc.') ? contract.decodeToken(token.slice(4), at) : undefined),
    })),
    ['grpc.walk-mixed.plain', 'grpc.walk-mixed.name', 'grpc.walk-mixed.created'],
  ),
  variant(
    'the default order over gRPC is by age',
    overGrpc((contract) => ({
      order: (asked, cursor, at) => contract.order(asked ?? 'created_at', cursor, at),
    })),
    ['grpc.walk-mixed.plain'],
  ),
  variant(
    'an unknown page token restarts a list over gRPC',
    overGrpc({ badTokenRestarts: () => true }),
    [],
    'may warn',
  ),
  variant(
    'negative counts are taken as none over gRPC',
    overGrpc((contract) => ({
      count: (raw, parameter, at) => (raw.startsWith('-') ? 0 : contract.count(raw, parameter, at)),
    })),
  ),
  variant(
    'gRPC shows what was made over HTTP a moment later',
    (contract) => {
      const until = new Map<string, number>()
      const isHidden = (uid: string, { over, operation }: At) =>
        over === 'grpc' && (operation === 'get' || operation === 'list') && Date.now() < (until.get(uid) ?? 0)
      return {
        keep(item, at) {
          if (at.over !== 'grpc') until.set(item.uid, Date.now() + longLag)
          contract.keep(item, at)
        },
        found: (uid, kind, at) => (isHidden(uid, at) ? undefined : contract.found(uid, kind, at)),
        belongs: (item, at) => contract.belongs(item, at) && !isHidden(item.uid, at),
      }
    },
    lagRows,
    'may warn',
  ),
  variant(
    'gRPC shows what was written a moment later',
    (contract) => {
      const before = new Map<string, { item: Item; until: number }>()
      return {
        modify({ read, change, write }, at) {
          const old = read()
          if (at.over !== 'grpc') before.set(old.uid, { item: old, until: Date.now() + lag })
          return contract.modify({ read, change, write }, at)
        },
        seen(item, at) {
          const known = at.over === 'grpc' && at.operation !== 'update' ? before.get(item.uid) : undefined
          return contract.seen(known && Date.now() < known.until ? known.item : item, at)
        },
      }
    },
    lagRows,
    'may warn',
  ),
]
