import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Names that any server takes (R3), each used once: letters only, the run's own letters in front. */
export class Names {
  /** Eight letters that no other run has. */
  readonly run = Array.from({ length: 8 }, () => letters[randomInt(26)]).join('')
  #made = 0

  /** A name that was never used; of equal length, so that every collation orders them alike (R17). */
  fresh(): string {
    return this.run + inLetters(this.#made++)
  }

  /** So many fresh names in an order that is not theirs. */
  several(count: number): string[] {
    const drawn = Array.from({ length: count }, () => this.fresh())
    // a stride that shares no factor with the count visits each name once
    const stride = [7, 11, 13, 17].find((prime) => count % prime !== 0) ?? 1
    return drawn.map((_, index) => drawn[(index * stride) % count]!)
  }
}

function inLetters(number: number): string {
  let [rest, text] = [number, '']
  for (let digit = 0; digit < 5; digit++) {
    text = letters[rest % 26] + text
    rest = Math.floor(rest / 26)
  }
  return text
}
