import type { Cursor } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, type Replacement, when } from '../../replace.ts'
import { scopesReadAs } from '../scopes.ts'

/** A fault in calls over gRPC alone. */
const inGrpc = (name: string, rules: Parameters<typeof overGrpc>[0]) =>
  fault(name, { turnsRed: ['model.*'], spreadsTo: ['grpc.inputs.*'] }, overGrpc(rules))

/** A cursor that holds an offset instead of an item. */
const byOffset: Replacement = (contract) => ({
  cursor: (last, key, order, skipped, now, at) => ({
    ...contract.cursor(last, key, order, skipped, now, at),
    offset: Number(at.query?.cursor?.offset ?? 0) + (at.query?.skip ?? 0) + (at.query?.size ?? 0),
  }),
  rest: (sorted, _place, cursor) => sorted.slice(Number(cursor.offset)),
})

/** Faults in lists over gRPC that show beside near misses, other walks or changes (S1.5, S4.8, S4.10, S4.12). */
export const grpcNearbyFaults: readonly Fault[] = [
  inGrpc('over gRPC what is below a group is decided by the beginning of its uid', (contract) => ({
    ...when(
      ({ query }) => query?.descendantsOf !== undefined,
      scopesReadAs((item, { query }) => item.parent.startsWith(query!.descendantsOf!)),
    )(contract),
  })),
  inGrpc('over gRPC a scope that is not there is no scope', (contract) => ({
    ...when(
      ({ query, world }) => {
        const scope = query?.childrenOf ?? query?.descendantsOf
        return scope !== undefined && world.store.get('groups', scope) === undefined
      },
      scopesReadAs(() => true),
    )(contract),
  })),
  inGrpc('over gRPC a name is found by its beginning', { matchesName: (item, name) => item.name.startsWith(name) }),
  inGrpc('over gRPC a name is found in capitals', {
    matchesName: (item, name) => item.name.toLowerCase() === name.toLowerCase(),
  }),
  inGrpc('over gRPC a name is a pattern of the database', {
    matchesName: (item, name) =>
      new RegExp(
        `^${name
          .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replaceAll('%', '.*')
          .replaceAll('_', '.')}$`,
        's',
      ).test(item.name),
  }),
  fault(
    'over gRPC all walks of one query share a cursor',
    { turnsRed: ['grpc.list.walk.interleaved'], spreadsTo: ['grpc.*'] },
    overGrpc((contract) => {
      const cursors = new Map<string, Cursor>()
      return {
        encodeToken(cursor, at) {
          const { childrenOf, descendantsOf, name, order, size } = at.query!
          const key = JSON.stringify([at.kind, childrenOf, descendantsOf, name, order, size])
          cursors.set(key, cursor)
          return Buffer.from(key).toString('base64url')
        },
        decodeToken: (token, at) =>
          cursors.get(Buffer.from(token, 'base64url').toString()) ?? contract.decodeToken(token, at),
      }
    }),
  ),
  fault(
    'over gRPC groups are walked by offset',
    { turnsRed: ['model.*'], spreadsTo: ['grpc.inputs.*'] },
    overGrpc(on('groups', byOffset)),
  ),
  fault(
    'over gRPC role bindings are walked by offset',
    { turnsRed: ['model.*'], spreadsTo: ['grpc.inputs.*'] },
    overGrpc(on('roleBindings', byOffset)),
  ),
  inGrpc(
    'over gRPC a page of identities may hold a thousand',
    on('identities', { pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 1000)) }),
  ),
]
