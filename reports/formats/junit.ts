import { present } from '../../schemas/present.ts'
import type { Outcome, Report, Requirement } from '../../schemas/types.ts'
import { callsOf } from '../model/finding.ts'
import { groupBy } from '../model/report.ts'
import { excuseOf, factsOf, headline, problemsOf, rerunOf, withOutcome } from '../model/select.ts'
import { curl } from '../text/curl.ts'
import { visible, visibleLines } from '../text/visible-text.ts'

/**
 * The report as JUnit's XML, a suite for each section. The time of a suite is the sum of its cases, which run side by
 * side: it is not the duration of the run. Only a broken must that no baseline excuses is a failure; what
 * is inconclusive, and a should that is not followed, is skipped with a message, because neither makes a run red.
 */
export function toJunit(report: Report): string {
  const { requirements, suite, target, verdict, startedAt, seed } = report
  const suites = [...groupBy(requirements, ({ section }) => section)].map(([name, own]) =>
    element('testsuite', { name, ...counts(own, report), timestamp: startedAt }, [
      properties({ verdict, target: target.name, version: target.version, baseUrl: target.baseUrl, seed }),
      ...own.map((one) => testcase(one, report)),
    ]),
  )
  const incomplete = problemsOf(report).map((problem) =>
    element('testcase', { name: 'the run is whole', classname: 'run', time: '0.000' }, [
      element('error', { message: problem, type: 'problem' }),
    ]),
  )
  if (incomplete.length > 0) {
    const counted = { tests: incomplete.length, failures: 0, errors: incomplete.length, skipped: 0, time: '0.000' }
    suites.push(element('testsuite', { name: 'run', ...counted }, incomplete))
  }
  const all = counts(requirements, report)
  const totals = { ...all, tests: all.tests + incomplete.length, errors: all.errors + incomplete.length }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: suite.name, ...totals }, suites)}\n`
}

function counts(own: readonly Requirement[], report: Report) {
  const known = own.filter(({ id }) => excuseOf(report, id) !== undefined)
  const but = (outcome: Outcome) => withOutcome(own, outcome).filter((one) => !known.includes(one)).length
  return {
    tests: own.length,
    failures: but('fail'),
    errors: but('error'),
    skipped: known.length + but('warning') + but('inconclusive') + but('not offered'),
    time: seconds(own.reduce((sum, { ms }) => sum + ms, 0)),
  }
}

function testcase(one: Requirement, report: Report): string {
  const { id, section, level, statement, profile, says, quote, outcome, observed, ms } = one
  return element('testcase', { name: id, classname: section, time: seconds(ms) }, [
    properties(present({ outcome, level, statement, profile, says, quote, observed })),
    ...ending(one, report),
  ])
}

function ending(one: Requirement, report: Report): string[] {
  const excuse = excuseOf(report, one.id)
  const message = headline(one)
  if (excuse !== undefined)
    return [element('skipped', { message: `known: ${excuse}` }), element('system-out', {}, [proof(one, report)])]
  if (one.outcome === 'fail') return [element('failure', { message, type: one.level }, [proof(one, report)])]
  if (one.outcome === 'error') return [element('error', { message, type: 'error' }, [proof(one, report)])]
  if (one.outcome === 'warning')
    return [element('skipped', { message: `warning: ${message}` }), element('system-out', {}, [proof(one, report)])]
  const isOpen = one.outcome === 'inconclusive' || one.outcome === 'not offered'
  return isOpen ? [element('skipped', { message: `${one.outcome}: ${message}` })] : []
}

/** What a person needs to reproduce it. */
function proof(one: Requirement, report: Report): string {
  const { steps = [] } = one
  const { deciding, before, arranged } = callsOf(one)
  const lines = [
    `${one.level}, ${one.statement}: ${one.says}`,
    ...factsOf(one, report.requirements).map(([name, text]) => `${name}: ${text}`),
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...[...(deciding ? [deciding] : []), ...before, ...arranged].flatMap((exchange) => {
      const { response, silence = '', ms } = exchange
      const came = response ? `${response.status} ${response.body}` : `no answer: ${silence}`
      return [curl(exchange), `# ${ms} ms: ${visible(came, 1000)}`]
    }),
    `rerun: ${rerunOf([one], report)}`,
  ]
  return escaped(visibleLines(lines.map((line) => visible(line, 4000)).join('\n'), 40_000))
}

function properties(values: Record<string, string | number>): string {
  const each = Object.entries(values).map(([name, value]) => element('property', { name, value }))
  return element('properties', {}, each)
}

function element(name: string, attributes: Record<string, string | number>, children: readonly string[] = []): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
  const end = children.length > 0 ? `>${children.join('\n')}</${name}>` : '/>'
  return `<${name}${start.join('')}${end}`
}

const attribute = (text: string) => escaped(visible(text, 1000))

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
