import type { Command } from 'commander'
import { matchesGlob, type Selection } from '../../helpers/requirement/selection.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { didYouMean } from '../../helpers/settings/did-you-mean.ts'
import { wantsEmbedded } from '../../helpers/settings/read-configuration.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { usualFormats } from '../../reports/formats/formats.ts'
import { showProgress } from '../../reports/formats/progress.ts'
import { compareReplay, redOnes, replayExitCode, replayToConsole, replayToJson } from '../../reports/model/replay.ts'
import { takesCodes } from '../../reports/text/terminal.ts'
import { visible } from '../../reports/text/visible-text.ts'
import type { ExploredFinding, Report, Requirement } from '../../schemas/types.ts'
import { readFinding } from '../explore/finding-file.ts'
import { knownIds } from '../input/collect.ts'
import { addSettings, secretsHelp, valuesOf } from '../input/flags.ts'
import { suite } from '../input/package.ts'
import { readReport } from '../input/read-report.ts'
import { Refused } from '../input/refused.ts'
import { untilInterrupted } from '../run/interruption.ts'
import { isReportIn, reportLine } from '../run/report-files.ts'
import { sweepLine } from '../run/sweep-journal.ts'
import { announcing, printUnwritten } from './run.ts'

interface ReplayFlags extends Record<string, unknown> {
  out: string
  json?: boolean
}

/** Adds the verb `replay`. */
export function addReplay(program: Command): void {
  addSettings(
    program
      .command('replay')
      .description('examine the failed requirements of a report again, with the same inputs')
      .argument('<report>', 'the report.json of a run, or the finding-….json of an exploration')
      .argument('[ids...]', 'only these requirements, by id or glob (default: those that failed or warned)'),
  )
    .option('--out <folder>', 'where the report goes', 'reports/replay')
    .option('--json', 'print what became of each as a JSON array, and nothing else')
    .addHelpText(
      'after',
      `
The target is set as for run; the seed is the report's, and so are version, protocol and --read-only. Says for each
requirement whether it fails again in the same way, fails differently, or passes now. A requirement that judges every
call of a run needs the whole run again.
The calls of a finding are sent again in a fresh group: it is the same, different or gone.
Exit codes: 0 nothing fails any more, 1 something does, 2 no such report or id, or no target,
            3 something was inconclusive

${secretsHelp()}

Examples:
  ${suite.name} replay reports/out/report.json
  ${suite.name} replay reports/out/report.json group.update.mask
  ${suite.name} replay reports/explore/finding-model.group.members.json`,
    )
    .action(replayCommand)
}

/** `replay`: examines the failed requirements of a report again, with its seed, and says which still fail. */
async function replayCommand(path: string, ids: string[], flags: ReplayFlags): Promise<void> {
  const found = readFinding(path)
  if (found) return replayFound(path, found, ids, flags)
  const old = readReport(path)
  if (old.explored) throw new Refused(notARun(path, old.explored.findings))
  if (isReportIn(flags.out, path))
    throw new Refused(`${path} would be overwritten: name another folder, for example --out reports/replay.`)
  const known = await knownIds()
  const before = chosen(old, ids, path, known)
  if (before.length === 0) {
    process.stdout.write(flags.json ? '[]\n' : `Nothing in ${path} failed: there is nothing to replay.\n`)
    return
  }
  const values = valuesOf(flags)
  // a seed in the environment is meant for runs, one on the command line for this replay
  if (typeof flags.seed !== 'string') values.RMAPI_SEED = String(old.seed)
  mustBeOfTarget(path, old.target, values)
  asItWasSent(values, old.target, old.selection.transport)
  const { out, json = false } = flags
  const progress = showProgress(process.stderr)
  const { runSuite } = await import('../run/run-suite.ts')
  const { report, journal, unwritten } = await runSuite({
    values,
    selection: selectionFor(before, old, new Set(known.values())),
    out,
    // what was examined without a write is not written to now
    readOnly: old.readOnly === true,
    signal: untilInterrupted(out),
    listener: json ? progress : announcing(progress),
  })
  progress.clear()
  const replayed = compareReplay(before, report)
  const coloured = takesCodes(process.stdout)
  const files = unwritten.length === 0 ? reportLine(out, usualFormats) : ''
  const text = `${files}${toConsole(report, coloured)}\n${replayToConsole(replayed)}`
  process.stdout.write(json ? replayToJson(replayed) : text)
  if (journal !== undefined) process.stderr.write(`${sweepLine(journal)}\n`)
  printUnwritten(report, unwritten)
  process.exitCode = replayExitCode(replayed, report.left.length)
}

