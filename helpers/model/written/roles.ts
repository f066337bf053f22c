import { isObject } from '../../api/received.ts'
import { isMarkedDeleted } from '../../assertions/deletion-marks.ts'
import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { isLast, itemsOf } from '../listed/page-seen.ts'
import { type Asked, isSoftRefusal, unlessOffered, untilSeen } from '../observation.ts'
import { judgeText } from '../shown/texts.ts'
import type { Thing } from '../state.ts'

type Shown = Record<string, unknown>

const row = 'model.role.own'

/** The flag of a target whose lists show roles that the run made: with or without a scope is up to it (R21). */
const listsOwn = 'offered roles of the run in lists'

/** Judges a call on a role that the run made: where a target takes such, they live as all resources do (S1.2, R49). */
export function judgeOwnRole(judging: Judging, asked: Asked, thing: Thing) {
  const { seen } = judging
  const { alive, uid } = thing
  const about = [uid]
  if (asked.does === 'create') {
    const made = isObject(seen.json) ? seen.json : {}
    judging.row(row, /^[0-9a-f]+$/i.test(uid), 'a flat hexadecimal uid', uid, { about, breaks: 'S2.3' })
    return judgeTexts(judging, thing, made, 'create')
  }
  if (asked.does === 'delete') return
  const may = alive.may(seen.sent, seen.answered)
  const soft = judging.isYoung(alive.lastBefore(seen.answered))
  if (succeeded(seen) && isObject(seen.json)) {
    const gone = !may.some(({ value }) => value) && !isMarkedDeleted(seen)
    judging.row(row, !gone, 'a refusal: it was deleted', judging.came, { about, soft, breaks: 'R28' })
    if (gone) return
    judging.row(row, seen.json.uid === uid, `the uid ${uid}`, seen.json.uid, { about, breaks: 'R10' })
    return judgeTexts(judging, thing, seen.json, asked.does)
  }
  const isDue = asked.does === 'get' && may.every(({ value }) => value) && alive.writes[0]!.answered < seen.sent
  if (isDue && seen.status !== 403 && !isSoftRefusal(seen))
    judging.row(row, false, 'a status of 2xx', judging.came, {
      about,
      soft,
      unless: [unlessOffered(asked, seen)],
    })
}

/** Judges the run's own roles in a list: none that was deleted, and all others once a list has shown any. */
export function judgeListedRoles(judging: Judging): void {
  const { seen, state } = judging
  const items = succeeded(seen) ? (itemsOf(seen.json, 'roles') ?? []) : []
  const things = items.flatMap((item) => {
    const thing = state.thing(String(item.uid), 'roles')
    return thing ? [{ thing, item }] : []
  })
  for (const { thing, item } of things) {
    const { alive, uid } = thing
    const mayShow = alive.may(seen.sent, seen.answered).some(({ value }) => value) || isMarkedDeleted(seen)
    const soft = judging.isYoung(alive.lastBefore(seen.answered))
    judging.row(row, mayShow, 'a list without what was deleted', uid, { about: [uid], soft, breaks: 'R28' })
    if (!mayShow) continue
    state.flags.add(listsOwn)
    judgeTexts(judging, thing, item, 'list')
  }
  // a refused create has no effect (R39)
  const textOf = ({ name }: Record<string, unknown>) => state.refusedTexts.get(String(name))
  const left = items.find((item) => textOf(item) !== undefined)
  if (left) {
    const { why, n } = textOf(left)!
    const got = `the role ${left.uid} of that name`
    judging.check('roles', 'credential', false, `no ${JSON.stringify(left.name)}, which ${why} sent`, got, {
      beside: [n],
      breaks: 'R39 effect',
    })
  }
  const { name, skip, page_token } = seen.query
  if (!succeeded(seen) || !isLast(seen.json) || (page_token ?? skip) !== undefined || name === undefined) return
  const listed = new Set(things.map(({ thing }) => thing))
  for (const thing of state.made('roles')) {
    const isSure = [thing.alive, thing.name].every((register) => register.certain(seen.sent, seen.answered))
    const isDue = isSure && thing.alive.writes.at(-1)!.value && thing.name.writes.at(-1)!.value === name
    if (!isDue || thing.alive.writes[0]!.answered > seen.sent) continue
    const newest = Math.max(thing.alive.lastBefore(seen.answered), thing.name.lastBefore(seen.answered))
    judging.row(row, listed.has(thing), `${thing.uid} on the list`, `a list of ${items.length} without it`, {
      about: [thing.uid],
      soft: judging.isYoung(newest),
      unless: [untilSeen(listsOwn)],
    })
  }
}

function judgeTexts(judging: Judging, thing: Thing, shown: Shown, view: string): void {
  judgeText(judging, row, thing, 'name', shown.name, view)
  judgeText(judging, row, thing, 'description', shown.description, view)
}
