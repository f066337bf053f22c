/** A time as milliseconds since 1970; NaN where it is not a time. */
export function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}
