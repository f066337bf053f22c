import { setTimeout as sleep } from 'node:timers/promises'
import { NoSuchOperation } from './stopped.ts'

/** Reads what a case wrote and judges it; on a target whose lists lag, again and again for as long as R52 allows. */
export type Settled = <T>(readAndJudge: () => Promise<T> | T) => Promise<T>

/** How long a list may take before its lag counts as none (R52), in milliseconds. */
const longestLag = 5_000
const between = 40

/** Measures once how long a list takes to show what was just made: 0 where the first reading shows it, or none ever does. */
export async function measureLag(shows: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  if (await shows()) return 0
  while (performance.now() - started < longestLag) {
    await sleep(between)
    if (await shows()) return performance.now() - started
  }
  return 0
}

/** The way to judge what the case itself wrote: once where there is no lag, else until it holds or time is up (R52). */
export function settledWithin(lag: number): Settled {
  const patience = lag === 0 ? 0 : Math.max(2_000, 10 * lag)
  return async (readAndJudge) => {
    const started = performance.now()
    for (;;) {
      try {
        return await readAndJudge()
      } catch (error) {
        const mayPass =
          ['AssertionError', 'Stopped'].includes((error as Error).name) || error instanceof NoSuchOperation
        if (!mayPass || performance.now() - started >= patience) throw error
        await sleep(between)
      }
    }
  }
}
