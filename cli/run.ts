import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { Config, Values } from '../helpers/config.ts'
import type { Selection } from '../helpers/selection.ts'
import { toMarkdown } from '../reports/markdown.ts'
import { type Report, reportOf } from '../reports/report.ts'
import { gather, type Progress } from '../reports/reporter.ts'
import { exitCodeOf, settle } from '../reports/verdict.ts'
import { untestable } from '../specs/untestable.ts'
import { checkSelection } from './collect.ts'
import { contractOfSuite, suite } from './package.ts'
import { Refused } from './refused.ts'
import { mustBeFor, toldAlone } from './resuming.ts'
import { sweepJournal } from './sweeping.ts'
import { type Embedded, openTarget } from './target.ts'
import { withVitest } from './vitest.ts'

/** Told what a run does; without one a run is silent. */
export interface Listener extends Progress {
  /** The target answers; the remarks are for the operator. */
  opened?(config: Config, remarks: string[]): void
}

/** What a run is told. */
export interface RunOptions {
  values: Values
  selection: Selection
  /** The folder for the report; without it none is written. */
  out?: string
  listener?: Listener
  /** Default: a reference that keeps the contract. */
  embedded?: Embedded
  /** The file in which an earlier run kept page tokens. */
  resume?: string
  /** Begins the cases in an order that hangs on the seed. */
  shuffle?: boolean
  /** A partial verdict is not enough. */
  complete?: boolean
  /** Ends the run early: what was made is swept, and the report written, all the same. */
  signal?: AbortSignal
}

/** Examines a target. Throws `ConfigurationError` or `Refused` where that cannot begin. */
export async function runSuite(options: RunOptions): Promise<{ report: Report; exitCode: number }> {
  const { values, out, listener = {}, complete = false, shuffle = false, signal, resume } = options
  const selection = resume === undefined ? options.selection : toldAlone(options.selection)
  const folder = out === undefined ? mkdtempSync(join(tmpdir(), 'rmapi-')) : cleared(out)
  const started = new Date()
  try {
    await checkSelection(selection)
    const { config, remarks, close } = await openTarget(values, options.embedded)
    try {
      if (resume !== undefined) mustBeFor(config.target, resume)
      listener.opened?.(config, remarks)
      const name = crypto.randomUUID().slice(0, 8)
      const journal = join(folder, `journal-${name}.jsonl`)
      const keep = out === undefined ? {} : { keep: join(out, `resume-${name}.json`) }
      const { cases, problems, exchangesSent } = await runCases(
        { config, journal, ...(resume === undefined ? keep : { resume }) },
        { selection, shuffle },
        listener,
        signal,
      )
      const left = await sweepJournal(config, journal)
      const report = reportOf(settle(cases), {
        target: config.target,
        suite,
        node: process.version,
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
        seed: config.seed,
        selection,
        exchangesSent,
        problems,
        left,
        contract: contractOfSuite(),
        untestable,
      })
      if (out !== undefined) write(report, out)
      return { report, exitCode: exitCodeOf(report.verdict, { complete, left: left.length }) }
    } finally {
      await close()
    }
  } finally {
    if (out === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

async function runCases(
  run: ProvidedContext['run'],
  { selection, shuffle }: { selection: Selection; shuffle: boolean },
  listener: Listener,
  signal?: AbortSignal,
) {
  if (signal?.aborted) throw new Refused('Interrupted before the first case.')
  const gathered = gather(listener)
  const crash = await withVitest({ run, selection }, gathered, { shuffle }, async (vitest) => {
    const stop = () => void vitest.cancelCurrentRun('keyboard-input')
    signal?.addEventListener('abort', stop)
    try {
      await vitest.start()
      return []
    } catch (error) {
      return [`the runner gave up: ${(error as Error).message}`]
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  })
  const interrupted = signal?.aborted ? ['the run was interrupted'] : []
  return {
    cases: gathered.cases(),
    exchangesSent: gathered.sent(),
    problems: [...gathered.problems(), ...crash, ...interrupted],
  }
}

const files = ['report.json', 'report.md']

/** The folder without the report of an earlier run: a run that is refused must leave no certificate. */
function cleared(out: string): string {
  try {
    makeFolder(resolve(out))
    accessSync(out, constants.W_OK)
    for (const file of files) rmSync(join(out, file), { force: true })
    return out
  } catch (error) {
    throw new Refused(`The report cannot be written to ${out}: ${(error as Error).message}`)
  }
}

/** Folder by folder: Node's own recursive way never ends where a file system takes none. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

function write(report: Report, out: string): void {
  writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(out, 'report.md'), toMarkdown(report))
}
