import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, inV1, on, type Replacement, when, withRequest } from '../../replace.ts'
import { callerCheckedLast } from '../auth/connection.ts'
import { alsoFrom, basicParts } from '../auth/refuses.ts'
import { fromCache } from '../ordinary/guards.ts'

/** What the generated calls with a bad credential reveal. */
const badCredential = { turnsRed: ['model.*.credential'], spreadsTo: ['model.*'] }

/** True for a token that claims to be that of an exchange. */
const isExchanged = (token: string) => String(readToken(token)?.claims.sub).includes('/')

/** Tokens of exchanges are believed until they end, without a look at their signature. */
const withoutSignature: Replacement = (contract) => ({
  async authenticate(token, reader, at) {
    const caller = await contract.authenticate(token, reader, at)
    const isYoung = Number(readToken(token)?.claims.exp) * 1000 > at.world.now()
    return caller ?? (isExchanged(token) && isYoung ? reader.unverified(token) : undefined)
  },
})

/** Who asks for the same as a good call under way is let through. */
const letAlong = withRequest((request, contract) => {
  const underWay = new Map<string, number>()
  const count = (key: string, by: number) => underWay.set(key, (underWay.get(key) ?? 0) + by)
  return {
    async authenticate(token, reader, at) {
      const key = `${request()?.method} ${request()?.url}`
      const caller = await contract.authenticate(token, reader, at)
      if (!caller) return (underWay.get(key) ?? 0) > 0 ? at.world.operator : undefined
      count(key, 1)
      await sleep(5)
      setTimeout(() => count(key, -1), 5)
      return caller
    },
  }
})

/** Calls without a token that have such a header are let through. */
const openTo = (header: string, opens: (value: string) => boolean) =>
  withRequest((request, contract) => ({
    needsToken: (at) => !opens(String(request()?.headers[header] ?? '')) && contract.needsToken(at),
  }))

/** Faults of guards that know one form of token, one version or one client (S5.1, S5.9, R39). */
export const guardNeighbourFaults: readonly Fault[] = [
  fault('v1 looks at no signature of an exchanged token', badCredential, inV1(withoutSignature)),
  fault(
    'identities and role bindings look at no signature of an exchanged token',
    badCredential,
    when(({ kind, over }) => over !== 'grpc' && (kind === 'identities' || kind === 'roleBindings'), withoutSignature),
  ),
  fault(
    'an exchanged token will do as a password',
    badCredential,
    when(
      ({ operation }) => operation !== 'exchange',
      alsoFrom(({ authorization }) => basicParts(authorization).find((part) => part && isExchanged(part))),
    ),
  ),
  fault('who asks v1 for the same as a good call under way is let through', badCredential, inV1(letAlong)),
  fault(
    'who creates something in a group beside a good call is let through',
    badCredential,
    during('create', letAlong),
  ),
  fault(
    'what v1 showed within a minute is shown to anybody who does not ask past the cache',
    badCredential,
    inV1(fromCache),
  ),
  fault(
    'a list of identities that was shown within a minute is shown to anybody who does not ask past the cache',
    badCredential,
    on('identities', during('list', fromCache)),
  ),
  fault(
    'a client that calls itself a health check needs no token to read',
    badCredential,
    when(
      ({ operation }) => operation === 'get' || operation === 'list',
      openTo('user-agent', (agent) => agent.startsWith('kube-probe/')),
    ),
  ),
  fault(
    'a user whom a proxy for identities names needs no token',
    badCredential,
    openTo('x-goog-authenticated-user-email', (user) => user !== ''),
  ),
  fault(
    'a token in a cookie that is called authorization will do',
    badCredential,
    alsoFrom(({ cookie = '' }) => /(?:^|; *)authorization=(?:bearer(?: +|%20|\+))?([^;]+)/i.exec(cookie)?.[1]),
  ),
  fault(
    'what is wrong with a new identity is reported before who calls is checked',
    ['auth.first'],
    on('identities', callerCheckedLast),
  ),
  fault(
    'v1 refuses a call without a token with 400',
    ['auth.status'],
    inV1((contract) => ({
      errorStatus: (refusal, at) => (refusal.problem === 'unauthenticated' ? 400 : contract.errorStatus(refusal, at)),
    })),
  ),
]
