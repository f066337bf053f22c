import type { Selection } from '../helpers/selection.ts'
import type { Examined } from './judge.ts'

/** A server that is to be examined: one with a fault, or a lawful one that takes some choices at once; by their names. */
export type Job = { fault: string; selection: Selection } | { variants: string[]; selection: Selection }

/** What came of a job: what the run said, or why there was none. */
export type Result = { examined: Examined } | { crash: string }
