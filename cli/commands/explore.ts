import { join } from 'node:path'
import type { Command } from 'commander'
import { toConsole } from '../../reports/formats/console.ts'
import { showExploring } from '../../reports/formats/explore-progress.ts'
import { usualFormats } from '../../reports/formats/formats.ts'
import { toAnnotations, withoutCommands } from '../../reports/formats/github.ts'
import { command, shellWord } from '../../reports/text/curl.ts'
import { takesCodes } from '../../reports/text/terminal.ts'
import { visible } from '../../reports/text/visible-text.ts'
import { present } from '../../schemas/present.ts'
import type { Report } from '../../schemas/types.ts'
import { addSettings, secretsHelp, valuesOf } from '../input/flags.ts'
import { suite } from '../input/package.ts'
import { untilInterrupted } from '../run/interruption.ts'
import { durationOf } from '../run/limits.ts'
import { appendSummary, formatsIn, reportLine } from '../run/report-files.ts'
import { sweepLine } from '../run/sweep-journal.ts'
import { mustNameTarget, printUnwritten, whoIs } from './run.ts'

interface ExploreFlags extends Record<string, unknown> {
  time?: string
  untilFound?: boolean
  out: string
  report?: string
  embedded?: boolean
}

/** How long histories are drawn unless a flag says otherwise. */
const usualTime = '10m'

/** Adds the verb `explore`. */
export function addExplore(program: Command): void {
  addSettings(
    program
      .command('explore')
      .description('draw calls for a while, and shrink and report what does not fit the contract'),
  )
    .option('--time <duration>', `draw for 90s, 10m or 1h (default: ${usualTime}; with --until-found: no limit)`)
    .option('--until-found', 'stop at the first must that does not hold')
    .option('--embedded', "the suite's own reference server, also in CI")
    .option('--out <folder>', 'where the report and the findings go', 'reports/explore')
    .option('--report <formats>', `what the report is written as (default: ${usualFormats.join(',')})`)
    .addHelpText(
      'after',
      `
Draws histories of creates, updates, deletes and queries over all kinds and both versions, in groups of its own, and
compares every answer with the model of the contract. What does not fit is sent again in a fresh group with fewer and
fewer calls, and written to finding-….json: replay takes it. One seed draws the same steps. It makes no certificate.

Exit codes: 0 nothing was found, or only a should, 1 a must is broken, 2 usage, settings or unreachable target,
            3 it ended early, 5 something was left behind in the target

${secretsHelp()}

Examples:
  ${suite.name} explore --time 10m --out explored
  ${suite.name} explore --until-found --seed 42
  ${suite.name} replay explored/finding-model.group.members.json`,
    )
    .action(exploreCommand)
}

/** `explore`: draws calls for a while and prints what was found. */
async function exploreCommand(flags: ExploreFlags): Promise<void> {
  const { out, untilFound = false } = flags
  const time = flags.time ?? (untilFound ? undefined : usualTime)
  const ms = time === undefined ? undefined : durationOf('--time', time)
  const formats = flags.report === undefined ? usualFormats : formatsIn(flags.report)
  const values = valuesOf(flags)
  mustNameTarget(values, flags)
  const progress = showExploring(process.stderr)
  // what sends is loaded when something is to be sent
  const { exploreTarget } = await import('../explore/explore-target.ts')
  const { report, exitCode, kept, unwritten } = await exploreTarget({
    values,
    out,
    formats,
    untilFound,
    ...present({ ms }),
    signal: untilInterrupted(out),
    opened({ target, seed }, remarks) {
      process.stdout.write(`Exploring ${whoIs(target)}, seed ${seed}\n`)
      for (const remark of remarks) process.stderr.write(`${visible(remark)}\n`)
    },
    changed: progress.changed,
  })
  progress.clear()
  const coloured = takesCodes(process.stdout)
  const written = unwritten.length === 0 ? reportLine(out, formats) : ''
  const summary = appendSummary(report, process.env.GITHUB_STEP_SUMMARY)
  const shown = seenFromHere(report, out)
  const printed = written + toConsole(shown, coloured) + findingLines(shown)
  const onGitHub = process.env.GITHUB_ACTIONS === 'true'
  process.stdout.write(onGitHub ? toAnnotations(shown) + withoutCommands(printed, crypto.randomUUID()) : printed)
  for (const journal of kept) process.stderr.write(`${sweepLine(journal)}\n`)
  printUnwritten(report, [...unwritten, ...summary])
  process.exitCode = exitCode
}

/** A report whose findings are named by their paths from the current folder, so that commands work there. */
function seenFromHere(report: Report, out: string): Report {
  const { findings, ...counts } = report.explored!
  return {
    ...report,
    explored: { ...counts, findings: findings.map((one) => ({ ...one, file: join(out, one.file) })) },
  }
}

/** A line for each finding, and one that counts, never coloured. */
function findingLines({ explored, seed }: Report): string {
  const { histories, commands, states, combinations, findings } = explored!
  const lines = findings.map(({ row, file, drawn, calls, reproduced }) =>
    reproduced
      ? `FOUND ${row} in ${calls} of ${drawn} calls: ${command} replay ${shellWord(file)}`
      : `FOUND ${row} once in ${drawn} calls, and in no fresh group again: ${file}`,
  )
  const total = `EXPLORED found=${findings.length} histories=${histories} commands=${commands} states=${states} combinations=${combinations} seed=${seed}`
  return `${[...lines, total].join('\n')}\n`
}
