import type { Phase } from './stopped.ts'

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

/** The values that must never be shown, each with the name that stands in its place. */
export class Secrets {
  #names = new Map<string, string>()

  /** From now on `value` is shown as `name`; values too short to be a secret are left alone. */
  hide(value: string, name: string): void {
    if (value.length < 6) return
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      this.#names.set(form, name)
    }
  }

  redact(text: string): string {
    const longestFirst = [...this.#names].sort(([a], [b]) => b.length - a.length)
    return longestFirst.reduce((shown, [value, name]) => shown.replaceAll(value, name), text)
  }
}

/** The one place where an exchange is written down, and where its secrets are taken out. */
export function record(raw: Exchange, secrets: Secrets): Exchange {
  const text = (value: string) => secrets.redact(value)
  const headers = (all: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, hidden.test(name) ? '…' : text(value)]),
    )
  const { request, response } = raw
  return {
    ...raw,
    request: {
      ...request,
      url: text(request.url),
      headers: headers(request.headers),
      ...(request.body === undefined ? {} : { body: capped(text(request.body)) }),
    },
    ...(response && {
      response: { ...response, headers: headers(response.headers), body: capped(text(response.body)) },
    }),
    ...(raw.silence === undefined ? {} : { silence: text(raw.silence) }),
  }
}

const hidden = /^(cookie|set-cookie|proxy-authorization)$/i

function capped(text: string): string {
  return text.length > bodyLimit ? `${text.slice(0, bodyLimit)}… (cut)` : text
}
