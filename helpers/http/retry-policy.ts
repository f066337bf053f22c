/** How often a call is sent before the target counts as too busy. */
export const mostTries = 8
/** The longest that a target may ask the run to wait, in milliseconds. */
export const longestPause = 120_000

/** True where the answer asks for patience: 429 and 503 for any method, 502 and 504 where asking twice is safe (R43). */
export function asksToWait(method: string, status: number): boolean {
  return status === 429 || status === 503 || (method === 'GET' && (status === 502 || status === 504))
}

/** How long to wait, in milliseconds: as `Retry-After` says, else a second, doubling (R43). */
export function pauseAskedFor(headers: Record<string, string>, tries: number): number {
  const doubling = 1000 * 2 ** (tries - 1)
  const asked = headers['retry-after']
  if (asked === undefined) return doubling
  const floor = tries === 1 ? 0 : doubling / 10
  if (/^\s*\d+\s*$/.test(asked)) return Math.max(Number(asked) * 1000, floor)
  const until = Date.parse(asked) - (Date.parse(headers.date ?? '') || Date.now())
  return Number.isNaN(until) ? doubling : Math.max(until, floor)
}
