/** A query by the contract's own names; an undefined value is left out. */
export type Query = Record<string, string | number | undefined>

/** Percent-encoded in full, a space as `%20` (R47); half of a surrogate pair as UTF-8 has it, which is U+FFFD. */
export const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** A query as a URL has it; empty where there are no parameters. `plain` leaves slashes as they are (RFC 3986, 3.4). */
export function queryString(query: Query = {}, plain = false): string {
  const value = (text: string) => (plain ? encoded(text).replaceAll('%2F', '/') : encoded(text))
  const pairs = Object.entries(query).flatMap(([name, given]) =>
    given === undefined ? [] : [`${encoded(name)}=${value(String(given))}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
