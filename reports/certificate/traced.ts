import type { Level, TraceEnded, TraceFooter, TraceHeader } from '../../schemas/types.ts'

/** What a trace shows for a row that it decides, at the moment when the run decided it. */
export interface Decided {
  outcome: 'holds' | 'broken' | 'open'
  /** How often it was judged. */
  met: number
  level: Level
  /** The words of the contract that were broken, where the row quotes others. */
  quote?: string
  expected?: string
  got?: string
  /** The exchange that shows it, with its request. */
  shown?: string
}

/** What a report shows of an exchange, as the trace has it. */
export interface Known {
  operation: string
  method: string
  path: string
  status?: number
}

/** A trace that was read and judged again. */
export interface JudgedTrace {
  file: string
  sha256: string
  header: TraceHeader
  footer: TraceFooter
  /** Where it contradicts itself, a line each. */
  problems: string[]
  exchanges: number
  /** When the first call was sent, and the last one, as RFC 3339 times; absent if none was. */
  first?: string
  last?: string
  /** How the cases ended, by requirement. */
  ended: ReadonlyMap<string, TraceEnded>
  /** The rows that it decides. */
  decided: ReadonlyMap<string, Decided>
  /** Which operations were answered with 2xx, and which otherwise, where the run's own token was sent. */
  answered: ReadonlySet<string>
  refused: ReadonlySet<string>
  /** Its exchanges by number and time of sending. */
  known: ReadonlyMap<string, Known>
}

/** The key of an exchange among those of a trace. */
export const keyOf = (number: number, sentAt: string) => `${number} ${sentAt}`
