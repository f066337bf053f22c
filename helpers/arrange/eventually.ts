import { setTimeout as sleep } from 'node:timers/promises'
import { NoSuchOperation } from '../http/case-errors.ts'

/** Reads what a case wrote and judges it; on a target whose lists lag, again and again for as long as R52 allows. */
export type Eventually = <T>(readAndJudge: () => Promise<T> | T) => Promise<T>

/** How long a list may take before its lag counts as none (R52), in milliseconds. */
const longestLag = 5_000
const between = 40

/** How soon after a create a reading has to be answered to tell that there is no lag, in milliseconds. */
const sharp = 50
/** How often something is made for a reading that sharp. */
const mostProbes = 3

/**
 * Measures how long a list takes to show what was just made, in milliseconds: 0 where a first reading shows it, or none
 * ever does. A reading that came back late would have missed a short lag: it is made once more with something new.
 */
export async function measureLag(make: () => Promise<() => Promise<boolean>>): Promise<number> {
  for (let probes = 1; ; probes++) {
    const shows = await make().catch((error: unknown) => {
      // a target that takes no more has told enough
      if (probes === 1) throw error
    })
    if (!shows) return 0
    const started = performance.now()
    const since = () => performance.now() - started
    if (await shows()) {
      if (since() <= sharp || probes === mostProbes) return 0
      continue
    }
    while (since() < longestLag) {
      await sleep(between)
      if (await shows()) return since()
    }
    return 0
  }
}

/** The way to judge what the case itself wrote: once where there is no lag, else until it holds or time is up (R52). */
export function eventuallyWithin(lag: number): Eventually {
  const patience = lag === 0 ? 0 : Math.max(2_000, 10 * lag)
  return async (readAndJudge) => {
    const started = performance.now()
    for (;;) {
      const began = performance.now()
      try {
        return await readAndJudge()
      } catch (error) {
        const mayPass =
          ['AssertionError', 'Stopped'].includes((error as Error).name) || error instanceof NoSuchOperation
        // a reading that began in time may have met the lag, however long it took
        if (!mayPass || began - started >= patience) throw error
        await sleep(between)
      }
    }
  }
}
