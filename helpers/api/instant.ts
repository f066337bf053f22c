/** A time as milliseconds since 1970; NaN where it is not a time. */
export function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** Durations in milliseconds; a clock is moved, and tokens state their lifetime, in seconds. */
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The lifetime of a page token (S8.3). */
export const threeDays = 3 * day

/** The age from which on an API token must be refused: an hour, and how far clocks may differ (R40). */
export const longestLife = 70 * minute
