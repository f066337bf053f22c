import type { Judging } from './judging.ts'
import { type Asked, isObject, isPrinted, type Observation, succeeded } from './observation.ts'
import type { State } from './state.ts'

const minute = 60_000
/** How long a change or a deletion may take to tell in an exchange (R41). */
const slowest = 10_000

const isExchange = ({ path }: Observation) => /\/sts\/exchange$/.test(path)

/** Takes the token of an exchange down: it is a fact with a time (R40). */
export function applyExchange(state: State, seen: Observation): void {
  const token = isObject(seen.json) ? seen.json.token : undefined
  if (!isExchange(seen) || !succeeded(seen) || typeof token !== 'string') return
  const identity = seen.query.identity ?? ''
  state.issued.set(token, { identity, time: seen.sent + state.moved, n: seen.n, opened: new Set() })
}

/** Judges an exchange that gave a token: was it the equal string, of the identity asked for (S2.11, R41)? */
export function judgeExchange(judging: Judging): void {
  const { seen, state } = judging
  if (!isExchange(seen)) return
  const { identityToken } = seen
  const gave = succeeded(seen) && isObject(seen.json) && typeof seen.json.token === 'string'
  const uid = seen.query.identity ?? ''
  const identity = state.thing(uid, 'identities')
  const about = identity ? [uid] : []
  const refuse = (holds: boolean, why: string) =>
    judging.row('model.exchange.refusal', holds || !gave, `a refusal: ${why}`, seen.status, { about })
  refuse(seen.caller.is !== 'bad', 'no identity token was sent')
  if (identityToken === undefined) return
  const { claims, signed } = identityToken
  refuse(signed !== false, 'its issuer did not sign it')
  const expired = typeof claims.exp === 'number' && seen.now !== undefined && claims.exp * 1000 < seen.now - 6 * minute
  refuse(!expired, 'the identity token has expired')
  if (identity === undefined) {
    // a uid that the run knows nothing of may be the operator's
    const isKnown = state.things.has(uid) || state.isOurs(uid)
    return refuse(!isKnown, 'there is no such identity')
  }
  const from = seen.sent - slowest
  refuse(identity.alive.may(from, seen.answered).some(({ value }) => value), 'the identity was deleted')
  const matches = identity.claimMatch.may(from, seen.answered)
  const fits = matches.some(({ value }) => value.issuer === claims.iss && value.subject === claims.sub)
  refuse(fits, `the claims ${JSON.stringify([claims.iss, claims.sub])} are not ${JSON.stringify(matches[0]?.value)}`)
}

/** Judges a call with the token of an exchange that is younger than 59 minutes: what it opened once it opens still (R40). */
export function judgeLifetime(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const issued = seen.caller.is === 'bearer' ? state.issued.get(seen.caller.token) : undefined
  if (issued === undefined || !isPrinted(asked)) return
  const what = `${seen.method} ${seen.path}`
  const age = seen.answered + state.moved - issued.time
  if (succeeded(seen)) issued.opened.add(what)
  else if (seen.status !== 401 || age > 59 * minute || !issued.opened.has(what)) return
  const about = [issued.identity]
  judging.row('model.exchange.lifetime', succeeded(seen), 'a token that works for 59 minutes', seen.status, { about, beside: [issued.n] })
}
