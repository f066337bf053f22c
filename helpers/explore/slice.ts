import type { RecordedCall } from '../../schemas/types.ts'
import { needsOf, whole } from './recorded.ts'

const makes = ({ does }: RecordedCall) => does === 'create'
const reads = ({ does }: RecordedCall) => does === 'get' || does === 'list'

/**
 * Likely explanations, the shortest first: the writes on some resources, their ancestors, children and what they bind,
 * including deleted ones; then every write; each with the calls that show the finding.
 */
export function slices(calls: readonly RecordedCall[], about: ReadonlySet<number>): RecordedCall[][] {
  const related = relatedTo(calls, about)
  const last = calls.at(-1)!
  const shows = withPages(calls, last)
  const isShown = (call: RecordedCall) => shows.has(call.number)
  const touches = (call: RecordedCall) =>
    related.has(call.number) || needsOf(call).some((number) => related.has(number))
  const own = calls.filter((call) => isShown(call) || (!reads(call) && touches(call)))
  const writes = calls.filter((call) => isShown(call) || !reads(call))
  return [whole(own), whole(writes)].filter(({ length }) => length > 0 && length < calls.length)
}

/** The creates of some resources, of what contains them, and of what they contain or bind. */
function relatedTo(calls: readonly RecordedCall[], about: ReadonlySet<number>): Set<number> {
  const related = new Set(about)
  const made = calls.filter(makes)
  for (const call of made.toReversed())
    if (related.has(call.number)) for (const above of needsOf(call)) related.add(above)
  for (const call of made) if (needsOf(call).some((number) => about.has(number))) related.add(call.number)
  return related
}

/** The numbers of a call and of the pages that lead to it. */
function withPages(calls: readonly RecordedCall[], last: RecordedCall): Set<number> {
  const numbers = new Set([last.number])
  for (const call of calls.toReversed()) {
    if (!numbers.has(call.number)) continue
    for (const number of needsOf(call)) numbers.add(number)
  }
  return numbers
}
