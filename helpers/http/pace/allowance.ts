/**
 * How many more calls a target takes, and for how many milliseconds: by `RateLimit-Remaining` and `-Reset`, their `X-`
 * forms, or `RateLimit` alone. A reset is in seconds, or a moment in seconds or milliseconds since 1970.
 */
export function allowance(headers: Record<string, string>): { remaining: number; ms: number } | undefined {
  const one = headers.ratelimit ?? ''
  const remaining =
    headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining'] ?? /(?:remaining=|;\s*r=)(\d+)/.exec(one)?.[1]
  const reset = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? /(?:reset=|;\s*t=)(\d+)/.exec(one)?.[1]
  if (remaining === undefined || reset === undefined || !/^\s*\d{1,12}/.test(remaining)) return undefined
  const at = /^\s*\d+(\.\d+)?\s*$/.test(reset) ? Number(reset) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const now = (Date.parse(headers.date ?? '') || Date.now()) / 1000
  // in milliseconds, such a number was a moment in 1973
  const seconds = at > 1e11 ? at / 1000 - now : at > 1e9 ? at - now : at
  return { remaining: Number.parseInt(remaining, 10), ms: Math.max(0, seconds) * 1000 }
}
