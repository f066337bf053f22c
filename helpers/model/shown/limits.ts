import type { Judging } from '../judging.ts'
import { isObject } from '../observation.ts'
import { isTouchedSince } from '../population.ts'
import type { Thing } from '../state.ts'

/** The most values that are kept of one group. */
const most = 4

/**
 * A new group has no limits, or one at least that is not zero (S2.8, R46). They are the same wherever it shows (R55): the
 * target may set others, but what it showed before that does not come back as long as nobody writes.
 */
export function judgeLimits(judging: Judging, thing: Thing, limits: unknown, door: string): void {
  const { seen, state } = judging
  const { kind, uid } = thing
  const values = isObject(limits) ? Object.values(limits) : undefined
  const isSet =
    values !== undefined && (door !== 'create' || values.length === 0 || values.some((value) => value !== 0))
  judging.check(kind, 'content', isSet, 'resourceLimits: {} or some that are not zero', limits, { about: [uid] })
  // over gRPC they may be written otherwise
  if (!isObject(limits) || seen.over === 'grpc') return
  const text = JSON.stringify(Object.entries(limits).sort())
  const [first] = thing.limits
  if (first && isTouchedSince(state, thing, first.sent, seen.answered)) thing.limits = []
  const last = thing.limits.at(-1)
  const isBack = last !== undefined && last.text !== text && thing.limits.some((one) => one.text === text)
  judging.check(kind, 'content', !isBack, `resourceLimits ${last?.text}, as exchange ${last?.n} showed`, limits, {
    about: [uid],
    beside: last ? [last.n] : [],
    soft: judging.isYoung(last?.answered ?? 0),
    unless: ['lag'],
  })
  if (isBack || last?.text === text || thing.limits.length >= most) return
  thing.limits.push({ text, sent: seen.sent, answered: seen.answered, n: seen.n })
}
