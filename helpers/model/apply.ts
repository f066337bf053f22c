import { type KindName, kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import { isKeptAsSent, isText } from './names.ts'
import { type Asked, hasOtherParameters, isTrouble, type Observation } from './observation.ts'
import type { Register } from './register.ts'
import { type ClaimMatch, type State, type Thing, unset } from './state.ts'

/** Applies a write to the state; its answer is judged later, when nothing is under way. */
export function applyWrite(state: State, seen: Observation, asked: Asked, refused: boolean) {
  if (refused || (!succeeded(seen) && !isTrouble(seen))) return remember(state, seen, asked, refused)
  const sure = succeeded(seen)
  keepTexts(state, seen.body, asked.kind)
  if (asked.does === 'create') applyCreate(state, seen, asked)
  const thing = state.thing(asked.uid!, asked.kind)
  if (thing === undefined || asked.does === 'create') return
  if (asked.does === 'update') applyUpdate(thing, seen, asked, sure)
  if (asked.does === 'delete') applyDelete(state, thing, seen, sure)
  thing.history.push(seen.n)
  state.clock.wrote(thing, seen)
  state.touch(thing, written(seen, sure))
}

const written = ({ sent, answered, n }: Observation, sure: boolean) => ({
  sent,
  answered: sure ? answered : Number.POSITIVE_INFINITY,
  n,
})

/** Keeps the texts of a refused call: nothing may ever show them, unless another call also sent them (R29). */
function remember(state: State, seen: Observation, { kind, does, uid }: Asked, isForCredential: boolean): void {
  const target = does === 'create' ? undefined : state.thing(uid!, kind)
  if (target) {
    target.attempted = Math.max(target.attempted, seen.answered)
    if (!isForCredential) target.refusedToGood = Math.max(target.refusedToGood, seen.answered)
    target.refused.push(seen.n)
    state.clock.inVain(target, seen)
    noteVerified(target, seen.body)
  }
  const refused = succeeded(seen) ? 'wrongly accepted' : 'refused'
  const why = `the ${refused} ${kinds[kind].name}.${does} of exchange ${seen.n}`
  for (const text of isObject(seen.body) ? textsOf(seen.body, kind) : (seen.texts ?? [])) {
    if (typeof text !== 'string' || text.length < 8 || state.sentTexts.has(text)) continue
    state.refusedTexts.set(text, { why, n: seen.n })
    state.own.explain(kind, text)
  }
}

/** The texts that show a reader which call made or changed something: a binding and an invite have no name. */
export const textsOf = (
  { name, description, identityUid, roleUid, expirationTime }: Record<string, unknown>,
  kind: KindName,
): unknown[] => [
  name,
  description,
  ...(kind === 'roleBindings' && identityUid !== undefined ? [`${identityUid} has ${roleUid}`] : []),
  ...(kind === 'groupInvites' && roleUid ? [`an invite to ${roleUid}`] : []),
  ...(kind === 'groupInvites' && expirationTime ? [`ends at ${Date.parse(String(expirationTime))}`] : []),
]

function keepTexts(state: State, body: unknown, kind: KindName): void {
  if (isObject(body)) state.names.add(body.name)
  for (const text of isObject(body) ? textsOf(body, kind) : []) {
    if (typeof text !== 'string') continue
    state.sentTexts.add(text)
    state.refusedTexts.delete(text)
  }
}

function applyCreate(state: State, seen: Observation, { kind, uid: parent }: Asked): void {
  // the answer shows how the odd bytes were read
  const body = !seen.reads && isObject(seen.body) ? seen.body : isObject(seen.json) ? seen.json : {}
  const shown = isObject(seen.json) ? seen.json : {}
  const uid = typeof shown.uid === 'string' ? shown.uid : typeof shown.id === 'string' ? shown.id : undefined
  const known = uid === undefined ? undefined : state.thing(uid, kind)
  if (known && bindsAlike(known, parent!, body)) return
  // the uid of something deleted may come back (R28)
  const exists = known !== undefined && !known.alien && !mayBeGone(known, seen)
  // no answer, or one without a uid: nothing is exact there from now on
  if (uid === undefined || exists) {
    const home = state.group(parent!)
    if (home) state.touch(home, written(seen, false))
    return
  }
  // what may come back changed is as it was shown
  const kept = {
    ...body,
    name: isText(body.name) ? body.name : shown.name,
    claimMatch: keptClaims(body.claimMatch, shown.claimMatch),
    description: isKeptAsSent(body.description) ? body.description : shown.description,
  }
  const thing = state.add(kind, uid, parent!, seen, kept)
  noteVerified(thing, seen.body)
  state.touch(thing, written(seen, true))
  // in a group that may have been deleted, or of an identity that may have been, it is open whether the new thing exists
  const rests = [state.group(parent!), state.thing(thing.identityUid ?? '', 'identities')]
  if (rests.some((one) => one && mayBeGone(one, seen)))
    thing.alive.write({ value: false, sent: seen.sent, answered: seen.answered, sure: false })
}

/** True where a thing may have been deleted by the end of a call. */
export const mayBeGone = ({ alive }: Thing, { sent, answered }: Observation) =>
  alive.may(sent, answered).some(({ value }) => !value)

/** True where the same identity already has the same role in the group: the answer is not shown (R54). */
export function bindsAlike(thing: Thing, parent: string, body: Record<string, unknown>): boolean {
  const { kind, binds } = thing
  const has = (part: 'identity' | 'role', uid: unknown) => binds[part].writes.some(({ value }) => value === uid)
  const isSame = has('identity', body.identityUid) && has('role', body.roleUid) && thing.parent === parent
  return kind === 'roleBindings' && isSame && thing.alive.writes.at(-1)!.value
}

/** The claims as the answer shows them, where white space was around them (R6) or one was of another type (R31). */
function keptClaims(sent: unknown, shown: unknown): unknown {
  const isOpen = (claim: unknown) => !isText(claim) || /^\s|\s$|[\r\n]/.test(String(claim))
  return isObject(sent) && isObject(shown) && [sent.issuer, sent.subject].some(isOpen) ? shown : sent
}

/** Notes that a client asked for `verified`, which the server owns (R5). */
function noteVerified({ verification }: Thing, body: unknown): void {
  if (isObject(body) && 'verified' in body) verification.asked = true
}

function applyUpdate(thing: Thing, seen: Observation, { version }: Asked, sure: boolean) {
  noteVerified(thing, seen.body)
  const body = isObject(seen.body) ? seen.body : isObject(seen.json) ? seen.json : {}
  const { sent, answered } = written(seen, sure)
  const set = <T>(register: Register<T>, value: T, certain = true) =>
    register.write({ value, sent, answered, sure: sure && certain && !seen.reads })
  const mask = seen.query.updateMask
  // only a mask of one field that the contract shows is read in one way (R31); other spellings are open (R47)
  const certain =
    !hasOtherParameters(seen) && (mask === undefined || ((mask === 'name' || mask === 'description') && mask in body))
  const takes = (member: string) => mask === undefined || mentions(mask, member)
  if (thing.kind === 'roleBindings')
    for (const part of ['identity', 'role'] as const) {
      const named = body[`${part}Uid`]
      const isShown = isObject(seen.json) && uidIn(seen.json[part]) === named
      if (typeof named === 'string' && takes(part)) set<unknown>(thing.binds[part], named, isShown)
    }
  // the answer is the resource after the update (R25)
  const came = isObject(seen.json) && version === 'v2' ? seen.json : undefined
  const isShown = (member: string, value: unknown) => came !== undefined && unset(came[member]) === value
  if (version === 'v1') {
    // what else it changes is not shown (R45)
    const shown = isObject(seen.json) ? seen.json : {}
    set(thing.name, (isText(body.name) ? body.name : (shown.name ?? body.name)) ?? '', false)
    const description = unset(
      isKeptAsSent(body.description) ? body.description : (shown.description ?? body.description),
    )
    if (description !== '') set(thing.description, '', false)
    return set(thing.description, description, false)
  }
  // over gRPC an empty text and a missing one are one message (R31)
  const isSent = mask !== undefined && seen.over !== 'grpc'
  // an empty name may count as not populated, but never becomes the name (R4, R6)
  const named = 'name' in body && body.name !== null && (body.name !== '' || isSent)
  if (takes('name') && named) {
    // the answer shows how odd bytes were read
    const isOpen = seen.reads !== undefined || !isText(body.name)
    const name = isOpen && isObject(seen.json) ? seen.json.name : body.name
    set(thing.name, name, isText(body.name) && (certain || isShown('name', name)))
  }
  if (takes('description')) {
    const isSure = isKeptAsSent(body.description) && body.description !== null
    const shown = isObject(seen.json) && !isSure ? seen.json.description : undefined
    const value = unset(shown ?? body.description)
    // without a mask, an empty one may count as not populated, and a missing one is emptied or kept (R6, R31)
    const isClear = certain && (value !== '' || (isSent && body.description === ''))
    if ('description' in body) set(thing.description, value, isSure && (isClear || isShown('description', value)))
    else if (mask !== undefined) set<unknown>(thing.description, '', false)
  }
  if (takes('claimMatch') && !isObject(body.claimMatch) && mask !== undefined)
    // listed and missing, it is emptied or kept (R31)
    set<ClaimMatch>(thing.claimMatch, {}, false)
  if (takes('claimMatch') && isObject(body.claimMatch)) {
    const before = thing.claimMatch.writes.at(-1)!.value
    const claims = keptClaims(body.claimMatch, isObject(seen.json) ? seen.json.claimMatch : undefined)
    const { issuer, subject } = claims as ClaimMatch
    const whole = typeof issuer === 'string' && typeof subject === 'string'
    const shown = isObject(came?.claimMatch) ? came.claimMatch : {}
    const isTaken = mask === undefined || (shown.issuer === issuer && shown.subject === subject)
    set<ClaimMatch>(thing.claimMatch, { issuer, subject }, whole && isTaken)
    // part of a claim match may be merged
    if (!whole) set<ClaimMatch>(thing.claimMatch, { ...before, ...(claims as ClaimMatch) }, false)
  }
}

const uidIn = (part: unknown) => (isObject(part) ? part.uid : undefined)

const mentions = (mask: string, member: string) =>
  mask.trim() === '' || mask.includes('*') || mask.toLowerCase().replace('_', '').includes(member.toLowerCase())

function applyDelete(state: State, thing: Thing, seen: Observation, sure: boolean): void {
  const touch = written(seen, sure)
  const { sent, answered } = touch
  thing.alive.write({ value: false, sent, answered, sure })
  const perhaps = (other: Thing) => {
    if (other.alive.certain(sent, answered)?.value === false) return
    other.alive.write({ value: false, sent, answered, sure: false })
    // a role binding may live elsewhere than its identity
    state.touch(other, touch)
  }
  // what is deleted with it is open
  if (thing.kind === 'groups')
    for (const kind of Object.keys(kinds))
      for (const inner of state.inside(thing, kind as Thing['kind'], true)) perhaps(inner)
  if (thing.kind === 'identities')
    for (const other of state.bindings)
      if (other.binds.identity.may(sent, answered).some(({ value }) => value === thing.uid)) perhaps(other)
}
