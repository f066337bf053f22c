import { randomInt } from 'node:crypto'

/** The letters that common collations agree on, as long as none is doubled (R17). */
const letters = [...'beikmopu']

/** How the names of a run's own groups begin: letters only (R3), so they can be found without a journal. */
const rootMark = 'rmapiconformance'
/** The same for a group that stays for three days (`run --for-resume`). */
const lastingMark = 'rmapiconformancestays'

/** Names that any server takes (R3), each used once: letters only, beginning with the run's own. */
export class Names {
  /** Eight letters that no other run has. */
  readonly run = Array.from({ length: 8 }).reduce<string>((text) => text + drawn(after(text)), '')
  /** Words that something is called, or was: the next may be refused as taken, however that is said (R3). */
  readonly given = new Set<string>()
  #made = 0
  #roots = 0

  /** An unused name; all have the same length, so every collation sorts them alike (R17). */
  fresh(): string {
    return this.run + inLetters(this.#made++, this.run)
  }

  /** A name for a run's own group below the operator's; `stays` where it outlives the run. */
  root(stays = false): string {
    return `${stays ? lastingMark : rootMark}${this.run}${letters[this.#roots++ % letters.length]}`
  }

  /** Fresh names that are not in sorted order. */
  several(count: number): string[] {
    const made = Array.from({ length: count }, () => this.fresh())
    // a stride that shares no factor with the count visits each name once
    const stride = [7, 11, 13, 17].find((prime) => count % prime !== 0) ?? 1
    return made.map((_, index) => made[(index * stride) % count]!)
  }
}

/** A name as its letters alone, in lower case: they remain however a server writes it. */
function lettersOf(name: unknown): string {
  return String(name)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

/**
 * True where two names are the same, however a server writes them: one with few letters must be equal; the unique name
 * of a run's own group may be cut short or part of a longer one.
 */
export function sameName(sent: string, shown: unknown): boolean {
  const [own, other] = [lettersOf(sent), lettersOf(shown)]
  if (sent === shown || (own.length >= 8 && own === other)) return true
  return own.length >= rootLetters && (other.includes(own) || (other.length >= rootLetters && own.startsWith(other)))
}

/** This many letters of the name of a run's own group include enough that are unique to the run. */
const rootLetters = 22

/** Whether the run's own group of this name outlives its run; undefined for any other name. */
export function rootNamed(name: unknown): { stays: boolean } | undefined {
  const shown = lettersOf(name)
  if (new RegExp(`${lastingMark}[a-z]{9}$`).test(shown)) return { stays: true }
  return new RegExp(`${rootMark}[a-z]{9}$`).test(shown) ? { stays: false } : undefined
}

/** A text from one character to another, as `slice` counts: a character that UTF-16 writes in two halves stays whole. */
export const cut = (text: string, from: number, to?: number) => [...text].slice(from, to).join('')

/** Three ordinary names (R3) of one length that differ only in the last letter but one; not in sorted order. */
export function alikeToTheEnd(fresh: string, length: number): string[] {
  const begun = fresh + (fresh.endsWith('o') ? 'mo' : 'om').repeat(length).slice(0, length - 2 - fresh.length)
  return ['k', 'b', 'i'].map((letter) => `${begun}${letter}e`)
}

/** The letters that may follow a text: all but its last one. */
const after = (text: string) => letters.filter((letter) => letter !== text.at(-1))

const drawn = (some: readonly string[]) => some[randomInt(some.length)]!

/** A number as this many letters, none doubled: a greater number sorts later in every collation. */
const digits = 6

function inLetters(number: number, before: string): string {
  const base = letters.length - 1
  let text = ''
  for (let digit = digits - 1; digit >= 0; digit--) {
    text += after(before + text)[Math.floor(number / base ** digit) % base]
  }
  return text
}

/** Words with a meaning in a language, or in a map made from an object. */
export const reservedWords = ['constructor', 'prototype', 'length', 'nil', 'select', 'yes', 'undefined', 'none', 'nan']
