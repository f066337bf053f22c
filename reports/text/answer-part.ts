/** The texts in what came by which an answer can be found: those in quotes, uids and times. */
export function textsIn(got: string): string[] {
  const texts = got.match(/"[^"]{6,}"|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8,}(\/[0-9a-f]+)*/g) ?? []
  return texts.map((text) => text.replaceAll('"', ''))
}

/** What came as an answer may hold it: the whole of one word, and the texts in it. */
export function namesIn(got = ''): string[] {
  return [...(/^\S{6,200}$/.test(got) ? [got] : []), ...textsIn(got)]
}

/**
 * At most `limit` characters of a body, and how long it is: those around the first of the names in it, from the
 * beginning of the object that has the name, or else the first ones.
 */
export function partWith(body: string, names: readonly string[], limit: number): string {
  if (body.length <= limit) return body
  const places = names.map((name) => body.indexOf(name)).filter((place) => place >= 0)
  const at = places.length === 0 ? 0 : Math.min(...places)
  const start = at < limit / 2 ? 0 : Math.max(body.lastIndexOf('{', at), at - Math.floor((limit * 3) / 4))
  const [before, after] = [start > 0 ? '… ' : '', start + limit < body.length ? '…' : '']
  return `${before}${body.slice(start, start + limit)}${after} (${body.length} characters)`
}
