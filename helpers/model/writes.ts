import { kinds } from '../api/kinds.ts'
import { judgeContent } from './content.ts'
import { judgeBadName, judgeNotEmpty } from './errors.ts'
import type { Judging } from './judging.ts'
import { isBadName, isOrdinaryGroup, isOrdinaryIdentity, isOrdinaryUpdate } from './names.ts'
import {
  type Asked,
  isNotOffered,
  isObject,
  isPrinted,
  isSoftRefusal,
  isTrouble,
  type Observation,
  succeeded,
} from './observation.ts'
import type { Register } from './register.ts'
import { type ClaimMatch, type State, type Thing, unset } from './state.ts'

type Body = Record<string, unknown>

/** What a write was told to do, applied to what is known; its answer is judged later, when nothing is under way. */
export function applyWrite(state: State, seen: Observation, asked: Asked, refused: boolean): void {
  if (refused || (!succeeded(seen) && !isTrouble(seen))) return remember(state, seen, asked)
  const sure = succeeded(seen)
  keepTexts(state, seen.body)
  if (asked.does === 'create') applyCreate(state, seen, asked)
  const thing = state.thing(asked.uid!, asked.kind)
  if (thing === undefined || asked.does === 'create') return
  if (asked.does === 'update') applyUpdate(thing, seen, asked, sure)
  if (asked.does === 'delete') applyDelete(state, thing, seen, sure)
  thing.history.push(seen.n)
  state.touch(thing, written(seen, sure))
}

const written = ({ sent, answered, n }: Observation, sure: boolean) => ({
  sent,
  answered: sure ? answered : Number.POSITIVE_INFINITY,
  n,
})

/** Keeps the texts of a refused call: nothing may ever show them, unless another call sent them, too (R29). */
function remember(state: State, seen: Observation, { kind, does, uid }: Asked): void {
  const target = does === 'create' ? undefined : state.thing(uid!, kind)
  if (target) target.attempted = Math.max(target.attempted, seen.answered)
  if (!isObject(seen.body)) return
  const why = `the refused ${kinds[kind].name}.${does} of exchange ${seen.n}`
  for (const text of [seen.body.name, seen.body.description]) {
    if (typeof text !== 'string' || text.length < 8 || state.sentTexts.has(text)) continue
    state.refusedTexts.set(text, { why, n: seen.n })
  }
}

function keepTexts(state: State, body: unknown): void {
  for (const text of isObject(body) ? [body.name, body.description] : []) {
    if (typeof text !== 'string') continue
    state.sentTexts.add(text)
    state.refusedTexts.delete(text)
  }
}

function applyCreate(state: State, seen: Observation, { kind, uid: parent }: Asked): void {
  // how odd bytes were read, the answer tells
  const body = !seen.reads && isObject(seen.body) ? seen.body : isObject(seen.json) ? seen.json : {}
  const shown = isObject(seen.json) ? seen.json : {}
  const uid = typeof shown.uid === 'string' ? shown.uid : typeof shown.id === 'string' ? shown.id : undefined
  const known = uid === undefined ? undefined : state.things.get(uid)
  // no answer, or one without a uid: from now on nothing is exact there
  if (uid === undefined || (known && !known.alien)) {
    const home = state.group(parent!)
    if (home) state.touch(home, written(seen, false))
    return
  }
  const thing = state.add(kind, uid, parent!, seen, body)
  state.touch(thing, written(seen, true))
}

function applyUpdate(thing: Thing, seen: Observation, { version }: Asked, sure: boolean): void {
  const body = isObject(seen.body) ? seen.body : isObject(seen.json) ? seen.json : {}
  const { sent, answered } = written(seen, sure)
  const set = <T>(register: Register<T>, value: T, certain = true) =>
    register.write({ value, sent, answered, sure: sure && certain && !seen.reads })
  const mask = seen.query.updateMask
  // only a mask of one field that the contract shows is sure to be read in one way (R31)
  const certain = mask === undefined || ((mask === 'name' || mask === 'description') && mask in body)
  const takes = (member: string) => mask === undefined || mentions(mask, member)
  if (version === 'v1') {
    set(thing.name, body.name ?? '', typeof body.name === 'string')
    return set(thing.description, unset(body.description))
  }
  if (takes('name') && 'name' in body && body.name !== null) set(thing.name, body.name, certain)
  if (takes('description')) {
    const value = unset(body.description)
    // an empty one without a mask may count as not populated, and one that the body lacks is emptied or kept (R6, R31)
    if ('description' in body) set(thing.description, value, certain && (value !== '' || (mask !== undefined && body.description === '')))
    else if (mask !== undefined) set<unknown>(thing.description, '', false)
  }
  if (takes('claimMatch') && isObject(body.claimMatch)) {
    const before = thing.claimMatch.writes.at(-1)!.value
    const { issuer, subject } = body.claimMatch
    const whole = typeof issuer === 'string' && typeof subject === 'string'
    set<ClaimMatch>(thing.claimMatch, { issuer, subject }, whole && mask === undefined)
    // a part of a claim match may be merged
    if (!whole) set<ClaimMatch>(thing.claimMatch, { ...before, ...body.claimMatch }, false)
  }
}

