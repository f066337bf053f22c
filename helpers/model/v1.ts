import { counted } from '../../schemas/counted.ts'
import { instant, precisionOf, timeOfV1 } from '../api/instant.ts'
import type { KindName } from '../api/kinds.ts'
import { isObject, isRound, mayGoOn } from '../api/received.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { succeeded } from '../http/call.ts'
import { type Judging, oneOf } from './judging.ts'
import { isTouchedSince, movesOf, stillness } from './listed/population.ts'
import { isKeptAsSent, isText } from './names.ts'
import { type Asked, isMissing, isNotOffered, isSoftRefusal, untilSeen } from './observation.ts'
import { judgeSaid, noteSaid } from './shown/said.ts'
import { type Thing, unset } from './state.ts'

/** Judges a list or a Get of v1: the same groups in their v1 form (S2.17, R44). */
export function judgeV1Groups(judging: Judging, asked: Asked) {
  const { seen, state } = judging
  const isBroken = seen.status! >= 500 && !isNotOffered(seen) && !isMissing(seen)
  if (asked.does === 'list' && isBroken) {
    return judging.row('model.v1.members', false, 'a list of groups, as v1 shows it', judging.came)
  }
  const thing = state.thing(asked.uid ?? '', 'groups')
  if (asked.does === 'get' && thing && !thing.alien) judgeV1Found(judging, thing)
  if (!succeeded(seen) || !isObject(seen.json)) return
  if (asked.does === 'list') judgeV1List(judging, seen.json)
  else if (asked.does === 'create') judgeV1Made(judging, seen.json)
  else if (asked.does === 'get' && thing === undefined) judgeV1Nobody(judging, asked.uid!, seen.json)
  else if ((asked.does === 'get' || asked.does === 'update') && thing && !thing.alien)
    judgeV1One(judging, asked.does, thing, seen.json)
}

/** The flag of a target whose v1 Get shows groups by their id: a path without a meaning may be answered with anything. */
const getsByV1 = 'offered groups by their id in v1'

const isSameId = (id: unknown, uid: string) => typeof id === 'string' && id.toLowerCase() === uid.toLowerCase()

/** A v1 Get of a uid that was never issued is refused, as in v2 (R38, R44). */
function judgeV1Nobody(judging: Judging, uid: string, { id }: Record<string, unknown>): void {
  if (!judging.state.isOurs(uid) || isSameId(id, uid)) return
  const expected = `a refusal: ${uid} was never there`
  judging.row('model.v1.content', false, expected, judging.came, {
    about: [uid],
    unless: [untilSeen(getsByV1)],
    breaks: 'R38',
  })
}

/** Once a v1 Get has shown a group, it finds every group that exists (R44, R49). */
function judgeV1Found(judging: Judging, { uid, alive }: Thing): void {
  const { seen } = judging
  const exists =
    alive.may(seen.sent, seen.answered).every(({ value }) => value) && alive.writes[0]!.answered < seen.sent
  // another spelling of a path may be refused (R48)
  if (!exists || isSoftRefusal(seen) || seen.path.includes('%2f')) return
  judging.row('model.v1.answer', succeeded(seen), 'a status of 2xx', judging.came, {
    about: [uid],
    soft: judging.isYoung(alive.lastBefore(seen.answered)) && !alive.wasShownBefore(seen.sent, 'v1 Get', judging.copy),
    unless: [untilSeen(getsByV1)],
  })
}

/** The answer to a v1 Get, or to a v1 PUT. */
function judgeV1One(judging: Judging, does: 'get' | 'update', thing: Thing, shown: Record<string, unknown>): void {
  const { id } = shown
  if (does === 'get' && isSameId(id, thing.uid)) judging.state.flags.add(getsByV1)
  if (does === 'get')
    judging.row('model.v1.content', isSameId(id, thing.uid), `the id ${thing.uid}`, id ?? judging.seen.text, {
      about: [thing.uid],
      unless: typeof id === 'string' && id !== '' ? [] : [untilSeen(getsByV1)],
    })
  if (id !== thing.uid || (does === 'get' && !judgeV1Gone(judging, thing))) return
  if (does === 'get') judging.state.clock.inVain(thing, judging.seen)
  judgeV1Group(judging, thing, shown, does)
}

