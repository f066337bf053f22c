/** A query by the contract's own names; an undefined value is left out. */
export type Query = Record<string, string | number | undefined>

/** Percent-encodes a text in full, a space as `%20` (R47); half a character, which has no code, as U+FFFD. */
export const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** A query, with its values encoded in full. */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`).join('&')
  return text === '' ? '' : `?${text}`
}
