import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../../helpers/settings/read-configuration.ts'
import { addSettings, secretsHelp, valuesOf } from '../input/flags.ts'
import { suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'

/** Adds the verb `sweep`. */
export function addSweep(program: Command): void {
  addSettings(
    program
      .command('sweep')
      .description('delete what a run that was cut off left behind')
      .argument('<journal>', 'the journal-….jsonl in its --out folder'),
  )
    .addHelpText('after', `\n${secretsHelp()}\n\nExample:\n  ${suite.name} sweep reports/out/journal-0a1b2c3d.jsonl`)
    .action(sweepCommand)
}

/** `sweep`: deletes what the run that wrote a journal made and could not delete itself. */
async function sweepCommand(journal: string, flags: Record<string, unknown>): Promise<void> {
  if (!existsSync(journal))
    throw new Refused(`There is no journal ${journal}. A run that was cut off leaves one in its --out folder.`)
  const { sweepJournal } = await import('../run/sweep-journal.ts')
  const left = await sweepJournal(readConfig(valuesOf(flags), process.env), journal)
  for (const uid of left) process.stderr.write(`Left behind: ${uid}\n`)
  if (left.length === 0) process.stdout.write('Nothing of that run is left.\n')
  process.exitCode = left.length === 0 ? 0 : 5
}
