import { isObject } from '../../api/received.ts'
import type { Judging } from '../judging.ts'
import { isTouchedSince } from '../listed/population.ts'
import type { Thing } from '../state.ts'

/**
 * A new group has no limits, or at least one that is not zero (S2.8, R46). Their values are open, and the target may
 * change them; but they do not come and go while nobody writes (R55).
 */
export function judgeLimits(judging: Judging, thing: Thing, limits: unknown, view: string): void {
  const { seen, state } = judging
  const { kind, uid } = thing
  const values = isObject(limits) ? Object.values(limits) : undefined
  const isSet =
    values !== undefined && (view !== 'create' || values.length === 0 || values.some((value) => value !== 0))
  judging.check(kind, 'content', isSet, 'resourceLimits: {} or some that are not zero', limits, {
    about: [uid],
    breaks: 'S2.8',
  })
  // gRPC may write them in another way
  if (!isObject(limits) || seen.over === 'grpc') return
  // their values may go up and down
  const text = JSON.stringify(limits) === '{}' ? '{}' : 'that are set'
  const last = thing.limits.at(-1)
  if (last?.text === text) return void Object.assign(last, { to: seen.answered })
  const before = thing.limits.findLast((shown) => shown.text === text)
  // a write shortly before may explain that a reading since then was late (R52)
  const isBack =
    before !== undefined &&
    last!.since < seen.sent &&
    !isTouchedSince(state, thing, before.to - judging.patience, seen.answered)
  judging.check(kind, 'content', !isBack, () => `resourceLimits ${last?.text}, as exchange ${last?.n} showed`, limits, {
    about: [uid],
    beside: last ? [last.n] : [],
    soft: judging.isYoung(last?.since ?? 0),
    unless: ['alien'],
    breaks: 'R52',
  })
  if (!isBack) thing.limits.push({ text, since: seen.answered, to: seen.answered, n: seen.n })
}
