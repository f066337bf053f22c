import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { Patience } from '../../helpers/api/soft-refusal.ts'
import type { Selection } from '../../helpers/requirement/selection.ts'
import type { Config, Values } from '../../helpers/settings/configuration.ts'
import { type FormatName, usualFormats } from '../../reports/formats/formats.ts'
import { exitCodeFor } from '../../reports/judge/rejudge.ts'
import type { Progress } from '../../reports/judge/reporter.ts'
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
import { type Ending, endingBy, keptOf, type Limits, mustOutlive } from './limits.ts'
import { takeFolder } from './out-folder.ts'
import { cleared, writeReport } from './report-files.ts'
import { keptIn, mustBeFor, onlyDecidedByDays, sweepLasting } from './resume.ts'
import { runCases } from './runner/run-cases.ts'
import { tracesOf } from './suite-digest.ts'
import { headerOf, leftIn, openJournal, sweepOwn } from './sweep-journal.ts'
import { type Embedded, type OpenTarget, openTarget } from './target.ts'
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
  const started = new Date()
  const name = crypto.randomUUID().slice(0, 8)
  const wanted = options.resume === undefined ? options.selection : onlyDecidedByDays(options.selection)
  const isGrpc = options.values.RMAPI_TRANSPORT === 'grpc'
  const ending = endingBy(options, options.signal)
  try {
    const remarks = await checkSelection({ ...wanted, ...(isGrpc ? { transport: 'grpc' } : {}) })
    const target = await openTarget(options.values, options.embedded, name)
    try {
      const begun = begin(folder, { name, started, wanted, target, remarks }, options)
      return await finish(begun, await examine(begun, options, ending), options)
    } finally {
      await target.close()
    }
  } finally {
    ending.close()
  }
}

/** What is known before a run opens its files. */
interface Opened {
  name: string
  started: Date
  wanted: Selection
  target: OpenTarget
  /** What the operator should know of the selection. */
  remarks: readonly string[]
}

/** Opens the journal and the trace of a run, and says who is examined. */
function begin(folder: string, { name, started, wanted, target, remarks }: Opened, options: RunOptions) {
  const { out, resume, formats = usualFormats } = options
  const config: Config = options.readOnly ? { ...target.config, readOnly: true } : target.config
  const selection: Selection = { ...wanted, ...(config.transport && { transport: config.transport }) }
  if (options.keep) mustOutlive(config)
  const resumes = resume === undefined ? undefined : mustBeFor(config.target, resume)
  options.listener?.opened?.(config, [...remarks, ...target.remarks])
  const header = headerOf(config, name)
  const journal = options.readOnly ? undefined : openJournal(join(folder, `journal-${name}.jsonl`), header)
  const traces = tracesOf(config)
  // the report holds its digest, and the archive is made of it
  const isTraced = options.traced === true && formats.some((each) => each === 'json' || each === 'har')
  const trace = out !== undefined && isTraced ? traceTo(folder, config, name, traces) : undefined
  const kept = resume ?? join(folder, `resume-${name}.json`)
  return { started, requests: target.requests, config, selection, header, journal, traces, trace, kept, resumes }
}

type Begun = ReturnType<typeof begin>

/** Runs the cases and leaves the target as it was found; throws what ended the run without a result. */
async function examine(begun: Begun, options: RunOptions, ending: Ending) {
  const { config, selection, header, journal, trace, kept } = begun
  const { out, resume, listener = {}, shuffle = false } = options
  const leaves =
    out === undefined ? {} : { pageTokensFile: kept, ...(options.forResume ? { forResume: true as const } : {}) }
  const run: ProvidedContext['run'] = {
    config,
    ...(journal ? { journal: journal.path, header } : {}),
    ...(resume === undefined ? leaves : { resume }),
    ...(trace ? { trace } : {}),
    ...(options.wait ? { wait: true } : {}),
    ...(options.keep ? { keepFailed: true } : {}),
    ...(options.allExchanges ? { allExchanges: true } : {}),
    ...(options.patience ? { patience: options.patience } : {}),
  }
  const result = await runCases(run, { selection, shuffle }, listener, ending).catch((error: Error) => ({ error }))
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
  if (missing) throw new Refused(`${missing}. Check RMAPI_GROUP_UID, and that the token belongs to its organization.`)
  if ('error' in result) throw withLeft(result.error, left)
  const swept = sweeps.reduce((sum, one) => sum + (one?.requests ?? 0), 0)
  return { ...result, rows, spared, left, swept }
}

/** Makes the report of a run and writes it. */
async function finish(begun: Begun, examined: Awaited<ReturnType<typeof examine>>, options: RunOptions): Promise<Came> {
  const { started, requests, config, selection, journal, traces, trace, kept, resumes } = begun
  const { cases, rows, spared, left, exchangesSent, swept, problems, traced } = examined
  const { out, formats = usualFormats } = options
  const resumable = resumes === undefined ? keptIn(kept) : undefined
  const file = trace && (await tracedFile(trace, traced))
  const plain = reportOf(rows, {
    target: config.target,
    suite,
    node: process.version,
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    seed: config.seed,
    selection,
    exchangesSent: exchangesSent + requests + swept,
    problems,
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
  const lost = trace ? lostTrace(trace, file, cases.length) : []
  const whole = trace && lost.length === 0 ? [trace.path] : []
  const written = out === undefined ? [] : await writeReport(report, out, formats, whole)
  const stays = journal && existsSync(journal.path) ? { journal: journal.path } : {}
  return {
    report,
    exitCode: exitCodeFor(report, options.complete ?? false),
    unwritten: [...lost, ...written],
    ...stays,
  }
}

/** Adds what was left in the target to the error that ended the run, because no report says it. */
function withLeft(error: Error, left: readonly string[]): Error {
  if (left.length > 0) error.message += ` (left behind: ${left.join(', ')})`
  return error
}
