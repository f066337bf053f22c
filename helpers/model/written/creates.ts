import { kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import { succeeded } from '../../http/call.ts'
import { bindsAlike, mayBeGone } from '../apply.ts'
import { judgeBadName } from '../errors.ts'
import type { Judging } from '../judging.ts'
import { isBadName, isOrdinaryGroup, isOrdinaryIdentity } from '../names.ts'
import { type Asked, isPrinted, isSoftRefusal, isUnknown, untilSeen } from '../observation.ts'
import { isBeside } from '../register.ts'
import { rowOf } from '../rows.ts'
import { judgeContent } from '../shown/content.ts'
import type { Thing } from '../state.ts'
import { judgeBound, judgeInvited, judgeNotBound } from './bindings.ts'
import { judgeGone, late } from './gone.ts'
import { unlessKept } from './kept-groups.ts'
import { mustKnow, noteTaken } from './known.ts'
import { judgeNamed } from './named.ts'
import { checkRefused } from './refusals.ts'

/** How long a text may be without a limit on requests being the reason to refuse it, in characters. */
const mostSent = 4096

/** Judges the answer to a Create (S4.2, S7.5, S2.6, R3). */
export function judgeCreate(judging: Judging, asked: Asked) {
  const { seen, state } = judging
  const home = state.group(asked.uid!)
  const gone = home?.alive.may(seen.sent, seen.answered).every(({ value }) => !value)
  if (home && gone) judgeGone(judging, asked, 'create', home)
  if (!succeeded(seen)) return judgeRefused(judging, asked, home)
  judgeTaken(judging, asked, home)
  judgeMade(judging, asked)
}

/** A good body may not be refused, and a bad name has its error. */
function judgeRefused(judging: Judging, asked: Asked, home: Thing | undefined): void {
  const { seen, state } = judging
  const { kind, uid: parent, version } = asked
  const { body } = seen
  const about = [parent!]
  const exists = home?.alive.certain(seen.sent, seen.answered)?.value === true
  // knowledge of a group may still be spreading (R52)
  const isEarly = isUnknown(seen) && home !== undefined && !mustKnow(judging, asked, home)
  if (!exists || version === 'v1' || isEarly) return
  if (kind === 'roleBindings' && isObject(body)) judgeNotBound(judging, asked, body, home!)
  // an unknown member may be the reason for the refusal (R32)
  const isKnown = isObject(body) && Object.keys(body).every((member) => member === 'name' || member === 'description')
  // a body that is too large may be refused for that
  const isSmall = String(isObject(body) ? body.name : '').length <= mostSent
  // null may make the body unreadable, and its error may have any form (R31, R33)
  const isBad = isObject(body) && body.name !== null && isBadName(body.name)
  if (kind === 'groups' && isKnown && isSmall && isBad) judgeBadName(judging, kind)
  const valid = kind === 'groups' ? isOrdinaryGroup(body) : kind === 'identities' && isOrdinaryIdentity(body)
  const isTaken = isObject(body) && state.names.has(body.name)
  if (!valid || isTaken || isSoftRefusal(seen) || !isPrinted(asked)) return
  // an identity may need an issuer that can be reached, whatever the refusal (R54)
  const unless = kind === 'identities' ? [untilSeen(takenOf(body))] : []
  judging.check(kind, 'answer', false, 'a status of 2xx', judging.came, { about, unless })
}

/** The flag of a target that made an identity whose issuer is of the same host. */
function takenOf(body: unknown): string {
  const { issuer } = isObject(body) && isObject(body.claimMatch) ? body.claimMatch : {}
  const [, host = issuer] = /^https?:\/\/([^/:?#]+)/i.exec(String(issuer)) ?? []
  return `accepted an identity of ${host}`
}

/** What is accepted has a parent and a name, and binds what there is. */
function judgeTaken(judging: Judging, asked: Asked, home: Thing | undefined): void {
  const { seen, state } = judging
  const { kind, uid: parent } = asked
  const { body } = seen
  const about = [parent!]
  if (home) noteTaken(judging, asked, home)
  if (kind === 'identities') state.flags.add(takenOf(body))
  if (home === undefined && state.isOurs(parent!))
    checkRefused(judging, asked, false, 'a refusal: the group in the path was never there', judging.came, {
      about,
      breaks: 'R38',
    })
  // what goes with its identity may have gone before the group
  const bound =
    kind === 'roleBindings' && isObject(body) ? state.thing(String(body.identityUid), 'identities') : undefined
  const mayHaveGone = bound !== undefined && mayBeGone(bound, seen)
  if (!mayHaveGone && home?.alive.writes.some((write) => !write.value && write.sure && isBeside(write, seen))) {
    const wanted = 'a refusal of this call or of the Delete of its parent, sent at the same moment'
    const row = kind === 'groups' ? rowOf(kind, 'refusal') : 'model.group.refusal.child'
    const breaks = kind === 'groups' ? 'S7.6' : 'R30'
    const unless = ['lag', late(asked), ...unlessKept(kind)]
    judging.row(row, false, wanted, judging.came, { about, unless, breaks })
  }
  if ((kind === 'groups' || kind === 'identities') && isObject(body)) {
    const bad =
      kind === 'groups' ? isBadName(body.name) : body.name === undefined || body.name === '' || body.name === null
    checkRefused(judging, asked, !bad, 'a refusal of the name', `${seen.status} for ${JSON.stringify(body.name)}`, {
      about,
      breaks: kind === 'groups' ? 'S2.6' : 'S2.10',
    })
  }
  if (kinds[kind].shown && !isObject(body))
    checkRefused(judging, asked, false, 'a refusal of the body', judging.came, { about, breaks: 'R37 body' })
  if (kind === 'roleBindings' && isObject(body)) judgeBound(judging, asked, body)
  if (kind === 'groupInvites' && isObject(body)) judgeInvited(judging, body, about)
}

/** What was made has a uid of its own, and is as it was sent. */
function judgeMade(judging: Judging, { kind, uid: parent, version }: Asked) {
  const { seen, state } = judging
  const { body } = seen
  if (version === 'v2') judgeNamed(judging, kind, parent!)
  if (!isObject(seen.json)) return
  const uid = String(seen.json.uid ?? seen.json.id)
  const thing = state.thing(uid, kind)
  if (thing === undefined) return
  if (thing.history[0] !== seen.n && isObject(body) && bindsAlike(thing, parent!, body)) return
  if (thing.history[0] !== seen.n)
    return judging.check(kind, 'content', false, 'a uid of its own', uid, {
      about: [uid],
      beside: [thing.history[0]!],
      breaks: 'S2.1',
    })
  if (kind === 'groups') {
    const fits = uid.startsWith(`${parent}/`) && /^[0-9a-f]+$/i.test(uid.slice(parent!.length + 1))
    judging.check(kind, 'content', fits, `a uid of ${parent} and one more segment`, uid, {
      about: [uid],
      breaks: 'S2.2',
    })
  }
  const { uid: chosen } = isObject(body) ? body : {}
  const isChosen = typeof chosen === 'string' && chosen !== '' && `/${uid}`.endsWith(`/${chosen}`)
  judging.check(kind, 'content', !isChosen, 'a uid that the server chose', uid, { about: [uid], breaks: 'S2.5' })
  if (version === 'v2') judgeContent(judging, thing, seen.json, 'create')
}
