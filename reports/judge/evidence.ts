import type { Ending, Exchange } from '../../schemas/types.ts'

const mostExchanges = 12
/** The most exchanges that are kept if steps lead to the failure: each of them belongs to it. */
export const mostOfStory = 60
const mostCharacters = 64 * 1024

/**
 * The exchanges that a report keeps of one case: the last ones, oldest first, within 12 (or `most`) and 64 KB, without
 * repeated readings; `where`: the exchange that a failure names, which is always among them.
 */
export function keepEvidence(exchanges: readonly Exchange[], most = mostExchanges, where?: string): Exchange[] {
  const kept: Exchange[] = []
  let room = mostCharacters
  for (const exchange of lastOf(withoutRepeats(exchanges, where), most, where).reverse()) {
    room -= JSON.stringify(exchange).length
    if (room < 0 && kept.length > 0) break
    kept.unshift(exchange)
  }
  return kept
}

/** Of equal readings with equal answers, the last: what led to them would otherwise be left out. */
function withoutRepeats(exchanges: readonly Exchange[], where?: string): Exchange[] {
  const seen = new Set<string>()
  const isNew = ({ operation, request, response }: Exchange) => {
    const key = JSON.stringify([request, response?.status, response?.body])
    const isRepeat = /\.(get|list)$/.test(operation) && seen.has(key)
    seen.add(key)
    return !isRepeat
  }
  return exchanges
    .toReversed()
    .filter((each) => isNew(each) || each.number === exchangeIn(where))
    .reverse()
}

/** The last exchanges; where those would leave out the one that a failure names, the last up to it. */
export function lastOf(exchanges: readonly Exchange[], most: number, where?: string): Exchange[] {
  const at = exchanges.findIndex(({ number }) => number === exchangeIn(where))
  const end = at >= 0 && at < exchanges.length - most ? at + 1 : exchanges.length
  return exchanges.slice(Math.max(0, end - most), end)
}

/** The number of the exchange that a failure names. */
export const exchangeIn = (where = ''): number => Number(/^exchange (\d+)/.exec(where)?.[1])

/** The number of the exchange in which a walk ended, from what a failure says. */
export const endIn = (note = ''): number => Number(/, up to exchange (\d+)$/.exec(note)?.[1])

/** The exchange that the ending of a case names. */
export const whereIn = (ending: Ending): string | undefined => ('where' in ending ? ending.where : undefined)

/** The exchanges by phase: what prepared the case, and what it is about. */
export function byPhase(exchanges: readonly Exchange[] = []): { arranged: Exchange[]; acted: Exchange[] } {
  return {
    arranged: exchanges.filter(({ phase }) => phase === 'arrange'),
    acted: exchanges.filter(({ phase }) => phase === 'act'),
  }
}
