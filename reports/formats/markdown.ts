import { counted } from '../../schemas/counted.ts'
import type { Counts, Exchange, Outcome, Report, Requirement } from '../../schemas/types.ts'
import { blockerOf, remedyFor } from '../judge/remedies.ts'
import { verdictLine } from '../judge/verdict.ts'
import { baselineLines } from '../model/baseline.ts'
import { claimCount, claimNames, claimsOf, kindIn, kindOf, missingIn } from '../model/claims.ts'
import { callsOf, citedIn, placeOf, saidOf } from '../model/finding.ts'
import { groupBy } from '../model/report.ts'
import {
  aboutCalls,
  askedFor,
  blockedBy,
  excuseOf,
  type Finding,
  findingsOf,
  rerunOf,
  undecidedIn,
  withOutcome,
} from '../model/select.ts'
import { namesIn, partWith } from '../text/answer-part.ts'
import { curl, explanation } from '../text/curl.ts'
import { visible, visibleLines } from '../text/visible-text.ts'

/** The report for people, in GitHub's Markdown; the target's text is never markup in it. */
export function toMarkdown(report: Report): string {
  const { requirements } = report
  const findings = findingsOf(report)
  const found = (outcome: Outcome) =>
    findings.filter(({ cells: [one] }) => one.outcome === outcome).map((finding) => failed(finding, report))
  const blocks = [
    top(report),
    ...section('Why the run is not whole', items(report.problems)),
    ...section(
      'Left behind',
      report.left.map((uid) => `- ${code(uid)}`),
    ),
    ...section('Baseline', items(baselineLines(report))),
    ...section(
      'Kept for inspection',
      (report.kept ?? []).map(({ id, uid }) => `- ${code(uid)} of ${code(id)}`),
    ),
    ...section('Failures', found('fail')),
    ...section('Errors of the suite or the network', found('error')),
    ...section('Warnings', found('warning')),
    ...section('To send the calls again', items(aboutCalls(report))),
    ...section('Blocked', blocked(report)),
    ...section('Not offered, which the contract allows', notOffered(requirements)),
    ...section('Inconclusive', inconclusive(report)),
    ...section('Observed', observed(requirements)),
    ...section('Not examined', notExamined(report)),
    ...section('Outside the certificate', outside(report)),
    ...section('All claims', everything(requirements)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function top(report: Report): string {
  const { target, suite, profiles, requirements, totals, verdict } = report
  const rows = profiles.map(
    (each) =>
      `| ${each.profile} | ${each.must.total + each.should.total > 0 ? `**${each.verdict}**` : undecidedAs(each)} | ${cells(each)} |`,
  )
  const sections = [...groupBy(requirements, ({ section }) => section)].map(
    ([name, own]) =>
      `| ${prose(name)} | ${claimsOf(own).length} | ${columns.map((outcome) => withOutcome(own, outcome).length || '').join(' | ')} |`,
  )
  return [
    `# ${verdict}`,
    fenced(verdictLine(verdict, totals)),
    `${prose(target.name)}, version ${prose(target.version)}, at ${code(target.baseUrl)} (${code(target.apiVersion)})${target.embedded ? ', the suite’s own reference' : ''}. Examined by ${suite.name} ${suite.version} on Node ${report.node}, from ${report.startedAt}, ${(report.durationMs / 1000).toFixed(1)} s, ${report.exchangesSent} calls, seed ${report.seed}.${picked(report)}${later(report)}`,
    `| Profile | Verdict | must | should | observed | inconclusive | error |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}`,
    `${claimCount(requirements.map(({ id }) => id))}: ${requirements.length} requirements.\n\n| Section | claims | ${columns.join(' | ')} |\n|---|---:|${'---:|'.repeat(columns.length)}\n${sections.join('\n')}`,
  ].join('\n\n')
}

const columns: Outcome[] = ['pass', 'fail', 'warning', 'observed', 'not offered', 'inconclusive', 'error']

/** What a part of the service came to in which nothing was judged. */
const undecidedAs = ({ notOffered = 0 }: Counts) => (notOffered > 0 ? 'not offered' : 'recorded only')

function cells({ must, should, observed, inconclusive, error }: Counts): string {
  return `${must.passed}/${must.total} | ${should.passed}/${should.total} | ${observed} | ${inconclusive} | ${error}`
}

function picked(report: Report): string {
  const asked = askedFor(report)
  return asked === '' ? '' : ` Picked by ${code(asked)}.`
}

function later({ resumed = [] }: Report): string {
  return resumed
    .map(({ startedAt, told }) => ` A run of ${startedAt} continued it and decided ${told.length} requirements.`)
    .join('')
}

/** Texts as the items of a list. */
const items = (lines: readonly string[]) => lines.map((line) => `- ${prose(line)}`)

function section(title: string, blocks: string[]): string[] {
  if (blocks.length === 0) return []
  return [`## ${title}`, blocks.join(blocks[0]!.startsWith('- ') ? '\n' : '\n\n')]
}

function failed({ cells: [one, ...others] }: Finding, report: Report): string {
  const { deciding, before, arranged } = callsOf(one)
  const { about, expected, got, note } = saidOf(one)
  const count = blockedBy([one, ...others], report.requirements).length
  const fact = (name: string, text: string | undefined) => (text === undefined ? [] : [`- ${name}: ${code(text)}`])
  const folded = (title: string, some: Exchange[]) =>
    some.length === 0
      ? []
      : [
          `<details><summary>${title}: ${counted(some.length, 'call')}</summary>\n\n${fenced(calls(some), 'sh')}\n\n</details>`,
        ]
  return [
    `### ${prose(one.id)}`,
    `${one.level}, ${prose(citedIn(one))}: ${prose(one.says)}`,
    ...(one.quote === undefined ? [] : [`> ${prose(one.quote)}`]),
    [
      ...fact('known', excuseOf(report, one.id)),
      ...fact('about', about),
      ...fact('expected', expected),
      ...fact('got', got),
      ...Object.entries(placeOf(one)).flatMap(([name, place]) => fact(name, place)),
      ...fact('note', note),
      ...(others.length > 0 ? [`- also on: ${others.map((other) => kindOf(other, one)).join(', ')}`] : []),
      ...(count > 0 ? [`- blocks: ${counted(count, 'other')}`] : []),
      ...fact('rerun', rerunOf([one, ...others], report)),
      ...fact('explain', explanation(one.id)),
    ].join('\n'),
    ...(one.steps ? [one.steps.map((step, index) => `${index + 1}. ${prose(step)}`).join('\n')] : []),
    ...(deciding ? [fenced(calls([deciding], one.got), 'sh')] : []),
    ...folded('Before it', before),
    ...folded('Arrangement', arranged),
  ].join('\n\n')
}

function calls(exchanges: readonly Exchange[], got?: string): string {
  return exchanges
    .map((exchange) => {
      const { response, silence = '', ms } = exchange
      const came = response
        ? `${response.status} ${visible(partWith(response.body, namesIn(got), 1000), 1100)}`
        : `no answer: ${visible(silence)}`
      return `${curl(exchange)}\n# ${ms} ms: ${came}`
    })
    .join('\n')
}

function blocked(report: Report): string[] {
  const { requirements } = report
  const own = requirements.filter(({ blockedBy }) => blockedBy !== undefined)
  return [...groupBy(own, (one) => blockerOf(one, report))].map(
    ([cause, rows]) => `- by ${code(cause)}: ${claimNames(rows).map(code).join(', ')}`,
  )
}

function inconclusive(report: Report): string[] {
  const { requirements, verdict } = report
  const own = withOutcome(requirements, 'inconclusive').filter(({ blockedBy }) => blockedBy === undefined)
  return undecidedIn(own, report).map(
    ({ reason, rows }) =>
      `- ${code(reason)}: ${claimNames(rows).map(code).join(', ')} → ${prose(remedyFor(rows[0]!, verdict))}`,
  )
}

function notOffered(requirements: readonly Requirement[]): string[] {
  return missingIn(withOutcome(requirements, 'not offered')).map(
    ({ seen, operations, rows }) =>
      `- ${operations.map(code).join(', ')}, ${prose(seen)}: ${claimNames(rows).map(code).join(', ')}`,
  )
}

function observed(requirements: readonly Requirement[]): string[] {
  const rows = withOutcome(requirements, 'observed').map(
    ({ id, says, observed = '' }) => `| ${cell(id)} | ${prose(says)} | ${cell(observed)} |`,
  )
  return rows.length > 0 ? [`| Requirement | Question | Answer |\n|---|---|---|\n${rows.join('\n')}`] : []
}

function outside({ notExamined: statements }: Report): string[] {
  const lines = statements.flatMap(({ id, text, outside: why }) =>
    why === undefined ? [] : [`- ${prose(id)}: ${prose(text)} *${prose(why)}*`],
  )
  return lines.length > 0 ? [`No black box can check these statements of the contract.\n\n${lines.join('\n')}`] : []
}

function notExamined({ notExamined: statements }: Report): string[] {
  const lines = statements.flatMap(({ id, text, outside: why }) =>
    why === undefined ? [`- ${prose(id)}: ${prose(text)}`] : [],
  )
  return lines.length > 0
    ? [`No requirement of this run cites these statements of the contract.\n\n${lines.join('\n')}`]
    : []
}

/** A claim a line, with its kinds by outcome where there are several. */
function everything(requirements: readonly Requirement[]): string[] {
  return [...groupBy(requirements, ({ section }) => section)].map(([name, rows]) => {
    const lines = claimsOf(rows).map(({ id, cells }) => {
      const { level, statement, says } = cells[0]!
      const outcomes = [...groupBy(cells, ({ outcome }) => outcome)].map(([outcome, own]) =>
        cells.length === 1 ? outcome : `${outcome}: ${own.map((one) => kindIn(one.id)).join(' ')}`,
      )
      const met = cells.flatMap((cell) => cell.met ?? [])[0] ?? ''
      return `| ${outcomes.join('; ')} | ${cell(id)} | ${level} | ${prose(statement)} | ${prose(says)} | ${prose(met)} |`
    })
    return `### Section ${prose(name)}\n\n| Outcome | Claim | Level | Statement | Says | Exercised |\n|---|---|---|---|---|---|\n${lines.join('\n')}`
  })
}

/** Text among other text, without any markup, link or mention, and with addresses as code. */
export function prose(text: string): string {
  // every second part is an address
  const parts = visible(text).split(/(\bhttps?:\/\/[\w.~:/?#@!$&'()*+,;=%-]+)/)
  return parts.map((part, index) => (index % 2 > 0 ? code(part) : withoutMarkup(part))).join('')
}

function withoutMarkup(text: string): string {
  return text
    .replace(/[\\`*_[\]|#~!$]/g, '\\$&')
    .replace(/[&<>@]|:(?=\/\/)|(?<=\bwww)\./gi, (character) => `&#${character.codePointAt(0)};`)
}

/** Text as it is, on one line. */
export function code(text: string): string {
  const seen = visible(text) || ' '
  const fence = '`'.repeat(longestRun(seen) + 1)
  const pad = /^`|`$|^ .* $/.test(seen) ? ' ' : ''
  return `${fence}${pad}${seen}${pad}${fence}`
}

/** The same in a table, where a pipe would end the cell. */
export function cell(text: string): string {
  return code(text).replaceAll('|', '\\|')
}

function fenced(text: string, language = ''): string {
  const seen = visibleLines(text, 40_000)
  const fence = '`'.repeat(Math.max(3, longestRun(seen) + 1))
  return `${fence}${language}\n${seen}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
