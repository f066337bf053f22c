import { type KindName, kinds } from '../../api/kinds.ts'
import { type Judging, oneOf } from '../judging.ts'
import { isTouchedSince } from '../listed/population.ts'
import { isBadName } from '../names.ts'
import { isObject } from '../observation.ts'
import type { Register } from '../register.ts'
import { type ClaimMatch, type Thing, unset } from '../state.ts'
import { judgeEmbedded } from './embedded.ts'
import { judgeLimits } from './limits.ts'

type Shown = Record<string, unknown>

/** Judges one resource in an answer, as read through this door (R55). */
export function judgeContent(judging: Judging, thing: Thing, shown: Shown, door: string): void {
  const { kind } = thing
  const { shown: printed, named, described } = kinds[kind]
  // for kinds whose members are not shown, an absent or empty one shows nothing, unless this door showed it before (R49)
  const isJudged = (member: 'name' | 'description') =>
    printed ||
    (typeof shown[member] === 'string' && shown[member] !== '') ||
    thing[member].wasShownBefore(judging.seen.sent, judging.through(door))
  if (named && isJudged('name')) judgeMember(judging, thing, 'name', thing.name, shown.name, door)
  if (described && isJudged('description'))
    judgeMember(judging, thing, 'description', thing.description, unset(shown.description), door)
  if (kind === 'identities') judgeClaimMatch(judging, thing, shown.claimMatch, door)
  if (kind === 'roleBindings') judgeEmbedded(judging, thing, shown, door)
  // whichever call put it there (R4)
  if (kind === 'groups' && !thing.alien && isBadName(shown.name))
    judging.check(kind, 'refusal', false, 'a name that S2.6 allows', shown.name, { about: [thing.uid] })
  if (kind === 'groups' && shown.verified !== undefined && shown.verified !== null)
    judgeVerified(judging, thing, shown.verified, door)
  if (kind === 'groups' && door !== 'v1') judgeLimits(judging, thing, shown.resourceLimits, door)
  // those of roles are a should (R1)
  if (printed && kind !== 'roles') judgeTimes(judging, thing, shown, door)
}

/**
 * A new group is not verified (S2.9). It may become so where no client asked for it (R5), and cease to be; once
 * withdrawn, it does not come back without a write (R55).
 */
function judgeVerified(judging: Judging, thing: Thing, verified: unknown, door: string): void {
  const { kind, uid, verification } = thing
  const { seen, state } = judging
  const about = [uid]
  if (verified === false) {
    verification.shownFalse = true
    if (verification.shownTrue) verification.takenBack ??= seen.answered
    judging.check(kind, 'content', true, '', '')
    return
  }
  if (verified !== true || door === 'create' || !verification.shownFalse || verification.asked) {
    judging.check(kind, 'content', false, 'verified: false (S2.9)', verified, { about, unless: ['verifies'] })
    return
  }
  state.flags.add('verifies')
  const since = verification.takenBack
  verification.shownTrue = true
  if (since === undefined) return
  const holds = since >= seen.sent || isTouchedSince(state, thing, since, seen.answered)
  // this door may only have lagged
  if (judging.isYoung(since)) delete verification.takenBack
  judging.check(kind, 'content', holds, 'verified: false, as it was shown', verified, {
    about,
    soft: judging.isYoung(since),
    unless: ['lag'],
  })
}

function judgeMember(
  judging: Judging,
  thing: Thing,
  member: string,
  register: Register<unknown>,
  value: unknown,
  door: string,
) {
  const { sent, answered } = judging.seen
  const standing = register.read(value, sent, answered, judging.through(door))
  if (standing === 'fits') return judging.check(thing.kind, 'content', true, '', '')
  // a gRPC message cannot hold half a surrogate pair
  const isHalf = register.may(sent, answered).some((write) => /\p{Surrogate}/u.test(String(write.value)))
  if (judging.seen.over === 'grpc' && isHalf) return
  const refused = typeof value === 'string' && value !== '' ? judging.state.refusedTexts.get(value) : undefined
  const expected = `${member} ${oneOf(register.may(sent, answered).map((write) => write.value))}`
  const got = `${JSON.stringify(value)}${refused ? `, which ${refused.why} sent` : ''} through ${judging.through(door)}`
  const aspect = standing === 'never' && refused ? 'effect' : 'content'
  judging.reading(thing.kind, aspect, standing, expected, got, register.lastBefore(answered), thing.uid)
}

