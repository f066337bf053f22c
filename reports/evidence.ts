import type { Exchange } from '../helpers/exchange.ts'

const mostExchanges = 12
const mostCharacters = 64 * 1024

/** The exchanges that a report keeps of one case: the last ones, oldest first, within 12 and 64 KB. */
export function keepEvidence(exchanges: readonly Exchange[]): Exchange[] {
  const kept: Exchange[] = []
  let room = mostCharacters
  for (const exchange of exchanges.slice(-mostExchanges).reverse()) {
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
