// control characters, spaces that look like another, changes of direction, characters without width, halves of some
const unseen =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e0fff}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text from the target on one line: characters that are invisible, or act on a terminal, are written out. */
export function visible(text: string, limit = 600): string {
  return cut(text, limit).replace(
    unseen,
    (character) => short[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/** The same over several lines, with their line ends. */
export function visibleLines(text: string, limit = 4000): string {
  return cut(text, limit)
    .split(/\r?\n/)
    .map((line) => visible(line, Number.POSITIVE_INFINITY))
    .join('\n')
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}

/** True if a shell would get something other than what is seen. */
export function hasUnseen(text: string): boolean {
  return text.search(unseen) >= 0
}
