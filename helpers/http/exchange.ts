import type { Phase } from './case-errors.ts'
import type { Secrets } from './secrets.ts'

/** One request with its answer, as it may be shown to anybody: secrets are already out of it. */
export interface Exchange {
  /** Its number in the run, in the order of sending. */
  number: number
  operation: string
  phase: Phase
  /** When it was sent: an RFC 3339 time by the suite's own clock. */
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

/** The one place where an exchange is written down; its secrets are taken out when it is first looked at. */
export function record(raw: Exchange, secrets: Secrets): Exchange {
  const text = (value: string) => secrets.redact(value)
  const headers = (all: Record<string, string>) => secrets.redactAll(withoutCookies(all))
  const { request, response: whole, silence, ...facts } = raw
  // what is never shown is not held on to while the case goes on
  const response = whole && { ...whole, body: early(whole.body) }
  const shownRequest = () => ({
    ...request,
    url: text(request.url),
    headers: headers(request.headers),
    ...(request.body === undefined ? {} : { body: capped(text(request.body)) }),
  })
  const shownResponse = (came: NonNullable<Exchange['response']>) => ({
    ...came,
    headers: headers(came.headers),
    body: capped(text(came.body)),
  })
  const exchange = { ...facts } as Exchange
  lazily(exchange, 'request', shownRequest)
  if (response) lazily(exchange, 'response', () => shownResponse(response))
  if (silence !== undefined) exchange.silence = text(silence)
  return exchange
}

/** Headers without what is never shown. */
export function withoutCookies(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, hidden.test(name) ? '…' : value]))
}

/** Gives an object a member that is made when it is first read, and is like any other from then on. */
export function lazily<T extends object, Name extends keyof T>(owner: T, name: Name, make: () => T[Name]): void {
  const settle = { configurable: true, enumerable: true }
  Object.defineProperty(owner, name, {
    ...settle,
    get() {
      const value = make()
      Object.defineProperty(owner, name, { ...settle, value })
      return value
    },
  })
}

/** Hides a secret that an answer reveals first: the code of an invite admits anyone who reads it to the group. */
export function withoutCodes(operation: string, text: string): string {
  if (!/^(grpc\.)?groupInvite\./.test(operation)) return text
  return text.replace(/("code"\s*:\s*")[^"]+"/g, '$1<code of the invite>"')
}

const hidden = /^(cookie|set-cookie|proxy-authorization)$/i

/** A body cut where a secret that is cut with it is no longer shown; a copy, because a slice keeps the whole. */
function early(text: string): string {
  return text.length > 2 * bodyLimit ? Buffer.from(text.slice(0, 2 * bodyLimit)).toString() : text
}

function capped(text: string): string {
  return text.length > bodyLimit ? `${text.slice(0, bodyLimit)}… (cut)` : text
}
