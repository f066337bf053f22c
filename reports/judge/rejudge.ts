import type { Counts, Report, Requirement, Verdict } from '../../schemas/types.ts'
import type { Row } from './outcome.ts'
import { count, exitCodeOf, judge } from './verdict.ts'

/** The rows of a report, as the verdict is computed from them. */
function rowsOf({ requirements }: Pick<Report, 'requirements'>): Row[] {
  return requirements.map(({ id, level, profile, statement, says, outcome, requests, ms }: Requirement) => ({
    header: { id, level, profile, statement, quote: '', says },
    outcome,
    exchanges: [],
    requests,
    ms,
  }))
}

/** The verdict on the recorded outcomes, by the function that judged the run; excused failures count as passed. */
export function judgeAgain(report: Report, excused: ReadonlySet<string> = new Set()): Verdict {
  const rows = rowsOf(report).map((row) =>
    row.outcome === 'fail' && excused.has(row.header.id) ? { ...row, outcome: 'pass' as const } : row,
  )
  return judge(rows, report)
}

/** The counts of the recorded outcomes. */
export function countAgain(report: Pick<Report, 'requirements'>): Counts {
  return count(rowsOf(report))
}

/** The exit code of a report: what a baseline covers is not a failure. */
export function exitCodeFor(report: Report, complete: boolean): 0 | 1 | 3 | 4 | 5 {
  const { baseline = { covered: [], stale: [] }, left } = report
  const verdict = judgeAgain(report, new Set(baseline.covered.map(({ id }) => id)))
  return exitCodeOf(verdict, { complete, left: left.length, stale: baseline.stale.length })
}
