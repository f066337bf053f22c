import { minute } from '../api/instant.ts'
import { isObject } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import type { Judging } from './judging.ts'
import { isTouchedSince } from './listed/population.ts'
import { noteSighting } from './listed/sightings.ts'
import {
  type Asked,
  type IdentityToken,
  isPrinted,
  isSoftRefusal,
  isTrouble,
  type Observation,
  untilSeen,
} from './observation.ts'
import type { State, Thing } from './state.ts'
import { mayBeBound } from './written/bindings.ts'

/** Judges the answer to a call that must be refused, whatever it asks for (S5.1, R39, R40). */
export function judgeCredential(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const { kind, uid, does, version } = asked
  const { caller } = seen
  const how = caller.is === 'bad' ? caller.how : 'a token of an exchange that is not valid'
  const scopes = [seen.query['uidp.children_of'], seen.query['uidp.descendants_of']]
  const isBelow = (shown: string) => scopes.some((scope) => scope && shown.startsWith(`${scope}/`))
  // a uid without a path shows no scope
  const isAsked = (shown: string) =>
    uid === undefined ? isBelow(shown) || state.thing(shown, kind) !== undefined : shown === uid
  // a page for browsers is no resource: only one that shows is not excused
  const isShown = does === 'create' ? isMade(seen) : holds(seen.json, isAsked)
  const isOffered = isPrinted(asked) || (succeeded(seen) && isShown)
  const unless = isOffered ? [] : [untilSeen(`offered ${kind}.${does} ${version}`)]
  const about = uid === undefined ? Object.values(seen.query).filter((value) => state.under(value).length > 0) : [uid]
  judging.check(kind, 'credential', !succeeded(seen), `a refusal of a call with ${how}`, judging.came, {
    about,
    unless,
  })
  const thing = uid === undefined ? undefined : state.thing(uid, kind)
  const name = thing?.name.writes.at(-1)?.value
  const named = does !== 'create' && typeof name === 'string' && name.length >= 8 && seen.text.includes(name)
  const shows = !succeeded(seen) && (named || holds(seen.json, (shown) => shown === uid))
  judging.check(kind, 'credential', !shows, 'nothing of what was asked for', seen.text, {
    about,
    unless,
    breaks: 'R39',
  })
}

/** True where a create is answered with the name that it sent, and a uid. */
const isMade = ({ json, body }: Observation) =>
  isObject(json) &&
  isObject(body) &&
  typeof body.name === 'string' &&
  json.name === body.name &&
  typeof (json.uid ?? json.id) === 'string'

/** True where a body holds a resource with such a uid, and not only the uid. */
function holds(json: unknown, isIt: (uid: string) => boolean): boolean {
  if (Array.isArray(json)) return json.some((inner) => holds(inner, isIt))
  if (!isObject(json)) return false
  const uid = json.uid ?? json.id
  const isWhole = 'name' in json || 'createTime' in json || 'createdAt' in json
  if (typeof uid === 'string' && isWhole && isIt(uid)) return true
  return Object.values(json).some((inner) => typeof inner === 'object' && holds(inner, isIt))
}

/** How long a change or a deletion may take to show in an exchange (R41). */
const slowest = 10_000

const isExchange = ({ path }: Observation) => /\/sts\/exchange$/.test(path)

/** Records the token of an exchange, and when it was issued (R40). */
export function applyExchange(state: State, seen: Observation): void {
  const token = isObject(seen.json) ? seen.json.token : undefined
  // an identity token may be used up even if its exchange failed (R41)
  if (isTrouble(seen) && seen.status !== 429 && seen.identityToken) state.exchanged.tokens.add(seen.identityToken.token)
  if (!isExchange(seen) || !succeeded(seen) || typeof token !== 'string') return
  const identity = `${seen.query.identity ?? ''} for ${seen.query.aud ?? ''}`
  const [before] = state.issued.get(token)?.identity.split(' ') ?? []
  if (before !== undefined && before !== (seen.query.identity ?? '')) state.shared.set(seen.n, before)
  state.issued.set(token, { identity, time: seen.sent + seen.moved, sent: seen.sent, n: seen.n })
}

