import { readFileSync } from 'node:fs'
import { applyBaseline } from '../../reports/model/baseline.ts'
import type { Baseline, Report } from '../../schemas/types.ts'
import { knownIds } from './collect.ts'
import { Refused } from './refused.ts'
import { schemaProblems } from './schema-problems.ts'

/** The known deviations in a file; throws `Refused` where it is none, with every place that is wrong. */
export function readBaseline(path: string): Baseline {
  let baseline: unknown
  try {
    baseline = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === undefined ? `is no JSON: ${message}` : `cannot be read (${code})`
    throw new Refused(`${path} ${why}. 'baseline update' writes one from a report.`)
  }
  const problems = schemaProblems(baseline, 'baseline', path)
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  return baseline as Baseline
}

/** A report with what a baseline makes of it today. */
export async function withBaseline(report: Report, baseline: Baseline): Promise<Report> {
  const today = new Date().toISOString().slice(0, 10)
  return { ...report, baseline: applyBaseline(report, baseline, await knownIds(), today) }
}
