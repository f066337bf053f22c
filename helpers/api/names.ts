import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** How the names of a run's own groups begin: letters only (R3), so that they can be found without a journal. */
const rootMark = 'rmapiconformance'
/** The same for a group that stays for three days (`run --for-resume`). */
const lastingMark = 'rmapiconformancestays'

/** Names that any server takes (R3), each used once: letters only, the run's own letters in front. */
export class Names {
  /** Eight letters that no other run has. */
  readonly run = Array.from({ length: 8 }, () => letters[randomInt(26)]).join('')
  #made = 0
  #roots = 0

  /** A name that was never used; of equal length, so that every collation orders them alike (R17). */
  fresh(): string {
    return this.run + inLetters(this.#made++)
  }

  /** A name for a group of the run's own below the operator's; `stays` where it outlives the run. */
  root(stays = false): string {
    return `${stays ? lastingMark : rootMark}${this.run}${letters[this.#roots++ % 26]}`
  }

  /** So many fresh names in an order that is not theirs. */
  several(count: number): string[] {
    const drawn = Array.from({ length: count }, () => this.fresh())
    // a stride that shares no factor with the count visits each name once
    const stride = [7, 11, 13, 17].find((prime) => count % prime !== 0) ?? 1
    return drawn.map((_, index) => drawn[(index * stride) % count]!)
  }
}

/** A name as its letters alone, in lower case: what is left of it however a server writes it. */
export function lettersOf(name: unknown): string {
  return String(name)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

/** Whether a name is one of a run's own group, and whether that one outlives its run; undefined where it is neither. */
export function rootNamed(name: unknown): { stays: boolean } | undefined {
  const shown = lettersOf(name)
  if (new RegExp(`${lastingMark}[a-z]{9}$`).test(shown)) return { stays: true }
  return new RegExp(`${rootMark}[a-z]{9}$`).test(shown) ? { stays: false } : undefined
}

function inLetters(number: number): string {
  let [rest, text] = [number, '']
  for (let digit = 0; digit < 5; digit++) {
    text = letters[rest % 26] + text
    rest = Math.floor(rest / 26)
  }
  return text
}
