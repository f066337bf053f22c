import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeReport } from '../../cli/run/report-files.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'
import { formats, usualFormats } from '../../reports/formats/formats.ts'
import { toAnnotations } from '../../reports/formats/github.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import type { Outcome, Report } from '../../schemas/types.ts'
import { ctrfSchema } from '../support/ctrf-schema.ts'
import { ajv, isReport, named } from '../support/formats.ts'
import { harSchema } from '../support/har-schema.ts'
import { acting, exchange, nastier, reportWith, row } from '../support/sample-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi-formats-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const every: Outcome[] = ['pass', 'fail', 'warning', 'observed', 'inconclusive', 'error']

const texts = { json: '', html: '', md: '', junit: '', ctrf: '', har: '', badge: '' }

const written = (name: keyof typeof texts, report: Report) => formats[name].write(report)

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

const isHar = ajv.compile(harSchema)
const isCtrf = ajv.compile(ctrfSchema)

describe.each(nastier)('what the target says, here %j', (text) => {
  const report = hostile(text)

  test('stays data in JSON, CTRF and HAR', () => {
    const har = JSON.parse(written('har', report))
    const [first] = har.log.entries

    expect(isReport(JSON.parse(written('json', report))), JSON.stringify(isReport.errors)).toBe(true)
    expect(isHar(har), JSON.stringify(isHar.errors)).toBe(true)
    expect(isCtrf(JSON.parse(written('ctrf', report))), JSON.stringify(isCtrf.errors)).toBe(true)
    expect(first.response.content.text).toBe(text)
    expect(first.request.postData.text).toBe(text)
    expect(JSON.parse(written('badge', report))).toMatchObject({ schemaVersion: 1, color: 'red' })
  })

  test('acts in no text', () => {
    for (const name of ['html', 'md', 'junit'] as const) expect(written(name, report)).not.toMatch(acting)
    expect(toAnnotations(report)).not.toMatch(acting)
  })

  test('makes no element of the page', () => {
    const elements = written('html', report).match(/<[a-z!][^\s>]*/gi)!
    const plain = written('html', hostile('plain')).match(/<[a-z!][^\s>]*/gi)!

    // what came is marked where an answer holds it
    expect(new Set(elements.filter((tag) => tag !== '<mark'))).toEqual(new Set(plain))
    expect(elements.filter((tag) => tag === '<script')).toHaveLength(1)
  })

  test('makes no workflow command', () => {
    const lines = toAnnotations(report).trimEnd().split('\n')

    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*::[^\n]*$/)
    expect(lines.at(-1)).toMatch(/^::notice title=API contract%3A nonconformant::VERDICT nonconformant /)
  })
})

const python = spawnSync('python3', ['--version']).status === 0

test.skipIf(!python)('JUnit is read by an XML parser that is not ours, whatever the target says', () => {
  const files = nastier.map((text, index) => {
    const file = join(folder, `${index}.xml`)
    writeFileSync(file, written('junit', hostile(text)))
    return file
  })
  const script = `
import json, sys, xml.etree.ElementTree as E
def summary(file):
    root = E.parse(file).getroot()
    kinds = [child.tag for case in root.iter('testcase') for child in case if child.tag not in ('properties', 'system-out')]
    counts = [sum(int(suite.get(name)) for suite in root.iter('testsuite')) for name in ('tests', 'failures', 'errors', 'skipped')]
    ms = lambda element: round(float(element.get('time')) * 1000)
    times = [[ms(suite), sum(ms(case) for case in suite.iter('testcase'))] for suite in root.iter('testsuite')]
    times.append([ms(root), sum(time for time, _ in times)])
    return {'root': dict(root.attrib), 'kinds': kinds, 'counts': counts, 'cases': len(list(root.iter('testcase'))), 'times': times}
print(json.dumps([summary(file) for file in sys.argv[1:]]))`
  const summaries = JSON.parse(execFileSync('python3', ['-c', script, ...files], { encoding: 'utf8' }))

  expect(summaries).toHaveLength(nastier.length)
  for (const { root, kinds, counts, cases, times } of summaries) {
    for (const [suite, sum] of times) expect(suite).toBe(sum)
    // nine rows, the one problem that the run met, and what it left behind
    expect(counts).toEqual([11, 3, 3, 3])
    expect(root).toMatchObject({ tests: '11', failures: '3', errors: '3', skipped: '3' })
    expect(kinds.sort()).toEqual([...Array(3).fill('error'), ...Array(3).fill('failure'), ...Array(3).fill('skipped')])
    expect(cases).toBe(11)
  }
})

