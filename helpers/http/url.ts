/** A query by the contract's own names; an undefined value is left out. */
export type Query = Record<string, string | number | undefined>

/** Percent-encodes in full, a space as `%20` (R47). */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
  return text === '' ? '' : `?${text}`
}
