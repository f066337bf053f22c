import { instant, precisionOf, timeOfV1 } from '../api/instant.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { succeeded } from '../http/call.ts'
import { type Judging, oneOf, rolesChange } from './judging.ts'
import type { Asked } from './observation.ts'
import { judgeText } from './shown/texts.ts'
import { type Thing, unset } from './state.ts'
import { judgeV1Missing, judgeV1Updated, v1ListView } from './v1.ts'

type Shown = Record<string, unknown>

const row = 'model.v1.others'

/** True for what v2 has listed, though the run did not make it. */
type IsListed = (kind: KindName, uid: string) => boolean

/** Judges a list or a Get of v1 for a kind other than groups, where it shows something that v2 has (S9.2, S9.3, R44). */
export function judgeV1Others(judging: Judging, asked: Asked, isListed: IsListed) {
  const { kind, does, uid } = asked
  const { json } = judging.seen
  if (!succeeded(judging.seen) || !isObject(json)) return
  const known = (item: Shown) => isKnown(judging, kind, item, isListed)
  if (does === 'get') return known(json) ? judgeGetOf(judging, kind, uid!, json) : undefined
  // the list of repos is shown, and has cases of its own
  if (does !== 'list' || kind === 'repos') return
  // what is beside the items is free (R8)
  const { items: own } = json
  for (const [member, items] of Object.entries(Array.isArray(own) ? { items: own } : json)) {
    if (!Array.isArray(items)) continue
    const some = items.filter(isObject).filter(known)
    if (some.length === 0) continue
    judging.row(row, member === 'items', 'an array under items', `one under ${member}`, { breaks: 'S9.3' })
    for (const item of some) judgeItem(judging, kind, item, `v1 ${v1ListView(judging)}`)
    if (!kinds[kind].foreign && member === 'items') judgeV1Missing(judging, row, kind, items.filter(isObject))
  }
}

/** True where an item is something that v2 has, under whichever name its uid is. */
function isKnown({ state }: Judging, kind: KindName, { id, uid }: Shown, isListed: IsListed): boolean {
  const shown = String(id ?? uid)
  if (kind === 'roles') return state.roles.has(shown)
  const thing = state.thing(shown, kind)
  return thing === undefined ? isListed(kind, shown) : !thing.alien
}

function judgeGetOf(judging: Judging, kind: KindName, uid: string, json: Shown): void {
  const shown = String(json.id ?? json.uid)
  // a uid that nobody issued, or another thing than was asked for (R38)
  const isAsked = shown.toLowerCase() === uid.toLowerCase()
  judging.row(row, isAsked, `a refusal, or the id ${uid}`, shown, { about: [shown], breaks: 'R38' })
  if (isAsked) judgeItem(judging, kind, json, 'v1 Get')
}

/** One thing in its v1 form: the same as in v2, with the members that v1 names otherwise (S9.2). */
function judgeItem(judging: Judging, kind: KindName, shown: Shown, view: string): void {
  const { seen, state } = judging
  const uid = String(shown.id ?? shown.uid)
  const about = [uid]
  judging.row(row, shown.id === uid, 'its uid under id', Object.keys(shown), { about })
  const isRenamed = shown.createTime === undefined || shown.createdAt !== undefined
  judging.row(row, isRenamed, 'its createTime under createdAt', Object.keys(shown), { about })
  const thing = state.thing(uid, kind)
  if (kind === 'roles') judgeRole(judging, uid, shown)
  if (thing === undefined) return
  const { alive, createTime } = thing
  const mayShow = isMarkedDeleted(seen) || alive.may(seen.sent, seen.answered).some(({ value }) => value)
  judging.row(row, mayShow, 'nothing of what was deleted', uid, {
    about,
    soft: judging.isYoung(alive.lastBefore(seen.answered)),
    breaks: 'R28',
  })
  if (!mayShow) return
  if (kinds[kind].named) judgeText(judging, row, thing, 'name', shown.name, view)
  if (kinds[kind].described) judgeText(judging, row, thing, 'description', shown.description, view)
  if (kind === 'identities') judgeClaims(judging, thing, shown, view)
  if (kind === 'roleBindings') for (const part of ['identity', 'role'] as const) judgePart(judging, thing, shown, part)
  const updatedAt = timeOfV1(shown.updatedAt)
  if (updatedAt !== undefined) judgeV1Updated(judging, thing, { ...shown, updatedAt }, view, row)
  if (createTime === undefined || shown.createdAt === undefined) return
  const createdAt = timeOfV1(shown.createdAt)
  const holds = Math.abs(instant(createdAt) - createTime) <= precisionOf(createdAt)
  judging.row(row, holds, `createdAt ${new Date(createTime).toISOString()}`, shown.createdAt, { about })
}

/** The claims of an identity, where v1 shows both as v2 does (R49, R55). */
function judgeClaims(judging: Judging, { uid, claimMatch }: Thing, { claimMatch: shown }: Shown, view: string): void {
  if (!isObject(shown) || typeof shown.issuer !== 'string' || typeof shown.subject !== 'string') return
  const { sent, answered } = judging.seen
  const fit = claimMatch.observe(shown, sent, answered, judging.through(view), judging.copy)
  const expected = () => `claimMatch ${oneOf(claimMatch.may(sent, answered).map(({ value }) => value))}`
  judging.row(row, fit === 'fits', expected, JSON.stringify(shown), {
    about: [uid],
    soft: fit === 'late' && judging.isYoung(claimMatch.lastBefore(answered)),
    breaks: 'R55',
  })
}

/** A role has the name and description that v2 lists (R55). */
function judgeRole(judging: Judging, uid: string, shown: Shown): void {
  const texts = judging.state.roles.get(uid)
  for (const member of ['name', 'description'] as const) {
    const value = unset(shown[member])
    const known = texts?.[member]
    if (known === undefined || known.size === 0 || value === '') continue
    const expected = () => `${member} ${oneOf([...known])}`
    judging.row(row, known.has(value), expected, JSON.stringify(value), {
      about: [uid],
      unless: [rolesChange],
      breaks: 'R55',
    })
  }
}

/** What a role binding embeds, where v1 shows that: the uid of what it binds (S2.14, R55). */
function judgePart(judging: Judging, { uid, binds }: Thing, shown: Shown, part: 'identity' | 'role'): void {
  const { sent, answered } = judging.seen
  const embedded = shown[part]
  const register = binds[part]
  if (!isObject(embedded) || register.certain(sent, answered) === undefined) return
  const value = embedded.id ?? embedded.uid
  const may = register.may(sent, answered).map((write) => write.value)
  judging.row(row, value === undefined || may.includes(value), `the ${part} ${oneOf(may)}`, value, {
    about: [uid],
    soft: judging.isYoung(register.lastBefore(answered)),
    breaks: 'R55',
  })
}
