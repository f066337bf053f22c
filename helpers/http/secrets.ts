import { type Form, FormIndex, leastRun, type Range } from './redaction/form-index.ts'
import { codedForms, decoded, type Stream, streamOf } from './redaction/forms.ts'

/** Shorter values are not secrets. */
const shortest = 6

/** The header and the claims of a JWT. */
const jwt = /^(eyJ[\w-]+\.)([\w-]+)\./

/** Times and uids in claims, which page tokens hold as well. */
const shared = /\d{8,}|[\da-f]{16,}(\/[\da-f]+)*/gi

/**
 * The values that must never be shown, each with the name that replaces it. Everything recorded of a target's answer
 * passes `redact`: no run of 16 bytes of a secret comes through, be it plain, reversed, in upper or lower case, in
 * base64, base64url, hex or percent coding.
 */
export class Secrets {
  readonly #known = new Set<string>()
  /** Secrets hidden since the last look; most runs hide more than they show. */
  readonly #unread: [value: string, name: string, least: number][] = []
  readonly #whole: Form[] = []
  readonly #parts = new FormIndex()

  /**
   * From now on `value` is shown as `name`; values too short to be a secret are left alone. Of a JWT, times and uids
   * alone are no secret.
   */
  hide(value: string, name: string): void {
    const open = openParts(value)
    let at = 0
    for (const { from, to } of [...open, { from: value.length, to: value.length }]) {
      if (from - at >= leastRun) this.#hide(value.slice(at, from), name, leastRun)
      at = to
    }
    this.#hide(value, name, leastRun + Math.max(0, ...open.map(({ from, to }) => to - from)))
  }

  /**
   * The same for a token about what the run made, signed by the suite or the target: its claims hold names and uids
   * that page tokens may hold as well, and only its signature is a secret in runs of 16 bytes.
   */
  hideSignature(token: string, name: string): void {
    // what is no JWT is its own last part
    const signature = token.split('.').at(-1)!
    this.#hide(signature, name, leastRun)
    this.#hide(token, name, Math.max(leastRun, token.length - signature.length - 1))
  }

  #hide(value: string, name: string, least: number): void {
    if (value.length < shortest || this.#known.has(value)) return
    this.#known.add(value)
    this.#unread.push([value, name, least])
  }

  redact(text: string): string {
    this.#learn()
    if (this.#known.size === 0 || text.length < shortest) return text
    const ranges: Range[] = []
    for (let stream: Stream | undefined = streamOf(text); stream; stream = decoded(stream)) this.#find(stream, ranges)
    return ranges.length === 0 ? text : without(text, ranges)
  }

  /** The same for every text in a value, including the names of members. */
  redactAll<T>(value: T): T {
    if (typeof value === 'string') return this.redact(value) as T
    if (Array.isArray(value)) return value.map((one) => this.redactAll(one)) as T
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, member]) => [this.redact(name), this.redactAll(member)])
    return Object.fromEntries(members) as T
  }

  /** The same for the members of an object, except those whose words are the suite's own. */
  redactBut<T extends object>(value: T, own: readonly string[]): T {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      own.includes(name) ? member : this.redactAll(member),
    ])
    return Object.fromEntries(members) as T
  }

  #learn(): void {
    for (const [value, name, least] of this.#unread.splice(0)) {
      for (const bytes of codedForms(value)) {
        // as a whole if it is shorter than the shortest run
        if (bytes.length < leastRun) this.#whole.push({ bytes, name }, { bytes: bytes.toReversed(), name })
        else this.#parts.add({ bytes, name, least })
      }
    }
  }

  #find({ bytes, from, to }: Stream, ranges: Range[]): void {
    const found = (range: Range) => ranges.push({ from: from(range.from), to: to(range.to - 1), name: range.name })
    for (const { bytes: whole, name } of this.#whole) {
      for (let at = bytes.indexOf(whole); at >= 0; at = bytes.indexOf(whole, at + 1))
        found({ from: at, to: at + whole.length, name })
    }
    this.#parts.find(bytes, found)
  }
}

/** Where a JWT encodes times and uids; nowhere in any other text. */
function openParts(value: string): { from: number; to: number }[] {
  const [, header, claims] = jwt.exec(value) ?? []
  if (header === undefined || claims === undefined) return []
  const text = Buffer.from(claims, 'base64url').toString('latin1')
  return [...text.matchAll(shared)].map(({ 0: part, index }) => ({
    from: header.length + Math.floor((index * 4) / 3),
    to: header.length + Math.ceil(((index + part.length) * 4) / 3),
  }))
}

/** The text with names in place of ranges; where ranges overlap, the longest gives the name. */
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