/** Judges an exchange that gave a token: did the claims of the identity asked for match exactly (S2.11, R41)? */
export function judgeExchange(judging: Judging) {
  const { seen, state } = judging
  if (!isExchange(seen)) return
  const { identityToken } = seen
  const gave = succeeded(seen) && isObject(seen.json) && typeof seen.json.token === 'string'
  const uid = seen.query.identity ?? ''
  const identity = state.thing(uid, 'identities')
  const about = identity ? [uid] : []
  if (identity) {
    state.clock.inVain(identity, seen)
    noteSighting(state, identity, seen)
  }
  const mayGiveIf = (holds: boolean, why: string) =>
    judging.row('model.exchange.refusal', holds || !gave, `a refusal: ${why}`, judging.came, { about, breaks: 'R41' })
  mayGiveIf(seen.caller.is !== 'bad', 'no identity token was sent')
  if (identityToken === undefined) return
  // an API token is that of one identity (S5.3, S5.4)
  const other = state.shared.get(seen.n)
  if (other !== undefined)
    judging.row('model.exchange.answer', false, 'a token of its own', `that of ${other}`, { about })
  const { claims, signed } = identityToken
  mayGiveIf(signed !== false, 'its issuer did not sign it')
  const ended = typeof claims.exp === 'number' && seen.now !== undefined ? seen.now - claims.exp * 1000 : 0
  mayGiveIf(ended <= 6 * minute, `the identity token ended ${Math.round(ended / minute)} minutes ago`)
  if (identity === undefined) {
    // a uid unknown to the run may be the operator's
    const isKnown = state.isOurs(uid) || (gave && state.isPartOfOurs(uid))
    return mayGiveIf(!isKnown, 'there is no such identity')
  }
  const from = seen.sent - slowest
  mayGiveIf(
    identity.alive.may(from, seen.answered).some(({ value }) => value),
    'the identity was deleted',
  )
  const matches = identity.claimMatch.may(from, seen.answered)
  const fits = matches.some(({ value }) => value.issuer === claims.iss && value.subject === claims.sub)
  const present = identity.claimMatch.certain(seen.sent, seen.answered)?.value
  const isSure = identity.alive.certain(seen.sent, seen.answered)?.value === true && seen.caller.is === 'open'
  if (isSure && signed && present?.issuer === claims.iss && present?.subject === claims.sub)
    judgeGood(judging, identityToken, identity, gave)
  const { issuer, subject } = matches[0]?.value ?? {}
  const sent = { issuer: claims.iss, subject: claims.sub }
  const wrong = Object.entries({ issuer, subject }).filter(([name, due]) => sent[name as 'issuer'] !== due)
  const unlike = ([name, due]: [string, unknown]) =>
    `the ${name} ${JSON.stringify(sent[name as 'issuer'])} is not ${JSON.stringify(due)}`
  mayGiveIf(fits, wrong.map(unlike).join(' and '))
}

/** Part of the flag of a target that gave an API token for an identity without a binding. */
const unbound = 'for an identity without a binding'

/** Part of the flag of a target that gave one for an identity whose group, or one above, has an identity provider. */
const besideProvider = 'where there is an identity provider'

/** True where identity providers may decide which issuers are trusted, which is not shown (R56). */
const hasProvider = ({ state, seen: { sent, answered } }: Judging, identity: Thing): boolean =>
  state
    .upwards(identity)
    .flatMap(({ below }) => below.get('identityProviders') ?? [])
    .some(({ alive }) => alive.may(sent, answered).some(({ value }) => value))

/** The longest subject of a token, in characters (OpenID Connect Core, section 2). */
const longestSubject = 255

