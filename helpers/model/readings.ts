import type { KindName } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { succeeded } from '../http/call.ts'
import type { Judging } from './judging.ts'
import { type Asked, isPrinted, isSoftRefusal, unlessOffered } from './observation.ts'
import { judgeContent } from './shown/content.ts'
import type { Thing } from './state.ts'
import { judgeNamed } from './written/named.ts'

/** Judges the answer to a Get of v2 (S4.1, R28, R38, R55). */
export function judgeGet(judging: Judging, asked: Asked): void {
  const { seen, state } = judging
  const { kind } = asked
  const uid = asked.uid!
  const thing = state.thing(uid, kind)
  const about = [uid]
  if (thing === undefined || thing.alien) {
    const isMissing = thing === undefined && (state.isOurs(uid) || showsOurs(judging, kind))
    const elsewhere = succeeded(seen) && isMissing && !isUid(seen.json, uid)
    if (elsewhere)
      judging.check(kind, 'refusal', false, `a refusal: ${uid} was never there`, seen.text, { about, breaks: 'R38' })
    return
  }
  if (succeeded(seen)) judgeShown(judging, thing)
  else judgeNotShown(judging, asked, thing)
}

/** A Get that shows something: it exists, and is as it was written. */
function judgeShown(judging: Judging, thing: Thing): void {
  const { seen, state } = judging
  const { kind, uid } = thing
  const about = [uid]
  const alive = thing.alive.may(seen.sent, seen.answered)
  const soft = judging.isYoung(thing.alive.lastBefore(seen.answered))
  if (isMarkedDeleted(seen)) state.flags.add('marks')
  const gone = !alive.some(({ value }) => value) && !isMarkedDeleted(seen)
  judging.check(kind, 'members', !gone, 'a refusal: it was deleted', judging.came, {
    about,
    // gRPC loses a mark that is in no published schema
    ...(seen.over && { unless: ['marks'] }),
    soft: soft && thing.alive.observe(true, seen.sent, seen.answered, judging.through('Get'), judging.copy) === 'late',
    breaks: 'R28',
  })
  // what is gone may leave an empty answer (R28)
  if (!gone && alive.every(({ value }) => value)) judgeNamed(judging, kind, uid)
  if (gone || !isObject(seen.json)) return
  judging.check(kind, 'content', seen.json.uid === uid, `the uid ${uid}`, seen.json.uid, { about, breaks: 'R10' })
  state.clock.inVain(thing, seen)
  // what is marked as deleted stays as it was then, and so does what it embeds (R28)
  const isKept = isMarkedDeleted(seen) && !alive.every(({ value }) => value)
  if (seen.json.uid === uid && !isKept) judgeContent(judging, thing, seen.json, 'Get')
}

/** A Get of what exists may not be refused. */
function judgeNotShown(judging: Judging, asked: Asked, { kind, uid, alive }: Thing): void {
  const { seen } = judging
  // a Get has no parameters, and a call with one may be refused (R21), as may another spelling of its path (R48)
  if (Object.keys(seen.query).length > 0 || seen.path.includes('%2f')) return
  const exists =
    alive.may(seen.sent, seen.answered).every(({ value }) => value) && alive.writes[0]!.answered < seen.sent
  if (!exists || [403, 409, 429].includes(seen.status!) || isSoftRefusal(seen)) return
  // the Get of role bindings is a should (R49), and their rows are musts
  if (kind === 'roleBindings') return
  // what was shown and then is missing is not late (R52)
  const wasShown = alive.wasShownBefore(seen.sent, judging.through('Get'), judging.copy)
  const soft = judging.isYoung(alive.lastBefore(seen.answered)) && !wasShown
  const unless = isPrinted(asked) ? [] : [unlessOffered(asked, seen)]
  judging.check(kind, 'answer', false, 'a status of 2xx', judging.came, { about: [uid], soft, unless })
}

/** True for an answer that shows something of the run, whose uid may be no path (R10). */
export const showsOurs = ({ state, seen: { json } }: Judging, kind: KindName) => {
  const shown = isObject(json) ? state.thing(String(json.uid), kind) : undefined
  return shown !== undefined && !shown.alien
}

/** True for an answer with exactly that uid, except for the case of its letters (R10, R38). */
const isUid = (json: unknown, uid: string) =>
  isObject(json) && typeof json.uid === 'string' && json.uid.toLowerCase().trim() === uid.toLowerCase().trim()
