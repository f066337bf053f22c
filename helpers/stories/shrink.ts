import fc from 'fast-check'
import type { Exchange } from '../http/exchange.ts'
import { isClaim, type Mishap, type Pace } from './execute.ts'
import { type Command, fitting, relettered } from './tree.ts'

/** What came of telling a story once. */
interface Telling {
  mishap: Mishap | undefined
  exchanges: Exchange[]
}

/** Tells a story in a scratch group of its own. */
export type Tell = (story: readonly Command[], pace: Pace) => Promise<Telling>

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
 * Tells drawn stories side by side, at a pace; which ones hangs on the seed and the requirement's id alone. The first that goes wrong is told again, ever shorter, as long as the same
 * goes wrong; the shortest is handed to `evidence`, and its error thrown.
 */
export async function checkStories(
  arbitrary: fc.Arbitrary<Command[]>,
  tell: Tell,
  options: { seed: number; id: string; count: number; pace: Pace; evidence: (outcome: Outcome) => void },
): Promise<void> {
  const { seed, id, count, pace, evidence } = options
  const stories = fc.sample(arbitrary, { seed: fc.hash(`${seed} ${id}`), numRuns: count })
  const tellings = await Promise.all(stories.map((story) => tell(story, pace)))
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
  const shortest = await shortened(first, tell, pace)
  const { mishap, exchanges } = shortest ? await confirmed(shortest, tell) : first
  evidence({ steps: mishap.steps, exchanges })
  const kept = story.flatMap((command, at) => (shortest?.story.includes(command) ? [at + 1] : []))
  const how = shortest
    ? `shortened to ${kept.length} of its ${story.length} commands (${kept.join(', ')})`
    : 'which did not go wrong in this way when it was told again'
  mishap.error.message = `in story ${index + 1} of ${count} (seed ${seed}), ${how}: ${mishap.error.message}`
  throw mishap.error
}

/** The shortest story that the calls suffice to find in which the same goes wrong; nothing where it never did again. */
async function shortened(first: Tale, tell: Tell, pace: Pace): Promise<Tale | undefined> {
  let calls = 0
  const again = async (story: readonly Command[], at: Pace): Promise<Tale | undefined> => {
    const { mishap, exchanges } = await tell(story, at)
    calls += exchanges.length
    if (mishap?.kind !== first.mishap.kind) return undefined
    // what comes after the mishap was never told
    return { story: story.slice(0, mishap.at + 1), mishap, exchanges }
  }
  const told = first.story.slice(0, first.mishap.at + 1)
  const hastily: Pace = { ...inHaste, only: { kind: first.mishap.reading?.kind } }
  const hasty = pace.reads === 'after each' ? undefined : await again(told, hastily)
  let shortest = hasty ?? (await again(told, pace))
  if (shortest === undefined) return undefined
  for (let size = Math.ceil(shortest.story.length / 2); size >= 1 && calls < mostCalls; ) {
    const shorter: (Tale | undefined)[] = await Promise.all(
      without(shortest.story, size).map((story) => again(story, hasty ? hastily : pace)),
    )
    const best = shorter.flatMap((tale) => tale ?? []).sort((a, b) => a.story.length - b.story.length)[0]
    if (best) shortest = best
    else size = Math.floor(size / 2)
    size = Math.min(size, Math.ceil(shortest.story.length / 2))
  }
  return shortest
}

const inHaste: Pace = { reads: 'at the end' }

/** The stories that are left when so many neighbouring commands are taken out, with all that hangs on them. */
function without(story: readonly Command[], size: number): Command[][] {
  const starts = story.flatMap((_, at) => (at % size === 0 ? [at] : []))
  const left = starts.map((from) => fitting(story.filter((_, at) => at < from || at >= from + size)))
  const texts = left.map((rest) => JSON.stringify(rest))
  return left.filter((rest, index) => rest.length > 0 && texts.indexOf(texts[index]!) === index)
}

/**
 * The shortest story with its groups lettered anew, told once more, and then with the one reading that did not fit; as
 * it was told before where that does not go wrong.
 */
async function confirmed(shortest: Tale, tell: Tell): Promise<Telling & { mishap: Mishap }> {
  const story = relettered(shortest.story)
  const again = async (before: Tale, only: Pace['only']): Promise<Tale> => {
    const { mishap, exchanges } = await tell(story, { ...inHaste, only })
    return mishap?.kind === shortest.mishap.kind ? { story, mishap, exchanges } : before
  }
  const kind = shortest.mishap.reading?.kind
  const anew = await again(shortest, { kind })
  return anew.mishap.reading === undefined ? anew : again(anew, { words: anew.mishap.reading.words })
}
