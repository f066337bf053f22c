import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Explorer, type Find } from '../../helpers/explore/explorer.ts'
import { isOfTarget } from '../../helpers/explore/stage.ts'
import type { Config, Values } from '../../helpers/settings/configuration.ts'
import type { Explored } from '../../reports/formats/explore-progress.ts'
import type { FormatName } from '../../reports/formats/formats.ts'
import type { Report } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'
import { reasonOf } from '../run/limits.ts'
import { takeFolder } from '../run/out-folder.ts'
import { cleared, writeReport } from '../run/report-files.ts'
import { type Embedded, openTarget } from '../run/target.ts'
import { secretsOf } from '../run/without-secrets.ts'
import { exploredReport } from './explored-report.ts'
import { fileOf, findingOf, forgetFindings } from './finding-file.ts'
import { Grounds } from './grounds.ts'

/** What an exploration is given. */
export interface ExploreOptions {
  values: Values
  /** The folder for the report and the findings. */
  out: string
  formats: readonly FormatName[]
  /** How long histories are drawn, in milliseconds; without it until something is found or the signal comes. */
  ms?: number
  /** It ends at the first must that does not hold. */
  untilFound?: boolean
  /** Ends it early: what was made is still deleted, and the report written. */
  signal?: AbortSignal
  /** Default: a reference that keeps the contract. */
  embedded?: Embedded
  /** The target answers; the remarks are for the operator. */
  opened?(config: Config, remarks: readonly string[]): void
  /** Called often; returns on demand how far it is. */
  changed?(state: () => Explored): void
}

/** The result of an exploration. */
export interface Came {
  report: Report
  finds: readonly Find[]
  exitCode: 0 | 1 | 3 | 5
  /** The journals of what is left. */
  kept: readonly string[]
  unwritten: string[]
}

/** Draws calls for a while and reports what does not hold. Throws `ConfigurationError` or `Refused` if it cannot. */
export async function exploreTarget(options: ExploreOptions): Promise<Came> {
  const release = takeFolder(options.out)
  try {
    cleared(options.out, options.formats)
    forgetFindings(options.out)
    return await exploreInto(options)
  } finally {
    release()
  }
}

async function exploreInto(options: ExploreOptions): Promise<Came> {
  const { values, out, formats, ms, untilFound = false, signal, embedded, opened, changed } = options
  const [started, name] = [new Date(), crypto.randomUUID().slice(0, 8)]
  const { config, remarks, requests, close } = await openTarget(values, embedded, name)
  try {
    opened?.(config, remarks)
    const grounds = new Grounds(config, out, name)
    const end = performance.now() + (ms ?? Number.POSITIVE_INFINITY)
    const isInterrupted = () => signal?.aborted === true || grounds.ended !== undefined
    const explorer: Explorer = new Explorer({
      ground: () => grounds.ground(),
      isOver: () => isInterrupted() || performance.now() >= end || (untilFound && explorer.foundMust),
      isInterrupted,
      end,
      changed: () => changed?.(() => stateOf(explorer, grounds, end)),
    })
    const problems = await explored(explorer, grounds, signal)
    const exchangesSent = grounds.sent + requests
    const report = exploredReport(explorer, config, { started, exchangesSent, problems, left: grounds.left })
    const finds = [...explorer.finds.values()]
    const unwritten = [...writeFindings(finds, config, out), ...(await writeReport(report, out, formats))]
    const failed = report.totals.must.passed < report.totals.must.total
    const exitCode = failed ? 1 : problems.length > 0 ? 3 : report.left.length > 0 ? 5 : 0
    return { report, finds, exitCode, kept: grounds.kept, unwritten }
  } finally {
    await close()
  }
}

/** Explores until it is over and deletes what was made; returns why it ended early, a line each. */
async function explored(explorer: Explorer, grounds: Grounds, signal?: AbortSignal): Promise<string[]> {
  const interrupt = () => grounds.interrupt()
  signal?.addEventListener('abort', interrupt)
  try {
    if (signal?.aborted) interrupt()
    await explorer.explore()
  } catch (error) {
    if (!isOfTarget(error)) throw error
    if (!signal?.aborted) grounds.ended ??= error.message
  } finally {
    signal?.removeEventListener('abort', interrupt)
    await grounds.close()
  }
  if (explorer.histories <= 1 && grounds.ended !== undefined && explorer.coverage.commands === 0)
    throw new Refused([`Nothing could be explored: ${grounds.ended}`, ...grounds.leftLines()].join('\n'))
  const ended = grounds.ended ?? (signal === undefined ? undefined : reasonOf(signal))
  return ended === undefined ? [] : [ended]
}

function stateOf(explorer: Explorer, grounds: Grounds, end: number): Explored {
  const { coverage, histories, finds, shrinking } = explorer
  const { commands, states, combinations } = coverage
  const leftMs = Number.isFinite(end) ? end - performance.now() : undefined
  return { commands, states, combinations, histories, shrinking, leftMs, made: grounds.made, found: finds.size }
}

/** Writes a file of each finding, so that only its owner can read it; returns what could not be written. */
function writeFindings(finds: readonly Find[], config: Config, out: string): string[] {
  const secrets = secretsOf(config)
  return finds.flatMap((find) => {
    const path = join(out, fileOf(find.finding.row))
    try {
      writeFileSync(path, `${JSON.stringify(secrets.redactAll(findingOf(find, config)), null, 2)}\n`, { mode: 0o600 })
      return []
    } catch (error) {
      return [`${path} could not be written: ${(error as Error).message}`]
    }
  })
}
