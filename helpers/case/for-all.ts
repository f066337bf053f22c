import fc from 'fast-check'
import { isObject } from '../api/received.ts'
import { isViolation } from '../assertions/violation.ts'
import { Inconclusive } from '../http/case-errors.ts'
import type { Exchange } from '../http/exchange.ts'

/** One input that was tried. */
interface Trial<R = unknown> {
  /** Which arbitrary drew it, and as which of its inputs. */
  from: number
  index: number
  exchanges: Exchange[]
  result?: R
  error?: unknown
}

/** How many further inputs are tried to shrink a failing one. */
const shrinkTries = 60

/**
 * Checks that something holds for every drawn input: all are tried side by side, and the first that fails is shrunk;
 * one that could not be decided counts only if none fails. Each arbitrary gives `runs` inputs. `holds` gets the list
 * for its exchanges: those of the smallest failing input, or of all if none fails, go to `evidence`. Returns the result
 * of each input.
 */
export async function checkForAll<T, R>(
  arbitraries: fc.Arbitrary<T> | readonly fc.Arbitrary<T>[],
  holds: (input: T, exchanges: Exchange[]) => Promise<R>,
  { seed, runs, evidence }: { seed: number; runs: number; evidence: (exchanges: Exchange[]) => void },
): Promise<R[]> {
  const sources = [arbitraries].flat() as fc.Arbitrary<T>[]
  const drawn = sources.flatMap((source, from) =>
    fc.sample(source, { seed: seed + from, numRuns: runs }).map((input, index) => ({ input, from, index })),
  )
  const attempt = async (input: T, place: Pick<Trial, 'from' | 'index'>): Promise<Trial<R>> => {
    const { from, index } = place
    const exchanges: Exchange[] = []
    try {
      return { from, index, exchanges, result: await holds(input, exchanges) }
    } catch (error) {
      return { from, index, exchanges, error }
    }
  }
  const trials = await Promise.all(drawn.map(({ input, ...place }) => attempt(input, place)))
  const first = trials.find(({ error }) => isViolation(error)) ?? trials.find(({ error }) => error !== undefined)
  if (first === undefined) {
    evidence(trials.flatMap(({ exchanges }) => exchanges))
    return trials.map(({ result }) => result as R)
  }
  let smallest: Trial & { input: T } = {
    ...first,
    input: drawn[trials.indexOf(first)]!.input,
  }
  if (isViolation(first.error)) {
    let tries = 0
    const property = fc.asyncProperty(sources[first.from]!, async (input) => {
      if (tries++ >= shrinkTries) return
      const trial = await attempt(input, first)
      if (!isViolation(trial.error)) return
      smallest = { ...trial, input }
      throw trial.error
    })
    await fc.check(property, { seed: seed + first.from, path: String(first.index), numRuns: 1 })
  }
  evidence(smallest.exchanges)
  const error = smallest.error as Error
  // what ended a run early has nothing to do with the input
  if (!(error instanceof Inconclusive)) error.message = `for ${shown(smallest.input)} (seed ${seed}): ${error.message}`
  throw error
}

/** An input as a reader sees it: what was left out of it is not shown. */
const shown = (input: unknown) =>
  fc.stringify(
    isObject(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) : input,
  )

/** The same items in an order that the seed decides. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const order = fc.shuffledSubarray([...items], { minLength: items.length })
  return fc.sample(order, { seed, numRuns: 1 })[0]!
}