const mentions = (mask: string, member: string) =>
  mask.trim() === '' || mask.includes('*') || mask.toLowerCase().replace('_', '').includes(member.toLowerCase())

function applyDelete(state: State, thing: Thing, seen: Observation, sure: boolean): void {
  const { sent, answered } = written(seen, sure)
  thing.alive.write({ value: false, sent, answered, sure })
  const perhaps = (other: Thing) => {
    const stands = other.alive.certain(sent, answered)?.value !== false
    if (stands) other.alive.write({ value: false, sent, answered: sure ? answered : answered, sure: false })
  }
  // what goes with it is left open
  if (thing.kind === 'groups') for (const kind of Object.keys(kinds)) for (const inner of state.inside(thing, kind as Thing['kind'], true)) perhaps(inner)
  if (thing.kind === 'identities') for (const other of state.things.values()) if (other.identityUid === thing.uid) perhaps(other)
}

/** Judges the answer to a write of the run's own. */
export function judgeWrite(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  if (seen.reads === 'never') {
    const wanted = 'a refusal: the body is no JSON (R37)'
    return judging.check(asked.kind, 'refusal', !succeeded(seen), wanted, seen.status, { about: [asked.uid!] })
  }
  if (asked.does === 'create') return judgeCreate(judging, asked)
  const thing = state.thing(asked.uid!, asked.kind)
  if (thing === undefined) return judgeMissing(judging, asked)
  // of two Deletes at once, either may come too late
  const own = (write: { sent: number }) => asked.does === 'delete' && succeeded(seen) && write.sent === seen.sent
  const may = thing.alive.may(seen.sent, seen.answered).filter((write) => !own(write))
  const stands = may.every(({ value }) => value) && thing.alive.writes[0]!.answered < seen.sent
  const gone = thing.alive.may(seen.sent, seen.sent).every(({ value }) => !value)
  if (asked.does === 'update') judgeUpdate(judging, asked, thing, stands, gone)
  else judgeDelete(judging, asked, thing, stands)
}

function judgeCreate(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const { kind, uid: parent, version } = asked
  const home = state.group(parent!)
  const body = seen.body
  const about = [parent!]
  const stands = home?.alive.certain(seen.sent, seen.answered)?.value === true
  if (!succeeded(seen)) {
    if (!stands || version === 'v1') return
    if (kind === 'groups' && isObject(body) && isBadName(body.name)) judgeBadName(judging, kind)
    const valid = kind === 'groups' ? isOrdinaryGroup(body) : kind === 'identities' && isOrdinaryIdentity(body)
    if (valid && !isSoftRefusal(seen) && isPrinted(asked)) {
      judging.check(kind, 'answer', false, 'a status of 2xx', `${seen.status} ${seen.text}`, { about, unless: ['lag'] })
    }
    return
  }
  if (home && home.alive.may(seen.sent, seen.answered).every(({ value }) => !value))
    judging.check(kind, 'refusal', false, 'a refusal: the group in the path was deleted', seen.status, { about })
  if (home === undefined && state.isOurs(parent!) )
    judging.check(kind, 'refusal', false, 'a refusal: the group in the path was never there', seen.status, { about })
  if ((kind === 'groups' || kind === 'identities') && isObject(body)) {
    const bad = kind === 'groups' ? isBadName(body.name) : body.name === undefined || body.name === '' || body.name === null
    judging.check(kind, 'refusal', !bad, 'a refusal of the name', `${seen.status} for ${JSON.stringify(body.name)}`, { about })
  }
  if (kind === 'groups' && !isObject(body)) judging.check(kind, 'refusal', false, 'a refusal of the body', seen.status, { about })
  if (kind === 'roleBindings' && isObject(body)) judgeBound(judging, body, about)
  if (!isObject(seen.json)) return
  const uid = String(seen.json.uid ?? seen.json.id)
  const thing = state.thing(uid, kind)
  if (thing === undefined) return
  if (thing.history[0] !== seen.n)
    return judging.check(kind, 'content', false, 'a uid of its own', uid, { about: [uid], beside: [thing.history[0]!] })
  if (kind === 'groups') {
    const fits = uid.startsWith(`${parent}/`) && /^[0-9a-f]+$/i.test(uid.slice(parent!.length + 1))
    judging.check(kind, 'content', fits, `a uid of ${parent} and one more segment`, uid, { about: [uid] })
  }
  if (version === 'v2') judgeContent(judging, thing, seen.json, 'create')
}

