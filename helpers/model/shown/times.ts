import { instant, minute } from '../../api/instant.ts'
import type { KindName } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import { fractionOf } from '../../assertions/timestamps.ts'
import type { Details, Judging } from '../judging.ts'
import { isTouchedSince, movesOf, overlapSince } from '../listed/population.ts'
import type { Thing } from '../state.ts'
import { nodesApart } from './target-clock.ts'

type Shown = Record<string, unknown>

/** The updateTime of a kind whose table does not list it is a *should* (R1), which the `time` of role bindings is not. */
function checkUpdated(
  judging: Judging,
  kind: KindName,
  holds: boolean,
  expected: unknown,
  got: unknown,
  details: Details,
) {
  if (kind === 'roleBindings') judging.row('model.roleBinding.update', holds, expected, got, details)
  else judging.check(kind, 'time', holds, expected, got, details)
}

/** Times never change or never go back; while untouched, they are the same wherever they show (R26, R55). */
export function judgeTimes(judging: Judging, thing: Thing, shown: Shown, view: string): void {
  judgeForms(judging, thing, shown)
  const created = instant(shown.createTime)
  judgeClock(judging, thing, shown.createTime, view)
  if (view === 'create') judgeOwnTime(judging, thing, created)
  judgeCreated(judging, thing, created)
  if (view === 'create' && !Number.isNaN(created))
    judging.state.clock.showed(judging.seen, created, unitOf(shown.createTime))
  if (thing.kind === 'identities') judgeSeen(judging, thing, instant(shown.lastSeenTime), judging.through(view))
  if (thing.kind !== 'repos') judgeUpdated(judging, thing, shown, view)
}

/** The createTime of something new is near the target's own clock (R2). */
export function judgeClock(judging: Judging, thing: Thing, shown: unknown, view: string): void {
  const created = instant(shown)
  // what v1 makes shows it later
  const now = view === 'create' || thing.createTime === undefined ? thing.madeAt : undefined
  if (now === undefined || Number.isNaN(created)) return
  const isNear = Math.abs(created - now) < mostApart
  const about = [thing.uid]
  judging.check(thing.kind, 'time', isNear, () => `within 20 minutes of ${iso(now)}`, shown, { about, breaks: 'R2' })
}

/** An updateTime moves only with a write, and never back (R26). */
export function judgeUpdated(judging: Judging, thing: Thing, shown: Shown, view: string): void {
  const { sent, answered } = judging.seen
  const updated = instant(shown.updateTime)
  if (Number.isNaN(updated)) return
  if (view === 'create') {
    const isNear = Math.abs(updated - instant(shown.createTime)) < mostApart
    const about = [thing.uid]
    checkUpdated(judging, thing.kind, isNear, 'an updateTime near createTime', iso(updated), { about })
  }
  const before = thing.updateTime
  if (before && before.to < sent) {
    if (!judgeMove(judging, thing, updated, before, shown.updateTime)) return
    if (view === 'update') judgeAdvance(judging, thing, updated, before, shown)
  }
  const since = before?.value === updated ? before.since : answered
  // nothing else can have touched what nobody knew of
  const from = view === 'create' ? answered : sent
  if (view === 'create' || view === 'update') issuers.set(thing, issuerOf(shown))
  if (!before || updated >= before.value) thing.updateTime = { value: updated, from, to: answered, since }
}

/** Compares an updateTime with an earlier reading; true where it may be. */
function judgeMove(
  judging: Judging,
  thing: Thing,
  updated: number,
  before: NonNullable<Thing['updateTime']>,
  shown: unknown,
): boolean {
  const { state, seen } = judging
  const touched = isTouchedSince(state, thing, before.from, seen.answered)
  const later = touched || (updated > before.value && state.clock.isOwnMove(thing, updated, unitOf(shown), seen))
  if (later && !touched) {
    state.flags.add(movesOf(thing.kind))
    state.clock.lastOwnMove = seen.answered
  }
  // writes at the same moment may end in either order
  const isNear = () => {
    const overlap = touched ? overlapSince(state, thing, before.from, seen.answered) : undefined
    return overlap !== undefined && updated >= before.value - overlap - nodesApart
  }
  const holds = later ? updated >= before.value || isNear() : updated === before.value
  const expected = () => `updateTime ${touched ? 'not before' : 'still'} ${iso(before.value)}`
  // the target's own things in a group may move its time (R50), and so may its own changes (R5, R26), but not back
  const soft = judging.isYoung(before.to)
  const isSettled = touched && !isTouchedSince(state, thing, seen.sent - judging.patience, seen.answered)
  const isBack = touched || updated < before.value
  const unless = isSettled ? [] : isBack ? ['lag'] : ['alien', 'lag', 'verifies', movesOf(thing.kind)]
  const breaks = later || isBack ? 'R26' : 'R55'
  checkUpdated(judging, thing.kind, holds, expected, shown, { about: [thing.uid], soft, unless, breaks })
  return holds
}

/** A createTime never changes (R26). */
export function judgeCreated(judging: Judging, thing: Thing, created: number): void {
  if (Number.isNaN(created)) return
  const before = thing.createTime
  const expected = () => `createTime ${iso(before)} as before`
  const holds = before === undefined || before === created
  judging.check(thing.kind, 'time', holds, expected, iso(created), { about: [thing.uid], breaks: 'R26 created' })
  thing.createTime ??= created
}

/** How far from its instant a time may be, in milliseconds: its last digit that is not zero may be that of its unit. */
const unitOf = (time: unknown) => 10 ** Math.max(0, 3 - (fractionOf(time) ?? '').length)

