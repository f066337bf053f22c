import { instant, timeOfV1 } from '../api/instant.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import { isMarkedDeleted } from '../assertions/deletion-marks.ts'
import { succeeded } from '../http/call.ts'
import type { Judging } from './judging.ts'
import type { Asked } from './observation.ts'
import { judgeText } from './shown/texts.ts'
import { precisionOf } from './v1.ts'

type Shown = Record<string, unknown>

const row = 'model.v1.others'

/** Judges a list or a Get of v1 for a kind other than groups, where it shows something of the run (S9.2, S9.3, R44). */
export function judgeV1Others(judging: Judging, { kind, does, uid }: Asked) {
  const { json } = judging.seen
  if (!succeeded(judging.seen) || !isObject(json)) return
  if (does === 'get') return judgeGetOf(judging, kind, uid!, json)
  if (does !== 'list') return
  // what is beside the items is free (R8)
  const { items: own } = json
  for (const [member, items] of Object.entries(Array.isArray(own) ? { items: own } : json)) {
    if (!Array.isArray(items)) continue
    const known = items.filter(isObject).filter((item) => isKnown(judging, kind, item))
    if (known.length > 0) judging.row(row, member === 'items', 'an array under items', `one under ${member}`)
    for (const item of known) judgeItem(judging, kind, item, 'v1 list')
  }
}

/** True where an item is something of the run, or a role, under whichever name its uid is. */
function isKnown({ state }: Judging, kind: KindName, { id, uid }: Shown): boolean {
  const shown = String(id ?? uid)
  if (kind === 'roles') return state.roles.has(shown)
  const thing = state.thing(shown, kind)
  return thing !== undefined && !thing.alien
}

function judgeGetOf(judging: Judging, kind: KindName, uid: string, json: Shown): void {
  if (!isKnown(judging, kind, json)) return
  const shown = String(json.id ?? json.uid)
  // a uid that nobody issued, or another thing than was asked for (R38)
  const isAsked = shown.toLowerCase() === uid.toLowerCase()
  judging.row(row, isAsked, `a refusal, or the id ${uid}`, shown, { about: [shown] })
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
  if (thing === undefined) return
  const { alive, createTime } = thing
  const mayShow = isMarkedDeleted(seen) || alive.may(seen.sent, seen.answered).some(({ value }) => value)
  judging.row(row, mayShow, 'nothing of what was deleted', uid, {
    about,
    soft: judging.isYoung(alive.lastBefore(seen.answered)),
  })
  if (!mayShow) return
  if (kinds[kind].named) judgeText(judging, row, thing, 'name', shown.name, view)
  if (kinds[kind].described) judgeText(judging, row, thing, 'description', shown.description, view)
  if (createTime === undefined || shown.createdAt === undefined) return
  const createdAt = timeOfV1(shown.createdAt)
  const holds = Math.abs(instant(createdAt) - createTime) <= precisionOf(createdAt)
  judging.row(row, holds, `createdAt ${new Date(createTime).toISOString()}`, shown.createdAt, { about })
}
