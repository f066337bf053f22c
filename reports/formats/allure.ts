import type { LabelName, Status, StatusDetails, TestResult } from 'allure-js-commons'
import type { RuntimeMessage } from 'allure-js-commons/sdk'
import type { RunnerTask } from 'vitest'
import type { Vitest } from 'vitest/node'
import { present } from '../../schemas/present.ts'
import type { Exchange, Outcome, Report, Requirement } from '../../schemas/types.ts'
import { saidOf } from '../model/finding.ts'
import { excuseOf, factsOf, headline, rerunOf } from '../model/select.ts'
import { curl } from '../text/curl.ts'
import { visible, visibleLines } from '../text/visible-text.ts'
import { code, prose } from './markdown.ts'

/**
 * Writes a folder of Allure results: epic, feature and severity are section, requirement and level, the steps are the
 * exchanges. A broken should counts as passed, in the category of the warnings, because Allure has no such status.
 * Allure's reporter for vitest gets the cases as judged, not as the runner saw them: otherwise it would lose
 * why a case was skipped, and wrap the runner that judges the target.
 */
export async function writeAllure(report: Report, resultsDir: string): Promise<void> {
  const { default: AllureReporter } = await import('allure-vitest/reporter')
  const byId = new Map(report.requirements.map((one) => [one.id, one]))
  const { target, suite, seed, verdict } = report
  const reporter = new AllureReporter({
    resultsDir,
    environmentInfo: {
      verdict,
      target: visible(target.name),
      version: visible(target.version),
      address: visible(target.baseUrl),
      suite: `${suite.name} ${suite.version}`,
      seed: String(seed),
    },
    categories: [
      { name: 'Warnings: a should does not hold', matchedStatuses: ['passed' as Status], messageRegex: 'warning: .*' },
      { name: 'Known deviations', matchedStatuses: ['failed' as Status], messageRegex: 'known: .*' },
    ],
    listeners: [{ beforeTestResultWrite: (result) => settle(result, byId.get(result.name ?? ''), report) }],
  })
  // no project is passed on, so that none gets a setup file or another runner
  reporter.onInit({ projects: [] } as unknown as Vitest)
  for (const one of report.requirements) reporter.handleTask(taskOf(one, report))
}

/** Replaces what the reporter takes from the machine and the runner, so that results are the same everywhere. */
function settle(result: TestResult, one: Requirement | undefined, report: Report): void {
  if (one === undefined) return
  result.fullName = one.id
  result.titlePath = [one.section]
  result.statusDetails = detailsOf(one, excuseOf(report, one.id))
  const local = ['host', 'thread', 'package']
  result.labels = result.labels.filter(({ name }) => !local.includes(name))
}

/** Allure's flags mark an excused failure as known, so that it counts in no statistics. */
function detailsOf(one: Requirement, excuse: string | undefined): StatusDetails {
  if (one.outcome === 'pass' || one.outcome === 'observed') return {}
  const { expected, got } = saidOf(one)
  const prefix = excuse !== undefined ? `known: ${excuse}: ` : one.outcome === 'warning' ? 'warning: ' : ''
  return present({
    message: visible(prefix + headline(one)),
    known: excuse === undefined ? undefined : true,
    muted: excuse === undefined ? undefined : true,
    expected: expected && visible(expected),
    actual: got && visible(got),
  })
}

const states = {
  pass: 'pass',
  observed: 'pass',
  fail: 'fail',
  warning: 'pass',
  error: 'fail',
  'not offered': 'skip',
  inconclusive: 'skip',
} as const satisfies Record<Outcome, string>

/** A requirement as the runner's task that the reporter reads. */
function taskOf(one: Requirement, report: Report): RunnerTask {
  const { id, outcome, startedAt = report.startedAt, ms } = one
  // the reporter distinguishes failures of the target from those of the suite by the error's name
  const error = { name: outcome === 'error' ? 'Error' : 'AssertionError', message: '' }
  const task = {
    type: 'test',
    mode: 'run',
    name: id,
    file: { filepath: `${process.cwd()}/${id}` },
    meta: { allureRuntimeMessages: messagesOf(one, report) },
    result: {
      state: states[outcome],
      startTime: Date.parse(startedAt),
      duration: ms,
      errors: states[outcome] === 'fail' ? [error] : [],
    },
  }
  return task as unknown as RunnerTask
}

const severities = { must: 'critical', should: 'minor', observe: 'trivial' } as const

function messagesOf(one: Requirement, report: Report): RuntimeMessage[] {
  const { id, section, level, outcome, profile, statement, exchanges = [] } = one
  const labels: [`${LabelName}`, string][] = [
    ['epic', section],
    ['feature', id],
    ['severity', severities[level]],
    ['tag', outcome],
    ['tag', profile],
  ]
  const metadata: RuntimeMessage = {
    type: 'metadata',
    data: {
      labels: labels.map(([name, value]) => ({ name, value })),
      parameters: [{ name: 'statement', value: statement }],
      description: described(one, report),
      testCaseId: id,
      historyId: id,
    },
  }
  const last = exchanges.at(-1)
  return [
    metadata,
    ...exchanges.flatMap((each) => step(each, each === last && ['fail', 'warning', 'error'].includes(outcome))),
  ]
}

/** Markdown, in which the target's text is code. */
function described(one: Requirement, report: Report): string {
  const facts = factsOf(one, report.requirements).map(([name, text]) => `- ${name}: ${code(text)}`)
  const steps = (one.steps ?? []).map((text, index) => `${index + 1}. ${prose(text)}`)
  const parts = [one.says, facts.join('\n'), steps.join('\n'), `rerun: ${code(rerunOf([one], report))}`]
  return parts.filter((part) => part !== '').join('\n\n')
}

function step(exchange: Exchange, failed: boolean): RuntimeMessage[] {
  const { number, operation, phase, sentAt, ms, response, silence = '' } = exchange
  const start = Date.parse(sentAt)
  const came = response ? String(response.status) : 'no answer'
  const text = response ? `${response.status}\n${response.body}` : silence
  return [
    { type: 'step_start', data: { name: `${phase} ${operation}: ${came}`, start } },
    attached(`${number} request`, curl(exchange)),
    attached(`${number} answer`, visibleLines(text, 20_000)),
    { type: 'step_stop', data: { stop: start + ms, status: (failed ? 'failed' : 'passed') as Status } },
  ]
}

function attached(name: string, text: string): RuntimeMessage {
  const content = Buffer.from(text).toString('base64')
  return {
    type: 'attachment_content',
    data: { name, content, encoding: 'base64', contentType: 'text/plain' },
  }
}
