import { present } from '../../schemas/present.ts'
import type { Outcome, Report, Requirement } from '../../schemas/types.ts'
import { callsOf } from '../model/finding.ts'
import { excuseOf, factsOf, headline, rerunOf } from '../model/select.ts'
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

/** The report in the Common Test Report Format: a broken should is `other`, because it makes no run red. */
export function toCtrf(report: Report): string {
  const { suite, target, verdict, seed, startedAt, durationMs, requirements } = report
  const tests = requirements.map((one) => testOf(one, report))
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const start = Date.parse(startedAt)
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
      stop: start + durationMs,
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
    suite: section,
    message: quiet ? undefined : visible(excuse === undefined ? headline(one) : `known: ${excuse}`),
    trace: quiet ? undefined : traceOf(one, report),
    rawStatus: outcome,
    tags: [level, profile],
    extra: { says },
  })
}

/** What a person needs to see it again. */
function traceOf(one: Requirement, report: Report): string {
  const { deciding } = callsOf(one)
  const facts = factsOf(one, report.requirements).map(([name, text]) => `${name}: ${visible(text, 1000)}`)
  return [...facts, ...(deciding ? [curl(deciding)] : []), `again: ${rerunOf([one], report)}`].join('\n')
}