function judgeClaimMatch(judging: Judging, thing: Thing, shown: unknown, door: string) {
  const { sent, answered } = judging.seen
  const claims: ClaimMatch = isObject(shown) ? { issuer: shown.issuer, subject: shown.subject } : {}
  const standing = thing.claimMatch.read(claims, sent, answered, judging.through(door))
  const may = () => oneOf(thing.claimMatch.may(sent, answered).map(({ value }) => value))
  if (standing === 'fits') return judging.check(thing.kind, 'content', true, '', '')
  const at = thing.claimMatch.lastBefore(answered)
  judging.reading(thing.kind, 'content', standing, may, `${JSON.stringify(claims)} through ${door}`, at, thing.uid)
}

/** Times never change or never go back; while untouched, they are the same wherever they show (R26, R55). */
function judgeTimes(judging: Judging, thing: Thing, shown: Shown, door: string): void {
  const { sent, answered } = judging.seen
  const { kind, uid } = thing
  judgeForms(judging, thing, shown)
  const created = instant(shown.createTime)
  const { now } = judging.seen
  if (door === 'create' && now !== undefined && !Number.isNaN(created)) {
    const apart = Math.abs(created - now)
    judging.check(kind, 'time', apart < mostApart, () => `within 20 minutes of ${iso(now)} (R2)`, shown.createTime, {
      about: [uid],
    })
  }
  const details = { about: [uid] }
  if (door === 'create') judgeOwnTime(judging, thing, created)
  if (!Number.isNaN(created)) {
    const holds = thing.createTime === undefined || thing.createTime === created
    judging.check(kind, 'time', holds, () => `createTime ${iso(thing.createTime)} as before`, shown.createTime, details)
    thing.createTime ??= created
  }
  if (kind === 'identities') judgeSeen(judging, thing, instant(shown.lastSeenTime), judging.through(door))
  const updated = instant(shown.updateTime)
  if (Number.isNaN(updated) || !(kind === 'groups' || kind === 'identities')) return
  if (door === 'create')
    judging.check(
      kind,
      'time',
      Math.abs(updated - created) < mostApart,
      'an updateTime near createTime',
      iso(updated),
      {
        about: [uid],
      },
    )
  const before = thing.updateTime
  if (before && before.to < sent) {
    const touched = isTouchedSince(judging.state, thing, before.from, answered)
    const holds = touched ? updated >= before.value : updated === before.value
    const expected = () => `updateTime ${touched ? 'not before' : 'still'} ${iso(before.value)}`
    // the target's own things in a group may move its time (R50), and so may its own `verified` (R5, R26)
    const soft = judging.isYoung(before.to)
    const unless = touched ? ['lag'] : ['alien', 'lag', 'verifies']
    judging.check(kind, 'time', holds, expected, shown.updateTime, { ...details, soft, unless })
    if (!holds) return
    judgeAdvance(judging, thing, updated, before, door)
  }
  const since = before?.value === updated ? before.since : answered
  // nothing else can have touched what nobody knew of
  const from = door === 'create' ? answered : sent
  if (!before || updated >= before.value) thing.updateTime = { value: updated, from, to: answered, since }
}

/** A createTime equal to the millisecond with that of something older beside it was taken from there (S2.4). */
function judgeOwnTime(judging: Judging, thing: Thing, created: number): void {
  const { state, seen } = judging
  const others = [state.thing(thing.identityUid ?? '', 'identities'), state.group(thing.parent)]
  const isOlder = (other: Thing) => seen.sent - other.alive.writes[0]!.answered > longestMaking
  const other = others.find((one) => one?.createTime === created && created % 1000 !== 0 && isOlder(one))
  judging.check(thing.kind, 'time', other === undefined, 'a createTime of its own', `that of ${other?.uid}`, {
    about: [thing.uid, other?.uid ?? ''],
  })
}