/** Judges whether an exchange succeeds whose token has only what was accepted before (S2.11, R41). */
function judgeGood(judging: Judging, { token, form, claims }: IdentityToken, identity: Thing, gave: boolean) {
  const { seen, state } = judging
  const isFresh = !state.exchanged.tokens.has(token)
  state.exchanged.tokens.add(token)
  const isBound = state
    .ofKind('roleBindings')
    .some(
      ({ binds, alive }) =>
        binds.identity.certain(seen.sent, seen.answered)?.value === identity.uid && alive.writes.at(-1)!.value,
    )
  const key = JSON.stringify([identity.uid, claims.iss, claims.sub, form])
  const took = seen.answered - seen.sent
  if (gave) {
    state.fastestExchange = Math.min(state.fastestExchange ?? took, took)
    if (!mayBeBound(judging, identity)) state.flags.add(`accepted ${unbound}`)
    if (hasProvider(judging, identity)) state.flags.add(`accepted ${besideProvider}`)
    // what was refused and is accepted now was only slow
    if (state.exchanged.refused.delete(key)) state.flags.add('slow exchange')
    state.flags.add(`accepted ${form}`).add(`accepted of ${claims.iss}`)
    if (seen.method === 'GET' && (isTimely(seen, claims) || isLasting(seen, claims))) judgeLife(judging, identity)
    return judging.row('model.exchange.answer', true, '', '')
  }
  if (!isFresh || !isTimely(seen, claims) || isSoftRefusal(seen) || String(claims.sub).length > longestSubject) return
  if (waitedInVain(took, state)) return
  const since = state.exchanged.refused.get(key) ?? seen.sent
  state.exchanged.refused.set(key, since)
  const lasts = seen.sent - since >= judging.patience && isQuiet(judging, identity, 2 * judging.patience)
  // an identity without rights need not get a token (R41)
  const needed = [
    form,
    `of ${claims.iss}`,
    ...(isBound ? [] : [unbound]),
    ...(hasProvider(judging, identity) ? [besideProvider] : []),
  ]
  const unless = [...(lasts ? [] : ['slow exchange']), ...needed.map((one) => untilSeen(`accepted ${one}`))]
  const matching = `issuer ${JSON.stringify(claims.iss)} and subject ${JSON.stringify(claims.sub)}`
  judging.row('model.exchange.answer', false, `a token: ${matching} are those of the identity`, judging.came, {
    about: [identity.uid],
    unless,
  })
}

/**
 * True for a refused exchange that took a second longer than a good one, in milliseconds: the target may have waited in
 * vain for what the issuer publishes, and the network is nobody's fault (R41, R56).
 */
export const waitedInVain = (took: number, { fastestExchange = 0 }: State) => took > fastestExchange + 1_000

/** True where neither an identity nor its rights changed for so long: every exchange knows of it (R41, R52). */
function isQuiet({ seen, state }: Judging, identity: Thing, patience: number): boolean {
  const { sent, answered } = seen
  const isOld = ({ alive, binds }: Thing) =>
    [alive, binds.identity, binds.role].every((register) => register.lastBefore(answered) < sent - patience)
  const bound = state
    .ofKind('roleBindings')
    .filter(({ binds }) => binds.identity.writes.some(({ value }) => value === identity.uid))
  return bound.every(isOld) && !isTouchedSince(state, identity, sent - patience, answered)
}

/** An hour, and how far the clocks of a service may differ (R40), in seconds. */
const [hour, tolerance] = [3_600, 60]

/** Judges the lifetime in the API token of a good exchange (S5.5, R40). */
function judgeLife(judging: Judging, { uid }: Thing): void {
  const { seen } = judging
  const { iat = Number.NaN, exp } = seen.lives ?? {}
  const ahead = seen.now === undefined ? Number.NaN : (exp ?? Number.NaN) - seen.now / 1000
  if (exp === undefined || (Number.isNaN(iat) && Number.isNaN(ahead))) return
  // the Date header that sets the clock may not know of a move (R2)
  const slack = seen.moved > 0 ? tolerance : 0
  const lag = (seen.answered - seen.sent) / 1000
  const holds = Math.abs(exp - iat - hour) <= slack || Math.abs(ahead - hour) <= tolerance + lag
  const lives = Number.isNaN(iat) ? 'no iat' : `exp - iat of ${exp - iat} s`
  const ends = Number.isNaN(ahead) ? '' : `, exp ${Math.round(ahead)} s ahead of the clock`
  judging.row('model.exchange.lifetime', holds, 'exp - iat of 3600 s', lives + ends, {
    about: [uid],
    // a token for another audience may be another kind of token (R41)
    unless: [untilSeen(`offered audience ${seen.query.aud ?? ''}`)],
  })
}

function isTimely({ now }: Observation, { iat, exp, nbf }: Record<string, unknown>): boolean {
  if (now === undefined || typeof iat !== 'number' || typeof exp !== 'number' || nbf !== undefined) return false
  return Math.abs(iat * 1000 - now) < 2 * minute && exp * 1000 > now + minute && exp - iat <= 3600
}

/** True for an identity token that is some minutes old and outlives the hour of an API token. */
const isLasting = ({ now }: Observation, { iat, exp, nbf }: Record<string, unknown>) =>
  now !== undefined &&
  nbf === undefined &&
  typeof iat === 'number' &&
  Math.abs(iat * 1000 - now) < 15 * minute &&
  typeof exp === 'number' &&
  exp * 1000 > now + 59 * minute
