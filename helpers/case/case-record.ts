import type { Exchange } from '../http/exchange.ts'
import type { Header } from '../requirement/header.ts'
/** What a case leaves behind for the report. */
export interface CaseRecord {
  header: Header
  /** Only where it did not pass. */
  exchanges?: Exchange[]
  /** How many calls it made, shared arrangement left out. */
  requests?: number
  /** What an `observe` case saw, in words that can be compared from release to release. */
  observed?: string
  /** How much evidence the case found: pages, ties, comparisons. */
  met?: Record<string, number>
  /** The shortest way to see a failure that needs a history, in plain words. */
  steps?: string[]
  /** When it began, an RFC 3339 time by the suite's own clock. */
  startedAt?: string
  /** How long it took, in milliseconds, arrangement included. */
  ms?: number
  /** How many calls the run had sent when it ended. */
  sent?: number
  /** Operations that answered in the run, as far as no case before said so. */
  answered?: string[]
  /** The throw-away group that it was given. */
  scratch?: string
}
