import type { Api } from '../api/api.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { NotOffered } from '../http/case-errors.ts'
import type { Query } from '../http/url.ts'
import { isMarkedDeleted } from './deletion-marks.ts'
import { accepted, whereOf } from './refused.ts'
import { violated } from './violation.ts'

/** Fails where an answer shows a deleted resource as existing: neither refused nor marked as deleted (R28). */
export function goneFromGet(answer: Answer, what: string): void {
  if ((!succeeded(answer) && answer.status !== 304) || isMarkedDeleted(answer)) return
  violated({
    message: `${what} was answered as if it were there`,
    expected: 'a refusal, or a resource that is marked as deleted',
    got: `${answer.status} ${answer.text.slice(0, 300)}`,
    where: whereOf(answer),
  })
}

/** One reading through which the target shows a resource. */
interface Door {
  what: string
  read: () => Promise<Answer>
  /** Undefined for Get. */
  listed?: KindName
}

/**
 * The readings through which this target shows a resource (R28): its Get, and its lists. Fails where a list omits it;
 * inconclusive where the target has none of them (R49).
 */
export async function doorsTo(api: Api, kind: KindName, scope: Query, { uid }: Received): Promise<Door[]> {
  const { name, named, dated } = kinds[kind]
  const orders = [undefined, ...(named ? ['name'] : []), ...(dated ? ['created_at desc'] : [])]
  const doors: Door[] = [
    { what: `${name}.get`, read: () => api.attempt[kind].get(uid) },
    ...orders.map((order_by) => ({
      what: `${name}.list${order_by ? ` by ${order_by}` : ''}`,
      read: () => api.attempt[kind].list({ ...scope, order_by, page_size: 200 }),
      listed: kind,
    })),
  ]
  const answers = await Promise.all(doors.map(({ read }) => read()))
  const open = doors.filter((_, index) => succeeded(answers[index]!))
  if (open.length === 0) throw new NotOffered([`${name}.get`, `${name}.list`], answers[0]!)
  for (const door of open) if (door.listed) mustShow(door, uid, answers[doors.indexOf(door)]!)
  return open
}

/** Fails where a reading still shows what was deleted, or no longer shows what remains (R28). */
export async function showOnly(doors: readonly Door[], gone: Received, ...stay: readonly Received[]): Promise<void> {
  for (const door of doors) {
    const answer = await door.read()
    if (!door.listed) {
      goneFromGet(answer, `${door.what} of a deleted resource`)
      continue
    }
    accepted(answer, door.what)
    for (const { uid } of stay) mustShow(door, uid, answer)
    if (!listed(door, answer).includes(gone.uid)) continue
    const expected = `no ${gone.uid}`
    violated({ message: `${door.what} shows what was deleted`, expected, got: gone.uid, where: whereOf(answer) })
  }
}

/** Fails where a reading no longer shows what is there. */
export async function stillShow(doors: readonly Door[], { uid }: Received): Promise<void> {
  for (const door of doors) {
    const answer = await door.read()
    accepted(answer, door.what)
    if (door.listed) mustShow(door, uid, answer)
  }
}

function mustShow(door: Door, uid: string, answer: Answer): void {
  const shown = listed(door, answer)
  if (shown.includes(uid)) return
  const got = shown.join(', ').slice(0, 300) || 'an empty list'
  violated({ message: `${door.what} leaves out what is there`, expected: uid, got, where: whereOf(answer) })
}

function listed({ listed: kind = 'groups' }: Door, { json }: Answer): string[] {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.flatMap((item) => (isReceived(item) ? [item.uid] : [])) : []
}
