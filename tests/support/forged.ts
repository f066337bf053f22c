import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sums } from '../../cli/commands/certify.ts'
import { coveredBy } from '../../reports/certificate/covered.ts'
import { evidenceOf } from '../../reports/certificate/submission.ts'
import { countAgain, judgeAgain } from '../../reports/judge/rejudge.ts'
import { digestOf, sealed, sha256 } from '../../reports/model/digests.ts'
import type { Report, TraceExchange, TraceLine } from '../../schemas/types.ts'

/** What a forger changes: the report, and the lines of its trace. */
export interface Forgery {
  report?: (report: Report) => Report
  trace?: (lines: TraceLine[]) => TraceLine[]
  /** Leave the digest of the trace as it was. */
  keepsDigest?: true
}

/** The lines of a trace. */
export const linesOf = (path: string) =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine)

/** Lines as a file. */
export const packed = (lines: readonly TraceLine[]) =>
  gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 1 })

/** Lines numbered one after the other. */
export const renumbered = (lines: readonly TraceLine[]) => lines.map((line, seq) => ({ ...line, seq }))

/** Lines with one exchange changed. */
export const withExchange = (
  lines: readonly TraceLine[],
  which: (line: TraceExchange) => boolean,
  change: Partial<TraceExchange>,
) => {
  const at = lines.findIndex((line) => line.line === 'exchange' && which(line))
  return lines.map((line, index) => (index === at ? ({ ...line, ...change } as TraceLine) : line))
}

/** A report whose verdicts, counts and digests fit its rows. */
export function madeToFit(report: Report): Report {
  const profiles = report.profiles.map((each) => {
    const requirements = report.requirements.filter(({ profile }) => profile === each.profile)
    const own = { ...report, requirements, selection: { ...report.selection, profiles: [each.profile] } }
    return { profile: each.profile, verdict: judgeAgain(own), ...countAgain(own) }
  })
  return { ...report, profiles, verdict: judgeAgain(report), totals: countAgain(report) }
}

/** A submission of a changed report with a changed trace, all of whose digests fit. */
export function forge(submission: string, to: string, { report: change, trace, keepsDigest }: Forgery): string {
  rmSync(to, { recursive: true, force: true })
  cpSync(submission, to, { recursive: true })
  const path = join(to, 'evidence/trace.ndjson.gz')
  if (trace) writeFileSync(path, packed(trace(linesOf(path))))
  const bytes = readFileSync(path)
  const original = JSON.parse(readFileSync(join(to, 'report.json'), 'utf8')) as Report
  const [file] = original.traces ?? []
  const traces = file && !keepsDigest ? [{ ...file, sha256: sha256(bytes), bytes: bytes.length }] : original.traces
  const changed = change
    ? change({ ...original, ...(traces ? { traces } : {}) })
    : { ...original, ...(traces ? { traces } : {}) }
  const report = sealed(changed)
  const digests = report.digests && { ...report.digests, configuration: digestOf(report.configuration) }
  const files: Record<string, string> = {
    'report.json': `${JSON.stringify({ ...report, ...(digests ? { digests } : {}) }, null, 2)}\n`,
    'evidence/exchanges.json': `${JSON.stringify(evidenceOf(report), null, 2)}\n`,
    'product.json': `${JSON.stringify({ ...JSON.parse(readFileSync(join(to, 'product.json'), 'utf8')), ...report.target, ...coveredBy(report) }, null, 2)}\n`,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(to, name), content)
  const listed = readFileSync(join(to, 'SHA256SUMS'), 'utf8')
    .split('\n')
    .flatMap((line) => line.slice(66) || [])
  const subjects = listed.map((name) => ({ name, digest: { sha256: sha256(readFileSync(join(to, name))) } }))
  writeFileSync(join(to, 'SHA256SUMS'), sums(subjects))
  return to
}
