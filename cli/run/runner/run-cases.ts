import type { ProvidedContext } from 'vitest'
import type { Selection } from '../../../helpers/requirement/selection.ts'
import { countingFailures } from '../../../reports/judge/failures.ts'
import { gather, type Progress } from '../../../reports/judge/reporter.ts'
import { collectHeaders } from '../../input/collect.ts'
import { Refused } from '../../input/refused.ts'
import { type Ending, notRun, reasonOf } from '../limits.ts'
import { hearing } from './notices.ts'
import { withVitest } from './vitest.ts'

/** Runs the selected cases; those that an early end kept from running say so. */
export async function runCases(
  run: ProvidedContext['run'],
  { selection, shuffle }: { selection: Selection; shuffle: boolean },
  listener: Progress,
  { signal, watch, end }: Ending,
) {
  if (signal.aborted) throw new Refused(`Nothing was examined: ${reasonOf(signal)} before the first case.`)
  const shown = countingFailures(listener, () => gathered.ended(), await collectHeaders())
  const ended: Progress['ended'] = (id, bad) => {
    shown.ended(id, bad)
    if (bad) watch(gathered.ended)
  }
  let stop = () => {}
  const collected: Progress['collected'] = (total) => {
    shown.collected(total)
    // nothing is reported before the first case
    if (signal.aborted) stop()
  }
  const gathered = gather({ ...listener, collected, ended })
  const notices = hearing({ end, doing: (what) => listener.doing?.(what) })
  const crash = await withVitest(
    { run: { ...run, channel: notices.channel }, selection },
    gathered,
    { shuffle },
    async (vitest) => {
      stop = () => void vitest.cancelCurrentRun('keyboard-input')
      signal.addEventListener('abort', stop)
      try {
        await vitest.start()
        return []
      } catch (error) {
        return [`the runner gave up: ${(error as Error).message}`]
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  )
  const { sent, traced } = await notices.last()
  const cut = reasonOf(signal)
  return {
    cases: cut === undefined ? gathered.cases() : notRun(gathered.cases(), cut),
    exchangesSent: Math.max(gathered.sent(), sent),
    traced,
    problems: [...gathered.problems(), ...crash, ...(cut === undefined ? [] : [cut])],
  }
}
