import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { Patience } from '../../helpers/api/soft-refusal.ts'
import type { Selection } from '../../helpers/requirement/selection.ts'
import type { Config, Values } from '../../helpers/settings/configuration.ts'
import { type FormatName, usualFormats } from '../../reports/formats/formats.ts'
import { countingFailures } from '../../reports/judge/failures.ts'
import { exitCodeFor } from '../../reports/judge/rejudge.ts'
import { gather, type Progress } from '../../reports/judge/reporter.ts'
import { settle } from '../../reports/judge/verdict.ts'
import { casesToMerge } from '../../reports/model/merge.ts'
import { reportOf } from '../../reports/model/report.ts'
import { present } from '../../schemas/present.ts'
import type { Baseline, Report } from '../../schemas/types.ts'
import { untestable } from '../../specs/untestable.ts'
import { withBaseline } from '../input/baseline-file.ts'
import { checkSelection, collectHeaders } from '../input/collect.ts'
import { contractOfSuite, suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'
import { forgetTrace, lostTrace, tracedFile, traceTo } from '../trace/trace-file.ts'
import { type Ending, endingBy, keptOf, type Limits, mustOutlive, notRun, reasonOf } from './limits.ts'
import { hearing } from './notices.ts'
import { takeFolder } from './out-folder.ts'
import { cleared, writeReport } from './report-files.ts'
import { keptIn, mustBeFor, onlyDecidedByDays, sweepLasting } from './resume.ts'
import { tracesOf } from './suite-digest.ts'
import { headerOf, leftIn, openJournal, sweepOwn } from './sweep-journal.ts'
import { type Embedded, openTarget } from './target.ts'
import { withVitest } from './vitest.ts'
import { withoutSecrets } from './without-secrets.ts'
import { groupWasMissing } from './wrong-address.ts'

/** Called with the progress of a run; without one a run is silent. */
export interface Listener extends Progress {
  /** The target answers; the remarks are for the operator. */
  opened?(config: Config, remarks: string[]): void
}

/** What a run is given. */
export interface RunOptions extends Limits {
  values: Values
  selection: Selection
  /** The folder for the report; without it none is written. */
  out?: string
  /** What the report is written as; default: as data, in Markdown and as a page. */
  formats?: readonly FormatName[]
  listener?: Listener
  /** Default: a reference that keeps the contract. */
  embedded?: Embedded
  /** The file in which an earlier run kept page tokens. */
  resume?: string
  /** A group of the run's own stays for page tokens, until a resumed run spends them. */
  forResume?: boolean
  /** The run waits for the hours that nothing can shorten. */
  wait?: boolean
  /** Begins the cases in an order that depends on the seed. */
  shuffle?: boolean
  /** A partial verdict is not enough. */
  complete?: boolean
  /** What failing cases made stays. */
  keep?: boolean
  /** The deviations that are known. */
  baseline?: Baseline
  /** Cases that pass also hand over their exchanges. */
  allExchanges?: boolean
  /** Every exchange is written down beside the report. */
  traced?: boolean
  /** Nothing is sent that could change the target. */
  readOnly?: boolean
  /** How long a reading may take to fit: shorter than the contract says if the suite examines itself. */
  patience?: Patience
  /** Ends the run early: what was made is still swept, and the report written. */
  signal?: AbortSignal
}

/** The result of a run; `journal` is the path of the journal that was kept. */
export interface Came {
  report: Report
  exitCode: number
  journal?: string
  /** What could not be written, and why. */
  unwritten: string[]
}

/** Examines a target. Throws `ConfigurationError` or `Refused` if that cannot begin. */
export async function runSuite(options: RunOptions): Promise<Came> {
  const { out, formats = usualFormats } = options
  const release = out === undefined ? undefined : takeFolder(out)
  let folder = ''
  try {
    folder = out === undefined ? mkdtempSync(join(tmpdir(), 'rmapi-')) : cleared(out, formats)
    if (out !== undefined) forgetTrace(out)
    return await runIn(folder, options)
  } finally {
    release?.()
    if (out === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

async function runIn(folder: string, options: RunOptions): Promise<Came> {
  const { values, out, formats = usualFormats, listener = {}, resume } = options
  const { complete = false, shuffle = false } = options
  const ending = endingBy(options, options.signal)
  const wanted = resume === undefined ? options.selection : onlyDecidedByDays(options.selection)
  const started = new Date()
  const name = crypto.randomUUID().slice(0, 8)
  try {
    const renamings = await checkSelection(wanted)
    const { config: eventually, remarks, requests, close } = await openTarget(values, options.embedded, name)
    try {
      const config: Config = options.readOnly ? { ...eventually, readOnly: true } : eventually
      const selection: Selection = { ...wanted, ...(config.transport && { transport: config.transport }) }
      if (options.keep) mustOutlive(config)
      const resumes = resume === undefined ? undefined : mustBeFor(config.target, resume)
      listener.opened?.(config, [...renamings, ...remarks])
      const header = headerOf(config, name)
      const journal = options.readOnly ? undefined : openJournal(join(folder, `journal-${name}.jsonl`), header)
      const kept = resume ?? join(folder, `resume-${name}.json`)
      const traces = tracesOf(config)
      // the report holds its digest, and the archive is made of it
      const isTraced = options.traced === true && formats.some((each) => each === 'json' || each === 'har')
      const trace = out !== undefined && isTraced ? traceTo(folder, config, name, traces) : undefined
      const leaves =
        out === undefined ? {} : { pageTokensFile: kept, ...(options.forResume ? { forResume: true as const } : {}) }
      const result = await runCases(
        {
          config,
          ...(journal ? { journal: journal.path, header } : {}),
          ...(resume === undefined ? leaves : { resume }),
          ...(trace ? { trace } : {}),
          ...(options.wait ? { wait: true } : {}),
          ...(options.keep ? { keepFailed: true } : {}),
          ...(options.allExchanges ? { allExchanges: true } : {}),
          ...(options.patience ? { patience: options.patience } : {}),
        },
        { selection, shuffle },
        listener,
        ending,
      ).catch((error: Error) => ({ error }))
      const cases = 'error' in result ? [] : result.cases
      const rows = settle(cases, await collectHeaders())
      const spared = options.keep ? keptOf(rows, cases) : []
      const sparedUids = spared.map(({ uid }) => uid)
      listener.began?.('everything it made to be deleted')
      // whatever happened, the target is first left as it was found
      const sweeps = [journal && (await sweepOwn(config, journal, sparedUids)), await sweepLasting(config, kept)]
      journal?.close()
      const left = sweeps.flatMap((swept) => (swept ? leftIn(swept) : []))
      const missing = groupWasMissing(cases, config.target.groupUid)
      if (missing)
        throw new Refused(`${missing}. Check RMAPI_GROUP_UID, and that the token belongs to its organization.`)
      if ('error' in result) throw withLeft(result.error, left)
      const swept = sweeps.reduce((sum, one) => sum + (one?.requests ?? 0), 0)
      const resumable = resumes === undefined ? keptIn(kept) : undefined
      const file = trace && (await tracedFile(trace, 'error' in result ? undefined : result.traced))
      const plain = reportOf(rows, {
        target: config.target,
        suite,
        node: process.version,
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
        seed: config.seed,
        selection,
        exchangesSent: result.exchangesSent + requests + swept,
        problems: result.problems,
        left,
        contract: contractOfSuite(),
        untestable,
        allExchanges: options.allExchanges ?? false,
        ...traces,
        ...(file ? { traces: [file] } : {}),
        ...(options.readOnly ? { readOnly: true } : {}),
        ...(spared.length > 0 ? { kept: spared } : {}),
        ...present({ resumes, resumable }),
        ...(selection.shard === undefined ? {} : { cases: casesToMerge(cases) }),
      })
      const clean = withoutSecrets(plain, config)
      const report = options.baseline ? await withBaseline(clean, options.baseline) : clean
      const lost = trace ? lostTrace(trace, file) : []
      const whole = trace && lost.length === 0 ? [trace.path] : []
      const written = out === undefined ? [] : await writeReport(report, out, formats, whole)
      const unwritten = [...lost, ...written]
      const stays = spared.length > 0 && journal ? { journal: journal.path } : {}
      return { report, exitCode: exitCodeFor(report, complete), unwritten, ...stays }
    } finally {
      await close()
    }
  } finally {
    ending.close()
  }
}

/** Adds what was left in the target to the error that ended the run, because no report says it. */
function withLeft(error: Error, left: readonly string[]): Error {
  if (left.length > 0) error.message += ` (left behind: ${left.join(', ')})`
  return error
}

async function runCases(
  run: ProvidedContext['run'],
  { selection, shuffle }: { selection: Selection; shuffle: boolean },
  listener: Listener,
  { signal, watch, end }: Ending,
) {
  if (signal.aborted) throw new Refused(`Nothing was examined: ${reasonOf(signal)} before the first case.`)
  const shown = countingFailures(listener, () => gathered.ended(), await collectHeaders())
  const ended: Listener['ended'] = (id, bad) => {
    shown.ended(id, bad)
    if (bad) watch(gathered.ended)
  }
  let stop = () => {}
  const collected: Listener['collected'] = (total) => {
    shown.collected(total)
    // nothing is reported before the first case
    if (signal.aborted) stop()
  }
  const gathered = gather({ ...listener, collected, ended })
  const notices = hearing(end)
  const crash = await withVitest(
    { run: { ...run, channel: notices.channel }, selection },
    gathered,
    { shuffle },
    async (vitest) => {
      stop = () => void vitest.cancelCurrentRun('keyboard-input')
      signal.addEventListener('abort', stop)
      try {
        await vitest.start()
        return []
      } catch (error) {
        return [`the runner gave up: ${(error as Error).message}`]
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  )
  const { sent, traced } = await notices.last()
  const cut = reasonOf(signal)
  return {
    cases: cut === undefined ? gathered.cases() : notRun(gathered.cases(), cut),
    exchangesSent: Math.max(gathered.sent(), sent),
    traced,
    problems: [...gathered.problems(), ...crash, ...(cut === undefined ? [] : [cut])],
  }
}
