import { codedForms, decoded, plainForm, type Stream, streamOf } from './secret-forms.ts'

/** As many bytes of a secret in a row are no longer shown, in whatever coding. */
const leastRun = 16
/** What is looked up: any run of `leastRun` signs of a form holds one of its seeds, which begin this far apart. */
const seedLength = 8
const stride = leastRun - seedLength + 1
/** Shorter values are no secrets. */
const shortest = 6
const bloomBits = 23

/** A secret in one coding, and the name that replaces it. */
interface Form {
  bytes: Uint8Array
  name: string
}

/** A part of a text that holds a secret, or a part of one. */
interface Range {
  from: number
  to: number
  name: string
}

/**
 * The values that must never be shown, each with the name that replaces it. Everything that is written down of
 * a target's answer passes `redact`: no run of 16 bytes of a secret comes through, be it plain, reversed, in upper or
 * lower case, in base64, base64url, hex or percent coding.
 */
export class Secrets {
  readonly #known = new Set<string>()
  /** Secrets that were hidden since the last look; most runs hide more than they show. */
  readonly #unread: [value: string, name: string][] = []
  readonly #forms: Form[] = []
  readonly #whole: Form[] = []
  /** The places of each seed in the forms; nearly all have one place only. */
  readonly #seeds = new Map<number, number | number[]>()
  readonly #bloom = new Uint8Array(2 ** (bloomBits - 3))

  /** From now on `value` is shown as `name`; values too short to be a secret are left alone. */
  hide(value: string, name: string): void {
    if (value.length < shortest || this.#known.has(value)) return
    this.#known.add(value)
    this.#unread.push([value, name])
  }

  redact(text: string): string {
    this.#learn()
    if (this.#known.size === 0 || text.length < shortest) return text
    const ranges: Range[] = []
    for (let stream: Stream | undefined = streamOf(text); stream; stream = decoded(stream)) this.#find(stream, ranges)
    return ranges.length === 0 ? text : without(text, ranges)
  }

  /** The same of every text in a value, the names of members included. */
  redactAll<T>(value: T): T {
    if (typeof value === 'string') return this.redact(value) as T
    if (Array.isArray(value)) return value.map((one) => this.redactAll(one)) as T
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, member]) => [this.redact(name), this.redactAll(member)])
    return Object.fromEntries(members) as T
  }

  #learn(): void {
    for (const [value, name] of this.#unread.splice(0)) {
      const plain = plainForm(value)
      // the whole of what is shorter than the shortest run
      if (plain.length < leastRun) this.#whole.push({ bytes: plain, name })
      for (const bytes of codedForms(value)) {
        if (bytes.length < leastRun) this.#whole.push({ bytes, name })
        else this.#sow({ bytes, name })
      }
    }
  }

  #sow(form: Form): void {
    const { bytes } = form
    const at = this.#forms.push(form) - 1
    for (let from = 0; from + seedLength <= bytes.length; from += stride) {
      let hash = 0
      for (let index = 0; index < seedLength; index++) hash = Math.imul(hash, factor) + bytes[from + index]!
      hash |= 0
      const there = this.#seeds.get(hash)
      const place = at * 65_536 + from
      // of tokens that begin alike one beginning is enough
      if (Array.isArray(there) && there.length >= 16) continue
      this.#seeds.set(hash, there === undefined ? place : [there, place].flat())
      const bit = bitOf(hash)
      this.#bloom[bit >> 3]! |= 1 << (bit & 7)
    }
  }

  /** Finds what a stream holds of any form; one pass over it with a hash that rolls. */
  #find({ bytes, from, to }: Stream, ranges: Range[]): void {
    const add = (start: number, end: number, name: string) => ranges.push({ from: from(start), to: to(end - 1), name })
    for (const { bytes: whole, name } of this.#whole) {
      const there = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      for (let at = there.indexOf(whole); at >= 0; at = there.indexOf(whole, at + 1)) add(at, at + whole.length, name)
    }
    const bloom = this.#bloom
    let hash = 0
    let covered = 0
    for (let index = 0; index < bytes.length; index++) {
      hash =
        (Math.imul(hash, factor) +
          bytes[index]! -
          (index >= seedLength ? Math.imul(bytes[index - seedLength]!, oldest) : 0)) |
        0
      const bit = bitOf(hash)
      if ((bloom[bit >> 3]! & (1 << (bit & 7))) === 0) continue
      const start = index - seedLength + 1
      if (start < 0 || index < covered) continue
      const found = this.#longestAt(bytes, start, hash)
      if (found === undefined) continue
      add(found.from, found.to, found.name)
      covered = found.to
    }
  }

  #longestAt(bytes: Uint8Array, start: number, hash: number): Range | undefined {
    let longest: Range | undefined
    for (const place of [this.#seeds.get(hash) ?? []].flat()) {
      const { bytes: form, name } = this.#forms[Math.floor(place / 65_536)]!
      const at = place % 65_536
      let [left, right] = [0, 0]
      while (start + right < bytes.length && at + right < form.length && bytes[start + right] === form[at + right])
        right++
      if (right < seedLength) continue
      while (start - left > 0 && at - left > 0 && bytes[start - left - 1] === form[at - left - 1]) left++
      const length = left + right
      if (length < leastRun || (longest && longest.to - longest.from >= length)) continue
      longest = { from: start - left, to: start + right, name }
    }
    return longest
  }
}

const factor = 0x01000193
/** What the sign that leaves the window counts for by then. */
const oldest = Array.from({ length: seedLength }).reduce<number>((power) => Math.imul(power, factor), 1)

const bitOf = (hash: number) => (hash ^ (hash >>> 15)) & (2 ** bloomBits - 1)

/** The text with names in place of ranges; where these overlap, the longest gives the name. */
function without(text: string, ranges: Range[]): string {
  const inOrder = ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)
  const joined: (Range & { longest: number })[] = []
  for (const range of inOrder) {
    const last = joined.at(-1)
    const length = range.to - range.from
    if (last === undefined || range.from >= last.to) joined.push({ ...range, longest: length })
    else {
      last.to = Math.max(last.to, range.to)
      if (length > last.longest) Object.assign(last, { name: range.name, longest: length })
    }
  }
  let [shown, at] = ['', 0]
  for (const { from, to, name } of joined) {
    shown += text.slice(at, from) + name
    at = to
  }
  return shown + text.slice(at)
}
