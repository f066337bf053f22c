import { setTimeout as sleep } from 'node:timers/promises'
import { instant, minute } from '../api/instant.ts'
import { isObject, type Received } from '../api/received.ts'
import type { Answer } from '../http/call.ts'

/** The common form of RFC 3339: `T`, `Z`, at most three fraction digits. */
export const usualTimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

/** Minutes between a timestamp and `now`, a time in milliseconds (R2); undefined where either is missing. */
export function minutesApart(timestamp: unknown, now = Number.NaN): number | undefined {
  const apart = Math.abs(instant(timestamp) - now) / minute
  return Number.isNaN(apart) ? undefined : apart
}

/** How far a createTime may be from the target's own clock, in minutes (R2). */
export const mostApart = 20

/**
 * Minutes between the createTime of an answer and the hook's time, or else its Date header (R2). Undefined where there
 * is nothing to compare, or where the Date shows that the hook is wrong.
 */
export function clockApart({ headers, json }: Answer, hookTime?: number): number | undefined {
  const created = isObject(json) ? json.createTime : undefined
  const [byHook, byDate] = [minutesApart(created, hookTime), minutesApart(created, instant(headers.date))]
  const contradicted = (byHook ?? 0) >= mostApart && (byDate ?? mostApart) < mostApart
  return contradicted ? undefined : (byHook ?? byDate)
}

/** The fraction of a second in a timestamp, as digits without trailing zeros; undefined where it is not a timestamp. */
export function fractionOf(value: unknown): string | undefined {
  const match =
    typeof value === 'string'
      ? /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.(\d+))?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(value)
      : null
  return match ? (match[1] ?? '').replace(/0+$/, '') : undefined
}

/**
 * Waits until a change must have a later time than those known: the clocks of a service's nodes may differ a little
 * (R26), and the target may show tenths of a second, or none.
 */
export async function apart(...known: readonly Received[]): Promise<void> {
  const times = known.flatMap(({ createTime, updateTime }) => [createTime, updateTime])
  const digits = Math.min(3, ...times.flatMap((time) => fractionOf(time)?.length ?? []))
  await sleep(60 + 1_000 / 10 ** digits)
}
