import type { Command } from 'commander'
import type { Target, Values } from '../../helpers/settings/configuration.ts'
import { wantsEmbedded } from '../../helpers/settings/read-configuration.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { usualFormats } from '../../reports/formats/formats.ts'
import { toAnnotations, withoutCommands } from '../../reports/formats/github.ts'
import { showProgress } from '../../reports/formats/progress.ts'
import type { Progress } from '../../reports/judge/reporter.ts'
import { takesCodes } from '../../reports/text/terminal.ts'
import { visible } from '../../reports/text/visible-text.ts'
import { present } from '../../schemas/present.ts'
import type { Baseline, Report } from '../../schemas/types.ts'
import { readBaseline } from '../input/baseline-file.ts'
import { addSettings, secretsHelp, valuesOf } from '../input/flags.ts'
import { suite } from '../input/package.ts'
import { printConfig } from '../input/print-config.ts'
import { Refused } from '../input/refused.ts'
import { selectionOf } from '../input/selections.ts'
import { untilInterrupted } from '../run/interruption.ts'
import { milliseconds, mostFailures } from '../run/limits.ts'
import { appendSummary, formatsHelp, formatsIn, reportLine } from '../run/report-files.ts'
import type { Listener } from '../run/run-suite.ts'
import { sweepLine } from '../run/sweep-journal.ts'

interface RunFlags extends Record<string, unknown> {
  only?: string[]
  skip?: string[]
  profile?: string[]
  out: string
  report?: string
  complete?: boolean
  baseline?: string
  resume?: string
  forResume?: boolean
  wait?: boolean
  maxTime?: string
  bail?: string
  keep?: boolean
  readOnly?: boolean
  shard?: string
  printConfig?: boolean
  embedded?: boolean
  trace?: boolean
  json?: boolean
}

/** Adds the verb `run`. */
export function addRun(program: Command): void {
  addSettings(program.command('run').description('examine a target and write a report'))
    .optionsGroup('What is examined:')
    .option('--only <ids...>', 'only these requirements, by id or glob; @file lists one per line')
    .option('--skip <ids...>', 'all except these requirements, by id or glob; @file lists one per line')
    .option('--profile <names...>', 'only these parts of the service')
    .option('--embedded', "the suite's own reference server, also in CI or with --baseline")
    .option('--read-only', 'send nothing that could change the target; what needs a write stays inconclusive')
    .option('--shard <i/n>', 'examine the ith of n parts; report --merge makes one report of all')
    .option('--resume <file>', 'continue a run of three days ago with the page tokens in its resume-….json')
    .option(
      '--for-resume',
      'leave a small group in the target for three days, so that --resume can decide all of the time part',
    )
    .option('--wait', 'wait out the hour that API tokens live and, with --resume, the three days of page tokens')
    .optionsGroup('Results:')
    .option('--report <formats>', `what the report is written as (default: ${usualFormats.join(',')})`)
    .option('--out <folder>', 'where the report goes', 'reports/out')
    .option('--no-trace', 'do not write trace.ndjson.gz beside report.json: no certificate is made without it')
    .option('--baseline <file>', 'known deviations: as long as nothing else fails, the exit code is 0')
    .option('--complete', 'a partial verdict is not enough: exit 3')
    .optionsGroup('Other options:')
    .option('--max-time <duration>', 'end the run after 90s, 10m or 1h, sweep, and report what was decided until then')
    .option('--bail <number>', 'stop after N failed musts')
    .option('--keep', 'keep the scratch groups of failing cases for inspection; sweep deletes them later')
    .option('--print-config', 'print each setting and where it comes from, and examine nothing')
    .option('--json', 'with --print-config: as a JSON array')
    .addHelpText(
      'after',
      `
${formatsHelp()}

${secretsHelp()}

Examples:
  ${suite.name} run --report html,junit
  ${suite.name} run --base-url https://api.staging.example --group-uid 3f2a…f901
  ${suite.name} run --only list.skip.echo --seed 42
  ${suite.name} run --skip @known-trouble.txt --max-time 10m --bail 5
  ${suite.name} run --for-resume --out first                          then, three days later:
  ${suite.name} run --resume first/resume-….json --wait --out later`,
    )
    .action(runCommand)
}