/** How much earlier something must have been made to certainly have another createTime, in milliseconds. */
const longestMaking = 1_000

/** lastSeenTime is set on creation, belongs to the server, and never goes back at a door (S2.12, R5, R41, R46). */
function judgeSeen(judging: Judging, thing: Thing, value: number, door: string): void {
  if (Number.isNaN(value) || thing.createTime === undefined) return
  const { now, sent, answered } = judging.seen
  const from = thing.createTime - farthestSeen
  const to = door === 'create' ? thing.createTime + farthestSeen : now && now + mostApart
  const before = thing.seenTimes.get(door)
  // what an exchange changed may be late at another door, twice as long as what was written (R52, R55)
  const late = sent - 2 * judging.patience
  const earlier = [...thing.seenTimes].filter(([other, { at }]) => at < (other === door ? sent : late))
  const least = Math.max(from, ...earlier.map(([, { value }]) => value - nodesApart))
  const holds = value >= least && (to === undefined || value <= to)
  judging.check('identities', 'time', holds, () => `lastSeenTime from ${iso(least)} to ${iso(to)}`, iso(value), {
    about: [thing.uid],
    soft: judging.isYoung(before?.at ?? 0),
    unless: ['lag'],
  })
  if (before === undefined || value > before.value) thing.seenTimes.set(door, { value, at: answered })
}

/** How far the clocks of a service's nodes may be apart (R26), in milliseconds: each exchange may reach another one. */
const nodesApart = 50

/** How far the lastSeenTime of a new identity may be from its createTime (R46), in milliseconds. */
const farthestSeen = 10 * 60_000

/** How far a createTime may be from the target's own clock (R2), in milliseconds. */
const mostApart = 20 * 60_000

/** RFC 3339 in UTC, with milliseconds at most (S2.4, R2). */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3}0*)?(Z|[+-]00:00)$/i

/** The times that the table of each kind lists (R1). */
const listedTimes: Partial<Record<KindName, readonly string[]>> = {
  groups: ['createTime', 'updateTime'],
  identities: ['createTime', 'updateTime', 'lastSeenTime'],
  roleBindings: ['createTime'],
}

function judgeForms(judging: Judging, { kind, uid }: Thing, shown: Shown): void {
  for (const member of listedTimes[kind] ?? []) {
    const value = shown[member]
    const holds = typeof value === 'string' && timestamp.test(value)
    judging.check(kind, 'time', holds, () => `${member} in RFC 3339, UTC, at most milliseconds`, value, {
      about: [uid],
    })
  }
}

/** A real change advances updateTime, as far as its precision can show it (R26). */
function judgeAdvance(
  judging: Judging,
  thing: Thing,
  updated: number,
  before: { value: number; since: number },
  door: string,
) {
  const { sent, answered } = judging.seen
  const isReal = [thing.name, thing.description, thing.claimMatch].some(({ writes }) => {
    const [last, previous] = [writes.at(-1)!, writes.at(-2)]
    const isOwn = last.sent === sent && last.answered === answered && last.sure
    return isOwn && previous?.sure === true && JSON.stringify(previous.value) !== JSON.stringify(last.value)
  })
  if (door !== 'update' || !isReal || sent - before.since < 60 || updated % 1000 === 0) return
  const expected = `updateTime after ${iso(before.value)}`
  judging.check(thing.kind, 'time', updated > before.value, expected, iso(updated), { about: [thing.uid] })
}

/** A time as milliseconds since 1970; NaN where it is not a time. */
export const instant = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

/** An instant as text. */
const iso = (value: number | undefined) => (value === undefined ? '' : new Date(value).toISOString())
