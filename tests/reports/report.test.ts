import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { everything } from '../../cli/input/selections.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { cell, code, prose, toMarkdown } from '../../reports/formats/markdown.ts'
import { keepEvidence } from '../../reports/judge/evidence.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import { curl, shellQuote } from '../../reports/text/curl.ts'
import { faults, runSuite } from '../support/runs/built.ts'
import { acting, call, exchange, nasty, reportWith, row } from '../support/sample-report.ts'

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false })
formats.default(ajv)
const schema = JSON.parse(readFileSync(`${packageRoot}/schemas/report.json`, 'utf8'))
const valid = ajv.compile(schema)
const problemsOf = (report: unknown) => {
  valid(JSON.parse(JSON.stringify(report)))
  return (valid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('a real report', () => {
  test('is valid against its schema, and the schema names each of its members', async () => {
    const { rules } = faults.find(({ name }) => name === 'skip is not echoed')!
    const { report } = await runSuite({
      values: {},
      selection: { ...everything, only: ['list.*'] },
      embedded: { rules },
    })
    const members = Object.keys(schema.$defs.requirement.properties)

    expect(problemsOf(report)).toEqual([])
    expect(report.verdict).toBe('nonconformant')
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(report)))
    for (const one of report.requirements) expect(members).toEqual(expect.arrayContaining(Object.keys(one)))
    expect(report.requirements.find(({ id }) => id === 'list.skip.echo')).toMatchObject({
      outcome: 'fail',
      section: '4 Endpoints',
      where: expect.stringMatching(/^specs\/[\w/-]+\.spec\.ts:\d+$/),
      exchanges: expect.arrayContaining([expect.objectContaining({ phase: 'act', operation: 'group.list' })]),
    })
    expect(JSON.stringify(report)).not.toContain(packageRoot)
  })

  test('a report without what it needs is not', () => {
    const { verdict, ...rest } = reportWith([row('x')])

    expect(problemsOf({ verdict, ...rest })).toEqual([])
    expect(problemsOf(rest)).not.toEqual([])
    expect(problemsOf({ ...rest, verdict: 'good' })).not.toEqual([])
  })
})

test('what no black box can check is outside the certificate, apart from what a run left out', () => {
  const report = reportWith([row('x')])
  const [left, outside] = toMarkdown(report).split('## Not examined')[1]!.split('## Outside the certificate')
  const without = (id: string) => report.notExamined.find((each) => each.id === id)

  expect(without('S4.23')).toBeUndefined()
  expect(without('S5.2')).toMatchObject({ outside: 'Nobody can see it.' })
  expect(without('S5.1')).not.toHaveProperty('outside')
  expect(left).toContain('- S5.1: ')
  expect(left).not.toContain('- S5.2: ')
  expect(outside).toMatch(/^- S5\.2: .+ \*Nobody can see it\.\*$/m)
  expect(outside).not.toContain('- S5.1: ')
})

