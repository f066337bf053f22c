import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { applyBaseline, type Baseline } from '../reports/baseline.ts'
import type { Report } from '../reports/report.ts'
import { collectHeaders } from './collect.ts'
import { packageRoot } from './package.ts'
import { Refused } from './refused.ts'

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
  const ajv = new Ajv2020({ allErrors: true })
  formats.default(ajv)
  const valid = ajv.compile(JSON.parse(readFileSync(join(packageRoot, 'schemas/baseline.json'), 'utf8')))
  if (valid(baseline)) return baseline as Baseline
  const problems = (valid.errors ?? []).map(
    ({ instancePath, message }) => `${path}${instancePath} ${message}`,
  )
  throw new Refused(problems.join('\n'))
}

/** A report with what a baseline makes of it today. */
export async function withBaseline(report: Report, baseline: Baseline): Promise<Report> {
  const today = new Date().toISOString().slice(0, 10)
  return { ...report, baseline: applyBaseline(report, baseline, await knownIds(), today) }
}

/** The ids of this version of the suite. */
export async function knownIds(): Promise<ReadonlySet<string>> {
  return new Set((await collectHeaders()).map(({ id }) => id))
}
