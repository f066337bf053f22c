import type { Case, Header } from '../../schemas/types.ts'
import type { Progress } from './reporter.ts'
import { settle } from './verdict.ts'

/** How long a count may be out of date, in milliseconds: a new one judges all cases together. */
const lasts = 1_000

/**
 * Shows the failures of a run as its report will have them: a case that another one blocks, that could not be decided,
 * or that only warns, has not failed. `ended` gives the cases so far.
 */
export function countingFailures(
  progress: Progress,
  ended: () => readonly Case[],
  catalogue: readonly Header[],
): Required<Pick<Progress, 'collected' | 'ended'>> {
  let awaited = 0
  let isCounted = true
  let countedAt = performance.now()
  return {
    collected(total) {
      awaited += total
      progress.collected?.(total)
    },
    ended(id, bad) {
      awaited--
      if (bad) isCounted = false
      if (!isCounted && (awaited === 0 || performance.now() - countedAt > lasts)) {
        progress.failed?.(settle(ended(), catalogue).filter(({ outcome }) => outcome === 'fail').length)
        isCounted = true
        countedAt = performance.now()
      }
      progress.ended?.(id, false)
    },
  }
}
