import { textIn, unreadable } from '../../helpers/settings/setting-files.ts'
import { visible } from '../../reports/text/visible-text.ts'
import type { Report } from '../../schemas/types.ts'
import { Refused } from './refused.ts'
import { ofAnotherVersion, schemaProblems } from './schema-problems.ts'

/** The report in a file; throws `Refused` if it holds none. */
export function readReport(path: string): Report {
  const refuse = (why: string): never => {
    throw new Refused(`${path} ${why}. Give the report.json that a run wrote into its --out folder.`)
  }
  let report: Partial<Report> | null = null
  try {
    report = JSON.parse(textIn(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    refuse(code === undefined ? `is not JSON: ${visible(message)}` : unreadable(error))
  }
  const { reportVersion, requirements, seed, target, selection, totals } = report ?? {}
  const whole =
    Array.isArray(requirements) &&
    requirements.every((one) => typeof one?.id === 'string' && typeof one.outcome === 'string') &&
    Number.isInteger(seed) &&
    typeof target?.baseUrl === 'string' &&
    [selection?.only, selection?.skip, selection?.profiles].every(Array.isArray) &&
    [totals?.must, totals?.should].every((level) => Number.isInteger(level?.total))
  const other = ofAnotherVersion(report, 'reportVersion')
  if (other !== undefined) throw new Refused(`${path} ${other}.`)
  if (reportVersion !== 1 || !whole) refuse('is not the report of a run')
  const departs = schemaProblems(report, 'report', path)
  if (departs.length > 0)
    throw new Refused([`${path} is not a report as this version writes it:`, ...departs].join('\n'))
  return report as Report
}
