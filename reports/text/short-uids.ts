/** A uid that is a path, outside an address. */
const path = /(?<![\w/])[0-9a-f]{8,}(?:\/[0-9a-f]{4,})+\b/g

/** The end of a uid, which people recognize. */
const endOf = (uid: string) => `…${uid.slice(uid.lastIndexOf('/'))}`

/** Texts in which each uid is only its end; unchanged where two uids would look the same. */
export function withShortUids(...texts: readonly string[]): string[] {
  const uids = new Set(texts.flatMap((text) => text.match(path) ?? []))
  if (new Set([...uids].map(endOf)).size < uids.size) return [...texts]
  return texts.map((text) => text.replace(path, endOf))
}
