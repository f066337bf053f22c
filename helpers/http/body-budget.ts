/** The largest answer that is read, in bytes: 200 results, each with 40 kB that the contract does not name (R8). */
export const largestAnswer = 8 * 1024 * 1024
/** What all answers under way may hold together. */
const mostUnderWay = 32 * 1024 * 1024
/** Answers from this size on count as large (200 results of 3 kB); where many come in a row, cases keep all of them. */
const large = 640 * 1024
const mostLarge = 24 * 1024 * 1024
/** How much of that is released per second. */
const letGo = 4 * 1024 * 1024

let underWay = 0
let recentlyLarge = 0
let at = Date.now()

/** Counts what one answer holds while it is read. */
export class BodyShare {
  #held = 0

  /** Why no more of the answer is read; undefined where there is room for `bytes` more. */
  take(bytes: number): string | undefined {
    this.#held += bytes
    underWay += bytes
    const limit = tooManyLarge() ? large : largestAnswer
    if (this.#held > limit) return `is larger than ${limit} bytes`
    if (underWay > mostUnderWay && this.#held > large)
      return `is larger than ${large} bytes while all under way hold more than ${mostUnderWay}`
    return undefined
  }

  /** Returns what was taken. */
  release(): void {
    underWay -= this.#held
    if (this.#held > large) recentlyLarge += this.#held
    this.#held = 0
  }
}

function tooManyLarge(): boolean {
  const now = Date.now()
  recentlyLarge = Math.max(0, recentlyLarge - ((now - at) / 1000) * letGo)
  at = now
  return recentlyLarge > mostLarge
}

/** How deeply a body may be nested, and how many members and items are read: 200 results with a thousand each. */
const [deepest, mostItems] = [1_000, 250_000]
/** Why a body with more of them is not read: how much else a target may show is not stated (R8). */
export const tooManyItems = `the body has more than ${mostItems} members and items`

/** Why a body is not parsed: in memory it would be far larger than its bytes. */
export function tooIntricate(bytes: Buffer): string | undefined {
  let [depth, items, inText] = [0, 0, false]
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (inText) {
      if (byte === 0x5c) index++
      else if (byte === 0x22) inText = false
    } else if (byte === 0x22) inText = true
    else if (byte === 0x2c) items++
    else if (byte === 0x5b || byte === 0x7b) {
      items++
      if (++depth > deepest) return `the body is nested more than ${deepest} deep`
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return items > mostItems ? tooManyItems : undefined
}
