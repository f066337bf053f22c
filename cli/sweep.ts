import { existsSync } from 'node:fs'
import { readConfig } from '../helpers/config.ts'
import { valuesOf } from './flags.ts'
import { Refused } from './refused.ts'
import { sweepJournal } from './sweeping.ts'

/** `sweep`: deletes what the run that wrote a journal made and could not delete itself. */
export async function sweepCommand(journal: string, flags: Record<string, unknown>): Promise<void> {
  if (!existsSync(journal))
    throw new Refused(
      `There is no journal ${journal}. A run that was cut off leaves one in its --out folder.`,
    )
  const left = await sweepJournal(readConfig(valuesOf(flags), process.env), journal)
  for (const uid of left) process.stderr.write(`Left behind: ${uid}\n`)
  if (left.length === 0) process.stdout.write('Nothing of that run is left.\n')
  process.exitCode = left.length === 0 ? 0 : 5
}
