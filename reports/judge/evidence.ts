import type { Exchange } from '../../schemas/types.ts'

const mostExchanges = 12
/** The most exchanges that are kept if steps lead to the failure: each of them belongs to it. */
export const mostOfStory = 60
const mostCharacters = 64 * 1024

/** The exchanges that a report keeps of one case: the last ones, oldest first, within 12 (or `most`) and 64 KB. */
export function keepEvidence(exchanges: readonly Exchange[], most = mostExchanges): Exchange[] {
  const kept: Exchange[] = []
  let room = mostCharacters
  for (const exchange of exchanges.slice(-most).reverse()) {
    room -= JSON.stringify(exchange).length
    if (room < 0 && kept.length > 0) break
    kept.unshift(exchange)
  }
  return kept
}

/** The exchanges by phase: what prepared the case, and what it is about. */
export function byPhase(exchanges: readonly Exchange[] = []): { arranged: Exchange[]; acted: Exchange[] } {
  return {
    arranged: exchanges.filter(({ phase }) => phase === 'arrange'),
    acted: exchanges.filter(({ phase }) => phase === 'act'),
  }
}
