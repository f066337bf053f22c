import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { judgeTrace } from '../../cli/trace/judge-trace.ts'
import { startReference } from '../../reference/embed.ts'
import type { Replacement } from '../../reference/replace.ts'
import { misfits } from '../../reports/certificate/against-trace.ts'
import type { Report, TraceLine } from '../../schemas/types.ts'
import { linesOf, packed } from '../support/forged.ts'
import { faults, runSuite } from '../support/runs/built.ts'
import { type Ended, ended, start } from '../support/runs/child.ts'

let folder = ''
const at = (...path: string[]) => join(folder, ...path)
const judge = (...args: string[]): Promise<Ended> => ended(start(folder, ['judge', ...args]))

/** Cases of several sorts, and every row of the model over what they send. */
const some = [
  'group.update.*',
  'list.filter.*',
  'list.skip.echo',
  'list.total.*',
  'sts.token.*',
  'v1.group.*',
  'model.*',
]
const selection = { ...everything, only: some, skip: ['model.inputs.*'] }

async function examine(name: string, rules?: Replacement): Promise<Report> {
  const server = rules === undefined ? {} : { embedded: { rules } }
  const { report } = await runSuite({ values: { RMAPI_SEED: '42' }, selection, out: at(name), traced: true, ...server })
  return report
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi judge '))
  await examine('sound')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the exit code says whether a must is broken', async () => {
  await examine('broken', faults.find(({ name }) => name === 'the name to filter by is ignored')!.rules)
  const [sound, broken] = await Promise.all([judge('sound/trace.ndjson.gz'), judge('broken/trace.ndjson.gz')])

  expect(sound).toMatchObject({ code: 0, last: expect.stringMatching(/^JUDGED fits must=\d+\/\d+ should=/) })
  expect(broken).toMatchObject({ code: 1, last: expect.stringMatching(/^JUDGED nonconformant /) })
  expect(broken.stdout).toMatch(
    /^FAIL model\.\S+ \(must\), exchange \d+, GET \/iam\/[^\s;]+(; .+)?\n {2}expected {2}.+\n {2}got/m,
  )
})

test('a report that shows calls over gRPC fits its trace', async () => {
  const { rules } = faults.find(({ name }) => name === 'skip is not echoed')!
  const only = { ...everything, only: ['grpc.list.skip'] }
  const { report } = await runSuite({
    ...{ values: { RMAPI_SEED: '42' }, selection: only },
    ...{ out: at('grpc'), traced: true, embedded: { rules } },
  })
  const shown = report.requirements.flatMap(({ exchanges = [] }) => exchanges.map(({ operation }) => operation))

  expect(report.verdict).toBe('nonconformant')
  expect(shown).toContain('grpc.group.list')
  expect(misfits(report, [await judgeTrace(at('grpc/trace.ndjson.gz'))])).toEqual([])
})

describe('the file', () => {
  test('is for its owner alone, and its digest is in the report', () => {
    const report = JSON.parse(readFileSync(at('sound/report.json'), 'utf8')) as Report
    const [{ sha256 = '', bytes = 0, exchanges = 0 } = {}] = report.traces ?? []

    expect(statSync(at('sound/trace.ndjson.gz'))).toMatchObject({ size: bytes, mode: 0o100600 })
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(linesOf(at('sound/trace.ndjson.gz')).filter(({ line }) => line === 'exchange')).toHaveLength(exchanges)
  })

  test('holds no 16 characters of the signature of a token in a row, in any coding', async () => {
    const reference = await startReference()
    const { baseUrl, groupUid, accessToken } = reference
    const values = {
      RMAPI_BASE_URL: baseUrl,
      RMAPI_GROUP_UID: groupUid,
      RMAPI_ACCESS_TOKEN: accessToken,
      RMAPI_SEED: '1',
    }
    const only = ['auth.*', 'sts.*', 'error.*']
    await runSuite({ values, selection: { ...everything, only }, out: at('secret'), traced: true })
    await reference.close()
    const text = linesOf(at('secret/trace.ndjson.gz'))
      .map((line) => JSON.stringify(line))
      .join('\n')
      .toLowerCase()
    // times and uids in its claims also are in page tokens
    const signature = Buffer.from(accessToken.split('.').at(-1)!)
    const codings = (['latin1', 'base64', 'hex'] as const).map((coding) => signature.toString(coding))
    const forms = codings.flatMap((each) => [each, [...each].reverse().join('')]).map((each) => each.toLowerCase())
    const runs = forms.flatMap((form) => [...form].slice(15).map((_, from) => form.slice(from, from + 16)))

    expect(runs.filter((run) => text.includes(run))).toEqual([])
    // tokens of exchanges, forged ones and those of identities are JWTs
    expect(text).not.toMatch(/eyj[\w-]{10,}\.[\w-]{16,}/)
  })

  test('is not written where nobody wants it, and an older one goes', async () => {
    writeFileSync(at('trace.ndjson.gz'), 'old')
    const { code } = await ended(
      start(folder, ['run', '--embedded', '--only', 'group.get.*', '--no-trace', '--out', '.']),
    )

    expect(code).toBe(0)
    expect(() => statSync(at('trace.ndjson.gz'))).toThrow()
    expect(JSON.parse(readFileSync(at('report.json'), 'utf8'))).not.toHaveProperty('traces')
  })
})

