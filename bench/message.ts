import type { Running } from '../cli/run/target.ts'

/** A message to the server's process: restart with a delay in milliseconds on every answer, or report the traffic. */
export type ToServer = { begin: { delay: number } } | { report: true }

/** What came over the wire, by the server's own clock: milliseconds since 1970. */
export interface Traffic {
  requests: number
  firstAt: number
  lastAt: number
}

/** The input of a run's process: which reference to examine, its own where none is given. */
export interface ToRun {
  running?: Running
  concurrency?: number
  /** The folder for the report and the trace, where they are wanted. */
  out?: string
  /** The ids or globs of what is left out. */
  skip?: string[]
}

/** The message that the process of a run sends at its end. */
export interface Ran extends Partial<Traffic> {
  verdict: string
  requirements: number
  /** From the start of the process to the first request, in milliseconds; known where the reference is embedded. */
  boot?: number
  /** The most memory that the process ever held, in megabytes. */
  peak: number
  /** The processor time of the process, in milliseconds. */
  cpu: number
  /** How long each requirement took, in milliseconds. */
  took: { id: string; ms: number; requests: number }[]
}
