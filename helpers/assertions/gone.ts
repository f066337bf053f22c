import type { Api } from '../api/api.ts'
import { type KindName, kinds } from '../api/kinds.ts'
import { isObject, isReceived, type Received } from '../api/received.ts'
import { type Answer, beginningOf, succeeded } from '../http/call.ts'
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
    got: `${answer.status} ${beginningOf(answer.text, 300)}`,
    where: whereOf(answer),
  })
}

/** One reading through which the target shows a resource. */
interface View {
  what: string
  read: () => Promise<Answer>
  /** Undefined for Get. */
  listed?: KindName
}

/**
 * The readings through which this target shows a resource (R28): its Get, and its lists. Fails where a list omits it;
 * inconclusive where the target has none of them (R49).
 */
export async function viewsOf(api: Api, kind: KindName, scope: Query, { uid }: Received): Promise<View[]> {
  const { name, named, dated } = kinds[kind]
  const orders = [undefined, ...(named ? ['name'] : []), ...(dated ? ['created_at desc'] : [])]
  const views: View[] = [
    { what: `${name}.get`, read: () => api.attempt[kind].get(uid) },
    ...orders.map((order_by) => ({
      what: `${name}.list${order_by ? ` by ${order_by}` : ''}`,
      read: () => api.attempt[kind].list({ ...scope, order_by, page_size: 200 }),
      listed: kind,
    })),
  ]
  const answers = await Promise.all(views.map(({ read }) => read()))
  const open = views.filter((_, index) => succeeded(answers[index]!))
  if (open.length === 0) throw new NotOffered([`${name}.get`, `${name}.list`], answers[0]!)
  for (const view of open) if (view.listed) mustShow(view, uid, answers[views.indexOf(view)]!)
  return open
}

/** Fails where a reading still shows what was deleted, or no longer shows what remains (R28). */
export async function showOnly(views: readonly View[], gone: Received, ...stay: readonly Received[]): Promise<void> {
  for (const view of views) {
    const answer = await view.read()
    if (!view.listed) {
      goneFromGet(answer, `${view.what} of a deleted resource`)
      continue
    }
    accepted(answer, view.what)
    for (const { uid } of stay) mustShow(view, uid, answer)
    if (!listed(view, answer).includes(gone.uid)) continue
    const expected = `no ${gone.uid}`
    violated({ message: `${view.what} shows what was deleted`, expected, got: gone.uid, where: whereOf(answer) })
  }
}

/** Fails where a reading no longer shows what is there. */
export async function stillShow(views: readonly View[], { uid }: Received): Promise<void> {
  for (const view of views) {
    const answer = await view.read()
    accepted(answer, view.what)
    if (view.listed) mustShow(view, uid, answer)
  }
}

function mustShow(view: View, uid: string, answer: Answer): void {
  const shown = listed(view, answer)
  if (shown.includes(uid)) return
  const got = beginningOf(shown.join(', '), 300) || 'an empty list'
  violated({ message: `${view.what} leaves out what is there`, expected: uid, got, where: whereOf(answer) })
}

function listed({ listed: kind = 'groups' }: View, { json }: Answer): string[] {
  const items = isObject(json) ? json[kind] : undefined
  return Array.isArray(items) ? items.flatMap((item) => (isReceived(item) ? [item.uid] : [])) : []
}
