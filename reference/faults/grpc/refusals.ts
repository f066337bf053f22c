import { Buffer } from 'node:buffer'
import type { At } from '../../domain/at.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, when } from '../../replace.ts'
import { withTrailers } from './trailers.ts'

const errors = ['grpc.error.*']

/** A fault in the status of some refusals over gRPC. */
const statusOf = (
  name: string,
  turnsRed: readonly string[],
  status: number,
  applies: (refusal: Refusal) => boolean,
): Fault =>
  fault(
    name,
    { turnsRed, spreadsTo: [...errors, 'error.*'] },
    overGrpc({ grpcStatus: (code, refusal) => (applies(refusal) ? status : code) }),
  )

/** Faults in refusals that only gRPC shows (S7.1 to S7.6, R60). */
export const grpcRefusalFaults: readonly Fault[] = [
  fault(
    'errors over gRPC have no details',
    { turnsRed: ['grpc.error.name.details', 'grpc.error.not-empty.details', 'grpc.error.domain'], spreadsTo: errors },
    overGrpc({ grpcDetails: () => [] }),
  ),
  fault(
    'errors over gRPC lack what is particular to them',
    { turnsRed: ['grpc.error.name.details', 'grpc.error.not-empty.details'], spreadsTo: errors },
    overGrpc({ grpcDetails: (details) => details.slice(0, 1) }),
  ),
  fault(
    'violations over gRPC name no field',
    { turnsRed: ['grpc.error.name.details'], spreadsTo: errors },
    overGrpc({
      grpcDetails: (details) =>
        details.map((detail) =>
          'fieldViolations' in detail ? { ...detail, fieldViolations: [{ field: '' }] } : detail,
        ),
    }),
  ),
  fault(
    'the domain of errors is another over gRPC',
    { turnsRed: ['grpc.error.domain'], spreadsTo: ['error.*'] },
    overGrpc({ errorDomain: () => 'grpc.reference.test' }),
  ),
  fault(
    'the error of a full group has another domain over gRPC',
    { turnsRed: ['grpc.error.domain.all'], spreadsTo: errors },
    overGrpc(
      during('delete', {
        errorDomain: () => 'grpc.reference.test',
      }),
    ),
  ),
  fault(
    'what is missing, groups aside, is INVALID_ARGUMENT over gRPC',
    {
      turnsRed: ['identities', 'roles', 'roleBindings', 'repos'].map((kind) => `grpc.error.status.missing@${kind}`),
      spreadsTo: errors,
    },
    overGrpc(
      when(({ kind, operation }) => kind !== 'groups' && operation !== 'create', {
        grpcStatus: (code) => (code === 5 ? 3 : code),
      }),
    ),
  ),
  fault(
    'a bad token is PERMISSION_DENIED over gRPC',
    { turnsRed: ['grpc.error.status.garbage-token'], spreadsTo: errors },
    (contract) => {
      const brought = new WeakSet<At>()
      return {
        credential(headers, query, at) {
          const token = contract.credential(headers, query, at)
          if (token !== undefined) brought.add(at)
          return token
        },
        grpcStatus: (code, refusal, at) =>
          code === 16 && brought.has(at) ? 7 : contract.grpcStatus(code, refusal, at),
      }
    },
  ),
  fault(
    'a list with an unknown order, groups aside, is INTERNAL over gRPC',
    {
      turnsRed: ['identities', 'roles', 'repos'].map((kind) => `grpc.error.status.odd-list@${kind}`),
      spreadsTo: errors,
    },
    when(
      ({ kind, operation }) => kind !== 'groups' && operation === 'list',
      (contract) => ({
        grpcStatus: (code, refusal, at) => (code === 3 ? 13 : contract.grpcStatus(code, refusal, at)),
      }),
    ),
  ),
  fault(
    'messages over gRPC lack their opening',
    { turnsRed: ['grpc.error.name.message'], spreadsTo: errors },
    overGrpc({ grpcStatusMessage: (message) => message.replace(/^[^:]*: /, '') }),
  ),
  statusOf(
    'a bad name has the status NOT_FOUND over gRPC',
    ['grpc.error.name.code', 'grpc.error.status.bad-name'],
    5,
    ({ field, description }) => field === 'name' && /holds/.test(description),
  ),
  statusOf(
    'a missing name has the status OUT_OF_RANGE over gRPC',
    ['grpc.error.status.no-name'],
    11,
    ({ field, description }) => field === 'name' && /required/.test(description),
  ),
  statusOf(
    'a full group has the status INVALID_ARGUMENT over gRPC',
    ['grpc.error.not-empty.code', 'grpc.error.status.full-group'],
    3,
    ({ problem }) => problem === 'notEmpty',
  ),
  statusOf(
    'a full group has the status ABORTED over gRPC',
    ['grpc.error.status.full-group'],
    10,
    ({ problem }) => problem === 'notEmpty',
  ),
  statusOf(
    'a missing token has the status PERMISSION_DENIED over gRPC',
    ['grpc.error.status.no-token'],
    7,
    ({ problem }) => problem === 'unauthenticated',
  ),
  ...(
    [
      ['get', 'groups', 'missing', 'grpc.error.status.missing-group'],
      ['update', 'groups', 'missing', 'grpc.error.status.missing-changed'],
      ['create', 'groups', 'missing', 'grpc.error.status.missing-parent'],
      ['update', 'groups', 'invalid', 'grpc.error.status.bad-rename'],
      ['get', 'identities', 'missing', 'grpc.error.status.missing-identity'],
      ['update', 'identities', 'missing', 'grpc.error.status.missing-identity-changed'],
      ['create', 'identities', 'invalid', 'grpc.error.status.nameless-identity'],
      ['create', 'identities', 'missing', 'grpc.error.status.missing-parent-of-identity'],
      [
        'create',
        'roleBindings',
        'missing',
        'grpc.error.status.unknown-*',
        'grpc.error.status.missing-parent-of-binding',
      ],
      ['delete', 'groups', 'missing', 'grpc.error.status.missing-deleted'],
      ['delete', 'identities', 'missing', 'grpc.error.status.missing-identity-deleted'],
      ['delete', 'roleBindings', 'missing', 'grpc.error.status.missing-binding-deleted'],
      ['update', 'identities', 'invalid', 'grpc.error.status.name-taken-away'],
    ] as const
  ).map(([operation, kind, problem, ...turnsRed]) =>
    fault(
      `${operation} of ${kind} that is ${problem} has the status UNKNOWN over gRPC`,
      { turnsRed, spreadsTo: [...errors, 'grpc.*', 'error.*'] },
      overGrpc(
        on(kind, during(operation, { grpcStatus: (code, refusal) => (refusal.problem === problem ? 2 : code) })),
      ),
    ),
  ),
  fault(
    'a role binding of what is missing is PERMISSION_DENIED over gRPC',
    {
      turnsRed: ['grpc.error.status.unknown-*', 'grpc.error.status.missing-parent-of-binding'],
      spreadsTo: [...errors, 'grpc.*', 'error.*'],
    },
    overGrpc(
      on('roleBindings', during('create', { grpcStatus: (code, { problem }) => (problem === 'missing' ? 7 : code) })),
    ),
  ),
  statusOf(
    'a bad skip has the status OUT_OF_RANGE over gRPC',
    ['grpc.error.status.negative-skip'],
    11,
    ({ field }) => field === 'skip',
  ),
  statusOf(
    'a bad page token has the status NOT_FOUND over gRPC',
    ['grpc.error.status.bad-token'],
    5,
    ({ field }) => field === 'page_token',
  ),
  statusOf(
    'a bad order has the status UNKNOWN over gRPC',
    ['grpc.error.status.bad-order'],
    2,
    ({ field }) => field === 'order_by',
  ),
  fault(
    'the details of an error have another code than its status',
    { turnsRed: ['grpc.error.status.details'], spreadsTo: errors },
    withTrailers((trailers) => {
      const coded = trailers['grpc-status-details-bin']
      if (coded === undefined) return trailers
      // the first member of the status is its code
      const bytes = Buffer.from(coded, 'base64')
      bytes[1] = 13
      return { ...trailers, 'grpc-status-details-bin': bytes.toString('base64').replace(/=+$/, '') }
    }),
  ),
  fault(
    'bad names are accepted over gRPC',
    { turnsRed: ['grpc.error.name.code', 'grpc.error.name.update'], spreadsTo: errors },
    overGrpc({ nameProblem: () => undefined }),
  ),
  fault(
    'a rename to a bad name is stored though gRPC refuses it',
    ['grpc.error.name.update'],
    overGrpc(on('groups', { leftByRefusedUpdate: (_before, wanted) => wanted })),
  ),
  fault(
    'a refused create over gRPC leaves a group behind',
    { turnsRed: ['grpc.error.name.nothing-left'], spreadsTo: errors },
    overGrpc(on('groups', { leftByRefusedCreate: (draft) => [draft] })),
  ),
  fault(
    'full groups can be deleted over gRPC',
    { turnsRed: ['grpc.error.not-empty.code', 'grpc.error.not-empty.stays'], spreadsTo: errors },
    overGrpc({ blocksDelete: () => false }),
  ),
  ...(['get', 'update', 'create'] as const).map((operation) =>
    fault(
      `${operation} of a missing group finds its parent over gRPC`,
      { turnsRed: [`grpc.error.missing.${operation}`], spreadsTo: ['grpc.*'] },
      overGrpc(
        during(operation, (contract) => ({
          found: (uid, kind, at) =>
            contract.found(uid, kind, at) ??
            (kind === 'groups' ? at.world.store.get('groups', at.caller?.org ?? '') : undefined),
        })),
      ),
    ),
  ),
]
