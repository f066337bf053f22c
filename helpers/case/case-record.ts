import type { Exchange } from '../http/exchange.ts'
import type { Header } from '../requirement/header.ts'

/** What a case leaves behind for the report. */
export interface CaseRecord {
  header: Header
  /** Only where it did not pass. */
  exchanges?: Exchange[]
  /** How many calls it made, without shared arrangement. */
  requests?: number
  /** What an `observe` case saw, in words that can be compared between releases. */
  observed?: string
  /** How much evidence the case found: pages, ties, comparisons. */
  met?: Record<string, number>
  /** The shortest steps to a failure that needs a history, in plain words. */
  steps?: string[]
  /** When it began: RFC 3339, by the suite's own clock. */
  startedAt?: string
  /** How long it took, in milliseconds, arrangement included. */
  ms?: number
  /** How many calls the run had sent when it ended. */
  sent?: number
  /** Operations that answered in the run, unless an earlier case reported them. */
  answered?: string[]
  /** Its throw-away group. */
  scratch?: string
}