/** A binding names an identity of its group or above, and both have to be there (S2.15, R7, R38). */
function judgeBound(judging: Judging, body: Body, about: string[]): void {
  const { seen, state } = judging
  const identity = typeof body.identityUid === 'string' ? state.things.get(body.identityUid) : undefined
  const gone = identity?.kind === 'identities' && identity.alive.may(seen.sent, seen.answered).every(({ value }) => !value)
  const missing = typeof body.identityUid !== 'string' || typeof body.roleUid !== 'string' || gone || (identity && identity.kind !== 'identities')
  judging.check('roleBindings', 'refusal', !missing, 'a refusal: what is to be bound is not there', seen.status, { about })
}

function judgeUpdate(judging: Judging, asked: Asked, thing: Thing, stands: boolean, gone: boolean): void {
  const { seen } = judging
  const { kind, version } = asked
  const about = [thing.uid]
  const { body } = seen
  const mask = seen.query.updateMask
  if (!succeeded(seen)) {
    if (!stands || version === 'v1' || kinds[kind].shown === false || kind === 'roleBindings') return
    const isGroup = kind === 'groups'
    const changes = isObject(body) && Object.entries(body).some(([member, value]) => member in thing && !hasBeen(thing, member, value))
    const offered = isPrinted(asked) || !isNotOffered(seen)
    if (offered && changes && isOrdinaryUpdate(body, mask, isGroup) && !isSoftRefusal(seen))
      judging.check(kind, 'answer', false, 'a status of 2xx', `${seen.status} ${seen.text}`, { about, unless: ['lag'] })
    return
  }
  if (gone) return judging.check(kind, 'refusal', false, 'a refusal: it was deleted', seen.status, { about })
  if (kind === 'groups' && isObject(body) && 'name' in body && (mask === undefined || mask === 'name')) {
    const bad = typeof body.name === 'string' && isBadName(body.name)
    judging.check(kind, 'refusal', !bad, 'a refusal of the name', `${seen.status} for ${JSON.stringify(body.name)}`, { about })
  }
  if (!isObject(seen.json) || version === 'v1') return
  const { uid } = seen.json
  if (typeof uid === 'string') judging.check(kind, 'content', uid === thing.uid, thing.uid, uid, { about })
  if (uid === thing.uid) judgeContent(judging, thing, seen.json, 'update')
}

const hasBeen = (thing: Thing, member: string, value: unknown) =>
  (thing[member as 'name'] as Register<unknown>).writes?.at(-1)?.value === value

function judgeDelete(judging: Judging, asked: Asked, thing: Thing, stands: boolean): void {
  const { seen, state } = judging
  const { kind } = asked
  const about = [thing.uid]
  const surely = (inner: Thing) =>
    inner.alive.may(seen.sent, seen.answered).length === 1 &&
    inner.alive.may(seen.sent, seen.answered)[0]!.value &&
    inner.alive.writes[0]!.answered < seen.sent
  const holds = (of: 'groups' | 'identities' | 'roleBindings') => [...(thing.below.get(of) ?? [])].filter(surely)
  const full = kind === 'groups' ? holds('groups')[0] : undefined
  if (succeeded(seen)) {
    const empty = seen.text === '' || (isObject(seen.json) && Object.keys(seen.json).length === 0)
    judging.check(kind, 'answer', empty, 'an empty body (S4.7)', seen.text, { about })
    if (kind !== 'groups') return
    const beside = full ? full.history : []
    judging.check(kind, 'refusal', full === undefined, `a refusal: it holds ${full?.uid}`, seen.status, { about, beside })
    const inner = [...holds('identities'), ...holds('roleBindings')][0]
    judging.row('model.group.refusal.child', inner === undefined, `a refusal: it holds ${inner?.uid}`, seen.status, { about })
    return
  }
  if (full && stands) return judgeNotEmpty(judging, about)
  if (!stands || isSoftRefusal(seen) || (kind !== 'groups' && kinds[kind].shown === false)) return
  if (!isPrinted(asked) && isNotOffered(seen)) return
  const inhabited = kind === 'groups' && [...thing.below.values()].flat().some((inner) => inner.alive.may(seen.sent, seen.answered).some(({ value }) => value))
  if (!inhabited && !(kind === 'identities' && [...state.things.values()].some(({ identityUid }) => identityUid === thing.uid)))
    judging.check(kind, 'answer', false, 'a status of 2xx', `${seen.status} ${seen.text}`, { about, unless: ['lag'] })
}

/** An Update of what was never issued has to be refused; a Delete of it is left open (R28, R38). */
function judgeMissing(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const uid = asked.uid!
  if (asked.does !== 'update' || !succeeded(seen) || !state.isOurs(uid) || state.things.has(uid)) return
  if (isObject(seen.json) && (seen.json.uid ?? seen.json.id) === uid) return
  judging.check(asked.kind, 'refusal', false, `a refusal: ${uid} was never there`, seen.status, { about: [uid] })
}
