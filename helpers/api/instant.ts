/** A time as milliseconds since 1970; NaN where it is none. */
export function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}
