import { decodeJwt } from 'jose'
import type { Clock } from '../api/clock.ts'
import { whereOf } from '../assertions/refused.ts'
import { violated } from '../assertions/violation.ts'
import type { Answer } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { apiTokenIn } from './api-token.ts'

/** The lifetime of an exchanged token (S5.5), and how far the clocks of a service may differ, in seconds. */
const [hour, tolerance] = [3_600, 60]
/** How far an `iat` may be from the exchange where no clock is known: as far as the time of what was just made (R2). */
const farthestIssue = 20 * 60

/**
 * Fails unless the API token in an answer states a lifetime of an hour (R40): from its `iat`, or from the time of the
 * answer by the target's clock, which is its hook's or the `Date` of the answer. Inconclusive where it states none.
 */
export function livesAnHour(answer: Answer, clock: Clock): void {
  const { iat, exp } = claimsOf(apiTokenIn(answer))
  if (typeof exp !== 'number') {
    leftOpen(clock, 'the API token does not say when it ends: that takes a clock that can be moved')
    return
  }
  const now = (clock.lastKnown() ?? Date.parse(answer.headers.date ?? '')) / 1000
  const [stated, ahead] = [typeof iat === 'number' ? exp - iat : undefined, Number.isNaN(now) ? undefined : exp - now]
  if (stated === hour || (ahead !== undefined && Math.abs(ahead - hour) <= tolerance)) return
  // `exp` may be right by the clock of the target, which nobody knows (R2)
  if (ahead === undefined && (stated === undefined || Math.abs(stated - hour) <= farthestIssue)) {
    const why = stated === undefined ? 'has no iat' : `states ${stated} s from its iat on`
    leftOpen(clock, `the API token ${why}, and no clock is known: that takes a clock that can be moved`)
    return
  }
  violated({
    message: 'an exchanged API token does not live for one hour',
    expected: `exp - iat of ${hour}, or exp an hour ahead of the target's clock, within ${tolerance} s (R40)`,
    got: [
      stated === undefined ? 'no iat' : `exp - iat of ${stated}`,
      ahead === undefined ? 'no clock of the target' : `exp ${Math.round(ahead)} s ahead of the target's clock`,
    ].join(', '),
    where: whereOf(answer),
  })
}

/** Inconclusive, unless the requirements that move the clock decide how long the token really lives. */
function leftOpen({ movable }: Clock, why: string): void {
  if (!movable) throw new Inconclusive(why)
}

function claimsOf(token: string | undefined): { iat?: unknown; exp?: unknown } {
  try {
    return decodeJwt(token ?? '')
  } catch {
    return {}
  }
}
