import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './client.ts'
import { isObject } from './resources.ts'
import { instant } from './same.ts'

/** RFC 3339 as nearly everybody writes it: `T`, `Z`, at most three fraction digits. */
export const usualTimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

/** Minutes between a timestamp and the target's own clock, in milliseconds (R2); undefined where either is missing. */
export function minutesApart(timestamp: unknown, now = Number.NaN): number | undefined {
  const apart = Math.abs(instant(timestamp) - now) / 60_000
  return Number.isNaN(apart) ? undefined : apart
}

/** Minutes between the createTime of an answer and what the hook told, or else its Date header (R2); undefined where either is missing. */
export function clockApart(
  { headers, json }: Answer,
  told = Date.parse(headers.date ?? ''),
): number | undefined {
  return minutesApart(isObject(json) ? json.createTime : undefined, told)
}

/** The fraction of a second that a timestamp holds, as digits without trailing zeros; undefined where it is no timestamp. */
export function fractionOf(value: unknown): string | undefined {
  const match =
    typeof value === 'string'
      ? /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.(\d+))?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(value)
      : null
  return match ? (match[1] ?? '').replace(/0+$/, '') : undefined
}

/** Lets a moment pass, for the clocks of a service's nodes may differ by a little (R26). */
export async function apart(): Promise<void> {
  await sleep(50)
}
