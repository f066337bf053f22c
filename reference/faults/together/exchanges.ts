import type { At, Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { when } from '../../replace.ts'
import { day } from '../durations.ts'
import { foundByModel } from '../run/histories.ts'

/** Takes a token whatever audience it was asked for. */
const ofAnyAudience: Replacement = () => ({ authenticate: (token, reader) => reader.ofAnyAudience(token) })

const audience = { turnsRed: ['sts.token.*-audience', 'grpc.sts.audience'], spreadsTo: [] }
const [overHttp, overGrpc] = [['sts.token.*-audience'], ['grpc.sts.audience']]

/** Takes a token that was once taken for a day. */
const forADay: Replacement = (contract) => {
  const known = new Map<string, { caller: Caller; until: number }>()
  return {
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const kept = known.get(token)
      if (caller && !kept) known.set(token, { caller, until: at.world.now() + day })
      return caller ?? (kept && at.world.now() < kept.until ? kept.caller : undefined)
    },
  }
}

/** The same where it applies: a token is known from every call. */
const endless =
  (applies: (at: At) => boolean): Replacement =>
  (contract) => {
    const { authenticate } = forADay(contract)
    return {
      async authenticate(token, reader, at) {
        const taken = await authenticate!(token, reader, at)
        return applies(at) ? taken : contract.authenticate(token, reader, at)
      },
    }
  }

const endlessOverGrpc = { turnsRed: ['model.*'], spreadsTo: ['auth.*'] }
const expired = { turnsRed: ['auth.refuses.expired-token@*', 'model.*'], spreadsTo: ['auth.*'] }

/** Exchanges where nothing can be read of an issuer, and API tokens where they no longer count, or never did. */
export const exchangesTogetherFaults: readonly Fault[] = [
  fault('an issuer that publishes no key is believed', foundByModel, (contract) => ({
    signedByIssuer: async (token, header, keys, at) =>
      keys.length === 0 || contract.signedByIssuer(token, header, keys, at),
  })),
  fault('a key that cannot be read is taken for one that fits', foundByModel, (contract) => ({
    signedByIssuer: async (token, header, keys, at) =>
      keys.some(({ kty, n }) => kty === 'RSA' && !n) || contract.signedByIssuer(token, header, keys, at),
  })),
  fault('the only key of an issuer counts whatever it is for', foundByModel, (contract) => ({
    signedByIssuer: async (token, header, keys, at) =>
      (await contract.signedByIssuer(token, header, keys, at)) || (keys.length === 1 && keys[0]!.kty === 'EC'),
  })),
  fault('where an issuer publishes no key those of the one before count', foundByModel, (contract) => {
    let last: Parameters<typeof contract.signedByIssuer>[2] = []
    return {
      async signedByIssuer(token, header, keys, at) {
        if (keys.length > 0) last = keys
        return contract.signedByIssuer(token, header, last, at)
      },
    }
  }),
  fault(
    'creates take a token for any audience',
    audience,
    when(({ operation }) => operation === 'create', ofAnyAudience),
  ),
  fault(
    'deletes over v1 take a token for any audience',
    overHttp,
    when(({ operation, version }) => operation === 'delete' && version === 'v1', ofAnyAudience),
  ),
  fault(
    'over gRPC a token for any audience is taken',
    overGrpc,
    when(({ over }) => over === 'grpc', ofAnyAudience),
  ),
  fault(
    'lists of role bindings take a token for any audience',
    overHttp,
    when(({ kind, operation }) => kind === 'roleBindings' && operation === 'list', ofAnyAudience),
  ),
  fault(
    'repos are shown for a token for any audience',
    overHttp,
    when(({ kind }) => kind === 'repos', ofAnyAudience),
  ),
  fault('a token for another audience is taken from an identity that was seen before', audience, (contract) => {
    const seen = new Set<string>()
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (caller) seen.add(caller.subject)
        const any = caller ?? (await reader.ofAnyAudience(token))
        return any && seen.has(any.subject) && at.operation === 'update' ? any : caller
      },
    }
  }),
  fault(
    'an update by v1 takes an API token for a day',
    expired,
    endless(({ operation, version }) => operation === 'update' && version === 'v1'),
  ),
  fault(
    'over gRPC role bindings are made with an API token for a day',
    endlessOverGrpc,
    endless(({ operation, over, kind }) => operation === 'create' && over === 'grpc' && kind === 'roleBindings'),
  ),
  fault(
    'over gRPC identity providers are listed for an API token for a day',
    endlessOverGrpc,
    endless(({ operation, over, kind }) => operation === 'list' && over === 'grpc' && kind === 'identityProviders'),
  ),
  fault(
    'a delete of an invite takes an API token for a day',
    expired,
    endless(({ operation, kind }) => operation === 'delete' && kind === 'groupInvites'),
  ),
]
