import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './client.ts'
import { isObject } from './resources.ts'
import { instant } from './same.ts'

/** RFC 3339 as nearly everybody writes it: `T`, `Z`, at most three fraction digits. */
export const usualTimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

/** Minutes between the createTime of an answer and its Date header (R2); undefined where either is missing. */
export function clockApart({ headers, json }: Answer): number | undefined {
  const created = instant(isObject(json) ? json.createTime : undefined)
  const now = Date.parse(headers.date ?? '')
  return Number.isNaN(created) || Number.isNaN(now) ? undefined : Math.abs(created - now) / 60_000
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
