import fc from 'fast-check'
import type { Exchange } from './exchange.ts'
import { type Command, fitting, relettered } from './model.ts'
import { isClaim, type Mishap } from './telling.ts'

/** What came of telling a story once. */
interface Telling {
  mishap: Mishap | undefined
  exchanges: Exchange[]
}

/** Tells a story in a scratch group of its own; with `only`, in haste: read is after that command alone. */
export type Tell = (story: readonly Command[], only?: number) => Promise<Telling>

/** A story that went wrong. */
interface Tale extends Telling {
  story: readonly Command[]
  mishap: Mishap
}

/** The most calls that are sent to find a shorter story. */
const mostCalls = 800

/** What is told about the story that went wrong. */
export interface Outcome {
  /** Its steps in plain words, the last one saying what was expected and what came. */
  steps: string[]
  exchanges: Exchange[]
}

/**
 * Tells drawn stories side by side. The first that goes wrong is told again, ever shorter, as long as the same goes
 * wrong; the shortest one is told to `evidence`, and its error thrown. `hasty` where what a story wrote need not be read
 * after every command.
 */
export async function checkStories(
  arbitrary: fc.Arbitrary<Command[]>,
  tell: Tell,
  options: { seed: number; count: number; hasty: boolean; evidence: (outcome: Outcome) => void },
): Promise<void> {
  const { seed, count, hasty, evidence } = options
  const stories = fc.sample(arbitrary, { seed, numRuns: count })
  const tellings = await Promise.all(stories.map((story) => tell(story)))
  const failed = (counts: (error: Error) => boolean) =>
    tellings.findIndex(({ mishap }) => mishap !== undefined && counts(mishap.error))
  const index = failed(isClaim) >= 0 ? failed(isClaim) : failed(() => true)
  if (index < 0) return
  const story = stories[index]!
  const first: Tale = { ...tellings[index]!, mishap: tellings[index]!.mishap!, story }
  if (!isClaim(first.mishap.error)) {
    evidence({ steps: first.mishap.steps, exchanges: first.exchanges })
    throw first.mishap.error
  }
  const shortest = await shortened(first, tell, hasty)
  const last = await confirmed(shortest, first, tell)
  evidence({ steps: last.mishap.steps, exchanges: last.exchanges })
  const kept = story.flatMap((command, at) => (shortest.story.includes(command) ? [at + 1] : []))
  const how =
    shortest === first
      ? 'which did not go wrong in this way when it was told again'
      : `shortened to ${kept.length} of its ${story.length} commands (${kept.join(', ')})`
  const { error } = last.mishap
  error.message = `in story ${index + 1} of ${count} (seed ${seed}), ${how}: ${error.message}`
  throw error
}

/** The shortest story in which the same goes wrong that the calls suffice to find; the first telling itself where it never did again. */
async function shortened(first: Tale, tell: Tell, hasty: boolean): Promise<Tale> {
  const { kind } = first.mishap
  let calls = 0
  const again = async (story: readonly Command[], inHaste: boolean): Promise<Tale | undefined> => {
    const end = first.mishap.at === first.story.length ? story.length : story.length - 1
    const { mishap, exchanges } = await tell(story, inHaste ? end : undefined)
    calls += exchanges.length
    if (mishap?.kind !== kind) return undefined
    // what comes after the mishap was never told
    return { story: story.slice(0, mishap.at + 1), mishap, exchanges }
  }
  const told = first.story.slice(0, first.mishap.at + 1)
  const inHaste = hasty ? await again(told, true) : undefined
  let shortest = inHaste ?? (await again(told, false))
  if (shortest === undefined) return first
  for (let size = Math.ceil(shortest.story.length / 2); size >= 1 && calls < mostCalls; ) {
    const shorter: (Tale | undefined)[] = await Promise.all(
      without(shortest.story, size, first).map((story) => again(story, inHaste !== undefined)),
    )
    const best = shorter.flatMap((tale) => tale ?? []).sort((a, b) => a.story.length - b.story.length)[0]
    if (best) shortest = best
    else size = Math.floor(size / 2)
    size = Math.min(size, Math.ceil(shortest.story.length / 2))
  }
  return shortest
}

/** The stories that are left when so many neighbouring commands are taken out, with all that hangs on them. */
function without(story: readonly Command[], size: number, { mishap, story: whole }: Tale): Command[][] {
  const last = mishap.at < whole.length ? story.at(-1) : undefined
  const left = story.flatMap((_, at) => {
    if (at % size > 0) return []
    const rest = fitting(story.filter((_, index) => index < at || index >= at + size))
    return rest.length > 0 && (last === undefined || rest.at(-1) === last) ? [rest] : []
  })
  const seen = new Set<string>()
  return left.filter((rest) => !seen.has(JSON.stringify(rest)) && seen.add(JSON.stringify(rest)))
}

/** The shortest story with its groups lettered anew, told once more; as it was told before where that does not go wrong. */
async function confirmed(shortest: Tale, first: Tale, tell: Tell): Promise<Tale> {
  if (shortest === first) return first
  const story = relettered(shortest.story)
  if (JSON.stringify(story) === JSON.stringify(shortest.story)) return shortest
  const ends = first.mishap.at === first.story.length
  const { mishap, exchanges } = await tell(story, ends ? story.length : story.length - 1)
  return mishap?.kind === first.mishap.kind ? { story, mishap, exchanges } : shortest
}
