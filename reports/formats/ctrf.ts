import { present } from '../../schemas/present.ts'
import type { Outcome, Report, Requirement } from '../../schemas/types.ts'
import { callsOf } from '../model/finding.ts'
import { excuseOf, factsOf, headline, problemsOf, rerunOf } from '../model/select.ts'
import { curl } from '../text/curl.ts'
import { visible } from '../text/visible-text.ts'

const statuses = {
  pass: 'passed',
  observed: 'passed',
  fail: 'failed',
  error: 'failed',
  warning: 'other',
  inconclusive: 'skipped',
  'not offered': 'skipped',
} as const satisfies Record<Outcome, string>

/**
 * The report in the Common Test Report Format: a broken should, or what a baseline excuses, is `other`, as it makes no
 * run red; anything that keeps a run from being whole is a failed test of its own.
 */
export function toCtrf(report: Report): string {
  const { suite, target, verdict, seed, startedAt, durationMs, requirements } = report
  const incomplete = problemsOf(report).map((problem) => ({
    name: 'the run is whole',
    status: 'failed' as const,
    duration: 0,
    suite: ['run'],
    message: visible(problem),
    rawStatus: 'problem',
  }))
  const tests = [...requirements.map((one) => testOf(one, report)), ...incomplete]
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const start = Date.parse(startedAt)
  // a run that was continued days later has cases after its end
  const last = Math.max(...requirements.map((one) => (one.startedAt ? Date.parse(one.startedAt) + one.ms : 0)))
  const stop = Math.max(start + durationMs, last)
  const results = {
    tool: { name: suite.name, version: suite.version },
    summary: {
      tests: tests.length,
      passed: count('passed'),
      failed: count('failed'),
      pending: 0,
      skipped: count('skipped'),
      other: count('other'),
      start,
      stop,
      suites: new Set(tests.flatMap(({ suite }) => suite)).size,
      duration: stop - start,
    },
    tests,
    environment: {
      appName: visible(target.name),
      appVersion: visible(target.version),
      extra: { verdict, seed, baseUrl: visible(target.baseUrl) },
    },
  }
  return `${JSON.stringify({ reportFormat: 'CTRF', specVersion: '0.0.0', generatedBy: suite.name, results }, null, 1)}\n`
}

function testOf(one: Requirement, report: Report) {
  const { id, section, says, outcome, level, profile, startedAt, ms } = one
  const excuse = excuseOf(report, id)
  const quiet = outcome === 'pass' || outcome === 'observed'
  const start = startedAt === undefined ? undefined : Date.parse(startedAt)
  return present({
    name: id,
    status: excuse === undefined ? statuses[outcome] : ('other' as const),
    duration: ms,
    start,
    stop: start === undefined ? undefined : start + ms,
    suite: [section],
    message: quiet ? undefined : visible(excuse === undefined ? headline(one) : `known: ${excuse}`),
    trace: quiet ? undefined : traceOf(one, report),
    rawStatus: outcome,
    tags: [level, profile],
    extra: { says },
  })
}

/** What a person needs to reproduce it. */
function traceOf(one: Requirement, report: Report): string {
  const { deciding } = callsOf(one)
  const facts = factsOf(one, report.requirements).map(([name, text]) => `${name}: ${visible(text, 1000)}`)
  return [...facts, ...(deciding ? [curl(deciding)] : []), `rerun: ${rerunOf([one], report)}`].join('\n')
}
