import { apiOver } from '../api/api.ts'
import type { Run } from '../arrange/run.ts'
import { makeScratch, type RunGroup } from '../arrange/scratch.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Leaning, stories } from './commands.ts'
import { tell } from './execute.ts'
import { checkStories, type Outcome, type Tell } from './shrink.ts'

/** How many commands a story has: with what is read half way and at the end, some thirty calls one after the other. */
const usualLength = 20
/** How many stories are told side by side. */
const usualCount = 8

/** Gives the way to tell drawn stories to a target; of one that goes wrong `found` is told the shortest form. */
export function modelChecker(
  { run, runGroup, id }: { run: Run; runGroup: RunGroup; id: string },
  found: (outcome: Outcome) => void,
) {
  const tellOnce: Tell = async (story, pace) => {
    const exchanges: Exchange[] = []
    const api = apiOver(run, { phase: 'act', exchanges })
    const setUp = apiOver(run, { phase: 'arrange', exchanges })
    try {
      const scratch = await makeScratch(setUp, { ...run, runGroup })
      return {
        mishap: await tell(story, { api, scratch, names: run.names, eventually: run.eventually }, pace),
        exchanges,
      }
    } catch (error) {
      return { mishap: { error: error as Error, at: 0, steps: [], kind: 'no scratch group' }, exchanges }
    }
  }
  return (leaning: Leaning, length = usualLength, count = usualCount): Promise<void> =>
    checkStories(stories(leaning, length), tellOnce, {
      seed: run.config.seed,
      id,
      count,
      // what lags has to be seen before it is built upon
      pace: { reads: run.lateness.any ? 'after each' : 'half way' },
      evidence: found,
    })
}
