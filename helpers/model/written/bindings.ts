import { isObject } from '../../api/received.ts'
import { succeeded } from '../../http/call.ts'
import { bindsAlike } from '../apply.ts'
import { bindsLate, type Judging, rolesChange } from '../judging.ts'
import { type Asked, isMissing, isSoftRefusal } from '../observation.ts'
import type { Thing } from '../state.ts'
import { mustKnow, noteTaken } from './known.ts'

type Body = Record<string, unknown>

/** The flag of a role that this target granted to somebody. */
const granted = (roleUid: unknown) => `granted ${roleUid}`

/** A binding names an identity and a role that were issued (S2.15, R38). */
export function judgeBound(judging: Judging, asked: Asked, body: Body): void {
  const { state } = judging
  const about = [asked.uid!]
  const uid = typeof body.identityUid === 'string' ? body.identityUid : ''
  const roleUid = typeof body.roleUid === 'string' ? body.roleUid : ''
  const identity = state.thing(uid, 'identities') ?? state.under(uid)[0]
  const missing = {
    'its identityUid is no uid': uid === '',
    'its roleUid is no uid': roleUid === '',
    [`no identity has the uid ${uid}`]: identity ? identity.kind !== 'identities' : state.isOurs(uid),
    [`no role has the uid ${roleUid}`]: isNoRole(judging, roleUid),
  }
  const why = Object.entries(missing).find(([, isSo]) => isSo)?.[0]
  state.flags.add(granted(body.roleUid))
  if (identity?.kind === 'identities') noteTaken(judging, asked, identity)
  if (identity) judgeNotGone(judging, identity, body, about)
  judging.check('roleBindings', 'refusal', why === undefined, `a refusal: ${why}`, judging.came, {
    about,
    breaks: 'R38 named',
  })
}

/** What a binding names was not deleted, as far as the deletion must be known (R38, R52), and no Get marks it (R28). */
function judgeNotGone(judging: Judging, identity: Thing, body: Body, about: string[]): void {
  const { seen, state } = judging
  const holds = !isGone(judging, identity)
  // it is bound again at the end of the run
  if (holds && identity.alive.certain(seen.sent, seen.answered)?.value === false) {
    const { over, query, answered } = seen
    const again = { kind: 'roleBindings', does: 'create', uid: about[0]!, over, query, body, answered } as const
    state.takenLate.set(`bind ${identity.uid} over ${over ?? 'HTTP'}`, again)
    state.flags.add(bindsLate)
  }
  const expected = `a refusal: ${identity.uid} was deleted`
  const details = { about: [...about, identity.uid], unless: ['marks'], breaks: 'R38 named' } as const
  judging.check('roleBindings', 'refusal', holds, expected, judging.came, details)
}

const isGone = (judging: Judging, { alive }: Thing) =>
  alive.certain(judging.seen.sent, judging.seen.answered)?.value === false &&
  !judging.isYoung(alive.lastBefore(judging.seen.answered))

/** An invite names a role, and no role has the uid of something that the run made (R38). */
export function judgeInvited(judging: Judging, { roleUid }: Body, about: string[]): void {
  const expected = `a refusal: no role has the uid ${roleUid}`
  judging.check('groupInvites', 'effect', !isNoRole(judging, roleUid), expected, judging.came, {
    about,
    breaks: 'R38 named',
  })
}

/**
 * An identity that is not new gets a role that others have, in its group or below it (S2.15, R7), unless it has that
 * role there (R54).
 */
export function judgeNotBound(judging: Judging, asked: Asked, body: Body, home: Thing): void {
  const { seen, state } = judging
  const { identityUid, roleUid, ...others } = body
  const identity = typeof identityUid === 'string' ? state.thing(identityUid, 'identities') : undefined
  if (identity === undefined || Object.keys(others).length > 0 || isSoftRefusal(seen)) return
  const isOld = (thing: Thing) =>
    thing.alive.certain(seen.sent, seen.answered)?.value === true && mustKnow(judging, asked, thing)
  const isInPlace = state.upwards(home).some(({ uid }) => uid === identity.parent)
  if (!isOld(identity) || !isOld(home) || !isInPlace || !identity.alive.wasShownBefore(seen.sent)) return
  const beside = home.below.get('roleBindings') ?? []
  if (!state.flags.has(granted(roleUid)) || beside.some((one) => bindsAlike(one, home.uid, body))) return
  judging.check('roleBindings', 'answer', false, 'a status of 2xx', judging.came, {
    about: [identity.uid, home.uid],
    // its role may be gone (R24)
    ...(isMissing(seen) && { unless: [rolesChange] }),
    breaks: 'S4.5',
  })
}

/** An Update may ignore what was never issued or is gone, but never bind it (R38, R49). */
export function judgeRebound(judging: Judging, { identityUid, roleUid }: Body, thing: Thing): void {
  const { seen, state } = judging
  if (!succeeded(seen) || !isObject(seen.json) || seen.json.uid !== thing.uid) return
  const { identity, role } = seen.json
  const named = typeof identityUid === 'string' ? identityUid : ''
  const known = state.thing(named, 'identities')
  const isNobody = known ? isGone(judging, known) && !state.flags.has('marks') : state.isOurs(named)
  const isTaken = (part: unknown, uid: unknown) => !isObject(part) || part.uid === uid
  const toNobody = isNobody && isTaken(identity, identityUid)
  const toNoRole = isNoRole(judging, roleUid) && isTaken(role, roleUid)
  const expected = toNobody
    ? `a refusal: no identity has the uid ${named}`
    : `a refusal: no role has the uid ${roleUid}`
  judging.row('model.roleBinding.update', !toNobody && !toNoRole, expected, judging.came, {
    about: [thing.uid],
    breaks: 'R38 named',
  })
}

/** True for the uid of something that the run made, unless a role has it as well: kinds may share uids (S2.1). */
const isNoRole = ({ state }: Judging, roleUid: unknown): boolean =>
  typeof roleUid === 'string' &&
  state.under(roleUid).length > 0 &&
  state.thing(roleUid, 'roles') === undefined &&
  !state.roles.has(roleUid)

/** True where an identity may have a role binding, as it was made or as an Update may have left it. */
export function mayBeBound({ state, seen: { sent, answered } }: Judging, { uid }: Thing): boolean {
  return state
    .ofKind('roleBindings')
    .some(
      ({ binds, alive }) =>
        binds.identity.may(sent, answered).some(({ value }) => value === uid) &&
        alive.may(sent, answered).some(({ value }) => value),
    )
}
