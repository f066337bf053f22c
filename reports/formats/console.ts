import { styleText } from 'node:util'
import type { Report, Requirement } from '../../schemas/types.ts'
import { byPhase } from '../judge/evidence.ts'
import { verdictLine } from '../judge/verdict.ts'
import { baselineLines } from '../model/baseline.ts'
import { groupBy } from '../model/report.ts'
import { blockedCount, told, worstFirst } from '../model/select.ts'
import { curl, rerun } from '../text/curl.ts'
import { visible } from '../text/visible-text.ts'

type Paint = (colour: 'red' | 'yellow' | 'green' | 'bold' | 'dim', text: string) => string

/** The report for a terminal; the last line is the verdict, never coloured. */
export function toConsole(report: Report, coloured: boolean): string {
  const paint: Paint = (colour, text) => (coloured ? styleText(colour, text, { validateStream: false }) : text)
  const { requirements, problems, left, verdict, totals } = report
  const bad = [
    ...worstFirst(told(requirements, 'fail'), requirements),
    ...told(requirements, 'error'),
    ...worstFirst(told(requirements, 'warning'), requirements),
  ]
  return [
    ...sections(requirements, paint),
    ...bad.flatMap((one) => ['', ...full(one, report, paint)]),
    ...untold(requirements, paint),
    ...problems.flatMap((problem) => ['', `${paint('red', 'PROBLEM')} ${visible(problem)}`]),
    ...left.flatMap((uid) => ['', `${paint('red', 'LEFT BEHIND')} ${visible(uid)}`]),
    ...paragraph(baselineLines(report).map((line) => visible(line))),
    ...(report.kept ?? []).flatMap(({ id, uid }) => ['', `${paint('bold', 'KEPT')} ${visible(uid)} of ${id}`]),
    '',
    verdictLine(verdict, totals),
    '',
  ].join('\n')
}

function sections(requirements: readonly Requirement[], paint: Paint): string[] {
  return [...groupBy(requirements, ({ section }) => section)].map(([name, own]) => {
    const parts = (['fail', 'error', 'warning', 'inconclusive', 'observed'] as const).flatMap((outcome) => {
      const count = told(own, outcome).length
      const colour = outcome === 'fail' || outcome === 'error' ? 'red' : outcome === 'warning' ? 'yellow' : 'dim'
      return count > 0 ? [paint(colour, `${count} ${outcome}`)] : []
    })
    return `${name.padEnd(24)} ${[paint('green', `${told(own, 'pass').length} pass`), ...parts].join(', ')}`
  })
}

function full(one: Requirement, { requirements, seed }: Report, paint: Paint): string[] {
  const { arranged, acted } = byPhase(one.exchanges)
  const last = acted.at(-1) ?? arranged.at(-1)
  const count = blockedCount(one.id, requirements)
  const line = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`  ${paint('dim', name.padEnd(9))} ${text}`]
  const seen = (text: string | undefined) => (text === undefined ? undefined : visible(text))
  const word = one.outcome === 'warning' ? paint('yellow', 'WARNING') : paint('red', one.outcome.toUpperCase())
  return [
    `${word} ${paint('bold', one.id)} (${one.level}, ${one.statement})`,
    `  ${one.says}`,
    ...line('expected', seen(one.expected)),
    ...line('got', seen(one.got)),
    ...line('note', seen(one.note)),
    ...line('where', seen(one.where)),
    ...line('blocks', count > 0 ? `${count} others` : undefined),
    ...(one.steps ?? []).flatMap((step, index) => line(index === 0 ? 'steps' : '', `${index + 1}. ${visible(step)}`)),
    ...(one.steps ? acted : [last]).flatMap((exchange, index) =>
      line(index === 0 ? 'curl' : '', exchange && curl(exchange)),
    ),
    ...line('rerun', rerun(one.id, seed)),
  ]
}

function paragraph(lines: string[]): string[] {
  return lines.length > 0 ? ['', ...lines] : []
}

function untold(requirements: readonly Requirement[], paint: Paint): string[] {
  const own = told(requirements, 'inconclusive')
  if (own.length === 0) return []
  const reasons = groupBy(own, ({ blockedBy, note = '' }) => (blockedBy ? `blocked by ${blockedBy}` : note))
  const lines = [...reasons].map(([reason, rows]) => {
    const names = rows.slice(0, 3).map(({ id }) => id)
    const more = rows.length > 3 ? `, and ${rows.length - 3} more` : ''
    return `  ${String(rows.length).padStart(4)}  ${visible(reason, 200)} ${paint('dim', `(${names.join(', ')}${more})`)}`
  })
  return ['', 'Inconclusive', ...lines]
}