/** `run`: examines the target and prints the result. */
async function runCommand(flags: RunFlags): Promise<void> {
  if (flags.printConfig) return printConfig(flags)
  if (flags.json) throw new Refused('--json goes with --print-config: the result of a run is in report.json.')
  const {
    out,
    complete = false,
    keep = false,
    readOnly = false,
    resume,
    maxTime,
    forResume = false,
    trace: traced = true,
    wait = false,
  } = flags
  const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline)
  const values = seeded(valuesOf(flags), baseline)
  const bail = flags.bail === undefined ? {} : { bail: mostFailures(flags.bail) }
  const selection = selectionOf(flags)
  mustNameTarget(values, flags)
  if (selection.shard !== undefined && values.RMAPI_SEED === undefined)
    throw new Refused('The shards of a run share one seed: add --seed, for example --seed 42.')
  if (maxTime !== undefined) milliseconds(maxTime)
  // what sends is loaded when something is to be sent
  const { aboutResuming, mustSpareFirst } = await import('../run/resume.ts')
  const { runSuite } = await import('../run/run-suite.ts')
  if (resume !== undefined) mustSpareFirst(resume, out)
  if (forResume && (keep || readOnly || resume !== undefined))
    throw new Refused(
      '--for-resume cannot be combined with --keep, --read-only or --resume: they leave nothing to resume.',
    )
  const formats = flags.report === undefined ? usualFormats : formatsIn(flags.report)
  const progress = showProgress(process.stderr)
  const { report, exitCode, journal, unwritten } = await runSuite({
    values,
    selection,
    out,
    formats,
    complete,
    keep,
    readOnly,
    forResume,
    traced,
    wait,
    ...bail,
    ...present({ baseline, maxTime, resume }),
    signal: untilInterrupted(out),
    listener: announcing(progress),
  })
  progress.clear()
  const coloured = takesCodes(process.stdout)
  const summary = appendSummary(report, process.env.GITHUB_STEP_SUMMARY)
  const written = unwritten.length === 0 ? reportLine(out, formats) : ''
  const printed = written + toConsole(report, coloured)
  const onGitHub = process.env.GITHUB_ACTIONS === 'true'
  process.stdout.write(onGitHub ? toAnnotations(report) + withoutCommands(printed, crypto.randomUUID()) : printed)
  if (journal !== undefined) process.stderr.write(`${sweepLine(journal)}\n`)
  process.stderr.write(aboutResuming(report, out))
  printUnwritten(report, [...unwritten, ...summary])
  process.exitCode = exitCode
}

/** Refuses to examine the embedded reference if a target was certainly meant: a green result would mean nothing. */
export function mustNameTarget(
  values: Values,
  { embedded = false, baseline }: Pick<RunFlags, 'embedded' | 'baseline'>,
): void {
  const named = !wantsEmbedded(values)
  if (embedded && named) throw new Refused('--embedded: a target is named as well. Leave out one of them.')
  const { CI = '' } = process.env
  const inCi = !['', '0', 'false'].includes(CI)
  if (named || embedded || (baseline === undefined && !inCi)) return
  throw new Refused(
    `No target is named, and ${baseline === undefined ? 'CI is set' : '--baseline is given'}: set RMAPI_BASE_URL, RMAPI_GROUP_UID and a token, or pass --embedded to examine the suite's own reference server.`,
  )
}

/** A run with a baseline takes its seed, unless it is given another. */
function seeded(values: Values, baseline?: Baseline): Values {
  return baseline?.seed === undefined ? values : { RMAPI_SEED: String(baseline.seed), ...values }
}

/** A target by name, version and address; one without a name by its address alone. */
export function whoIs({ name, version, baseUrl }: Target): string {
  return visible(`${name} (version ${version})${name === baseUrl ? '' : ` at ${baseUrl}`}`)
}

/** Says what is examined, and then how far the run is. */
export function announcing(progress: Progress): Listener {
  return {
    ...progress,
    opened({ target, seed }, remarks) {
      process.stdout.write(`Examining ${whoIs(target)}, seed ${seed}\n`)
      for (const remark of remarks) process.stderr.write(`${visible(remark)}\n`)
    },
  }
}

/** Says what could not be written and, because the report may be part of that, what was left in the target. */
export function printUnwritten({ verdict, left }: Report, unwritten: readonly string[]): void {
  if (unwritten.length === 0) return
  for (const line of unwritten) process.stderr.write(`${suite.name}: ${visible(line)}\n`)
  process.stderr.write(`${JSON.stringify({ verdict, left, unwritten })}\n`)
}
