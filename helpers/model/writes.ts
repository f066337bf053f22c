import { kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import { judgeNotEmpty } from './errors.ts'
import type { Judging } from './judging.ts'
import { stillness } from './listed/population.ts'
import { isBadName, isOrdinaryUpdate } from './names.ts'
import {
  type Asked,
  hasOtherParameters,
  isMissing,
  isNotOffered,
  isPrinted,
  isSoftRefusal,
  isUnknown,
  type Observation,
} from './observation.ts'
import { showsOurs } from './readings.ts'
import { isBeside, type Register } from './register.ts'
import { judgeContent } from './shown/content.ts'
import type { Thing } from './state.ts'
import { judgeRebound, mayBeBound } from './written/bindings.ts'
import { judgeCreate } from './written/creates.ts'
import { judgeGone } from './written/gone.ts'
import { noteKept } from './written/kept-groups.ts'
import { mustKnow, noteTaken } from './written/known.ts'
import { judgeNamed } from './written/named.ts'
import { checkRefused } from './written/refusals.ts'

/** Judges the answer to the run's own write. */
export function judgeWrite(judging: Judging, asked: Asked) {
  const { seen, state } = judging
  if (seen.reads === 'never') {
    const details = { about: [asked.uid!], breaks: 'R37' } as const
    const wanted = 'a refusal: the body is no JSON'
    return judging.check(asked.kind, 'refusal', !succeeded(seen), wanted, judging.came, details)
  }
  if (asked.does === 'create') return judgeCreate(judging, asked)
  const thing = state.thing(asked.uid!, asked.kind)
  if (thing === undefined) return judgeMissing(judging, asked)
  // of two simultaneous Deletes, either may come too late
  const own = (write: { sent: number }) => asked.does === 'delete' && succeeded(seen) && write.sent === seen.sent
  const may = thing.alive.may(seen.sent, seen.answered).filter((write) => !own(write))
  const exists = may.every(({ value }) => value) && thing.alive.writes[0]!.answered < seen.sent
  const gone = thing.alive.may(seen.sent, seen.sent).every(({ value }) => !value)
  if (succeeded(seen)) noteTaken(judging, asked, thing)
  // knowledge of what is new may still be spreading (R52)
  else if (isUnknown(seen) && !gone && !mustKnow(judging, asked, thing)) return
  if (asked.does === 'update') judgeUpdate(judging, asked, thing, exists, gone)
  else judgeDelete(judging, asked, thing, exists)
}

function judgeUpdate(judging: Judging, asked: Asked, thing: Thing, exists: boolean, gone: boolean): void {
  const { seen } = judging
  if (asked.kind === 'roleBindings' && isObject(seen.body)) judgeRebound(judging, seen.body, thing)
  if (gone) judgeGone(judging, asked, 'update', thing)
  else if (succeeded(seen)) judgeAcceptedUpdate(judging, asked, thing)
  else if (exists) judgeRefusedUpdate(judging, asked, thing)
}

/** An Update that changes something, and has nothing else that may be refused, may not be refused. */
function judgeRefusedUpdate(judging: Judging, asked: Asked, thing: Thing): void {
  const { seen, state } = judging
  const { kind, version } = asked
  if (version === 'v1' || kinds[kind].shown === false || kind === 'roleBindings') return
  const { body } = seen
  const mask = seen.query.updateMask
  const changes =
    isObject(body) &&
    Object.entries(body).some(
      ([member, value]) => (mask ?? member) === member && member in thing && !hasBeen(thing, member, value),
    )
  const offered = isPrinted(asked) || !isNotOffered(seen)
  const isTaken = isObject(body) && body.name !== undefined && state.names.has(body.name)
  const isDue = offered && !hasOtherParameters(seen) && changes && !isTaken && !isRacing(thing, seen)
  if (!isDue || !isOrdinaryUpdate(body, mask, kind === 'groups') || isSoftRefusal(seen)) return
  const about = [thing.uid]
  const since = Math.max(...[thing.alive, ...membersOf(thing)].map((register) => register.lastBefore(seen.sent)))
  const unless = judging.unlessLate(since)
  judging.check(kind, 'answer', false, 'a status of 2xx', judging.came, { about, unless })
}

/** An Update never lets a bad name in, and answers the resource (R4, R25). */
function judgeAcceptedUpdate(judging: Judging, asked: Asked, thing: Thing): void {
  const { kind, version } = asked
  const { body, json, status, query } = judging.seen
  const about = [thing.uid]
  const mask = query.updateMask
  if (kind === 'groups' && isObject(body) && 'name' in body && (mask === undefined || mask === 'name')) {
    const bad = typeof body.name === 'string' && isBadName(body.name) && (body.name !== '' || mask !== undefined)
    const got = `${status} for ${JSON.stringify(body.name)}`
    checkRefused(judging, asked, !bad, 'a refusal of the name', got, { about, breaks: 'R4' })
  }
  if (version === 'v1') return
  const uid = judgeNamed(judging, kind, thing.uid)
  if (uid !== undefined) judging.check(kind, 'content', uid === thing.uid, thing.uid, uid, { about, breaks: 'R10' })
  if (isObject(json) && uid === thing.uid) judgeContent(judging, thing, json, 'update')
}

/** True where another write on the same thing was under way: one of two Updates may be refused in any way (R31). */
const isRacing = (thing: Thing, seen: Observation) =>
  [thing.alive, ...membersOf(thing)].some(({ writes }) =>
    writes.some((write) => write.sent !== seen.sent && isBeside(write, seen)),
  )

const membersOf = ({ name, description, claimMatch }: Thing) => [name, description, claimMatch]

const hasBeen = (thing: Thing, member: string, value: unknown) =>
  (thing[member as 'name'] as Register<unknown>).writes?.at(-1)?.value === value

function judgeDelete(judging: Judging, asked: Asked, thing: Thing, exists: boolean): void {
  if (succeeded(judging.seen)) judgeAcceptedDelete(judging, asked, thing)
  else if (asked.version !== 'v1') judgeRefusedDelete(judging, asked, thing, exists)
}

/** What a group certainly holds. */
function heldBy(judging: Judging, { below }: Thing, kind: 'groups' | 'identities' | 'roleBindings'): Thing[] {
  const { sent: asked, answered } = judging.seen
  const surely = ({ alive }: Thing) =>
    alive.wasShownBefore(asked) &&
    // this Delete itself decides whether it goes with the group
    alive.may(asked, answered).every(({ value, sure, sent }) => value || (!sure && sent === asked))
  return [...(below.get(kind) ?? [])].filter(surely)
}

/** A Delete answers an empty body, and never removes a group that is not empty (S4.7, S7.6). */
function judgeAcceptedDelete(judging: Judging, asked: Asked, thing: Thing): void {
  const { kind, version } = asked
  const { text, json } = judging.seen
  const about = [thing.uid]
  const empty = text === '' || (isObject(json) && Object.keys(json).length === 0)
  // the answer to a v1 Delete is not shown
  if (version === 'v2') judging.check(kind, 'answer', empty, 'an empty body', text, { about, breaks: 'S4.7' })
  if (kind !== 'groups') return
  const [full] = heldBy(judging, thing, 'groups')
  const [inner] = [...heldBy(judging, thing, 'identities'), ...heldBy(judging, thing, 'roleBindings')]
  const holding = (one?: Thing) => one && `a refusal: it holds the ${kinds[one.kind].label.one} ${one.uid}`
  const details = (one?: Thing) => ({ about, beside: one ? one.history : [] })
  checkRefused(judging, asked, full === undefined, holding(full), judging.came, { ...details(full), breaks: 'S7.6' })
  judging.row('model.group.refusal.child', inner === undefined, holding(inner), judging.came, details(inner))
}

/** A Delete of something that exists and holds nothing may not be refused. */
function judgeRefusedDelete(judging: Judging, asked: Asked, thing: Thing, exists: boolean): void {
  const { seen } = judging
  const { kind } = asked
  const about = [thing.uid]
  if (kind === 'groups') noteKept(judging, thing)
  const isFull = kind === 'groups' && heldBy(judging, thing, 'groups').length > 0
  if (isFull && exists) return void judgeNotEmpty(judging, about)
  if (!exists || isSoftRefusal(seen) || (kind !== 'groups' && kinds[kind].shown === false)) return
  // others may delete what the run has not made
  if (thing.alien && isMissing(seen)) return
  if (!isPrinted(asked) && isNotOffered(seen)) return
  const inhabited =
    kind === 'groups' &&
    [...thing.below.values()]
      .flat()
      .some((inner) => inner.alive.may(seen.sent, seen.answered).some(({ value }) => value))
  // it is not shown whether a bound one may be deleted
  if (inhabited || (kind === 'identities' && mayBeBound(judging, thing))) return
  const unless = judging.unlessLate(Math.max(...emptyingOf(judging, thing)))
  judging.check(kind, 'answer', false, 'a status of 2xx', judging.came, { about, unless })
}

/** When something was made and when what it held went: a target may know of either late (R52). */
function emptyingOf({ state, seen }: Judging, thing: Thing): number[] {
  const { still, since } = stillness(thing, seen.sent, seen.answered)
  const bound =
    thing.kind === 'identities'
      ? state
          .ofKind('roleBindings')
          .filter(({ binds }) => binds.identity.writes.some(({ value }) => value === thing.uid))
      : []
  const all = [thing, ...bound].map(({ alive }) => alive.lastBefore(seen.answered))
  return [...all, still ? since : seen.answered]
}

/** An Update of a uid that was never issued must be refused; a Delete of it is open (R28, R38). */
function judgeMissing(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const uid = asked.uid!
  // an update of v1 is commonly read as creating what is missing (R45)
  if (asked.does !== 'update' || asked.version === 'v1' || !succeeded(seen)) return
  if (!(state.isOurs(uid) || showsOurs(judging, asked.kind)) || state.under(uid).length > 0) return
  if (isObject(seen.json) && (seen.json.uid ?? seen.json.id) === uid) return
  judging.check(asked.kind, 'refusal', false, `a refusal: ${uid} was never there`, judging.came, {
    about: [uid],
    breaks: 'R38',
  })
}
