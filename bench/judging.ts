import { join } from 'node:path'
import { traceLines } from '../cli/trace/trace-lines.ts'
import { Hearing } from '../helpers/trace/hearing.ts'
import type { TraceLine } from '../schemas/types.ts'

/** How long the model takes for one answer of the run whose trace is in a folder, in milliseconds; reading excluded. */
export async function judgingOf(folder: string): Promise<number> {
  const lines: TraceLine[] = []
  for await (const line of traceLines(join(folder, 'trace.ndjson.gz'))) lines.push(line)
  const [header] = lines
  if (header?.line !== 'header') throw new Error('a trace begins with its header')
  const hearing = new Hearing(header.apiVersion, header.patience)
  const before = performance.now()
  for (const line of lines) hearing.take(line)
  return (performance.now() - before) / lines.filter(({ line }) => line === 'exchange').length
}
