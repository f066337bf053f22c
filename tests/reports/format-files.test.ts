import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { cleared, formatsIn, writeReport } from '../../cli/run/report-files.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'
import { type FormatName, formats } from '../../reports/formats/formats.ts'
import { toAnnotations, withoutCommands } from '../../reports/formats/github.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import type { Outcome } from '../../schemas/types.ts'
import { isReport, named } from '../support/formats.ts'
import { runSuite } from '../support/runs/built.ts'
import { type Environment, ended, start } from '../support/runs/child.ts'
import { groupUid, listen, token } from '../support/runs/servers.ts'
import { acting, exchange, nastier, reportWith, row } from '../support/sample-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi-formats-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const every: Outcome[] = ['pass', 'fail', 'warning', 'observed', 'inconclusive', 'error']

/** A report in which everything that a target can say is the given text. */
const hostile = (text: string) => {
  const blocked: Row = {
    ...named(row(text, 'inconclusive'), 'list.skip.blocked'),
    blockedBy: 'list.skip.fail',
  }
  const story: Row = { ...named(row(text), 'group.story.lists'), steps: [text, text] }
  const silent = { ...exchange(text, 7), silence: text } as Exchange
  delete silent.response
  return reportWith(
    [...every.map((outcome) => row(text, outcome)), blocked, story, { ...story, exchanges: [silent] }],
    text,
  )
}

describe('--report', () => {
  test('takes a list, each format once', () => {
    expect(formatsIn('html, junit,html')).toEqual(['html', 'junit'])
    expect(formatsIn(Object.keys(formats).join())).toEqual(Object.keys(formats))
  })

  test.each([
    ['jnuit', "No report format is called 'jnuit'. Did you mean 'junit'?"],
    ['hmtl,har', "No report format is called 'hmtl'. Did you mean 'html'?"],
    ['pdf9', "No report format is called 'pdf9'. There are: json, html, md, junit, ctrf, har, badge, allure."],
    ['constructor', /^No report format is called 'constructor'/],
    [' , ', /^--report names no format\. There are: /],
  ])('of %j is refused', (list, says) => expect(() => formatsIn(list)).toThrow(says))

  test('leaves nothing of an earlier run, and of a folder only what it was asked to fill', async () => {
    const out = join(folder, 'all')
    const all = Object.keys(formats) as FormatName[]
    cleared(out, all)
    await writeReport(hostile('x'), out, all)
    const first = readdirSync(out).sort()
    cleared(out, ['json'])

    const names = ['allure-results', 'badge.json', 'ctrf.json', 'exchanges.har', 'junit.xml']
    expect(first).toEqual([...names, 'report.html', 'report.json', 'report.md'])
    expect(readdirSync(out)).toEqual(['allure-results'])
  })
})

test('Allure is given section, requirement, level, exchanges and why, of every outcome', async () => {
  const out = join(folder, 'allure')
  cleared(out, ['allure'])
  await writeReport(hostile('a </script> \u0000 text'), out, ['allure'])
  const results = join(out, 'allure-results')
  const files = readdirSync(results)
  const shown = files
    .filter((file) => file.endsWith('-result.json'))
    .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')))
  const of = (id: string) => shown.find(({ fullName }) => fullName === id)
  const labels = Object.fromEntries(of('list.skip.fail').labels.map(({ name, value }: never) => [name, value]))

  expect(of('list.skip.fail')).toMatchObject({ status: 'failed', historyId: 'list.skip.fail' })
  expect(labels).toMatchObject({ epic: '4 Endpoints', feature: 'list.skip.fail', severity: 'critical' })
  expect(Object.keys(labels)).not.toContain('host')
  expect(of('list.skip.fail').steps).toHaveLength(1)
  expect(of('list.skip.fail').steps[0]).toMatchObject({ name: 'act group.create: 500', status: 'failed' })
  expect(of('list.skip.fail').steps[0].attachments.length + of('list.skip.fail').steps[0].steps.length).toBe(2)
  expect(of('list.skip.error').status).toBe('broken')
  expect(of('list.skip.pass').status).toBe('passed')
  expect(of('list.skip.observed')).toMatchObject({ status: 'passed' })
  expect(of('list.skip.blocked')).toMatchObject({
    status: 'skipped',
    statusDetails: { message: 'blocked by list.skip.fail' },
  })
})

