import { present } from '../../schemas/present.ts'
import type { Phase } from './case-errors.ts'
import type { Secrets } from './secrets.ts'

/** One request with its answer, as anybody may see it: without secrets. */
export interface Exchange {
  /** Its number in the run, in the order of sending. */
  number: number
  operation: string
  phase: Phase
  /** When it was sent: RFC 3339, by the suite's own clock. */
  sentAt: string
  /** From sending to the last byte, in milliseconds. */
  ms: number
  request: { method: string; url: string; headers: Record<string, string>; body?: string }
  /** Absent where no answer came. */
  response?: { status: number; headers: Record<string, string>; body: string; bytes: number }
  /** Why there was no answer. */
  silence?: string
}

/** The most of a body that is kept as evidence, in characters. */
const bodyLimit = 16_384

/** The one place where an exchange is recorded; its secrets are removed when it is first read. */
export function record(raw: Exchange, secrets: Secrets): Exchange {
  // a getter may give undefined where a member would be absent
  return new Recorded(raw, secrets) as Exchange
}

/** A class, not an object with its own getters: a run keeps thousands. */
class Recorded {
  readonly number: number
  readonly operation: string
  readonly phase: Phase
  readonly sentAt: string
  readonly ms: number
  declare readonly silence?: string
  readonly #secrets: Secrets
  #request: Exchange['request']
  #response: Exchange['response']
  #isClean = false

  constructor({ number, operation, phase, sentAt, ms, request, response, silence }: Exchange, secrets: Secrets) {
    this.number = number
    this.operation = operation
    this.phase = phase
    this.sentAt = sentAt
    this.ms = ms
    this.#secrets = secrets
    this.#request = request
    // what is never shown is not kept while the case goes on
    this.#response = response && { ...response, body: early(response.body) }
    if (silence !== undefined) this.silence = secrets.redact(silence)
  }

  get request(): Exchange['request'] {
    this.#clean()
    return this.#request
  }

  get response(): Exchange['response'] {
    this.#clean()
    return this.#response
  }

  #clean(): void {
    if (this.#isClean) return
    this.#isClean = true
    const text = (value: string) => this.#secrets.redact(value)
    const headers = (all: Record<string, string>) => this.#secrets.redactAll(withoutCookies(all))
    const [request, response] = [this.#request, this.#response]
    this.#request = {
      ...request,
      url: text(request.url),
      headers: headers(request.headers),
      ...(request.body === undefined ? {} : { body: capped(text(request.body)) }),
    }
    this.#response = response && { ...response, headers: headers(response.headers), body: capped(text(response.body)) }
  }
}

/** The same as a plain object, which can be sent to another thread: class getters are not copied. */
export function plain({ number, operation, phase, sentAt, ms, request, response, silence }: Exchange): Exchange {
  const came = present({ response, silence })
  return { number, operation, phase, sentAt, ms, request, ...came }
}

/** Headers without those that are never shown. */
export function withoutCookies(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, hidden.test(name) ? '…' : value]))
}

/** Hides a secret that an answer reveals first: anyone who reads the code of an invite can join the group. */
export function withoutCodes(operation: string, text: string): string {
  if (!/^(grpc\.)?groupInvite\./.test(operation)) return text
  return text.replace(/("code"\s*:\s*")[^"]+"/g, '$1<code of the invite>"')
}

const hidden = /^(cookie|set-cookie|proxy-authorization)$/i

/** A body cut where no cut secret shows any more; a copy, because a slice keeps the whole body in memory. */
function early(text: string): string {
  return text.length > 2 * bodyLimit ? Buffer.from(text.slice(0, 2 * bodyLimit)).toString() : text
}

function capped(text: string): string {
  return text.length > bodyLimit ? `${text.slice(0, bodyLimit)}… (cut)` : text
}
