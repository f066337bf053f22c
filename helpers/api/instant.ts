/** A time as milliseconds since 1970; NaN where it is not a time. */
export function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** The largest number that may be seconds since 1970: as milliseconds it would be in 1973. */
const mostSeconds = 100_000_000_000

/** A time of v1 as text: its form is not shown, so that a number may be seconds or milliseconds since 1970 (R44). */
export function timeOfV1(value: unknown): unknown {
  if (typeof value !== 'number') return value
  const isInSeconds = Math.abs(value) < mostSeconds
  const time = new Date(isInSeconds ? value * 1000 : value)
  if (Number.isNaN(time.getTime())) return value
  return isInSeconds && Number.isInteger(value) ? time.toISOString().replace('.000', '') : time.toISOString()
}

/** Durations in milliseconds; a clock is moved, and tokens state their lifetime, in seconds. */
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The lifetime of a page token (S8.3). */
export const threeDays = 3 * day

/** The age from which on an API token must be refused: an hour, and how far clocks may differ (R40). */
export const longestLife = 70 * minute

/** The unit to which a time is cut or rounded, by the digits of its fraction, in milliseconds (R44). */
export const precisionOf = (time: unknown) => 10 ** Math.max(0, 3 - (/\.(\d+)/.exec(String(time))?.[1]?.length ?? 0))
