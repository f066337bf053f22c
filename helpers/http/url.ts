/** A query by the contract's own names; an undefined value is left out. */
export type Query = Record<string, string | number | undefined>

/** Percent-encoded in full, a space as `%20` (R47); half of a surrogate pair as UTF-8 has it, which is U+FFFD. */
export const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** A query as a URL has it; empty where there are no parameters. */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`).join('&')
  return text === '' ? '' : `?${text}`
}
