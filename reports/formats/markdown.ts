import type { Counts, Outcome, Report, Requirement } from '../../schemas/types.ts'
import { byPhase } from '../judge/evidence.ts'
import { verdictLine } from '../judge/verdict.ts'
import { baselineLines } from '../model/baseline.ts'
import { groupBy } from '../model/report.ts'
import { askedFor, blockedCount, told, worstFirst } from '../model/select.ts'
import { curl, rerun } from '../text/curl.ts'
import { visible, visibleLines } from '../text/visible-text.ts'

/** The report for people, in GitHub's Markdown; nothing that the target wrote acts in it. */
export function toMarkdown(report: Report): string {
  const { requirements } = report
  const blocks = [
    top(report),
    ...section(
      'What keeps the run from being whole',
      report.problems.map((problem) => `- ${prose(problem)}`),
    ),
    ...section(
      'Left behind',
      report.left.map((uid) => `- ${code(uid)}`),
    ),
    ...section(
      'Baseline',
      baselineLines(report).map((line) => `- ${prose(line)}`),
    ),
    ...section(
      'Kept to look at',
      (report.kept ?? []).map(({ id, uid }) => `- ${code(uid)} of ${code(id)}`),
    ),
    ...section(
      'Failures',
      worstFirst(told(requirements, 'fail'), requirements).map((one) => failed(one, report)),
    ),
    ...section(
      'Errors of the suite or the network',
      told(requirements, 'error').map((one) => failed(one, report)),
    ),
    ...section(
      'Warnings',
      worstFirst(told(requirements, 'warning'), requirements).map((one) => failed(one, report)),
    ),
    ...section('Blocked', blocked(requirements)),
    ...section('Inconclusive', untold(requirements)),
    ...section('Observed', observed(requirements)),
    ...section('Not examined', notExamined(report)),
    ...section('Outside the certificate', outside(report)),
    ...section('All requirements', everything(requirements)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function top(report: Report): string {
  const { target, suite, profiles, requirements, totals, verdict } = report
  const rows = profiles.map((each) => `| ${each.profile} | **${each.verdict}** | ${cells(each)} |`)
  const sections = [...groupBy(requirements, ({ section }) => section)].map(
    ([name, own]) => `| ${prose(name)} | ${columns.map((outcome) => told(own, outcome).length || '').join(' | ')} |`,
  )
  return [
    `# ${verdict}`,
    fenced(verdictLine(verdict, totals)),
    `${prose(target.name)}, version ${prose(target.version)}, at ${code(target.baseUrl)} (${code(target.apiVersion)})${target.embedded ? ', the suite’s own reference' : ''}. Examined by ${suite.name} ${suite.version} on Node ${report.node}, from ${report.startedAt}, ${(report.durationMs / 1000).toFixed(1)} s, ${report.exchangesSent} calls, seed ${report.seed}.${picked(report)}${later(report)}`,
    `| Profile | Verdict | must | should | observed | inconclusive | error |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}`,
    `| Section | ${columns.join(' | ')} |\n|---|${'---:|'.repeat(columns.length)}\n${sections.join('\n')}`,
  ].join('\n\n')
}

const columns: Outcome[] = ['pass', 'fail', 'warning', 'observed', 'inconclusive', 'error']

function cells({ must, should, observed, inconclusive, error }: Counts): string {
  return `${must.passed}/${must.total} | ${should.passed}/${should.total} | ${observed} | ${inconclusive} | ${error}`
}

function picked(report: Report): string {
  const asked = askedFor(report)
  return asked === '' ? '' : ` Picked by ${code(asked)}.`
}

function later({ resumed = [] }: Report): string {
  return resumed
    .map(({ startedAt, told }) => ` A run of ${startedAt} went on with it and told ${told.length} requirements.`)
    .join('')
}

function section(title: string, blocks: string[]): string[] {
  if (blocks.length === 0) return []
  return [`## ${title}`, blocks.join(blocks[0]!.startsWith('- ') ? '\n' : '\n\n')]
}

function failed(one: Requirement, { requirements, seed }: Report): string {
  const { arranged, acted } = byPhase(one.exchanges)
  const count = blockedCount(one.id, requirements)
  const fact = (name: string, text: string | undefined) => (text === undefined ? [] : [`- ${name}: ${code(text)}`])
  return [
    `### ${prose(one.id)}`,
    `${one.level}, ${prose(one.statement)}: ${prose(one.says)}`,
    [
      ...fact('note', one.note),
      ...fact('expected', one.expected),
      ...fact('got', one.got),
      ...fact('where', one.where),
      ...(count > 0 ? [`- blocks: ${count} others`] : []),
      ...fact('again', rerun(one.id, seed)),
    ].join('\n'),
    ...(one.steps ? [one.steps.map((step, index) => `${index + 1}. ${prose(step)}`).join('\n')] : []),
    ...(arranged.length > 0
      ? [
          `<details><summary>Arrangement: ${arranged.length} calls</summary>\n\n${fenced(calls(arranged), 'sh')}\n\n</details>`,
        ]
      : []),
    ...(acted.length > 0 ? [fenced(calls(acted), 'sh')] : []),
  ].join('\n\n')
}

function calls(exchanges: NonNullable<Requirement['exchanges']>): string {
  return exchanges
    .map((exchange) => {
      const { response, silence = '', ms } = exchange
      const came = response ? `${response.status} ${visible(response.body, 1000)}` : `no answer: ${visible(silence)}`
      return `${curl(exchange)}\n# ${ms} ms: ${came}`
    })
    .join('\n')
}

function blocked(requirements: readonly Requirement[]): string[] {
  const own = requirements.filter(({ blockedBy }) => blockedBy !== undefined)
  return [...groupBy(own, ({ blockedBy = '' }) => blockedBy)].map(
    ([cause, rows]) => `- by ${code(cause)}: ${rows.map(({ id }) => code(id)).join(', ')}`,
  )
}

function untold(requirements: readonly Requirement[]): string[] {
  const own = told(requirements, 'inconclusive').filter(({ blockedBy }) => blockedBy === undefined)
  return [...groupBy(own, ({ note = '' }) => note)].map(
    ([note, rows]) => `- ${code(note)}: ${rows.map(({ id }) => code(id)).join(', ')}`,
  )
}

function observed(requirements: readonly Requirement[]): string[] {
  const rows = told(requirements, 'observed').map(
    ({ id, says, observed = '' }) => `| ${cell(id)} | ${prose(says)} | ${cell(observed)} |`,
  )
  return rows.length > 0 ? [`| Requirement | Question | Seen |\n|---|---|---|\n${rows.join('\n')}`] : []
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

function everything(requirements: readonly Requirement[]): string[] {
  return [...groupBy(requirements, ({ section }) => section)].map(([name, rows]) => {
    const lines = rows.map(
      ({ id, level, outcome, statement, says, met = '' }) =>
        `| ${outcome} | ${cell(id)} | ${level} | ${prose(statement)} | ${prose(says)} | ${prose(met)} |`,
    )
    return `### Section ${prose(name)}\n\n| Outcome | Requirement | Level | Statement | Claim | Met |\n|---|---|---|---|---|---|\n${lines.join('\n')}`
  })
}

/** Text among other text: no mark-up, no link, no mention comes of it. */
export function prose(text: string): string {
  return visible(text)
    .replace(/[\\`*_[\]|#~!$]/g, '\\$&')
    .replace(/[&<>@]|:(?=\/\/)|(?<=\bwww)\./gi, (sign) => `&#${sign.codePointAt(0)};`)
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
