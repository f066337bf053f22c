import { existsSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { isWritten, updateBaseline } from '../../reports/model/baseline.ts'
import { visible } from '../../reports/text/visible-text.ts'
import { present } from '../../schemas/present.ts'
import type { Baseline } from '../../schemas/types.ts'
import { readDraft } from '../input/baseline-file.ts'
import { requiredNow } from '../input/collect.ts'
import { suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { Refused } from '../input/refused.ts'

interface UpdateFlags {
  baseline: string
  out?: string
  json?: boolean
  reason?: string
  owner?: string
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
    .option('--baseline <file>', 'the file to update; what it holds already is kept', 'baseline.json')
    .option('--out <file>', 'write the result there, and leave the file of --baseline as it is')
    .option('--reason <text>', 'why the new failures are accepted for now, for every entry without a reason')
    .option('--owner <text>', 'who is responsible for them, for every entry without an owner')
    .option('--json', 'print what changed as a JSON object')
    .option('--expires <day>', `until when new entries apply (default: ${usualDays} days from now)`)
    .addHelpText(
      'after',
      `
An entry keeps its reason, link, owner and day. A missing reason or owner is written as TODO, and a run refuses the file
until somebody has written both: --reason and --owner are for failures that have one cause.
'run --baseline' exits with 0 as long as only known deviations fail, each in the known way, and with 4 if the baseline
no longer fits: a requirement passes, fails differently or is unknown, its day has passed, or a must is gone.

Examples:
  ${suite.name} baseline update reports/out/report.json
  ${suite.name} baseline update reports/out/report.json --reason 'gateway bug GW-17' --owner 'team gateway'
  ${suite.name} baseline update reports/out/report.json --out proposed.json
  ${suite.name} run --baseline baseline.json`,
    )
    .action(updateCommand)
}

/** `baseline update`: writes the baseline that fits a report, and says what changed. */
async function updateCommand(path: string, flags: UpdateFlags, command: Command): Promise<void> {
  const { baseline: source, out: file = source, reason, owner, expires = dayAfter(usualDays) } = flags
  for (const [name, text] of Object.entries(present({ reason, owner })))
    if (!isWritten(text)) throw new Refused(`--${name} is '${text}', which says nothing: write a few words`)
  if (!/^\d{4}-\d\d-\d\d$/.test(expires) || Number.isNaN(Date.parse(expires)))
    throw new Refused(`--expires is '${expires}', not a day, for example --expires ${dayAfter(30)}`)
  if (expires < dayAfter(0))
    throw new Refused(`--expires is '${expires}', a day in the past: the baseline would be out of date at once.`)
  const report = readReport(path)
  if (report.selection.shard) throw new Refused(`${path} is one shard: merge all of them first, with report --merge.`)
  if (report.explored) throw new Refused(`${path} is from explore: a baseline excuses what a run finds.`)
  const empty: Baseline = { baselineVersion: 1, deviations: [] }
  // a file that was named and is only read must exist: otherwise its reasons would be lost
  const isMeant = file !== source && command.getOptionValueSource('baseline') === 'cli'
  const old = isMeant || existsSync(source) ? readDraft(source) : empty
  const required = await requiredNow()
  const { baseline, ...came } = updateBaseline(report, old, required, { expires, ...present({ reason, owner }) })
  const { added, dropped, refreshed, unexplained, gone } = came
  try {
    writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`)
  } catch (error) {
    throw new Refused(`${file} cannot be written: ${(error as Error).message}`)
  }
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ file, ...came }, null, 2)}\n`)
    return
  }
  const lines = [
    ...added.map((id) => `added ${id}`),
    ...refreshed.map((id) => `refreshed ${id}: it fails differently`),
    ...dropped.map(
      (id) => `dropped ${id}: ${required.known.has(id) ? 'it passes now' : 'this suite does not know it'}`,
    ),
    ...gone.map(({ id, why }) => `gone ${id}: it ${why}`),
    ...unexplained.map((id) => `unexplained ${id}: write its reason and its owner, or no run accepts the file`),
    `BASELINE ${file} deviations=${baseline.deviations.length} added=${added.length} refreshed=${refreshed.length} dropped=${dropped.length} gone=${gone.length} unexplained=${unexplained.length}`,
  ]
  process.stdout.write(`${lines.map((line) => visible(line)).join('\n')}\n`)
}

function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
