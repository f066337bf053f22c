import type { IncomingMessage } from 'node:http'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, withRequest } from '../../replace.ts'

/** A fault that makes two groups where the request is of a certain form. */
const twice = (name: string, turnsRed: readonly string[], applies: (request: IncomingMessage) => boolean) =>
  fault(
    name,
    { turnsRed, spreadsTo: ['grpc.*'] },
    withRequest((request, contract) =>
      overGrpc(
        on('groups', {
          keep(item, at) {
            contract.keep(item, at)
            if (applies(request())) contract.keep({ ...item, uid: `${item.uid}0` }, at)
          },
        }),
      )(contract),
    ),
  )

/** Faults in how a message is taken, whatever it asks for (S1.5). */
export const grpcSendingFaults: readonly Fault[] = [
  twice('a Create over gRPC is carried out twice', ['grpc.create.once.plain'], () => true),
  twice(
    'a Create with a deadline is carried out twice over gRPC',
    ['grpc.create.once.deadline'],
    ({ headers }) => headers['grpc-timeout'] !== undefined,
  ),
  twice(
    'a compressed Create is carried out twice over gRPC',
    ['grpc.create.once.compressed'],
    ({ headers }) => headers['grpc-encoding'] === 'gzip',
  ),
  twice('a Create of the type application/grpc+proto is carried out twice', ['grpc.create.once.proto'], ({ headers }) =>
    /proto/.test(headers['content-type'] ?? ''),
  ),
  fault(
    'messages over gRPC are compressed, whatever the client reads',
    ['grpc.wire.identity'],
    overGrpc((contract) => ({
      grpcTransport(request, response, serve, at) {
        request.headers['grpc-accept-encoding'] = 'gzip'
        return contract.grpcTransport(request, response, serve, at)
      },
    })),
  ),
  fault(
    'a Create without a group makes one over gRPC',
    ['grpc.create.no-message'],
    overGrpc(
      during('create', {
        grpcRequest: (request, { kind }) =>
          kind === 'groups' && request.group === undefined ? { ...request, group: { name: 'unnamed' } } : request,
      }),
    ),
  ),
  fault(
    'a Create without a group breaks the server over gRPC',
    { turnsRed: ['grpc.create.no-message.status'], spreadsTo: ['service.faults'] },
    overGrpc(
      during('create', {
        grpcRequest(request, { kind }) {
          if (kind === 'groups' && request.group === undefined) throw new TypeError('group is undefined')
          return request
        },
      }),
    ),
  ),
  fault(
    'Get without a uid shows the organization over gRPC',
    ['grpc.get.no-uid'],
    overGrpc(
      during('get', {
        grpcRequest: (request, { kind, caller }) =>
          kind === 'groups' && !request.uid ? { uid: caller?.org ?? '' } : request,
      }),
    ),
  ),
  fault(
    'a client can verify its new group over gRPC',
    { turnsRed: ['grpc.create.server-owned'], spreadsTo: ['grpc.*'] },
    overGrpc(
      on(
        'groups',
        during('create', (contract) => ({ settable: (at) => [...contract.settable(at), 'verified'] })),
      ),
    ),
  ),
  fault(
    'a client decides over gRPC when an identity was last seen',
    { turnsRed: ['grpc.create.server-owned@identities'], spreadsTo: ['grpc.*'] },
    overGrpc(
      on(
        'identities',
        during('create', (contract) => ({
          settable: (at) => [...contract.settable(at), 'lastSeenTime'],
          stored: (value, field, at) =>
            field === 'lastSeenTime' ? Date.parse(String(value)) : contract.stored(value, field, at),
        })),
      ),
    ),
  ),
]
