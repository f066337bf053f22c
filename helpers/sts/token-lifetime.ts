import { decodeJwt } from 'jose'
import type { Clock } from '../api/clock.ts'
import { whereOf } from '../assertions/refused.ts'
import { violated } from '../assertions/violation.ts'
import type { Answer } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { apiTokenIn } from './token-exchange.ts'

/** The lifetime of an exchanged token (S5.5), and how far the clocks of a service may differ, in seconds. */
const [hour, tolerance] = [3_600, 60]
/** How long before its exchange a token may say that it was issued, in seconds: a usual leeway. */
const backdated = 300

/**
 * Fails unless the API token in an answer states a lifetime of an hour (R40): from its `iat`, or from the time of the
 * answer by the target's clock, which is its hook's or the `Date` of the answer. Inconclusive where it states none.
 */
export function livesAnHour(answer: Answer, clock: Clock): void {
  const { iat, exp } = claimsOf(apiTokenIn(answer))
  if (typeof exp !== 'number') {
    // the requirements that move the clock decide how long it really lives
    if (clock.movable) return
    throw new Inconclusive('the API token does not say when it ends: that takes a clock that can be moved')
  }
  const now = (clock.lastKnown() ?? Date.parse(answer.headers.date ?? '')) / 1000
  const stated = typeof iat === 'number' ? exp - iat : Number.NaN
  if (stated === hour || Math.abs(exp - now - hour) <= tolerance) return
  // without a clock, a token whose iat was set some minutes off may still end in an hour (R40)
  if (Number.isNaN(now) && !(Math.abs(stated - hour) > backdated)) {
    throw new Inconclusive('neither the API token nor the answer shows when it was issued')
  }
  violated({
    message: 'an exchanged API token does not live for one hour',
    expected: `exp - iat of ${hour}, or exp an hour ahead of the target's clock, within ${tolerance} s (R40)`,
    got: `exp - iat of ${stated}, exp ${Math.round(exp - now)} s ahead of the target's clock`,
    where: whereOf(answer),
  })
}

function claimsOf(token: string | undefined): { iat?: unknown; exp?: unknown } {
  try {
    return decodeJwt(token ?? '')
  } catch {
    return {}
  }
}
