/** This many consecutive bytes of a secret are no longer shown, in any coding. */
export const leastRun = 16
/** What is looked up: any run of characters that is long enough holds one of the seeds of its form. */
const seedLength = 8
/** The longest run that decides how far apart the seeds of a form are. */
const widest = 64
const bloomBits = 22
/** The most seeds kept of tokens that begin alike. */
const mostAlike = 16

/** A secret in one coding, and the name that replaces it. */
export interface Form {
  bytes: Uint8Array
  name: string
  /** How many consecutive bytes are no longer shown; by default `leastRun`. */
  least?: number
}

/** A part of a text that holds a secret, or a part of one. */
export interface Range {
  from: number
  to: number
  name: string
}

/** Finds parts of forms, forwards and backwards, in one pass over a text, however many forms there are. */
export class FormIndex {
  /** All forms, concatenated: a run has thousands, and an object for each would double the memory. */
  #forms = new Uint8Array(2 ** 16)
  /** Where each form begins; the last entry is where the next one will. */
  readonly #begins = [0]
  readonly #names: string[] = []
  readonly #least: number[] = []
  /** A hash table of seeds, by their place in the forms plus 1; 0 is free. */
  #seeds = new Uint32Array(2 ** 12)
  #kept = 0
  readonly #bloom = new Uint8Array(2 ** (bloomBits - 3))
  /** 1 for each character that occurs in a form. */
  readonly #characters = new Uint8Array(256)

  add({ bytes, name, least = leastRun }: Form): void {
    const begin = this.#begins.at(-1)!
    const end = begin + bytes.length
    if (end > this.#forms.length) {
      const wider = new Uint8Array(Math.ceil(1.5 * end))
      wider.set(this.#forms)
      this.#forms = wider
    }
    this.#forms.set(bytes, begin)
    this.#begins.push(end)
    this.#names.push(name)
    this.#least.push(least)
    for (const character of bytes) this.#characters[character] = 1
    const stride = Math.min(least, widest) - seedLength + 1
    for (let from = begin; from + seedLength <= end; from += stride) this.#keep(from)
  }

  #keep(from: number): void {
    // one character again and again is no secret, as in a forged signature of zeros
    if (this.#forms.subarray(from, from + seedLength).every((byte) => byte === this.#forms[from])) return
    if (4 * this.#kept >= 3 * this.#seeds.length) this.#widen()
    const hash = hashOf(this.#forms, from)
    let slot = this.#slotOf(hash)
    let alike = 0
    for (; this.#seeds[slot] !== 0; slot = this.#after(slot))
      if (hashOf(this.#forms, this.#seeds[slot]! - 1) === hash && ++alike === mostAlike) return
    this.#seeds[slot] = from + 1
    this.#kept++
    for (const at of [bitOf(hash), otherBitOf(hash)]) this.#bloom[at >> 3]! |= 1 << (at & 7)
  }

  #widen(): void {
    // in the order of the forms
    const places = this.#seeds.filter((place) => place > 0).sort()
    this.#seeds = new Uint32Array(2 * this.#seeds.length)
    this.#kept = 0
    for (const place of places) this.#keep(place - 1)
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#seeds.length - 1)
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#seeds.length - 1)
  }

  find(bytes: Uint8Array, found: (range: Range) => void): void {
    const characters = this.#characters
    for (let last = leastRun - 1; last < bytes.length; ) {
      // backwards from the end of the shortest run, because this skips most texts in long steps
      let before = last
      while (before > last - leastRun && characters[bytes[before]!] === 1) before--
      last = (before > last - leastRun ? before : this.#findFrom(before + 1, bytes, found)) + leastRun
    }
  }

  /** Searches the run of characters that begins at a place; returns the place after it. */
  #findFrom(begin: number, bytes: Uint8Array, found: (range: Range) => void): number {
    const characters = this.#characters
    let ahead = hashOf(bytes, begin)
    let back = hashBackOf(bytes, begin)
    let covered = begin
    for (let start = begin; ; start++) {
      const isAhead = this.#mayHold(ahead)
      if (start >= covered && (isAhead || this.#mayHold(back))) {
        const range = this.#longestAt(bytes, start, ahead, 1) ?? this.#longestAt(bytes, start, back, -1)
        if (range) found(range)
        covered = range?.to ?? covered
      }
      const next = start + seedLength
      if (next >= bytes.length || characters[bytes[next]!] === 0) return next
      // both hashes roll on by one character
      ahead = (Math.imul(ahead, factor) + bytes[next]! - Math.imul(bytes[start]!, powers[seedLength]!)) | 0
      back = (Math.imul(back - bytes[start]!, inverse) + Math.imul(bytes[next]!, powers[seedLength - 1]!)) | 0
    }
  }

  /** False for a seed that no form has. */
  #mayHold(hash: number): boolean {
    return this.#isSet(bitOf(hash)) && this.#isSet(otherBitOf(hash))
  }

  #isSet(at: number): boolean {
    return (this.#bloom[at >> 3]! & (1 << (at & 7))) !== 0
  }

  /** The longest part of a form around a seed; a `step` of -1 reads the text backwards. */
  #longestAt(bytes: Uint8Array, start: number, hash: number, step: 1 | -1): Range | undefined {
    const forms = this.#forms
    const first = step === 1 ? start : start + seedLength - 1
    let longest: Range | undefined
    for (let slot = this.#slotOf(hash); this.#seeds[slot] !== 0; slot = this.#after(slot)) {
      const at = this.#seeds[slot]! - 1
      let [before, after] = [0, 0]
      while (after < seedLength && bytes[first + step * after] === forms[at + after]) after++
      if (after < seedLength) continue
      const form = this.#formAt(at)
      const [begin, end] = [this.#begins[form]!, this.#begins[form + 1]!]
      // outside either, nothing can be equal
      while (at + after < end && bytes[first + step * after] === forms[at + after]) after++
      while (at - before > begin && bytes[first - step * (before + 1)] === forms[at - before - 1]) before++
      const length = before + after
      if (length < this.#least[form]! || (longest && longest.to - longest.from >= length)) continue
      const from = step === 1 ? start - before : first - after + 1
      longest = { from, to: from + length, name: this.#names[form]! }
    }
    return longest
  }

  /** The form that holds a place, by binary search. */
  #formAt(place: number): number {
    let [low, high] = [0, this.#names.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#begins[middle]! <= place) low = middle
      else high = middle - 1
    }
    return low
  }
}

const factor = 0x01000193
/** The inverse of `factor` modulo 2 ** 32. */
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

/** The hash of the same characters in reverse order. */
function hashBackOf(bytes: Uint8Array, from: number): number {
  let hash = 0
  for (let index = 0; index < seedLength; index++) hash += Math.imul(bytes[from + index]!, powers[index]!)
  return hash | 0
}

/** The two bits of the filter that every seed sets. */
const bitOf = (hash: number) => (hash ^ (hash >>> 15)) & (2 ** bloomBits - 1)
const otherBitOf = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - bloomBits)
