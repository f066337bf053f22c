/** A text as comparable characters, each with its place in the original text. */
export interface Stream {
  bytes: Buffer
  /** Where the text of a character begins. */
  from(index: number): number
  /** Where it ends. */
  to(index: number): number
}

/** Upper and lower case are equal, and so are the two alphabets of base64. */
const folding = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20
  return code === 0x2d ? 0x2b : code === 0x5f ? 0x2f : code
})

function folded(bytes: Buffer): Buffer {
  for (let index = 0; index < bytes.length; index++) bytes[index] = folding[bytes[index]!]!
  return bytes
}

/** One character for each unit of the text, so places do not change. */
const unitsOf = (text: string) => Buffer.from(text, 'latin1')

/** A value as comparable characters. */
const plainForm = (value: string): Uint8Array => folded(unitsOf(value))

/** A value in every coding that is searched for, including the plain one. */
export function codedForms(value: string): Uint8Array[] {
  const bytes = Buffer.from(value)
  const inBase64 = [0, 1, 2].map((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // the characters at both ends depend on what is next to the value
    const [first, last] = [shift === 0 ? 0 : shift + 1, (shift + bytes.length) % 3 === 0 ? undefined : -1]
    return coded.slice(first, last)
  })
  // wide characters as their UTF-8 bytes, one by one
  const plain = [value, ...(bytes.length === value.length ? [] : [bytes.toString('latin1')])]
  return [...plain, ...inBase64, bytes.toString('hex')].map(plainForm)
}

/** A text without any decoding. */
export function streamOf(text: string): Stream {
  return { bytes: folded(unitsOf(text)), from: (index) => index, to: (index) => index + 1 }
}

const [percent, backslash] = [0x25, 0x5c]
const escapes: Record<string, number> = { '"': 0x22, '\\': 0x5c, '/': 0x2f, b: 8, f: 12, n: 10, r: 13, t: 9 }

/** The same with one layer of percent coding and JSON escapes undone; undefined where there are none. */
export function decoded({ bytes, from, to }: Stream): Stream | undefined {
  const read = Buffer.alloc(bytes.length)
  // where each escape's character is, and how much shorter the text is up to it
  const places: number[] = []
  const shorter: number[] = []
  let [length, copied, saved] = [0, 0, 0]
  for (let index = 0; index < bytes.length; index++) {
    const coded = bytes[index] === percent || bytes[index] === backslash ? escapeAt(bytes, index) : undefined
    if (coded === undefined) continue
    length += bytes.copy(read, length, copied, index)
    read[length] = folding[coded.code & 0xff]!
    places.push(length++)
    saved += coded.width - 1
    shorter.push(saved)
    copied = index + coded.width
    index = copied - 1
  }
  if (saved === 0) return undefined
  length += bytes.copy(read, length, copied)
  const before = (index: number) => index + (shorter[countBelow(places, index) - 1] ?? 0)
  return {
    bytes: read.subarray(0, length),
    from: (index) => from(before(index)),
    to: (index) => to(before(index + 1) - 1),
  }
}

/** How many of some ascending numbers are less than one, by binary search. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The escape that begins at a place, with the character that it is for. */
function escapeAt(source: Buffer, index: number): { code: number; width: number } | undefined {
  const character = source[index]!
  if (character === percent) {
    const code = hexAt(source, index + 1, 2)
    if (code !== undefined) return { code, width: 3 }
  } else if (character === backslash) {
    const next = String.fromCharCode(source[index + 1] ?? 0)
    const code = next === 'u' ? hexAt(source, index + 2, 4) : next === 'x' ? hexAt(source, index + 2, 2) : escapes[next]
    if (code !== undefined) return { code, width: next === 'u' ? 6 : next === 'x' ? 4 : 2 }
  }
  return undefined
}

function hexAt(source: Buffer, from: number, digits: number): number | undefined {
  const text = source.toString('latin1', from, from + digits)
  return text.length === digits && /^[0-9a-f]+$/.test(text) ? Number.parseInt(text, 16) : undefined
}
