import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { selected } from '../../helpers/requirement/selection.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { type FormatName, usualFormats } from '../../reports/formats/formats.ts'
import { exitCodeFor } from '../../reports/judge/rejudge.ts'
import { settle } from '../../reports/judge/verdict.ts'
import { mergeProblems, mergeShards } from '../../reports/model/merge.ts'
import { mergeResumed, resumedProblems } from '../../reports/model/merge-resumed.ts'
import { reportOf } from '../../reports/model/report.ts'
import { takesCodes } from '../../reports/text/terminal.ts'
import type { Report } from '../../schemas/types.ts'
import { untestable } from '../../specs/untestable.ts'
import { readBaseline, withBaseline } from '../input/baseline-file.ts'
import { collectHeaders } from '../input/collect.ts'
import { contractOfSuite, suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { Refused } from '../input/refused.ts'
import { cleared, formatsHelp, formatsIn, isReportIn, mustWriteReport, reportLine } from '../run/report-files.ts'
import { digestOfFile, traceName } from '../trace/trace-file.ts'

interface ReportFlags {
  merge?: boolean
  out: string
  report?: string
  complete?: boolean
  baseline?: string
}

/** Adds the verb `report`. */
export function addReport(program: Command): void {
  program
    .command('report')
    .description('write the files of a report again, or merge the parts of a run into one report')
    .argument('<reports...>', 'the report.json of a run, or with --merge one of each part')
    .option('--merge', 'the reports are the shards of one run, or a run and those that continued it')
    .option('--report <formats>', `what the report is written as (default: ${usualFormats.join(',')})`)
    .option('--out <folder>', 'where the files go', 'reports/merged')
    .option('--baseline <file>', 'known deviations: as long as nothing else fails, the exit code is 0')
    .option('--complete', 'a partial verdict is not enough: exit 3')
    .addHelpText(
      'after',
      `
Shards belong to one run if target, suite, seed and selection are the same and each shard is there once. Requirements
that judge every call are judged by each shard over its own calls: the worst outcome counts. A run with --resume adds
its time part to the run that it continues. Exit codes as for run.

${formatsHelp()}

Examples:
  ${suite.name} run --shard 1/2 --seed 42 --out one     and the same with 2/2 elsewhere, --out two
  ${suite.name} report --merge one/report.json two/report.json
  ${suite.name} report --merge first/report.json later/report.json       later is a run with --resume
  ${suite.name} report reports/out/report.json --report junit,har`,
    )
    .action(reportCommand)
}

/** `report`: judges the cases of all shards as one run, or writes the files of one report again. */
async function reportCommand(paths: string[], flags: ReportFlags): Promise<void> {
  const reports = paths.map(readReport)
  if (!flags.merge && reports.length > 1)
    throw new Refused('These are several reports: add --merge if they are shards, or compare them.')
  const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline)
  const plain = flags.merge ? await merged(reports, paths) : reports[0]!
  const report = baseline ? await withBaseline(plain, baseline) : plain
  const formats = flags.report === undefined ? usualFormats : formatsIn(flags.report)
  const out = written(flags, paths, formats)
  await mustWriteReport(report, out, formats, await tracesBeside(report, paths))
  const coloured = takesCodes(process.stdout)
  process.stdout.write(reportLine(out, formats) + toConsole(report, coloured))
  process.exitCode = exitCodeFor(report, flags.complete ?? false)
}

/** The folder without the files of an earlier report, but never without one of those that were given. */
function written(
  { out, merge = false }: ReportFlags,
  paths: readonly string[],
  formats: readonly FormatName[],
): string {
  const inside = paths.find((path) => isReportIn(out, path))
  if (inside === undefined) return cleared(out, formats)
  if (merge) throw new Refused(`${inside} would be overwritten: name another folder, for example --out merged.`)
  return out
}

/** The traces that a report names, each beside the report of its part; none unless all of them are there and whole. */
async function tracesBeside({ traces = [] }: Report, paths: readonly string[]): Promise<string[]> {
  const digests = new Map<string, string>()
  for (const trace of paths.map((path) => join(dirname(path), traceName)))
    if (existsSync(trace)) digests.set(await digestOfFile(trace), trace)
  const found = traces.flatMap(({ sha256, cut }) => (cut === undefined ? (digests.get(sha256) ?? []) : []))
  return found.length === traces.length ? found : []
}

/** One report of the shards of a run, of a run and those that continued it, or of both. */
async function merged(reports: readonly Report[], paths: readonly string[]): Promise<Report> {
  const named = reports.map((report, at) => ({ report, path: paths[at]! }))
  const later = named.filter(({ report }) => report.resumes !== undefined)
  const shards = named.filter((one) => !later.includes(one))
  const [only] = shards
  if (only === undefined)
    throw new Refused('All of these continue an earlier run: give the report of that one as well.')
  const whole = shards.length === 1 && only.report.selection.shard === undefined
  if (whole && later.length === 0)
    throw new Refused(`${only.path} is one report, and not of a shard: there is nothing to merge.`)
  const first = whole
    ? only.report
    : await mergedShards(
        shards.map(({ report }) => report),
        shards.map(({ path }) => path),
      )
  if (later.length === 0) return first
  const parts = later.map(({ report }) => report)
  const problems = resumedProblems(first, parts, [only.path, ...later.map(({ path }) => path)])
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  return mergeResumed(first, parts)
}

async function mergedShards(reports: readonly Report[], paths: readonly string[]): Promise<Report> {
  const problems = mergeProblems(reports, paths)
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  if (reports[0]!.suite.version !== suite.version)
    throw new Refused(
      `The shards are of version ${reports[0]!.suite.version}, and this is ${suite.version}: merge them with that version.`,
    )
  const headers = await collectHeaders()
  const { cases, facts } = mergeShards(
    reports,
    headers.map(({ id }) => id),
  )
  const there = new Set(cases.map(({ header }) => header.id))
  const lost = headers.filter((header) => selected(header, facts.selection) && !there.has(header.id))
  if (lost.length > 0)
    throw new Refused(
      `No shard examined ${lost
        .map(({ id }) => id)
        .slice(0, 5)
        .join(', ')}: ${lost.length} requirements are missing.`,
    )
  return reportOf(settle(cases, headers), { ...facts, contract: contractOfSuite(), untestable })
}
