import { randomInt } from 'node:crypto'

/** Numbers that depend only on a seed. */
export class Draw {
  #state: number

  constructor(seed: number, salt = '') {
    let state = seed >>> 0
    for (const character of salt) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193) >>> 0
    this.#state = state
  }

  /** A whole number from 0 up to, but not including, a limit (mulberry32). */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  /** One of several. */
  one<T>(some: readonly T[]): T {
    return some[this.below(some.length)]!
  }

  /** Draws `count` of them, each once, in any order. */
  some<T>(all: readonly T[], count: number): T[] {
    const left = [...all]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.below(left.length), 1)[0]!)
  }
}

const letters = 'beikmopu'

/** Names that every collation sorts alike: only these letters, none doubled (R17); each run has its own. */
export class PlainNames {
  readonly #prefix = plain(Array.from({ length: 9 }, () => randomInt(7)))
  #made = 0

  /** What all its names begin with, and no name of another run: lower-case letters. */
  get mark(): string {
    return this.#prefix.slice(0, -1)
  }

  /** An unused name, equal to others in its first letters: about as many as asked for, in addition to nine. */
  long(equal: number): string {
    return this.fresh('op'.repeat(equal / 2))
  }

  /** An unused name. */
  fresh(middle = ''): string {
    // independent of age: names sort in an order of their own
    let [rest, digits] = [(this.#made++ * 6_007) % 7 ** 5, [] as number[]]
    for (let digit = 0; digit < 5; digit++) {
      digits = [rest % 7, ...digits]
      rest = Math.floor(rest / 7)
    }
    // avoids a double letter where the two join
    const start = this.#prefix + (this.#prefix.endsWith(middle[0] ?? '-') ? middle.slice(1) : middle)
    return plain([...[...start].map((letter) => letters.indexOf(letter)), ...digits], start.length)
  }
}

/** Letters for digits below seven, none doubled; the first `kept` do not change. */
function plain(digits: readonly number[], kept = 0): string {
  let [text, last] = ['', -1]
  for (const [index, digit] of digits.entries()) {
    last = index >= kept && last >= 0 && digit >= last ? digit + 1 : digit
    text += letters[last]
  }
  return text
}
