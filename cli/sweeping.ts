import { existsSync, rmSync } from 'node:fs'
import type { Config } from '../helpers/config.ts'
import { sweep } from '../helpers/sweep.ts'

/** Deletes what a run made, then its journal; the journal stays where something could not be deleted. */
export async function sweepJournal(config: Config, journal: string): Promise<string[]> {
  if (!existsSync(journal)) return []
  const { left } = await sweep(config, journal)
  if (left.length === 0) rmSync(journal, { force: true })
  return left
}
