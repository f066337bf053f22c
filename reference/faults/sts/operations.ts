import { decodeJwt } from 'jose'
import type { At, Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, overGrpc, type Replacement, when, withRequest } from '../../replace.ts'
import { hour } from '../durations.ts'

/** An operation that refuses some tokens of exchanges. */
const refusing =
  (refuses: (token: string, at: At) => boolean): Replacement =>
  (contract) => ({
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      return caller?.subject.includes('/') && refuses(token, at) ? undefined : caller
    },
  })

const byModel = { turnsRed: ['model.exchange.lifetime'], spreadsTo: ['sts.*', 'grpc.*', 'model.*'] }
const every = refusing(() => true)

/** Takes tokens of exchanges for so many milliseconds only. */
const takingFor = (age: number) =>
  refusing((token, { world }) => world.now() - (decodeJwt(token).iat ?? 0) * 1000 > age)

/** API tokens of exchanges that live for so many seconds where the identity that is asked for is such a one. */
const livingFor =
  (seconds: number, isOne: (uid: string, at: At) => boolean): Replacement =>
  (contract) => {
    const asked = new WeakMap<At, string>()
    return {
      assumable(uid, at) {
        asked.set(at, uid)
        return contract.assumable(uid, at)
      },
      exchangedLifetime: (at) => (isOne(asked.get(at) ?? '', at) ? seconds : contract.exchangedLifetime(at)),
    }
  }

/** Faults in where exchanged API tokens are accepted, and how long each lives (S5.5, S5.9, R40, R41). */
export const stsOperationFaults: readonly Fault[] = [
  fault('v1 does not take exchanged tokens', byModel, inV1(every)),
  fault('the v1 list of repos does not take exchanged tokens', byModel, on('repos', inV1(every))),
  fault('the list of identities does not take exchanged tokens', byModel, on('identities', during('list', every))),
  fault('bindings over gRPC do not take exchanged tokens', byModel, on('roleBindings', overGrpc(every))),
  fault(
    'over gRPC Get of an identity provider does not take exchanged tokens',
    byModel,
    on('identityProviders', during('get', overGrpc(every))),
  ),
  fault('over gRPC repos do not take exchanged tokens', byModel, on('repos', overGrpc(every))),
  fault(
    'the list of bindings takes an API token for half an hour',
    byModel,
    on('roleBindings', during('list', takingFor(hour / 2))),
  ),
  fault(
    'Get of an account association does not take exchanged tokens',
    byModel,
    on('accountAssociations', during('get', every)),
  ),
  fault(
    'writes take an API token for a quarter of an hour',
    byModel,
    when(({ operation }) => ['create', 'update', 'delete'].includes(operation), takingFor(hour / 4)),
  ),
  fault(
    'Get of an identity takes an API token for half an hour',
    byModel,
    on('identities', during('get', takingFor(hour / 2))),
  ),
  fault('Get in v1 takes an API token for half an hour', byModel, inV1(during('get', takingFor(hour / 2)))),
  fault(
    'Get of a role binding takes an API token for half an hour',
    byModel,
    on('roleBindings', during('get', takingFor(hour / 2))),
  ),
  fault(
    'over gRPC the list of role bindings takes an API token for half an hour',
    byModel,
    on('roleBindings', during('list', overGrpc(takingFor(hour / 2)))),
  ),
  fault('a change over gRPC of an identity ends its API tokens', byModel, (contract) => {
    const tokens = new Map<string, string[]>()
    const ended = new Set<string>()
    return {
      issued(token, at) {
        const { sub = '' } = decodeJwt(token)
        tokens.set(sub, [...(tokens.get(sub) ?? []), token])
        return contract.issued(token, at)
      },
      modify(steps, at) {
        if (at.over === 'grpc' && at.kind === 'identities')
          for (const token of tokens.get(steps.read().uid) ?? []) ended.add(token)
        return contract.modify(steps, at)
      },
      ...refusing((token) => ended.has(token))(contract),
    }
  }),
  fault(
    'the API token of an identity with two bindings lives for a quarter of an hour',
    byModel,
    livingFor(900, (uid, { world }) => world.store.bindingsOf(uid).length >= 2),
  ),
  fault('the API token of an identity whose claims changed lives for a day', byModel, (contract) => {
    const changed = new Set<string>()
    return {
      modify(steps, at) {
        const old = steps.read()
        if (JSON.stringify(steps.change(old).claimMatch) !== JSON.stringify(old.claimMatch)) changed.add(old.uid)
        return contract.modify(steps, at)
      },
      ...livingFor(86_400, (uid) => changed.has(uid))(contract),
    }
  }),
  fault(
    'a path with an escaped slash takes an API token after its hour',
    { turnsRed: ['model.*.credential'], spreadsTo: ['auth.*'] },
    withRequest((request, contract) => {
      const known = new Map<string, Caller>()
      return {
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          if (caller) known.set(token, caller)
          const isEscaped = /^[^?]*%2f/i.test(request()?.url ?? '')
          return caller ?? (isEscaped ? known.get(token) : undefined)
        },
      }
    }),
  ),
]