test('Allure counts no warning as a failure, and knows what a baseline excuses', async () => {
  const out = join(folder, 'allure-warnings')
  const entry = { id: 'list.skip.fail', reason: 'GW-17', owner: 'team', expires: '2026-12-31' }
  const baseline = { covered: [entry], stale: [], remarks: [] }
  cleared(out, ['allure'])
  await writeReport({ ...reportWith([row('late', 'warning'), row('x')]), baseline }, out, ['allure'])
  const results = join(out, 'allure-results')
  const read = (name: string) => JSON.parse(readFileSync(join(results, name), 'utf8'))
  const shown = readdirSync(results)
    .filter((file) => file.endsWith('-result.json'))
    .map(read)
  const of = (id: string) => shown.find(({ fullName }) => fullName === id)
  const categoryOf = ({ status, statusDetails }: { status: string; statusDetails: { message: string } }) =>
    read('categories.json').find(
      ({ matchedStatuses, messageRegex }: { matchedStatuses: string[]; messageRegex: string }) =>
        matchedStatuses.includes(status) && new RegExp(`^${messageRegex}$`).test(statusDetails.message),
    )?.name

  expect(of('list.skip.warning')).toMatchObject({
    status: 'passed',
    statusDetails: { message: 'warning: expected late, got late', expected: 'late', actual: 'late' },
  })
  expect(of('list.skip.warning').steps.at(-1).status).toBe('failed')
  expect(of('list.skip.fail')).toMatchObject({
    status: 'failed',
    statusDetails: { message: expect.stringMatching(/^known: GW-17 \(team, /), known: true, muted: true },
  })
  expect(['list.skip.warning', 'list.skip.fail'].map((id) => categoryOf(of(id)))).toEqual([
    'Warnings: a should does not hold',
    'Known deviations',
  ])
})

describe('on GitHub', () => {
  test('a step shows ten errors and ten warnings, causes first', () => {
    const rows = Array.from({ length: 30 }, (_, index) =>
      named(row('x', index % 2 ? 'fail' : 'warning'), `list.skip.n${index}`),
    )
    const cause = named(row('x'), 'group.create.answers')
    const blocked: Row = { ...row('x', 'inconclusive'), blockedBy: 'group.create.answers' }
    const lines = toAnnotations({ ...reportWith([...rows, cause, blocked]), problems: [] }).split('\n')

    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10)
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10)
    expect(lines[0]).toMatch(/^::error title=The run cannot be accepted as it is::left behind in the target: /)
    expect(lines[1]).toMatch(/^::error title=fail group\.create\.answers \(must%2C S4\.23\)::/)
    expect(lines[1]).toContain('blocks: 1 other')
  })

  test('what is printed besides is no command, and the verdict is still the last line', () => {
    const printed = withoutCommands('Report: a\n  1. ::error::x\nVERDICT partial\n', 'secret')

    expect(printed).toBe('::stop-commands::secret\nReport: a\n  1. ::error::x\n::secret::\nVERDICT partial\n')
  })
})

test('a server that answers ten megabytes of mischief is reported in files that open', async () => {
  const mischief = nastier.join(' ').repeat(16_000).slice(0, 10_000_000)
  const body = JSON.stringify({
    uid: groupUid,
    name: mischief,
    groups: [{ uid: mischief, name: mischief.slice(9) }],
  })
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  const port = await listen(server)
  const out = join(folder, 'mischief')
  const { report } = await runSuite({
    values: {
      RMAPI_BASE_URL: `http://127.0.0.1:${port}`,
      RMAPI_GROUP_UID: groupUid,
      RMAPI_ACCESS_TOKEN: token,
    },
    selection: { ...everything, only: ['group.create.answers', 'group.get.shape', 'list.skip.echo'] },
    out,
    formats: Object.keys(formats) as FormatName[],
  })
  server.close()

  expect(report.requirements).toHaveLength(3)
  for (const file of readdirSync(out).filter((name) => name !== 'allure-results')) {
    expect(statSync(join(out, file)).size, file).toBeLessThan(5_000_000)
  }
  expect(isReport(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')))).toBe(true)
  expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toMatch(acting)
})

describe('the command line', () => {
  const run = (args: string[], more: Environment = {}) =>
    ended(start(folder, ['run', '--only', 'list.skip.echo', ...args], more))

  test('writes what --report names, and on GitHub annotates and summarizes', async () => {
    const summary = join(folder, 'summary.md')
    writeFileSync(summary, 'what an earlier step said\n')
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
    const { stdout, code } = await run(['--report', 'html,junit', '--out', 'cli'], github)

    expect(code).toBe(0)
    expect(readdirSync(join(folder, 'cli')).sort()).toEqual(['junit.xml', 'report.html'])
    expect(stdout).toMatch(/^::notice title=API contract%3A partial::VERDICT partial must=1\/1 /m)
    expect(stdout).toMatch(
      /^::stop-commands::(\S+)\nReport: cli\/report\.html, cli\/junit\.xml\n[\s\S]*^::\1::\nVERDICT .*\n$/m,
    )
    expect(readFileSync(summary, 'utf8')).toMatch(/^what an earlier step said\n# partial\n/)
  })

  test('refuses a format that is not known before anything is examined', async () => {
    const { stdout, stderr, code } = await run(['--report', 'html,jnuit', '--out', 'never'])

    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toBe("rmapi-conformance: No report format is called 'jnuit'. Did you mean 'junit'?\n")
  })
})
