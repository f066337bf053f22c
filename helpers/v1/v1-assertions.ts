import { instant, timeOfV1 } from '../api/instant.ts'
import { isObject, type Received } from '../api/received.ts'
import type { Eventually } from '../arrange/eventually.ts'
import { whereOf } from '../assertions/refused.ts'
import { isViolation, violated } from '../assertions/violation.ts'
import { type Answer, beginningOf } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Item, V1List } from './v1-api.ts'

/** Fails unless the answer holds an array of objects under `items` (S9.3). */
export function hasItems({ items, answer }: V1List): void {
  if (items) return
  const message = 'the v1 list has no array of objects under items'
  violated({
    message,
    expected: '{"items": [{…}, …]}',
    got: beginningOf(answer.text, 300),
    where: whereOf(answer),
  })
}

function itemsOf({ items }: V1List): Item[] {
  if (items) return items
  throw new Inconclusive('the v1 list has no array under items, see v1.list.items and v1.repo.items')
}

/** Fails unless each item has an `id`, and each of the uids belongs to exactly one (R44). */
export function holdsOnce(list: V1List, uids: readonly string[]): void {
  const ids = itemsOf(list).map(({ id }) => id)
  const where = whereOf(list.answer)
  const odd = ids.find((id) => typeof id !== 'string' || id === '')
  if (ids.length > 0 && ids.some((id) => id === odd)) {
    violated({ message: 'an item of the v1 list has no id', expected: 'a string', got: odd, where })
  }
  for (const uid of uids) {
    const times = ids.filter((id) => id === uid).length
    if (times === 1) continue
    if (times === 0 && list.cutOff) throw new Inconclusive(`${uid} may be on another page of the v1 list`)
    const message = `the v1 list shows ${times} items whose id is the uid of what v2 shows`
    violated({ message, expected: `one with ${uid}`, got: ids.join(', ') || 'an empty list', where })
  }
}

/** Waits until a list of v1 shows a group (R52); if it never does, `itemIn` reports it. */
export async function untilShown(eventually: Eventually, read: () => Promise<V1List>, uid: string): Promise<void> {
  const look = async () => {
    const list = await read()
    if (list.cutOff || list.items?.some(({ id }) => id === uid)) return
    const message = 'the v1 list does not show the group'
    violated({ message, expected: uid, got: 'other groups, or none', where: whereOf(list.answer) })
  }
  await eventually(look).catch((error: Error) => {
    if (!isViolation(error)) throw error
  })
}

/** The item with this uid as its id; inconclusive without one, because another requirement judges it. */
export function itemIn(list: V1List, uid: string): Item {
  const item = itemsOf(list).find(({ id }) => id === uid)
  if (item) return item
  throw new Inconclusive(`the v1 list shows no item with the id ${uid}, see v1.group.id`)
}

/** What both versions show, in v1 and v2 form; inconclusive where that is nothing: another requirement judges that. */
export function inBoth(list: V1List, resources: readonly Received[]): [Item, Received][] {
  const items = new Map(itemsOf(list).map((item) => [item.id, item]))
  const both = resources.flatMap((resource): [Item, Received][] => {
    const item = items.get(resource.uid)
    return item ? [[item, resource]] : []
  })
  if (both.length > 0) return both
  throw new Inconclusive('the v1 list shows nothing of what v2 lists, see v1.repo.id')
}

/** The group in an answer of v1; fails unless its id is the uid. */
export function readGroup(answer: Answer, uid: string): Item {
  const { json, text } = answer
  if (isObject(json) && json.id === uid) return json
  const message = 'v1 answers something else than the group'
  violated({
    message,
    expected: `an object with the id ${uid}`,
    got: beginningOf(text, 300),
    where: whereOf(answer),
  })
}

/** Fails where the list shows what is gone. */
export function showsNoLonger(list: V1List, uid: string): void {
  if (!itemsOf(list).some(({ id }) => id === uid)) return
  const message = 'the v1 list shows a group that was deleted through v2'
  violated({ message, expected: `no item with the id ${uid}`, got: 'one', where: whereOf(list.answer) })
}

/** Fails unless a v1 form has the members that v2 shows; an unset one may be absent (R44). */
export function agrees(
  item: Item,
  resource: Received,
  where: Answer,
  members: readonly string[] = ['name', 'description'],
): void {
  const membersOf = (form: Item) => Object.fromEntries(members.map((member) => [member, form[member] ?? '']))
  const [got, expected] = [membersOf(item), membersOf(resource)]
  if (members.every((member) => got[member] === expected[member])) return
  violated({ message: 'v1 and v2 show one resource differently', expected, got, where: whereOf(where) })
}

/**
 * Fails unless a time of v1 is the same instant as one that v2 has shown, or between two of them, to the precision of the
 * less exact one (R44): the target itself may move a time, and v1 may show that late (R50, R52).
 */
export function sameInstant(time: unknown, shown: readonly unknown[], member: string, where: Answer): void {
  const v1 = timeOfV1(time)
  const times = shown.map(instant)
  const digits = [v1, ...shown].map((one) => /(?<=\.)\d*/.exec(String(one))?.[0].length ?? 0)
  const apart = Math.max(0, Math.min(...times) - instant(v1), instant(v1) - Math.max(...times))
  // a shorter fraction, or none, is a less exact time, cut or rounded
  if (apart < 10 ** (3 - Math.min(...digits, 3))) return
  if (times.some(Number.isNaN)) throw new Inconclusive(`v2 shows no time to compare ${member} of v1 with`)
  const message = `${member} of v1 names another instant than v2`
  violated({ message, expected: shown.at(-1), got: time, where: whereOf(where) })
}

/** Fails unless the times of a repo in v1 are the same instants as in v2; it may have no updateTime there (R1). */
export function sameTimes({ createdAt, updatedAt }: Item, repo: Received, where: Answer): void {
  sameInstant(createdAt, [repo.createTime], 'createdAt', where)
  if (updatedAt && repo.updateTime) sameInstant(updatedAt, [repo.updateTime], 'updatedAt', where)
}
