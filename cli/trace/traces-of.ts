import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { JudgedTrace } from '../../reports/certificate/traced.ts'
import type { Report } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'
import { judgeTrace } from './judge-trace.ts'
import { digestOfFile } from './trace-file.ts'

/** The traces of a report that were found, judged again, and why others were not. */
export interface Found {
  traces: JudgedTrace[]
  paths: string[]
  problems: string[]
}

/** Looks for the traces that a report names among files, by their digests, and judges them again. */
export async function tracesOf({ traces: named = [] }: Report, candidates: readonly string[]): Promise<Found> {
  const there = new Map<string, string>()
  for (const path of candidates) {
    if (!existsSync(path)) throw new Refused(`There is no trace ${path}`)
    there.set(await digestOfFile(path), path)
  }
  const found: Found = { traces: [], paths: [], problems: [] }
  for (const { sha256, file, exchanges, cut } of named) {
    const path = there.get(sha256)
    if (path === undefined) {
      const others = candidates.map((each) => basename(each)).join(', ')
      found.problems.push(
        others === ''
          ? `its trace ${file} is not there`
          : `its trace ${file} was replaced or changed: its digest is not ${sha256}, which the report states`,
      )
      continue
    }
    if (cut !== undefined) found.problems.push(`its trace ${file} ends before the run did: ${cut}`)
    try {
      const judged = await judgeTrace(path, basename(path))
      if (judged.exchanges !== exchanges)
        found.problems.push(`its trace ${file} holds ${judged.exchanges} exchanges, and the report states ${exchanges}`)
      found.traces.push(judged)
      found.paths.push(path)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      found.problems.push(`its trace cannot be read: ${error.message}`)
    }
  }
  return found
}
