import type { Report, Requirement } from '../../schemas/types.ts'
import { verdictLine } from '../judge/verdict.ts'
import { excuseOf, factsOf, headline, problemsOf, rerunOf, withOutcome, worstFirst } from '../model/select.ts'
import { visible } from '../text/visible-text.ts'

/** GitHub shows no more annotations of one kind than this from one step. */
const most = 10

/**
 * The report as workflow commands, a line each: failures and errors, warnings and what a baseline excuses, and
 * the verdict as a notice.
 */
export function toAnnotations(report: Report): string {
  const { requirements, verdict, totals } = report
  const red = [...worstFirst(withOutcome(requirements, 'fail'), requirements), ...withOutcome(requirements, 'error')]
  const yellow = worstFirst(withOutcome(requirements, 'warning'), requirements)
  const known = ({ id }: Requirement) => excuseOf(report, id) !== undefined
  const problems = problemsOf(report)
    .slice(0, 2)
    .map((problem) => command('error', 'The run cannot be accepted as it is', [problem]))
  return [
    ...problems,
    ...red
      .filter((one) => !known(one))
      .slice(0, most - problems.length)
      .map((one) => about('error', one, report)),
    ...[...red.filter(known), ...yellow].slice(0, most).map((one) => about('warning', one, report)),
    command('notice', `API contract: ${verdict}`, [verdictLine(verdict, totals)]),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** A text for a log that GitHub reads: up to its last line, nothing in it acts as a workflow command. */
export function withoutCommands(text: string, token: string): string {
  const last = text.trimEnd().lastIndexOf('\n') + 1
  return `::stop-commands::${token}\n${text.slice(0, last)}::${token}::\n${text.slice(last)}`
}

function about(kind: string, one: Requirement, report: Report): string {
  const excuse = excuseOf(report, one.id)
  const facts = factsOf(one, report.requirements).map(([name, text]) => `${name}: ${text}`)
  const lines = [headline(one), one.says, ...facts, `rerun: ${rerunOf([one], report)}`]
  if (excuse !== undefined) lines.unshift(`known: ${excuse}`)
  return command(kind, `${one.outcome} ${one.id} (${one.level}, ${one.statement})`, lines)
}

function command(kind: string, title: string, lines: readonly string[]): string {
  const message = lines.map((line) => escaped(visible(line, 400))).join('%0A')
  return `::${kind} title=${escaped(visible(title)).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${message}`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25')
}