/** The answer to a v1 Create is not shown, but what it shows is what was made (R49, R55). */
function judgeV1Made(judging: Judging, shown: Record<string, unknown>): void {
  const { seen, state } = judging
  const thing = state.thing(String(shown.id), 'groups')
  if (thing?.history[0] !== seen.n) return
  for (const member of ['name', 'description'] as const) {
    const [sent, value] = [thing[member].writes[0]!.value, shown[member]]
    const expected = () => `${member} ${JSON.stringify(sent)}, as it was sent`
    const holds = value === undefined || unset(value) === unset(sent)
    judging.row('model.v1.update', holds, expected, JSON.stringify(value), { about: [thing.uid], breaks: 'R55' })
  }
}

/** The door of a v1 list: children and descendants may each be read from a copy of their own (R52). */
export const v1ListView = ({ seen: { query } }: Judging) => ('uidp.children_of' in query ? 'children' : 'descendants')

function judgeV1List(judging: Judging, { items }: Record<string, unknown>): void {
  const { seen, state } = judging
  judging.row('model.v1.members', items === undefined || Array.isArray(items), 'an array under items', items, {
    breaks: 'R23',
  })
  if (!Array.isArray(items) || !items.every(isObject)) return
  const ids = items.map(({ id }) => id)
  const without = items.find(({ id }) => typeof id !== 'string' || id === '')
  judging.row('model.v1.members', without === undefined, 'each group with its id', without, { breaks: 'R44' })
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  judging.row('model.v1.members', twice === undefined, 'each group once', `${twice} twice`, { breaks: 'S2.1' })
  for (const item of items) {
    const thing = state.thing(String(item.id), 'groups')
    if (!thing || thing.alien) continue
    const gone = !thing.alive.may(seen.sent, seen.answered).some(({ value }) => value)
    judging.row('model.v1.members', !gone, 'a list without what was deleted', item.id, {
      about: [thing.uid],
      soft: judging.isYoung(thing.alive.lastBefore(seen.answered)),
      breaks: 'R28',
    })
    if (!gone) judgeV1Group(judging, thing, item, v1ListView(judging))
  }
  judgeV1Missing(judging, 'model.v1.members', 'groups', items)
}

/** A v1 Get does not show what was deleted through either version (R28, R44); false where it does. */
function judgeV1Gone(judging: Judging, { alive, uid }: Thing): boolean {
  const { seen } = judging
  const mayShow = isMarkedDeleted(seen) || alive.may(seen.sent, seen.answered).some(({ value }) => value)
  judging.row('model.v1.members', mayShow, 'a refusal: it was deleted', judging.came, {
    about: [uid],
    soft:
      judging.isYoung(alive.lastBefore(seen.answered)) &&
      alive.observe(true, seen.sent, seen.answered, judging.through('v1 Get'), judging.copy) === 'late',
    breaks: 'R28',
  })
  return mayShow
}

/** A list with the scope of a group of the run shows everything of a kind in it (R44). */
export function judgeV1Missing(
  judging: Judging,
  row: string,
  kind: KindName,
  items: readonly Record<string, unknown>[],
): void {
  const { seen, state } = judging
  const { 'uidp.children_of': children, 'uidp.descendants_of': descendants, ...others } = seen.query
  const scope = state.group(children ?? descendants ?? '')
  if (!scope || (children && descendants) || Object.keys(others).length > 0 || isRound(items.length)) return
  if (scope.alien || mayGoOn(seen.json as Record<string, unknown>, seen.headers)) return
  const calm = stillness(scope, seen.sent, seen.answered)
  const listed = new Set(items.map(({ id, uid }) => id ?? uid))
  const surely = ({ alive }: Thing) =>
    alive.writes[0]!.answered < seen.sent && alive.may(seen.sent, seen.answered).every(({ value }) => value)
  const due = [...state.inside(scope, kind, children === undefined)].filter((thing) => !thing.alien && surely(thing))
  const missing = due.find(({ uid }) => !listed.has(uid))
  judging.row(
    row,
    missing === undefined,
    `${missing?.uid} on the list`,
    `a list of ${counted(items.length, 'item')} without it`,
    {
      about: missing ? [scope.uid, missing.uid] : [],
      soft: judging.isYoung(calm.since),
      unless: judging.unlessCovered(kind, 'v1'),
      breaks: 'R55',
    },
  )
  if (!missing && due.length > 1) judging.covers(kind, 'v1')
}

/** True where a member is not what the last write before that moment made it. */
const isChanged = (thing: Thing, shown: Record<string, unknown>, sent: number) =>
  (['name', 'description'] as const).some((member) => {
    const before = thing[member].writes.findLast(({ answered }) => answered < sent)
    return before?.sure === true && before.value !== (member === 'name' ? shown.name : unset(shown.description))
  })

