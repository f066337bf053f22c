import { kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import { bindsAlike, mayBeGone } from './apply.ts'
import { judgeBadName, judgeNotEmpty } from './errors.ts'
import type { Judging } from './judging.ts'
import { isBadName, isOrdinaryGroup, isOrdinaryIdentity, isOrdinaryUpdate } from './names.ts'
import {
  type Asked,
  hasOtherParameters,
  isMissing,
  isNotOffered,
  isPrinted,
  isSoftRefusal,
  type Observation,
} from './observation.ts'
import type { Register, Write } from './register.ts'
import { rowOf } from './rows.ts'
import { judgeContent } from './shown/content.ts'
import type { TakenLate, Thing } from './state.ts'
import { judgeBound, judgeInvited, judgeNotBound, judgeRebound, mayBeBound } from './written/bindings.ts'

/** How long a text may be without a limit on requests being the reason to refuse it, in characters. */
const mostSent = 4096

/** Judges the answer to the run's own write. */
export function judgeWrite(judging: Judging, asked: Asked) {
  const { seen, state } = judging
  if (seen.reads === 'never') {
    const wanted = 'a refusal: the body is no JSON (R37)'
    return judging.check(asked.kind, 'refusal', !succeeded(seen), wanted, seen.status, { about: [asked.uid!] })
  }
  if (asked.does === 'create') return judgeCreate(judging, asked)
  const thing = state.thing(asked.uid!, asked.kind)
  if (thing === undefined) return judgeMissing(judging, asked)
  // of two simultaneous Deletes, either may come too late
  const own = (write: { sent: number }) => asked.does === 'delete' && succeeded(seen) && write.sent === seen.sent
  const may = thing.alive.may(seen.sent, seen.answered).filter((write) => !own(write))
  const exists = may.every(({ value }) => value) && thing.alive.writes[0]!.answered < seen.sent
  const gone = thing.alive.may(seen.sent, seen.sent).every(({ value }) => !value)
  if (asked.does === 'update') judgeUpdate(judging, asked, thing, exists, gone)
  else judgeDelete(judging, asked, thing, exists)
}

/** The flag of a target that accepts such a write on something deleted, and soon refuses it. */
const late = ({ does }: Asked) => `late to refuse ${does}`

/** A write on something deleted is refused (R38), but not always at once (R52), nor while a Get marks it (R28). */
function judgeGone(judging: Judging, asked: Asked, does: TakenLate['does'], { uid, alive }: Thing): void {
  const { seen, state } = judging
  const { kind, version } = asked
  const isYoung = judging.isYoung(alive.lastBefore(seen.answered))
  // v1 is not asked again, and its PUT is commonly read as creating what is missing (R45)
  if (version === 'v1' && (isYoung || does === 'update')) return
  const { over, query, body, answered } = seen
  const done = `${does} ${kind} over ${over ?? 'HTTP'} at ${uid}`
  if (!succeeded(seen)) {
    if (state.takenLate.has(done) && !isSoftRefusal(seen)) state.flags.add(late(asked))
    return
  }
  if (isYoung) return void state.takenLate.set(done, { kind, does, uid, over, query, body, answered })
  judging.check(kind, 'refusal', false, `a refusal: ${uid} was deleted`, seen.status, {
    about: [uid],
    unless: ['marks'],
  })
}

function judgeCreate(judging: Judging, asked: Asked) {
  const { seen, state } = judging
  const { kind, uid: parent, version } = asked
  const home = state.group(parent!)
  const body = seen.body
  const about = [parent!]
  const exists = home?.alive.certain(seen.sent, seen.answered)?.value === true
  const gone = home?.alive.may(seen.sent, seen.answered).every(({ value }) => !value)
  if (home && gone) judgeGone(judging, asked, 'create', home)
  if (!succeeded(seen)) {
    // knowledge of a group may still be spreading (R52)
    const isEarly = isMissing(seen) && home !== undefined && judging.isYoung(home.alive.lastBefore(seen.answered))
    if (!exists || version === 'v1' || isEarly) return
    if (kind === 'roleBindings' && isObject(body)) judgeNotBound(judging, body, home!)
    // an unknown member may be the reason for the refusal (R32)
    const isKnown = isObject(body) && Object.keys(body).every((member) => member === 'name' || member === 'description')
    // a body that is too large may be refused for that
    const isSmall = String(isObject(body) ? body.name : '').length <= mostSent
    // null may make the body unreadable, and its error may have any form (R31, R33)
    const isBad = isObject(body) && body.name !== null && isBadName(body.name)
    if (kind === 'groups' && isKnown && isSmall && isBad) judgeBadName(judging, kind)
    const valid = kind === 'groups' ? isOrdinaryGroup(body) : kind === 'identities' && isOrdinaryIdentity(body)
    const isTaken = isObject(body) && state.names.has(body.name)
    if (valid && !isTaken && !isSoftRefusal(seen) && isPrinted(asked)) {
      judging.check(kind, 'answer', false, 'a status of 2xx', `${seen.status} ${seen.text}`, { about, unless: ['lag'] })
    }
    return
  }
  if (home === undefined && state.isOurs(parent!))
    judging.check(kind, 'refusal', false, 'a refusal: the group in the path was never there', seen.status, { about })
  // what goes with its identity may have gone before the group
  const bound =
    kind === 'roleBindings' && isObject(body) ? state.thing(String(body.identityUid), 'identities') : undefined
  const mayHaveGone = bound !== undefined && mayBeGone(bound, seen)
  if (!mayHaveGone && home?.alive.writes.some((write) => !write.value && write.sure && isBeside(write, seen))) {
    const wanted = 'a refusal of this call or of the Delete of its parent, sent at the same moment'
    const row = kind === 'groups' ? rowOf(kind, 'refusal') : 'model.group.refusal.child'
    judging.row(row, false, wanted, seen.status, { about, unless: ['lag', late(asked)] })
  }
  if ((kind === 'groups' || kind === 'identities') && isObject(body)) {
    const bad =
      kind === 'groups' ? isBadName(body.name) : body.name === undefined || body.name === '' || body.name === null
    judging.check(kind, 'refusal', !bad, 'a refusal of the name', `${seen.status} for ${JSON.stringify(body.name)}`, {
      about,
    })
  }
  if (kind === 'groups' && !isObject(body))
    judging.check(kind, 'refusal', false, 'a refusal of the body', seen.status, { about })
  if (kind === 'roleBindings' && isObject(body)) judgeBound(judging, body, about)
  if (kind === 'groupInvites' && isObject(body)) judgeInvited(judging, body, about)
  if (!isObject(seen.json)) return
  const uid = String(seen.json.uid ?? seen.json.id)
  const thing = state.thing(uid, kind)
  if (thing === undefined) return
  if (thing.history[0] !== seen.n && isObject(body) && bindsAlike(thing, parent!, body)) return
  if (thing.history[0] !== seen.n)
    return judging.check(kind, 'content', false, 'a uid of its own', uid, { about: [uid], beside: [thing.history[0]!] })
  if (kind === 'groups') {
    const fits = uid.startsWith(`${parent}/`) && /^[0-9a-f]+$/i.test(uid.slice(parent!.length + 1))
    judging.check(kind, 'content', fits, `a uid of ${parent} and one more segment`, uid, { about: [uid] })
  }
  const { uid: chosen } = isObject(body) ? body : {}
  const isChosen = typeof chosen === 'string' && chosen !== '' && `/${uid}`.endsWith(`/${chosen}`)
  judging.check(kind, 'content', !isChosen, 'a uid that the server chose', uid, { about: [uid] })
  if (version === 'v2') judgeContent(judging, thing, seen.json, 'create')
}

function judgeUpdate(judging: Judging, asked: Asked, thing: Thing, exists: boolean, gone: boolean) {
  const { seen } = judging
  const { kind, version } = asked
  const about = [thing.uid]
  const { body } = seen
  const mask = seen.query.updateMask
  if (kind === 'roleBindings' && isObject(body)) judgeRebound(judging, body, thing)
  if (gone) return judgeGone(judging, asked, 'update', thing)
  if (!succeeded(seen)) {
    if (!exists || version === 'v1' || kinds[kind].shown === false || kind === 'roleBindings') return
    const isGroup = kind === 'groups'
    const changes =
      isObject(body) &&
      Object.entries(body).some(
        ([member, value]) => (mask ?? member) === member && member in thing && !hasBeen(thing, member, value),
      )
    const offered = isPrinted(asked) || !isNotOffered(seen)
    const isTaken = isObject(body) && body.name !== undefined && judging.state.names.has(body.name)
    const isDue = offered && !hasOtherParameters(seen) && changes && !isTaken && !isRacing(thing, seen)
    if (isDue && isOrdinaryUpdate(body, mask, isGroup) && !isSoftRefusal(seen))
      judging.check(kind, 'answer', false, 'a status of 2xx', `${seen.status} ${seen.text}`, { about, unless: ['lag'] })
    return
  }
  if (kind === 'groups' && isObject(body) && 'name' in body && (mask === undefined || mask === 'name')) {
    const bad = typeof body.name === 'string' && isBadName(body.name) && (body.name !== '' || mask !== undefined)
    judging.check(kind, 'refusal', !bad, 'a refusal of the name', `${seen.status} for ${JSON.stringify(body.name)}`, {
      about,
    })
  }
  if (!isObject(seen.json) || version === 'v1') return
  const { uid } = seen.json
  if (typeof uid === 'string') judging.check(kind, 'content', uid === thing.uid, thing.uid, uid, { about })
  if (uid === thing.uid) judgeContent(judging, thing, seen.json, 'update')
}

/** True where another write on the same thing was under way: one of two Updates may be refused in any way (R31). */
const isRacing = (thing: Thing, seen: Observation) =>
  [thing.name, thing.description, thing.claimMatch, thing.alive].some(({ writes }) =>
    writes.some((write) => write.sent !== seen.sent && isBeside(write, seen)),
  )

/** True where a write and a call overlapped. */
const isBeside = ({ sent, answered }: Pick<Write<unknown>, 'sent' | 'answered'>, seen: Observation) =>
  sent <= seen.answered && answered >= seen.sent

const hasBeen = (thing: Thing, member: string, value: unknown) =>
  (thing[member as 'name'] as Register<unknown>).writes?.at(-1)?.value === value

function judgeDelete(judging: Judging, asked: Asked, thing: Thing, exists: boolean) {
  const { seen } = judging
  const { kind, version } = asked
  const about = [thing.uid]
  const surely = ({ alive }: Thing) =>
    alive.wasShownBefore(seen.sent) &&
    // this Delete itself decides whether it goes with the group
    alive.may(seen.sent, seen.answered).every(({ value, sure, sent }) => value || (!sure && sent === seen.sent))
  const holds = (of: 'groups' | 'identities' | 'roleBindings') => [...(thing.below.get(of) ?? [])].filter(surely)
  const full = kind === 'groups' ? holds('groups')[0] : undefined
  if (succeeded(seen)) {
    const empty = seen.text === '' || (isObject(seen.json) && Object.keys(seen.json).length === 0)
    // the answer to a v1 Delete is not shown
    if (version === 'v2') judging.check(kind, 'answer', empty, 'an empty body (S4.7)', seen.text, { about })
    if (kind !== 'groups') return
    const beside = full ? full.history : []
    judging.check(kind, 'refusal', full === undefined, `a refusal: it holds ${full?.uid}`, seen.status, {
      about,
      beside,
    })
    const inner = [...holds('identities'), ...holds('roleBindings')][0]
    judging.row('model.group.refusal.child', inner === undefined, `a refusal: it holds ${inner?.uid}`, seen.status, {
      about,
    })
    return
  }
  if (version === 'v1') return
  if (full && exists) return judgeNotEmpty(judging, about)
  if (!exists || isSoftRefusal(seen) || (kind !== 'groups' && kinds[kind].shown === false)) return
  if (!isPrinted(asked) && isNotOffered(seen)) return
  const inhabited =
    kind === 'groups' &&
    [...thing.below.values()]
      .flat()
      .some((inner) => inner.alive.may(seen.sent, seen.answered).some(({ value }) => value))
  // it is not shown whether a bound one may be deleted
  if (!inhabited && !(kind === 'identities' && mayBeBound(judging, thing)))
    judging.check(kind, 'answer', false, 'a status of 2xx', `${seen.status} ${seen.text}`, { about, unless: ['lag'] })
}

/** An Update of a uid that was never issued must be refused; a Delete of it is open (R28, R38). */
function judgeMissing(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const uid = asked.uid!
  // an update of v1 is commonly read as creating what is missing (R45)
  if (asked.does !== 'update' || asked.version === 'v1' || !succeeded(seen)) return
  if (!state.isOurs(uid) || state.under(uid).length > 0) return
  if (isObject(seen.json) && (seen.json.uid ?? seen.json.id) === uid) return
  judging.check(asked.kind, 'refusal', false, `a refusal: ${uid} was never there`, seen.status, { about: [uid] })
}
