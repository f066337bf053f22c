import { textIn, unreadable } from '../../helpers/settings/setting-files.ts'
import { applyBaseline, isWritten, unwritten } from '../../reports/model/baseline.ts'
import { visible } from '../../reports/text/visible-text.ts'
import type { Baseline, Report } from '../../schemas/types.ts'
import { requiredNow } from './collect.ts'
import { Refused } from './refused.ts'
import { ofAnotherVersion, schemaProblems } from './schema-problems.ts'

/**
 * The known deviations in a file. Throws `Refused` if it is not a baseline, with every place that is wrong, such as an
 * entry without a reason or an owner.
 */
export function readBaseline(path: string): Baseline {
  const { baseline, problems, unexplained } = read(path)
  const lines = [...unexplained, ...problems]
  if (unexplained.length > 0)
    lines.push(
      "'baseline update' with --reason and --owner writes them into every entry that has none: give each its own.",
    )
  if (lines.length > 0) throw new Refused(lines.join('\n'))
  return baseline
}

/** The same for a file that still lacks reasons and owners: it holds what 'baseline update' puts there. */
export function readDraft(path: string): Baseline {
  const { baseline, problems } = read(path)
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  return baseline
}

function read(path: string): { baseline: Baseline; problems: string[]; unexplained: string[] } {
  let given: unknown
  try {
    given = JSON.parse(textIn(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === undefined ? `is not JSON: ${visible(message)}` : unreadable(error)
    throw new Refused(`${path} ${why}. 'baseline update' writes one from a report.`)
  }
  const other = ofAnotherVersion(given, 'baselineVersion')
  if (other !== undefined) throw new Refused(`${path} ${other}.`)
  const unexplained: string[] = []
  const baseline = { ...(given as Baseline) }
  if (Array.isArray(baseline.deviations))
    baseline.deviations = baseline.deviations.map((entry, at) => {
      const lacks = lacking(entry)
      if (lacks.length === 0) return entry
      const id = typeof entry.id === 'string' ? ` (${visible(entry.id, 200)})` : ''
      const texts = lacks.map((name) => `"${name}" (${asks[name]})`).join(' and ')
      unexplained.push(`${path}/deviations/${at}${id} is not explained: write its ${texts}`)
      return { ...entry, ...Object.fromEntries(lacks.map((name) => [name, unwritten[name]])) }
    })
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  if (!isObject || baseline.deviations === undefined)
    throw new Refused(`${path} is no baseline: it lists no deviations. 'baseline update' writes one from a report.`)
  return { baseline, problems: schemaProblems(baseline, 'baseline', path), unexplained }
}

const asks = { reason: 'why the deviation is accepted for now', owner: 'who answers for it' } as const

/** Which texts nobody has written yet; what is not a text at all is left to the schema. */
function lacking(entry: unknown): (keyof typeof asks)[] {
  if (typeof entry !== 'object' || entry === null) return []
  const texts = entry as { reason?: unknown; owner?: unknown }
  return (['reason', 'owner'] as const).filter((name) => {
    const text = texts[name] ?? ''
    return typeof text === 'string' && !isWritten(text)
  })
}

/** A report judged by a baseline today. */
export async function withBaseline(report: Report, baseline: Baseline): Promise<Report> {
  const today = new Date().toISOString().slice(0, 10)
  return { ...report, baseline: applyBaseline(report, baseline, await requiredNow(), today) }
}
