import { createHash } from 'node:crypto'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../helpers/settings/configuration.ts'
import type { Traced, TraceTo } from '../../helpers/trace/trace.ts'
import type { Report, TraceFile } from '../../schemas/types.ts'
import { suite } from '../input/package.ts'

/** What the trace of a run is called in the folder of its report. */
export const traceName = 'trace.ndjson.gz'

/** Where a run writes its trace, and what the first line says about the run. */
export function traceTo(
  folder: string,
  { target, seed }: Config,
  run: string,
  { digests }: Required<Pick<Report, 'digests'>>,
): TraceTo {
  const { baseUrl, authUrl, apiVersion, groupUid } = target
  const own = { name: suite.name, version: suite.version, digest: digests.suite }
  const { configuration } = digests
  return {
    path: join(folder, traceName),
    header: { traceVersion: 1, suite: own, run, seed, baseUrl, authUrl, apiVersion, groupUid, configuration },
  }
}

/** Removes the trace of an earlier run. */
export function forgetTrace(folder: string): void {
  rmSync(join(folder, traceName), { force: true })
}

/** What a report says about the trace that was written; undefined if there is none. */
export async function tracedFile(
  { path, header: { run } }: TraceTo,
  traced: Traced = { exchanges: 0, cut: 'the run ended before its trace did' },
): Promise<TraceFile | undefined> {
  try {
    return { file: traceName, sha256: await digestOfFile(path), bytes: statSync(path).size, ...traced, run }
  } catch {
    return undefined
  }
}

/** A line if a trace is missing or not whole; none otherwise, or where no case ran. */
export function lostTrace({ path }: TraceTo, file: TraceFile | undefined, cases: number): string[] {
  if (file === undefined && cases === 0) return []
  if (file === undefined) return [`${path} could not be written`]
  return file.cut === undefined ? [] : [`${path} is not whole: ${file.cut}`]
}

/** The SHA-256 digest of a file. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
