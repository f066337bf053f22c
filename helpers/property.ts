import fc from 'fast-check'
import type { Exchange } from './exchange.ts'

/** One input that was tried. */
interface Trial {
  index: number
  exchanges: Exchange[]
  error?: unknown
}

/** How many further inputs are tried for a smaller one that fails, too. */
const shrinkTries = 60

/**
 * Checks that something holds for every drawn input: all are tried side by side, and the first that fails is shrunk; one
 * of which it could not be told counts only where none fails.
 * `holds` gets the list into which its exchanges go; those of the smallest failing input are handed to `evidence`.
 */
export async function checkForAll<T>(
  arbitrary: fc.Arbitrary<T>,
  holds: (input: T, exchanges: Exchange[]) => Promise<void>,
  { seed, runs, evidence }: { seed: number; runs: number; evidence: (exchanges: Exchange[]) => void },
): Promise<void> {
  const inputs = fc.sample(arbitrary, { seed, numRuns: runs })
  const attempt = async (input: T, index: number): Promise<Trial> => {
    const exchanges: Exchange[] = []
    try {
      await holds(input, exchanges)
      return { index, exchanges }
    } catch (error) {
      return { index, exchanges, error }
    }
  }
  const trials = await Promise.all(inputs.map(attempt))
  const first = trials.find(({ error }) => isClaim(error)) ?? trials.find(({ error }) => error !== undefined)
  if (first === undefined) return
  let smallest: Trial & { input: T } = { ...first, input: inputs[first.index] as T }
  if (isClaim(first.error)) {
    let tries = 0
    const property = fc.asyncProperty(arbitrary, async (input) => {
      if (tries++ >= shrinkTries) return
      const trial = await attempt(input, first.index)
      if (!isClaim(trial.error)) return
      smallest = { ...trial, input }
      throw trial.error
    })
    await fc.check(property, { seed, path: String(first.index), numRuns: 1 })
  }
  evidence(smallest.exchanges)
  const error = smallest.error as Error
  error.message = `for ${fc.stringify(smallest.input)} (seed ${seed}): ${error.message}`
  throw error
}

function isClaim(error: unknown): boolean {
  return error instanceof Error && error.name === 'AssertionError'
}