describe('what is no trace exits 2 with one sentence:', () => {
  const whole = () => linesOf(at('sound/trace.ndjson.gz'))
  const withLine = (line: string) => gzipSync(`${JSON.stringify(whole()[0])}\n${line}\n`)
  const deep = (depth: number) => `{"line":"sent","x":${'['.repeat(depth)}${']'.repeat(depth)}}`

  test.each<[string, () => Uint8Array, RegExp]>([
    ['nothing', () => Buffer.alloc(0), /is cut off|is empty/],
    ['a text', () => Buffer.from('{"line":"header"}\n'), /is not a gzip file, or is damaged/],
    ['a torn file', () => packed(whole()).subarray(0, 5000), /is cut off: the compressed file ends too early/],
    [
      'a damaged file',
      () => packed(whole()).map((byte, index) => (index === 3000 ? byte ^ 255 : byte)),
      /damaged|JSON|line|cut off/,
    ],
    ['no line', () => gzipSync(''), /is empty/],
    ['half a line', () => gzipSync('{"line":'), /ends within a line/],
    ['no JSON', () => withLine('{nothing'), /line 2: this is not JSON in UTF-8/],
    ['bytes that are no text', () => gzipSync(Buffer.from([0xff, 0xfe, 10])), /line 1: this is not JSON in UTF-8/],
    ['a deep line', () => withLine(deep(200_000)), /line 2: the line is nested more than 1000 deep/],
    ['a line of 40 MB', () => withLine(' '.repeat(40 * 1024 * 1024)), /has a line of more than \d+ bytes/],
    [
      'a line of another sort',
      () => withLine('{"line":"constructor"}'),
      /line 2: no line of a trace is called 'constructor'/,
    ],
    ['a line that is a number', () => withLine('7'), /line 2: no line of a trace is called 'undefined'/],
    ['a line without its members', () => withLine('{"line":"sent"}'), /line 2: .*must have required property 'seq'/],
    ['a second header', () => packed([whole()[0]!, whole()[0]!]), /line 2: this is a second header/],
    ['no header', () => packed(whole().slice(1)), /line 1: a trace begins with its header/],
    ['no footer', () => packed(whole().slice(0, -1)), /has no footer: its end is missing/],
    ['more behind the footer', () => packed([...whole(), whole()[1]!]), /comes after the footer/],
  ])('%s', async (_what, bytes, why) => {
    writeFileSync(at('none.gz'), bytes())

    const { code, stdout, stderr } = await judge('none.gz')

    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 })
    expect(stderr).toMatch(why)
  })

  test('a file that is not there, and a folder', async () => {
    const [none, place] = await Promise.all([judge('nowhere.gz'), judge('sound')])

    const advice = 'Give the trace.ndjson.gz that a run wrote beside its report.\n'
    expect([none.code, none.stderr]).toEqual([2, `rmapi-conformance: nowhere.gz is not there. ${advice}`])
    expect([place.code, place.stderr]).toEqual([2, `rmapi-conformance: sound is a folder. ${advice}`])
  })

  test('odd values in lines that are well formed are judged, and never a bug of the suite', async () => {
    const odd: Partial<Extract<TraceLine, { line: 'exchange' }>>[] = [
      { text: '{"groups":[null,7,{"uid":{}}]}', notJson: undefined as never },
      { path: '/iam/v2beta1/groups/%', method: '' },
      { query: [[], ['page_size', '1e999'], ['skip', '-1']] },
      { status: 99_999, text: '[]' },
      { credential: 'token: __proto__', sent: -1e300, answered: 1e300 },
    ]
    const lines = whole().map((line, index) =>
      line.line === 'exchange' ? { ...line, ...JSON.parse(JSON.stringify(odd[index % 40] ?? {})) } : line,
    )
    writeFileSync(at('odd.gz'), packed(lines as TraceLine[]))

    const { code, stderr } = await judge('odd.gz')

    expect([code, stderr]).toEqual([1, ''])
  })
})