/** Sends the calls of a finding again, and says whether they still show it. */
async function replayFound(path: string, found: ExploredFinding, ids: string[], flags: ReplayFlags): Promise<void> {
  if (ids.length > 0) throw new Refused(`${path} is one finding of explore: give no ids with it.`)
  const values = valuesOf(flags)
  mustBeOfTarget(path, found.target, values)
  asItWasSent(values, found.target, found.transport)
  const { replayFinding } = await import('../explore/replay-finding.ts')
  const { out } = flags
  const { again, row, expected, got, sent, left, kept } = await replayFinding(found, {
    values,
    out,
    signal: untilInterrupted(out),
  })
  if (flags.json)
    process.stdout.write(`${JSON.stringify([{ id: found.row, again, now: row, expected, got }], null, 2)}\n`)
  else {
    const shown =
      expected === undefined ? [] : [`  expected  ${visible(expected, 300)}`, `  got       ${visible(got ?? '', 300)}`]
    const words = {
      same: 'the same: found again',
      different: `different: ${row} now`,
      gone: 'gone: not found',
      untold: 'inconclusive: it was not judged',
    }
    const lines = [`${found.row} ${words[again]}, ${sent} of ${found.calls.length} calls sent`, ...shown]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
  for (const uid of left) process.stderr.write(`LEFT BEHIND ${visible(uid)}\n`)
  for (const journal of kept) process.stderr.write(`${sweepLine(journal)}\n`)
  process.exitCode = again === 'same' || again === 'different' ? 1 : again === 'untold' ? 3 : left.length > 0 ? 5 : 0
}

const notARun = (path: string, findings: readonly { file: string }[]) =>
  findings.length === 0
    ? `${path} is from explore, which found nothing: there is nothing to replay.`
    : `${path} is from explore: replay the files beside it, such as ${findings[0]!.file}.`

/** Refuses to look for what another server did wrong in the embedded reference. */
function mustBeOfTarget(
  path: string,
  { baseUrl, embedded }: Pick<Report['target'], 'baseUrl' | 'embedded'>,
  values: Values,
) {
  if (wantsEmbedded(values) && !embedded)
    throw new Refused(
      `${path} is about ${baseUrl}, but no target is set. Set RMAPI_BASE_URL, RMAPI_GROUP_UID and a token, as for run.`,
    )
}

/** Takes over from a report how its calls were sent, unless that is set. */
function asItWasSent(values: Values, { apiVersion }: Pick<Report['target'], 'apiVersion'>, transport?: 'grpc'): void {
  values.RMAPI_VERSION ??= apiVersion
  if (transport !== undefined) values.RMAPI_TRANSPORT ??= transport
}

/** What a replay examines: the requirements themselves, or what the run did if one of them judges its every call. */
function selectionFor(before: readonly Requirement[], old: Report, there: ReadonlySet<string>): Selection {
  const only = runnable(before, there)
  if (!before.some(({ judges }) => judges === 'whole run')) return { only, skip: [], profiles: [] }
  const { shard: _, transport: __, ...selection } = old.selection
  return selection
}

/** The ids that this version of the suite still knows. */
function runnable(before: readonly Requirement[], there: ReadonlySet<string>): string[] {
  const known = before.flatMap(({ id }) => (there.has(id) ? [id] : []))
  if (known.length > 0) return known
  throw new Refused(`This version of the suite knows none of ${before.map(({ id }) => id).join(', ')}.`)
}

/** The requirements of the report that are named by id or glob, or else those that failed; by their present ids. */
function chosen(
  old: Report,
  globs: readonly string[],
  path: string,
  known: ReadonlyMap<string, string>,
): Requirement[] {
  const requirements = old.requirements.map((one) => ({ ...one, id: known.get(one.id) ?? one.id }))
  const report = { ...old, requirements }
  if (globs.length === 0) return redOnes(report)
  const ids = requirements.map(({ id }) => id)
  const unknown = globs.filter((glob) => !ids.some((id) => matchesGlob(id, glob)))
  const problems = unknown.map((glob) => {
    const meant = didYouMean(glob, ids)
    return `${path} has no requirement '${glob}'.${meant ? ` Did you mean '${meant}'?` : ''}`
  })
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  return requirements.filter(({ id }) => globs.some((glob) => matchesGlob(id, glob)))
}