test('CTRF counts a warning and what is excused apart, and its tests add up', () => {
  const { reportFormat, results } = JSON.parse(written('ctrf', hostile('x')))
  const { tests, start, stop, suites, duration, ...counts } = results.summary
  const sum = Object.values<number>(counts).reduce((total, count) => total + count, 0)

  expect(reportFormat).toBe('CTRF')
  // two are the problem that the run met, and what it left behind
  expect(counts).toEqual({ passed: 2, failed: 6, pending: 0, skipped: 2, other: 1 })
  expect([sum, results.tests.length]).toEqual([tests, tests])
  expect([stop - start, duration, suites]).toEqual([1, 1, 2])
  expect(results.tests.find(({ name }: { name: string }) => name === 'list.skip.warning')).toMatchObject({
    status: 'other',
    rawStatus: 'warning',
    message: 'expected x, got x',
  })
})

test('CTRF spans a run that was continued days later', () => {
  const later = { ...row('x'), startedAt: '2026-01-04T00:00:00.000Z', ms: 500 }
  const { summary, tests } = JSON.parse(written('ctrf', reportWith([later]))).results

  expect(summary.stop).toBe(Date.parse('2026-01-04T00:00:00.500Z'))
  expect(summary.duration).toBe(summary.stop - summary.start)
  expect(tests[0]).toMatchObject({ duration: 500, stop: summary.stop })
})

test('JUnit says why a case was skipped, and a warning makes no build red', () => {
  const xml = written('junit', reportWith([row('too few', 'inconclusive'), row('late', 'warning')]))

  expect(xml).toContain('<skipped message="inconclusive: expected too few, got too few"/>')
  expect(xml).toContain('<skipped message="warning: expected late, got late"/>')
  expect(xml).not.toContain('<failure')
  expect(xml).toContain('<property name="level" value="must"/>')
})

test('what a baseline excuses makes no build red, what it no longer describes does', () => {
  const excused = named(row('x'), 'list.skip.known')
  const entry = { reason: 'to be mended', owner: 'team', expires: '2026-12-31' }
  const baseline = {
    covered: ['list.skip.known', 'list.skip.old'].map((id) => ({ id, ...entry })),
    stale: [{ id: 'list.skip.old', why: 'passes now' }],
    remarks: [],
  }
  const old = named(row('x'), 'list.skip.old')
  const report: Report = { ...reportWith([excused, old]), problems: [], left: [], baseline }
  const xml = written('junit', report)

  expect(xml).toContain('<skipped message="known: to be mended (team, until 2026-12-31)"/>')
  expect(xml).toMatch(/<testsuites [^>]*tests="3" failures="1" errors="1" skipped="1"/)
  expect(toAnnotations(report)).toMatch(/^::warning title=fail list\.skip\.known /m)
  expect(toAnnotations(report)).toMatch(/^::error title=.*::the baseline is stale: list\.skip\.old passes now$/m)
  expect(written('html', report)).toContain('Known: to be mended (team, until 2026-12-31)')
})

describe('no report outgrows five megabytes', () => {
  const many = (character: string) => {
    const body = character.repeat(16_384 / character.length)
    const { request, response, ...rest } = exchange('x')
    const url = `http://127.0.0.1:1/iam/v2beta1/groups?page_token=${encodeURIComponent(body).slice(0, 8000)}`
    const large: Exchange = {
      ...rest,
      request: { ...request, url, body },
      response: { ...response!, headers: { 'x-long': body, [body.slice(0, 200)]: 'x' }, body },
    }
    const exchanges = Array.from({ length: 4 }, (_, number) => ({ ...large, number }))
    const rows = Array.from({ length: 900 }, (_, index) => {
      const one: Row = { ...named(row(body, every[index % every.length]), `list.skip.n${index}`), exchanges }
      return { ...one, steps: [body, body] }
    })
    return reportWith(rows)
  }

  test.each(['<', '\u0000', '\u202e', '💥'])('however many %j come', (character) => {
    const report = many(character)

    for (const name of Object.keys(texts) as (keyof typeof texts)[]) {
      expect(Buffer.byteLength(written(name, report)), name).toBeLessThan(5_000_000)
    }
    expect(isReport(JSON.parse(written('json', report)))).toBe(true)
  })
})

test('the usual report of 200 requirements costs under 400 ms of a core', async () => {
  const exchanges = Array.from({ length: 12 }, (_, number) => exchange('{"name":"a"}'.repeat(40), number))
  const rows = Array.from({ length: 200 }, (_, index): Row => {
    const one = named(row('an answer', index % 10 === 0 ? 'fail' : 'pass'), `list.skip.n${index}`)
    return { ...one, exchanges, startedAt: '2026-01-01T00:00:00.000Z' }
  })
  const report = reportWith(rows)
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    const before = process.cpuUsage()
    await writeReport(report, folder, usualFormats)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }

  // other tests run beside this one: the best of a few rounds is what the writing costs
  expect(Math.min(...times)).toBeLessThan(400)
})
