import { decodeJwt } from 'jose'
import type { At, Caller } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, type Replacement, when } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'
import { day, hour } from '../durations.ts'

const hourInSeconds = 60 * 60

/** API tokens that end an hour after their exchange, whatever lifetime they claim. */
const endedByHour =
  (exchangedLifetime: Rules['exchangedLifetime']): Replacement =>
  (contract) => ({
    exchangedLifetime,
    async authenticate(token, reader, at) {
      const caller = await contract.authenticate(token, reader, at)
      const isExchanged = caller && at.world.store.get('identities', caller.subject) !== undefined
      const age = at.world.now() / 1000 - (caller ? (decodeJwt(token).iat ?? 0) : 0)
      return isExchanged && age >= hourInSeconds ? undefined : caller
    },
  })

function claimsOf(token: string): { iat: number; sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** When an API token was issued, in milliseconds since 1970. */
const issuedAt = (token: string) => claimsOf(token).iat * 1000

/** Changes how long exchanged tokens are accepted; a login's token stays as it is. */
const exchangedTokens =
  (taken: (token: string, now: number, subject: string) => boolean | undefined): Replacement =>
  (contract) => {
    const known = new Map<string, Caller>()
    return {
      async authenticate(token, reader, at) {
        const caller = (await contract.authenticate(token, reader, at)) ?? known.get(token)
        if (!caller?.subject.includes('/')) return caller
        known.set(token, caller)
        const valid = await contract.authenticate(token, reader, at)
        return (taken(token, at.world.now(), caller.subject) ?? valid) ? caller : undefined
      },
    }
  }

const isWrite = ({ operation }: At) => ['create', 'update', 'delete'].includes(operation)

/** An identity whose only role is viewer may not write, which is lawful; the replacement is in force for writes alone. */
const whereViewersOnlyRead =
  (change: Replacement): Replacement =>
  (contract) => ({
    ...when(isWrite, change)(contract),
    objection(uid, at) {
      const { subject = '' } = at.caller ?? {}
      const { store } = at.world
      const isViewer = ({ roleUid = '' }: Item) => store.get('roles', roleUid)?.name === 'viewer'
      if (isWrite(at) && subject.includes('/') && store.bindingsOf(subject).every(isViewer))
        throw new Refusal('forbidden', 'rights', 'viewers may not do this')
      return contract.objection(uid, at)
    },
  })

/** Takes a token whatever audience it was asked for. */
const ofAnyAudience: Replacement = () => ({ authenticate: (token, reader) => reader.ofAnyAudience(token) })

const prolonged = {
  turnsRed: ['sts.token.hour.ends', 'sts.token.hour.over', 'sts.token.hour.own-over'],
  spreadsTo: ['sts.token.hour.own-ends', 'auth.refuses.expired-token', 'auth.refuses.expired-token@*', 'grpc.auth.*'],
}

/** Faults in the audience and the lifetime of exchanged tokens (S5.5, S8.5). */
export const stsLifetimeFaults: readonly Fault[] = [
  fault(
    'an API token that was taken once is taken for two hours',
    ['sts.token.hour.over', 'sts.token.hour.own-over', 'auth.refuses.expired-token'],
    exchangedTokens((token, now) => now - issuedAt(token) < 2 * hour),
  ),
  fault(
    'an API token is taken for a quarter of an hour after its end',
    { turnsRed: ['sts.token.hour.over', 'sts.token.hour.own-over'], spreadsTo: ['sts.token.hour.*', 'auth.*'] },
    exchangedTokens((token, now) => now - issuedAt(token) < 1.25 * hour),
  ),
  fault(
    'lists take an API token for a day',
    { turnsRed: ['auth.refuses.expired-token', 'auth.refuses.expired-token@*'], spreadsTo: ['auth.*'] },
    (contract) => {
      const taken = new Map<string, Caller>()
      return {
        async authenticate(token, reader, at) {
          const caller = await contract.authenticate(token, reader, at)
          if (caller) taken.set(token, caller)
          const isYoung = taken.has(token) && at.world.now() - issuedAt(token) < 24 * hour
          return caller ?? (at.operation === 'list' && isYoung ? taken.get(token) : undefined)
        },
      }
    },
  ),
  fault(
    'an identity that may write does so with an API token for a day',
    { turnsRed: ['auth.refuses.expired-token'], spreadsTo: ['auth.*', 'grpc.auth.*'] },
    whereViewersOnlyRead(exchangedTokens((token, now) => now - issuedAt(token) < day)),
  ),
  fault(
    'nobody looks at the signature with which an identity that may write does so',
    {
      turnsRed: ['model.group.credential', 'grpc.auth.refuses.exchanged-forged'],
      spreadsTo: ['model.*', 'grpc.auth.*'],
    },
    whereViewersOnlyRead((contract) => ({
      async authenticate(token, reader, at) {
        const isYoung = claimsOf(token).sub.includes('/') && at.world.now() - issuedAt(token) < hour
        return (await contract.authenticate(token, reader, at)) ?? (isYoung ? reader.unverified(token) : undefined)
      },
    })),
  ),
  fault(
    'an API token is taken again in its hour of each later day',
    { turnsRed: ['model.*.credential'], spreadsTo: ['model.*', 'auth.*'] },
    exchangedTokens((token, now) => (now - issuedAt(token)) % day < hour),
  ),
  fault('another exchange prolongs the API tokens before it', prolonged, (contract) => {
    const last = new Map<string, number>()
    return {
      ...exchangedTokens((_token, now, subject) => now - (last.get(subject) ?? 0) < hour)(contract),
      issued(token, at) {
        last.set(claimsOf(token).sub, issuedAt(token))
        return contract.issued(token, at)
      },
    }
  }),
  fault('an exchange late in the hour gives a token that ends with it', ['model.exchange.lifetime'], (contract) => {
    const [began, ends] = [new Map<string, number>(), new Map<string, number>()]
    return {
      ...exchangedTokens((token, now) => (now < (ends.get(token) ?? now + 1) ? undefined : false))(contract),
      issued(token, at) {
        const [{ sub }, since] = [claimsOf(token), issuedAt(token)]
        const first = began.get(sub) ?? since
        if (since - first >= hour / 2 && since - first < hour) ends.set(token, first + hour)
        else began.set(sub, since)
        return contract.issued(token, at)
      },
    }
  }),
  fault(
    'an API token gets another hour when it is used on repos',
    { turnsRed: ['auth.refuses.expired-token@repos'], spreadsTo: ['auth.refuses.expired-token@*'] },
    (contract) => {
      const used = new Map<string, number>()
      const sliding = exchangedTokens((token, now) => {
        const isTaken = now - (used.get(token) ?? issuedAt(token)) < hour
        if (isTaken) used.set(token, now)
        return isTaken || undefined
      })
      return on('repos', sliding)(contract)
    },
  ),
  fault(
    'API tokens are taken for half an hour',
    ['sts.token.hour.lives', 'sts.token.hour.own'],
    exchangedTokens((token, now) => now - issuedAt(token) < hour / 2),
  ),
  fault('the hour of all API tokens begins with the first exchange', ['sts.token.hour.own'], (contract) => {
    const first = new Map<string, number>()
    return exchangedTokens((token, now, subject) => {
      first.set(subject, first.get(subject) ?? issuedAt(token))
      return now - first.get(subject)! < hour ? undefined : false
    })(contract)
  }),
  fault(
    'an exchanged token lives for a day',
    ['sts.token.lifetime', 'sts.token.hour.over', 'sts.token.hour.own-over'],
    () => ({
      exchangedLifetime: () => 24 * hourInSeconds,
    }),
  ),
  fault(
    'an exchanged token lives for fifteen minutes',
    ['sts.token.lifetime', 'sts.token.hour.lives', 'sts.token.hour.own'],
    () => ({ exchangedLifetime: () => hourInSeconds / 4 }),
  ),
  fault(
    'an exchanged token says that it lives for a day',
    ['sts.token.lifetime'],
    endedByHour(() => 24 * hourInSeconds),
  ),
  fault(
    'the end of an exchanged token is given in milliseconds',
    ['sts.token.lifetime'],
    endedByHour(({ world }) => {
      const seconds = Math.floor(world.now() / 1000)
      return (seconds + hourInSeconds) * 1000 - seconds
    }),
  ),
  fault('the API takes a token for any audience', ['sts.token.*-audience'], ofAnyAudience),
  fault('v1 takes a token for any audience', ['sts.token.*-audience'], inV1(ofAnyAudience)),
  fault('lists take a token for any audience', ['sts.token.*-audience'], during('list', ofAnyAudience)),
  fault(
    'the API takes a token for an audience that begins with its address',
    ['sts.token.longer-audience'],
    (contract) => ({
      async authenticate(token, reader, at) {
        const [caller, any] = [await contract.authenticate(token, reader, at), await reader.ofAnyAudience(token)]
        if (caller || !any) return caller
        const { iss = '', aud = [] } = decodeJwt(token)
        return [aud].flat().some((one) => one.startsWith(iss)) ? any : undefined
      },
    }),
  ),
]
