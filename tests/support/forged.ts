import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sums } from '../../cli/commands/certify.ts'
import { coveredBy } from '../../reports/certificate/covered.ts'
import { evidenceOf } from '../../reports/certificate/submission.ts'
import { countAgain, judgeAgain } from '../../reports/judge/rejudge.ts'
import { digestOf, sealed, sha256 } from '../../reports/model/digests.ts'
import type { Report, Requirement, TraceExchange, TraceLine } from '../../schemas/types.ts'

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
const renumbered = (lines: readonly TraceLine[]) => lines.map((line, seq) => ({ ...line, seq }))

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
function madeToFit(report: Report): Report {
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

/** A report with changed rows, whose verdicts and counts fit them. */
export const rows = (change: (one: Requirement, index: number) => Requirement) => (report: Report) =>
  madeToFit({ ...report, requirements: report.requirements.map(change) })

/** A row that says that it passed. */
export const passing = ({
  note: _,
  expected: __,
  got: ___,
  where: ____,
  exchanges: _____,
  ...one
}: Requirement): Requirement => ({
  ...one,
  outcome: one.level === 'observe' ? 'observed' : 'pass',
})

/** Without the tenth read of groups, and in other ways as well numbered as before. */
export function leftOut(lines: readonly TraceLine[]): TraceLine[] {
  const reads = lines.filter((line) => line.line === 'exchange' && line.method === 'GET')
  return renumbered(lines.filter((line) => line !== reads[10]))
}

/** Lines of which two changed places. */
export function swapped(lines: readonly TraceLine[]): TraceLine[] {
  const [one, other] = [lines[40]!, lines[41]!]
  return lines.map((line) => (line === one ? other : line === other ? one : line))
}

/** The rows of the model are decided before most calls were sent. */
export function decidedEarly(lines: readonly TraceLine[]): TraceLine[] {
  const isRow = (line: TraceLine) => line.line === 'ended' && /^model\.(?!inputs)/.test(line.id)
  const others = lines.filter((line) => !isRow(line))
  return renumbered([...others.slice(0, 2000), ...lines.filter(isRow), ...others.slice(2000)])
}

/** Lines with a changed header. */
export const header = (change: (first: Extract<TraceLine, { line: 'header' }>) => object) => (lines: TraceLine[]) =>
  lines.map((line) => (line.line === 'header' ? ({ ...line, ...change(line) } as TraceLine) : line))

/** A time some hours later. */
export const shifted = (hours: number) => (time: string) => new Date(Date.parse(time) + hours * 3_600_000).toISOString()

/** A report of a suite with another judge. */
export const otherFiles = (report: Report): Report => {
  const files = { ...report.digests!.files, 'dist/helpers/model/judge.js': 'f'.repeat(64) }
  return { ...report, digests: { ...report.digests!, files, suite: digestOf(files) } }
}
