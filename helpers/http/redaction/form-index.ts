/** As many bytes of a secret in a row are no longer shown, in whatever coding. */
export const leastRun = 16
/** What is looked up: any run of `leastRun` signs of a form holds one of its seeds, which begin `stride` apart. */
const seedLength = 8
const stride = leastRun - seedLength + 1
const bloomBits = 22
/** Places are numbers: the form, and where in it. */
const longestForm = 65_536
/** Of tokens that begin alike so many are enough. */
const mostAlike = 16

/** A secret in one coding, and the name that replaces it. */
export interface Form {
  bytes: Uint8Array
  name: string
}

/** A part of a text that holds a secret, or a part of one. */
export interface Range {
  from: number
  to: number
  name: string
}

/** Finds parts of forms, forwards and backwards, in one pass over a text however many forms there are. */
export class FormIndex {
  readonly #forms: Form[] = []
  /** The places of each seed in the forms by its hash; nearly all have one place only. */
  readonly #seeds = new Map<number, number | number[]>()
  readonly #bloom = new Uint8Array(2 ** (bloomBits - 3))
  /** 1 for each sign that occurs in a form. */
  readonly #signs = new Uint8Array(256)

  add(form: Form): void {
    const at = this.#forms.push(form) - 1
    const { bytes } = form
    for (const sign of bytes) this.#signs[sign] = 1
    for (let from = 0; from + seedLength <= bytes.length; from += stride) {
      const hash = hashOf(bytes, from)
      const there = this.#seeds.get(hash)
      const place = at * longestForm + from
      if (Array.isArray(there) && there.length >= mostAlike) continue
      this.#seeds.set(hash, there === undefined ? place : [there, place].flat())
      this.#bloom[byteOf(hash)]! |= bitOf(hash)
    }
  }

  find(bytes: Uint8Array, found: (range: Range) => void): void {
    const signs = this.#signs
    for (let last = leastRun - 1; last < bytes.length; ) {
      // backwards from the end of the shortest run, because most texts are passed over in long steps
      let before = last
      while (before > last - leastRun && signs[bytes[before]!] === 1) before--
      last = (before > last - leastRun ? before : this.#findFrom(before + 1, bytes, found)) + leastRun
    }
  }

  /** Searches the run of signs that begins at a place; gives the place behind it. */
  #findFrom(begin: number, bytes: Uint8Array, found: (range: Range) => void): number {
    const [signs, bloom] = [this.#signs, this.#bloom]
    let ahead = hashOf(bytes, begin)
    let back = hashBackOf(bytes, begin)
    let covered = begin
    for (let start = begin; ; start++) {
      const isAhead = (bloom[byteOf(ahead)]! & bitOf(ahead)) !== 0
      if (start >= covered && (isAhead || (bloom[byteOf(back)]! & bitOf(back)) !== 0)) {
        const range = this.#longestAt(bytes, start, ahead, 1) ?? this.#longestAt(bytes, start, back, -1)
        if (range) found(range)
        covered = range?.to ?? covered
      }
      const next = start + seedLength
      if (next >= bytes.length || signs[bytes[next]!] === 0) return next
      // both hashes roll on by one sign
      ahead = (Math.imul(ahead, factor) + bytes[next]! - Math.imul(bytes[start]!, powers[seedLength]!)) | 0
      back = (Math.imul(back - bytes[start]!, inverse) + Math.imul(bytes[next]!, powers[seedLength - 1]!)) | 0
    }
  }

  /** The longest part of a form around a seed; a `step` of -1 reads the text backwards. */
  #longestAt(bytes: Uint8Array, start: number, hash: number, step: 1 | -1): Range | undefined {
    const places = this.#seeds.get(hash)
    if (places === undefined) return undefined
    const first = step === 1 ? start : start + seedLength - 1
    let longest: Range | undefined
    for (const place of [places].flat()) {
      const { bytes: form, name } = this.#forms[Math.floor(place / longestForm)]!
      const at = place % longestForm
      let [before, after] = [0, 0]
      // outside of either there is nothing that could be equal
      while (at + after < form.length && bytes[first + step * after] === form[at + after]) after++
      if (after < seedLength) continue
      while (at > before && bytes[first - step * (before + 1)] === form[at - before - 1]) before++
      const length = before + after
      if (length < leastRun || (longest && longest.to - longest.from >= length)) continue
      const from = step === 1 ? start - before : first - after + 1
      longest = { from, to: from + length, name }
    }
    return longest
  }
}

const factor = 0x01000193
/** What undoes a multiplication by `factor` in 32 bits. */
const inverse = 0x359c449b
const powers = Array.from({ length: seedLength }).reduce<number[]>(
  (all) => [...all, Math.imul(all.at(-1)!, factor)],
  [1],
)

/** The hash of the seed that begins at a place. */
function hashOf(bytes: Uint8Array, from: number): number {
  let hash = 0
  for (let index = from; index < from + seedLength; index++) hash = Math.imul(hash, factor) + bytes[index]!
  return hash | 0
}

/** The hash that the same signs have in the opposite order. */
function hashBackOf(bytes: Uint8Array, from: number): number {
  let hash = 0
  for (let index = 0; index < seedLength; index++) hash += Math.imul(bytes[from + index]!, powers[index]!)
  return hash | 0
}

const mixed = (hash: number) => (hash ^ (hash >>> 15)) & (2 ** bloomBits - 1)
const byteOf = (hash: number) => mixed(hash) >> 3
const bitOf = (hash: number) => 1 << (mixed(hash) & 7)
