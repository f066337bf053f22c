import { existsSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { updateBaseline } from '../../reports/model/baseline.ts'
import type { Baseline } from '../../schemas/types.ts'
import { readBaseline } from '../input/baseline-file.ts'
import { knownIds } from '../input/collect.ts'
import { suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { Refused } from '../input/refused.ts'

interface UpdateFlags {
  baseline: string
  json?: boolean
  expires?: string
}

/** How long a new entry excuses by default, in days. */
const usualDays = 90

/** Adds the verb `baseline` with its own verb `update`. */
export function addBaseline(program: Command): void {
  program
    .command('baseline')
    .description('keep a file of known deviations')
    .command('update')
    .description('make a baseline fit a report: add new failures, drop what passes now')
    .argument('<report>', 'the report.json of a run')
    .option('--baseline <file>', 'the file to write; what it holds already is kept', 'baseline.json')
    .option('--json', 'print what changed as a JSON object')
    .option('--expires <day>', `until when new entries excuse (default: ${usualDays} days from now)`)
    .addHelpText(
      'after',
      `
An entry keeps its reason, link, owner and day. Fill in the reason and the owner of a new entry: until then each run
reminds you. 'run --baseline' exits with 0 as long as only known deviations fail, each in the known way, and with 4 where
an entry no longer fits: its requirement passes, fails differently, is unknown, or its day is over.

Examples:
  ${suite.name} baseline update reports/out/report.json
  ${suite.name} run --baseline baseline.json`,
    )
    .action(updateCommand)
}

/** `baseline update`: writes the baseline that fits a report, and says what changed. */
async function updateCommand(path: string, flags: UpdateFlags): Promise<void> {
  const { baseline: file, expires = dayAfter(usualDays) } = flags
  if (!/^\d{4}-\d\d-\d\d$/.test(expires) || Number.isNaN(Date.parse(expires)))
    throw new Refused(`--expires is '${expires}', not a day, for example --expires ${dayAfter(30)}`)
  if (expires < dayAfter(0))
    throw new Refused(`--expires is '${expires}', a day that is over: the baseline would be out of date at once.`)
  const report = readReport(path)
  if (report.selection.shard) throw new Refused(`${path} is one shard: merge all of them first, with report --merge.`)
  const empty: Baseline = { baselineVersion: 1, deviations: [] }
  const old = existsSync(file) ? readBaseline(file) : empty
  const { baseline, added, dropped, refreshed } = updateBaseline(report, old, await knownIds(), expires)
  try {
    writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`)
  } catch (error) {
    throw new Refused(`${file} cannot be written: ${(error as Error).message}`)
  }
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ file, added, refreshed, dropped }, null, 2)}\n`)
    return
  }
  const lines = [
    ...added.map((id) => `added ${id}: fill in its reason and owner`),
    ...refreshed.map((id) => `refreshed ${id}: it fails differently`),
    ...dropped.map((id) => `dropped ${id}`),
    `BASELINE ${file} deviations=${baseline.deviations.length} added=${added.length} refreshed=${refreshed.length} dropped=${dropped.length}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