/** A createTime equal to the millisecond with that of something older beside it was taken from there (S2.4). */
function judgeOwnTime(judging: Judging, thing: Thing, created: number): void {
  const { state, seen } = judging
  const others = [state.thing(thing.identityUid ?? '', 'identities'), state.group(thing.parent)]
  const ownBeside = ({ kind }: Thing) => `own times of ${thing.kind} beside ${kind}`
  for (const one of others)
    if (one?.createTime !== undefined && one.createTime !== created) state.flags.add(ownBeside(one))
  const ageOf = (other: Thing) => seen.sent - other.alive.writes[0]!.answered
  const other = others.find((one) => one?.createTime === created && created % 1000 !== 0 && ageOf(one) > longestMaking)
  judging.check(thing.kind, 'time', other === undefined, 'a createTime of its own', `that of ${other?.uid}`, {
    about: [thing.uid, other?.uid ?? ''],
    // two nodes may call two moments the same
    unless: other === undefined || ageOf(other) > farthestNode ? [] : [ownBeside(other)],
  })
}

/** How much earlier something must have been made to certainly have another createTime, in milliseconds. */
const longestMaking = 1_000

/** How far apart the clocks of two nodes may be, in milliseconds. */
const farthestNode = 5_000

/** lastSeenTime is set on creation, belongs to the server, and never goes back at a view (S2.12, R5, R41, R46). */
function judgeSeen(judging: Judging, thing: Thing, value: number, view: string): void {
  if (Number.isNaN(value) || thing.createTime === undefined) return
  const { now, sent, answered } = judging.seen
  const from = thing.createTime - farthestSeen
  const to = view === 'create' ? thing.createTime + farthestSeen : now && now + mostApart
  const before = thing.seenTimes.get(view)
  // what an exchange changed may be late at another view, twice as long as what was written (R52, R55)
  const late = sent - 2 * judging.patience
  const earlier = [...thing.seenTimes].filter(([other, { at }]) => at < (other === view ? sent : late))
  const least = Math.max(from, ...earlier.map(([, { value }]) => value - nodesApart))
  const holds = value >= least && (to === undefined || value <= to)
  judging.check('identities', 'time', holds, () => `lastSeenTime from ${iso(least)} to ${iso(to)}`, iso(value), {
    about: [thing.uid],
    soft: judging.isYoung(before?.at ?? 0),
    unless: ['lag'],
    breaks: 'R41 seen',
  })
  if (before === undefined || value > before.value) thing.seenTimes.set(view, { value, at: answered })
}

/** How far the lastSeenTime of a new identity may be from its createTime (R46), in milliseconds. */
const farthestSeen = 10 * minute

/** How far a createTime may be from the target's own clock (R2), in milliseconds. */
const mostApart = 20 * minute

/** RFC 3339 in UTC, with milliseconds at most (S2.4, R2). */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3}0*)?(Z|[+-]00:00)$/i

/** The times that the table of each kind lists (R1). */
const listedTimes: Partial<Record<KindName, readonly string[]>> = {
  groups: ['createTime', 'updateTime'],
  identities: ['createTime', 'updateTime', 'lastSeenTime'],
  roleBindings: ['createTime'],
  repos: ['createTime'],
}

function judgeForms(judging: Judging, { kind, uid }: Thing, shown: Shown): void {
  for (const member of listedTimes[kind] ?? []) {
    const value = shown[member]
    const holds = typeof value === 'string' && timestamp.test(value)
    judging.check(kind, 'time', holds, () => `${member} in RFC 3339, UTC, at most milliseconds`, value, {
      about: [uid],
      breaks: 'R2 form',
    })
  }
}

/** A real change advances updateTime, as far as its unit can show it (R26). */
function judgeAdvance(
  judging: Judging,
  thing: Thing,
  updated: number,
  before: { value: number; since: number },
  shown: Shown,
) {
  const { sent, answered } = judging.seen
  const unit = unitOf(shown.updateTime)
  const { identity, role } = thing.binds
  const isReal = [thing.name, thing.description, thing.claimMatch, identity, role].some(({ writes }) => {
    const [last, previous] = [writes.at(-1)!, writes.at(-2)]
    const isOwn = last.sent === sent && last.answered === answered && last.sure
    return isOwn && previous?.sure === true && JSON.stringify(previous.value) !== JSON.stringify(last.value)
  })
  const givesIssuer = isOtherIssuer(judging, thing, shown)
  if (!(isReal || givesIssuer) || sent - before.since < 59 + unit || updated % 1000 === 0) return
  const expected = `updateTime after ${iso(before.value)}`
  checkUpdated(judging, thing.kind, updated > before.value, expected, iso(updated), {
    about: [thing.uid],
    breaks: 'R26',
  })
}

/** The issuers that identity providers showed last. */
const issuers = new WeakMap<Thing, unknown>()

/** True for an Update that gives an identity provider another issuer, as its answer shows. */
function isOtherIssuer({ seen }: Judging, thing: Thing, shown: Shown): boolean {
  const [before, issuer, sent] = [issuers.get(thing), issuerOf(shown), issuerOf(seen.body)]
  return before !== undefined && issuer !== before && issuer === sent
}

const issuerOf = (body: unknown) => (isObject(body) && isObject(body.oidc) ? body.oidc.issuer : undefined)

/** An instant as text. */
const iso = (value: number | undefined) => (value === undefined ? '' : new Date(value).toISOString())