describe.each(nasty)('what the target says, here %j', (text) => {
  const rows = [row(text), row(text, 'inconclusive'), row(text, 'observed')]

  test('stays valid JSON', () => {
    expect(problemsOf(reportWith(rows, text))).toEqual([])
  })

  test('never acts on a terminal, and never says the verdict', () => {
    const printed = toConsole(reportWith(rows, text), false)

    expect(printed).not.toMatch(acting)
    expect(printed.split('\n').filter((line) => line.startsWith('VERDICT'))).toHaveLength(1)
    expect(printed.trimEnd().split('\n').at(-1)).toMatch(/^VERDICT nonconformant /)
  })

  test('never acts in Markdown', () => {
    const written = toMarkdown(reportWith(rows, text))

    expect(written).not.toMatch(acting)
    expect(outsideCode(written)).not.toMatch(/<script|https?:\/\/evil|www\.evil|@everyone|^# head|^\| a/m)
    expect(written.split('\n').filter((line) => /^(`{3,})/.test(line)).length % 2).toBe(0)
  })

  test('is one cell, one span or one line in Markdown', () => {
    expect(cell(text).replace(/\\\|/g, '')).not.toMatch(/[|\n]/)
    expect(code(text)).not.toContain('\n')
    expect(prose(text)).not.toMatch(/[\n<>]/)
  })

  test('reaches a program through the shell as it is', () => {
    const through = execFileSync('bash', ['--norc', '-c', `printf %s ${shellQuote(text)}`], {
      encoding: 'utf8',
    })

    expect(through).toBe(text)
  })

  test('is in a curl line that a shell reads as it was sent', () => {
    const line = curl(exchange(text))
    const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
    const given = execFileSync('bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, RMAPI_ACCESS_TOKEN: 'secret' },
    }).split('\0')

    expect(line).not.toContain('\n')
    expect(given).toContain('Authorization: Bearer secret')
    expect(given).toContain('Content-Type: application/json')
    expect(given[given.indexOf('--data-raw') + 1]).toBe(text)
  })
})

// a shell's own way to write a variable
const braced = (inside: string) => `$\{RMAPI_ACCESS_TOKEN${inside}}`

describe('a curl line', () => {
  test('is what a person would write', () => {
    expect(
      curl({
        ...exchange('{"name":"a"}'),
        request: {
          ...exchange('').request,
          headers: { accept: 'application/json', authorization: 'Bearer $RMAPI_ACCESS_TOKEN' },
          url: 'http://h/a',
          body: '{"name":"a"}',
        },
      }),
    ).toBe(`curl -sS -X POST 'http://h/a' -H "Authorization: Bearer $RMAPI_ACCESS_TOKEN" --data-raw '{"name":"a"}'`)
  })

  test('puts the token in wherever it was sent', () => {
    const { request, ...rest } = exchange('{"a":"$RMAPI_ACCESS_TOKEN $HOME!"}')
    const line = curl({ ...rest, request: { ...request, url: 'http://h/a?token=$RMAPI_ACCESS_TOKEN' } })

    expect(line).toContain('"http://h/a?token=$RMAPI_ACCESS_TOKEN"')
    expect(line).toContain(`--data-raw '{"a":"'"$RMAPI_ACCESS_TOKEN"' $HOME!"}'`)
  })

  test.each([
    [`Bearer ${braced('%?')}`, 'Bearer secre'],
    ['Bearer $RMAPI_ACCESS_TOKEN.x', 'Bearer secret.x'],
    ['Basic <token:RMAPI_ACCESS_TOKEN in base64>', 'Basic dG9rZW46c2VjcmV0'],
    ['Basic <RMAPI_ACCESS_TOKEN: in base64> $(id)', 'Basic c2VjcmV0Og== $(id)'],
    ['Bearer $(id) `id` "$HOME" \\', 'Bearer $(id) `id` "$HOME" \\'],
    [`Bearer ${braced('$(id)')}`, undefined],
  ])('takes no variable from the header %s but the token', (shown, sent) => {
    const { request, ...rest } = exchange('')
    const line = curl({ ...rest, request: { ...request, headers: { authorization: shown } } })
    const script = `id() { echo RAN; }; curl() { printf '%s\\0' "$@"; }; ${line}`
    const given = execFileSync('bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, RMAPI_ACCESS_TOKEN: 'secret' },
    })

    expect(given).not.toContain('RAN')
    if (sent !== undefined) expect(given.split('\0')).toContain(`Authorization: ${sent}`)
  })
})

test('evidence has both writes that were sent at the same moment, however much came after them', () => {
  const write = (number: number) => ({ ...call(number, 'PATCH', 'one'), sentAt: '2026-01-01T00:00:00.100Z', ms: 50 })
  const first = { ...call(1, 'PATCH', 'one'), sentAt: '2026-01-01T00:00:00.000Z', ms: 50 }
  const others = Array.from({ length: 20 }, (_, index) => call(index + 4, 'GET', `other-${index}`))

  const kept = keepEvidence([first, write(2), write(3), ...others, call(30, 'GET', 'one')], 12, {
    where: 'exchange 30: GET /one',
  })

  expect(kept.map(({ number }) => number)).toEqual([2, 3, ...others.slice(-9).map(({ number }) => number), 30])
})

test('evidence is the last exchanges, within 12 and 64 KB', () => {
  const many = Array.from({ length: 30 }, (_, index) => exchange('x', index))
  const large = Array.from({ length: 12 }, (_, index) => exchange('x'.repeat(10_000), index))

  const read = { ...exchange('x'), operation: 'group.get' }
  const readings = many.map(({ number }) => ({ ...read, number }))

  expect(keepEvidence([many[0]!, ...readings]).map(({ number }) => number)).toEqual([0, 29])
  expect(keepEvidence(many).map(({ number }) => number)).toEqual(many.slice(-12).map(({ number }) => number))
  expect(keepEvidence(many, 12, { where: 'exchange 7: GET /x' }).map(({ number }) => number)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7,
  ])
  expect(JSON.stringify(keepEvidence(large)).length).toBeLessThan(66_000)
  expect(keepEvidence([exchange('x'.repeat(100_000))])).toHaveLength(1)
})

test('causes come before consequences, which are counted under them', () => {
  const answers: Row = { ...row('x'), header: { ...row('x').header, id: 'group.create.answers' } }
  const blocked: Row = { ...row('x', 'inconclusive'), blockedBy: 'group.create.answers' }
  const printed = toConsole(
    reportWith([row('x'), blocked, { ...blocked, header: { ...blocked.header, id: 'b' } }, answers]),
    false,
  )

  expect(printed.indexOf('FAIL group.create.answers')).toBeLessThan(printed.indexOf('FAIL list.skip.fail'))
  expect(printed).toMatch(/blocks +2 others/)
  expect(printed).toMatch(/2 {2}blocked by group\.create\.answers/)
})

test('a call that sends a page token is shown with the one that gave it', () => {
  const list = (number: number, path: string, body = '{}') => {
    const { request, response, ...one } = exchange('', number)
    const url = `http://127.0.0.1:1/${path}`
    return { ...one, request: { ...request, method: 'GET', url, body: '' }, response: { ...response!, body } }
  }
  const calls = [list(1, 'first', '{"nextPageToken":"t"}'), list(2, 'other'), list(3, 'next?page_token=t')]

  const printed = toConsole(reportWith([{ ...row(''), exchanges: calls }]), false)

  expect(printed).toMatch(/curl .*next\?page_token=t.*\n +answer +500 .*\n +before .*1\/first'/)
})

/** The text without fenced blocks and code spans. */
function outsideCode(markdown: string): string {
  return markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '').replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
}
