import type { Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, withRequest } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'
import { endWith, withTrailers } from './trailers.ts'

const auth = ['grpc.auth.*']
const suffix = (kind: Kind) => (kind === 'groups' ? '' : `@${kind}`)
const kinds: readonly Kind[] = ['groups', 'identities', 'roles', 'repos', 'roleBindings', 'tags', 'advisories']

/** Refuses calls with such a request header, whatever they ask for. */
const refusing = (header: RegExp, status: number) =>
  overGrpc((contract) => ({
    grpcTransport: async (request, response, serve, at) =>
      Object.entries(request.headers).some(([name, value]) => header.test(`${name}: ${value}`))
        ? endWith(response, status, 'not taken')
        : contract.grpcTransport(request, response, serve, at),
  }))

/** Calls of some content types need no token. */
const openTo = (some: (type: string) => boolean) =>
  overGrpc(
    withRequest((request, contract) => ({
      needsToken: (at) => !some(request().headers['content-type'] ?? '') && contract.needsToken(at),
    })),
  )

/** Faults in who may call over gRPC, and in the protocol itself (S1.5, S5.1, R39). */
export const grpcAccessFaults: readonly Fault[] = [
  ...kinds.map((kind) =>
    fault(
      `${kind} are open to everybody over gRPC`,
      { turnsRed: [`grpc.auth.required${suffix(kind)}`], spreadsTo: auth },
      overGrpc(on(kind, { needsToken: () => false })),
    ),
  ),
  ...kinds.map((kind) =>
    fault(
      `any token will do for ${kind} over gRPC`,
      { turnsRed: [`grpc.auth.refuses.garbage${suffix(kind)}`], spreadsTo: auth },
      overGrpc(on(kind, { authenticate: async (_token, _reader, at) => at.world.operator })),
    ),
  ),
  fault(
    'ListGroups skips authentication over gRPC',
    { turnsRed: ['grpc.auth.required'], spreadsTo: auth },
    overGrpc(on('groups', { needsToken: ({ operation }) => operation !== 'list' })),
  ),
  fault(
    'tokens are read over gRPC without looking at their signature',
    {
      turnsRed: ['grpc.auth.refuses.other-signer', 'grpc.auth.refuses.unsigned', 'grpc.auth.refuses.altered'],
      spreadsTo: auth,
    },
    overGrpc({ authenticate: async (token, reader) => reader.unverified(token) }),
  ),
  fault(
    'the end of a token does not count over gRPC',
    { turnsRed: ['grpc.auth.refuses.cut-short'], spreadsTo: auth },
    overGrpc(on('identities', { authenticate: async (token, reader) => reader.unverified(token) })),
  ),
  fault(
    'an empty token opens groups over gRPC',
    { turnsRed: ['grpc.auth.refuses.empty-token'], spreadsTo: auth },
    overGrpc((contract) => ({
      credential: (headers, query, at) =>
        /^bearer *$/i.test(headers.authorization ?? '') ? 'none' : contract.credential(headers, query, at),
      authenticate: async (token, reader, at) =>
        token === 'none' ? at.world.operator : contract.authenticate(token, reader, at),
    })),
  ),
  fault(
    'a token needs no scheme over gRPC',
    { turnsRed: ['grpc.auth.refuses.bare'], spreadsTo: auth },
    overGrpc({ credential: ({ authorization }) => authorization?.split(' ').at(-1) }),
  ),
  fault(
    'a token may have any scheme over gRPC',
    { turnsRed: ['grpc.auth.refuses.other-scheme'], spreadsTo: auth },
    overGrpc({ credential: ({ authorization }) => /^\w+ +(\S+)$/.exec(authorization ?? '')?.[1] }),
  ),
  fault(
    'a token may be in other metadata over gRPC',
    { turnsRed: ['grpc.auth.refuses.in-other-headers'], spreadsTo: auth },
    overGrpc((contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? String(headers['x-access-token'] ?? ''),
    })),
  ),
  fault(
    'a token may be in the metadata of a gateway over gRPC',
    { turnsRed: ['grpc.auth.refuses.in-other-headers'], spreadsTo: auth },
    overGrpc((contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ??
        /^Bearer (.+)$/.exec(String(headers['grpcgateway-authorization'] ?? ''))?.[1],
    })),
  ),
  fault(
    'UpdateRoleBinding skips authentication over gRPC',
    { turnsRed: ['grpc.auth.required@roleBindings'], spreadsTo: auth },
    overGrpc(on('roleBindings', { needsToken: ({ operation }) => operation !== 'update' })),
  ),
  fault(
    'a call over gRPC of the type application/grpc+proto needs no token',
    foundByModel,
    openTo((type) => /^application\/grpc\+proto/.test(type)),
  ),
  fault(
    'a call over gRPC-Web or Connect needs no token',
    foundByModel,
    openTo((type) => !/^application\/grpc(\+|;|$)/.test(type)),
  ),
  fault(
    'bytes that are no message are answered OK over gRPC',
    ['grpc.wire.malformed'],
    withTrailers((trailers) =>
      /parse|premature|index/i.test(trailers['grpc-message'] ?? '') ? { 'grpc-status': '0' } : trailers,
    ),
  ),
  fault('metadata in bytes is refused over gRPC', ['grpc.wire.metadata'], refusing(/^x-[\w-]+-bin: /, 3)),
  fault(
    'a deadline in anything but seconds is refused over gRPC',
    ['grpc.wire.deadline.ample'],
    refusing(/^grpc-timeout: .*[HMmun]$/, 3),
  ),
  fault('a deadline is refused over gRPC', ['grpc.wire.deadline.ample'], refusing(/^grpc-timeout: /, 3)),
  fault(
    'compressed messages are refused over gRPC as invalid',
    ['grpc.wire.gzip'],
    refusing(/^grpc-encoding: gzip/, 3),
  ),
  fault(
    'the content type application/grpc+proto is refused',
    ['grpc.wire.content-type'],
    refusing(/^content-type: .*\+proto/, 3),
  ),
  fault(
    'what no service has is answered UNKNOWN over gRPC',
    ['grpc.wire.unknown-method', 'grpc.wire.unknown-service'],
    withTrailers((trailers, { kind }) =>
      kind === 'none' && trailers['grpc-status'] === '12' ? { ...trailers, 'grpc-status': '2' } : trailers,
    ),
  ),
]