/** Those limits that v1 names are integers where they are present (S2.17, R44). */
function judgeV1Limits(judging: Judging, { uid }: Thing, limits: unknown): void {
  const named = isObject(limits) ? [limits.clusters, limits.idps, limits.repositories] : []
  const holds = named.every((limit) => limit === undefined || limit === null || Number.isInteger(limit))
  judging.row('model.v1.content', holds, 'resourceLimits whose named members are integers', limits, {
    about: [uid],
    breaks: 'S2.17',
  })
}

/** One group in its v1 form; its times name the same instants, at least to the second (S9.2, R44). */
function judgeV1Group(judging: Judging, thing: Thing, given: Record<string, unknown>, through: string): void {
  const shown: Record<string, unknown> = {
    ...given,
    createdAt: timeOfV1(given.createdAt),
    updatedAt: timeOfV1(given.updatedAt),
  }
  const row = through === 'update' ? 'model.v1.update' : 'model.v1.content'
  judgeV1Texts(judging, thing, shown, through, row)
  if (through !== 'update') judgeV1Limits(judging, thing, shown.resourceLimits)
  const created = instant(shown.createdAt)
  // the answer to a PUT is not shown
  if (thing.createTime === undefined || (through === 'update' && shown.createdAt === undefined)) return
  const isSame = Math.abs(created - thing.createTime) <= precisionOf(shown.createdAt)
  judging.row(row, isSame, `createdAt ${new Date(thing.createTime).toISOString()}`, shown.createdAt, {
    about: [thing.uid],
  })
  judgeV1Updated(judging, thing, shown, through, row)
}

/** An update answers what it sent; a reading shows what was written. */
function judgeV1Texts(
  judging: Judging,
  thing: Thing,
  shown: Record<string, unknown>,
  through: string,
  row: string,
): void {
  const { sent, answered, body } = judging.seen
  for (const member of ['name', 'description'] as const) {
    const value = member === 'name' ? shown.name : unset(shown.description)
    const fit = thing[member].observe(value, sent, answered, `v1 ${through}`, judging.copy)
    const isWhole = through === 'update' && isObject(body) && isKeptAsSent(body[member])
    const whole = isWhole ? [unset(body[member])] : undefined
    const may = whole ?? thing[member].may(sent, answered).map((write) => write.value)
    const holds = whole ? whole[0] === value : fit === 'fits'
    const say = through === 'update' ? noteSaid : judgeSaid
    say(judging, thing, member, value)
    const expected = isText(value) ? `${member} ${oneOf(may)}` : `a string as ${member}`
    judging.row(row, holds, expected, JSON.stringify(value), {
      about: [thing.uid],
      soft: fit === 'late' && judging.isYoung(thing[member].lastBefore(answered)),
      breaks: whole ? 'S9.4' : 'R44 both',
    })
  }
}

export function judgeV1Updated(
  judging: Judging,
  thing: Thing,
  shown: Record<string, unknown>,
  through: string,
  row: string,
): void {
  const [{ sent, answered }, about] = [judging.seen, [thing.uid]]
  const [updated, known] = [instant(shown.updatedAt), thing.updateTime]
  const isLater = known !== undefined && sent - known.to > 59 + precisionOf(shown.updatedAt)
  if (through === 'update' && isLater && isChanged(thing, shown, sent) && updated % 1000 > 0) {
    const expected = `updatedAt after ${new Date(known.value).toISOString()}`
    judging.row(row, updated > known.value, expected, shown.updatedAt, { about, unless: ['lag'] })
  }
  if (through !== 'update') judging.row(row, !Number.isNaN(updated), 'updatedAt as a time', shown.updatedAt)
  if (known === undefined || Number.isNaN(updated) || isTouchedSince(judging.state, thing, known.from, answered)) return
  const isSame = Math.abs(updated - known.value) <= precisionOf(shown.updatedAt)
  judging.row(row, isSame, `updatedAt ${new Date(known.value).toISOString()}`, shown.updatedAt, {
    about,
    soft: judging.isYoung(known.from),
    // a lagging list may have shown the time before (R52), and the target itself may move it (R5, R50)
    unless: ['lag', ...(updated < known.value ? [] : ['alien', 'verifies', movesOf(thing.kind)])],
  })
}
