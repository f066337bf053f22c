import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { withBody, withRequest } from '../../replace.ts'
import { day, minute } from '../durations.ts'
import { parameterIn, uidIn } from '../paths.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults of filters in front of the calls that need a token (R39, R40). */
export const ordinaryAuthFaults: readonly Fault[] = [
  fault(
    'after five bad tokens on a resource it cannot be changed with a good one for a minute',
    foundByModel,
    withRequest((request, contract) => {
      const refused = new Map<string, number[]>()
      return {
        unauthenticated(rawUid, body, at) {
          const uid = `${at.kind} ${uidIn(request()?.url)}`
          refused.set(uid, [...(refused.get(uid) ?? []), at.world.now()])
          contract.unauthenticated(rawUid, body, at)
        },
        async authenticate(token, reader, at) {
          const times = refused.get(`${at.kind} ${uidIn(request()?.url)}`) ?? []
          const recent = times.filter((time) => at.world.now() - time < minute)
          const isGuarded = at.over !== 'grpc' && (at.operation === 'update' || at.operation === 'delete')
          return isGuarded && recent.length >= 5 ? undefined : contract.authenticate(token, reader, at)
        },
      }
    }),
  ),
  fault(
    'a create that was refused for its token is answered and not kept when it comes with a good one',
    foundByModel,
    withBody((sent, contract) => {
      const seen = new Map<string, number>()
      return {
        unauthenticated(rawUid, body, at) {
          const fields = at.operation === 'create' ? contract.body(body, at) : undefined
          if (fields) seen.set(`${at.kind} ${JSON.stringify(fields)}`, at.world.now())
          contract.unauthenticated(rawUid, body, at)
        },
        keep(item, at) {
          const key = `${at.kind} ${JSON.stringify(sent(at))}`
          const before = (at.over === 'grpc' ? undefined : seen.get(key)) ?? Number.NEGATIVE_INFINITY
          seen.delete(key)
          if (at.world.now() - before >= minute) contract.keep(item, at)
        },
      }
    }),
  ),
  fault(
    'a list that goes on by a page token takes an API token for three days',
    { turnsRed: ['auth.refuses.expired-token@*'], spreadsTo: ['auth.refuses.expired-token*'] },
    withRequest((request, contract) => ({
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const isFurther = at.operation === 'list' && Boolean(parameterIn(request()?.url, 'page_token'))
        if (caller || !isFurther) return caller
        const { exp = 0, iat = 0 } = readToken(token)?.claims ?? {}
        const age = at.world.now() - exp * 1000
        return exp > iat && age > 0 && age < 3 * day ? reader.unverified(token) : undefined
      },
    })),
  ),
]
