import { existsSync, rmSync } from 'node:fs'
import { sweep } from '../../helpers/arrange/sweep.ts'
import type { Config } from '../../helpers/settings/configuration.ts'

/** Deletes what a run made but for the spared groups, then its journal; the journal stays where something does. */
export async function sweepJournal(config: Config, journal: string, spared: readonly string[] = []): Promise<string[]> {
  if (!existsSync(journal)) return []
  const { left } = await sweep(config, journal, spared)
  if (left.length + spared.length === 0) rmSync(journal, { force: true })
  return left
}
