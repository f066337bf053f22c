import type { Selection } from '../helpers/requirement/selection.ts'
import type { Examined } from './judge.ts'

/** A server with some faults at once, or a lawful one with some variants, by name; without any, the reference. */
export type Server = { faults: string[] } | { variants: string[] }

/** How a server is to be examined. */
export interface Job {
  server: Server
  selection: Selection
  /** Default: 1. */
  seed?: number
  /** Begins the cases in an order that depends on the seed. */
  shuffle?: boolean
  /** How many answers in a hundred are lost on their way. */
  losing?: number
  /** Variables that the run finds in its environment. */
  environment?: Record<string, string>
}

/** The result of a job: what the run said, or why it ended early. */
export type Result = { examined: Examined } | { crash: string }

/** The names of a server's faults, or of its variants. */
export function nameOf(server: Server): string {
  const names = 'faults' in server ? server.faults : server.variants
  return names.length === 0 ? 'the reference' : names.join('; ')
}
