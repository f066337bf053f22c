import type { IncomingMessage } from 'node:http'
import type { At, Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, when, withRequest } from '../../replace.ts'
import { takenFor } from '../auth/refuses.ts'

const hasParameter = (request: IncomingMessage | undefined, name: string) =>
  new URL(request?.url ?? '', 'http://localhost').searchParams.has(name)

/** Faults of credentials that need a parameter, a connection or a later call (S5.1, R39). */
export const unusualCredentialFaults: readonly Fault[] = [
  fault(
    'a page token is credential enough',
    { turnsRed: ['auth.required.list*', 'model.*'], spreadsTo: ['auth.*'] },
    withRequest((request, contract) => ({
      needsToken: (at) => !hasParameter(request(), 'page_token') && contract.needsToken(at),
    })),
  ),
  fault(
    'a list by name needs no token',
    { turnsRed: ['auth.required.list*', 'model.*'], spreadsTo: ['auth.*'] },
    withRequest((request, contract) => ({
      needsToken: (at) => !(at.operation === 'list' && hasParameter(request(), 'name')) && contract.needsToken(at),
    })),
  ),
  fault(
    'the list of v1 needs no token where an order is asked for',
    { turnsRed: ['model.group.credential'], spreadsTo: ['auth.*'] },
    inV1(
      withRequest((request, contract) => ({
        needsToken: (at) =>
          !(at.operation === 'list' && hasParameter(request(), 'order_by')) && contract.needsToken(at),
      })),
    ),
  ),
  fault('v1 shows tags, and needs no token for them', ['model.tag.credential'], (contract) => ({
    transport(request, response, serve, at) {
      if (!/\/registry\/v1\/tags(\?|$)/.test(request.url ?? '')) return contract.transport(request, response, serve, at)
      request.resume()
      const items = [...at.world.store.all('tags')].map(({ uid, name }) => ({ id: uid, name }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }))
      return Promise.resolve()
    },
  })),
  fault(
    'the last twelve letters of a token that was used before do not matter',
    { turnsRed: ['model.group.credential'], spreadsTo: ['auth.*', 'sts.*', 'grpc.*'] },
    takenFor((token, good) =>
      [...good].some((one) => one.length === token.length && one.startsWith(token.slice(0, -12))),
    ),
  ),
  fault(
    'a token without its end will do for Get of account associations over gRPC',
    { turnsRed: ['model.accountAssociation.credential'], spreadsTo: ['grpc.auth.*'] },
    when(
      ({ over, kind, operation }) => over === 'grpc' && kind === 'accountAssociations' && operation === 'get',
      takenFor((token, good) => token.length > 40 && [...good].some((one) => one.startsWith(token))),
    ),
  ),
  fault(
    'an ended token works on the connection on which it was used',
    {
      turnsRed: ['sts.token.hour.over', 'auth.refuses.expired-token*', 'model.*'],
      spreadsTo: ['sts.token.*', 'grpc.auth.*'],
    },
    withRequest((request, contract) => {
      const sessions = new WeakMap<object, Map<string, Caller>>()
      return {
        async authenticate(token, reader, at) {
          const socket = request()?.socket
          const known = (socket && sessions.get(socket)) ?? new Map<string, Caller>()
          const kept = known.get(token)
          if (kept) return kept
          const caller = await contract.authenticate(token, reader, at)
          if (caller) known.set(token, caller)
          if (socket) sessions.set(socket, known)
          return caller
        },
      }
    }),
  ),
  fault(
    'a refused role binding keeps its group from being deleted',
    { turnsRed: ['group.delete.emptied.whatever'], spreadsTo: ['grpc.delete.emptied', 'model.*'] },
    (contract) => {
      const parents = new WeakMap<At, string>()
      const stuck = new Set<string>()
      return {
        mintUid(parent, at) {
          parents.set(at, parent.uid)
          return contract.mintUid(parent, at)
        },
        referenceHolds(found, kind, at) {
          const holds = contract.referenceHolds(found, kind, at)
          const parent = parents.get(at)
          if (!holds && kind === 'roles' && parent !== undefined) stuck.add(parent)
          return holds
        },
        blocksDelete: (item, living, at) => contract.blocksDelete(item, living, at) || stuck.has(item.uid),
      }
    },
  ),
  fault('the next good update of a group does what a call with a bad token wanted', ['model.*'], (contract) => {
    const pending = new Map<string, string>()
    return {
      unauthenticated(rawUid, body, at) {
        if (at.kind !== 'groups' || at.operation !== 'update') return
        const { description } = contract.body(body, at) ?? {}
        if (typeof description === 'string') pending.set(decodeURIComponent(rawUid), description)
      },
      modify(steps, at) {
        return contract.modify(
          {
            ...steps,
            change(old) {
              const next = steps.change(old)
              const description = pending.get(next.uid)
              pending.delete(next.uid)
              return description === undefined ? next : { ...next, description }
            },
          },
          at,
        )
      },
    }
  }),
]
