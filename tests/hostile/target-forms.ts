import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Passing } from './proxy.ts'
/** One target that does not play fair, and what a run against it has to come to. */
export interface Hostile {
  what: string
  /** A server of its own, bare bytes, or a reference whose answers are altered. */
  does:
    | { http: RequestListener }
    | { bytes: (socket: Socket) => void }
    | { alters: (passing: Passing) => string | number | undefined }
  /** What the run says, on any of its two streams. */
  says: RegExp
  exit: number[]
  /** In seconds; every run has `--max-stall 4s`. */
  within?: number
}

export const verdict = /^VERDICT (nonconformant|undetermined) |does not answer|this API is not there/m
export const judged = [1, 2, 3]
export const alters = (
  what: string,
  alter: (passing: Passing) => string | number | undefined,
  more: Partial<Hostile> = {},
): Hostile => ({
  what,
  does: { alters: alter },
  says: verdict,
  exit: judged,
  ...more,
})

export const onCreates =
  (change: (body: Record<string, unknown>, passing: Passing) => unknown) =>
  (passing: Passing): string | undefined => {
    if (passing.method !== 'POST' || passing.status > 299) return undefined
    return JSON.stringify(change(JSON.parse(passing.body), passing))
  }

export const token = 'hostile-token-0123456789abcdefghijklmnop'
