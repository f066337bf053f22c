import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everything, selectionOf } from '../../cli/input/selections.ts'
import { milliseconds, mostFailures } from '../../cli/run/limits.ts'
import { sweepJournal } from '../../cli/run/sweep-journal.ts'
import { type Selection, selected, shardOf } from '../../helpers/requirement/selection.ts'
import { type Reference, startReference } from '../../reference/embed.ts'
import { faultNamed } from '../../reference/faults.ts'
import { mergeProblems } from '../../reports/model/merge.ts'
import type { Report } from '../../schemas/types.ts'
import { runSuite } from '../support/built.ts'
import { type Environment, ended, start } from '../support/child.ts'
import { configFor } from '../support/servers.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi options '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

let [sound, broken]: Reference[] = []
beforeAll(async () => {
  const skipping = faultNamed('skip is not echoed').rules
  ;[sound, broken] = await Promise.all([startReference(), startReference({ rules: skipping })])
})
afterAll(() => Promise.all([sound, broken].map((reference) => reference?.close())))

const settingsOf = ({ baseUrl, groupUid, accessToken }: Reference) => ({
  RMAPI_BASE_URL: baseUrl,
  RMAPI_GROUP_UID: groupUid,
  RMAPI_ACCESS_TOKEN: accessToken,
  RMAPI_SEED: '42',
})
const only = (...ids: string[]): Selection => ({ ...everything, only: ids })
const cli = (args: string[], environment?: Environment) => ended(start(folder, args, environment))
const groupsIn = ({ world, groupUid }: Reference) =>
  [...world.store.all('groups')].flatMap(({ uid }) => (uid.startsWith(`${groupUid}/`) ? [uid] : []))
const rowsOf = ({ requirements }: Report) =>
  requirements.map(({ id, outcome, blockedBy = '' }) => `${id} ${outcome} ${blockedBy}`)

describe('what is picked', () => {
  test('may stand in a file, one id or glob a line', () => {
    const file = join(folder, 'ids.txt')
    writeFileSync(file, '# trouble\n\nlist.skip.*  # all of it\r\n  group.get.answers\n')

    expect(selectionOf({ only: [`@${file}`, 'a.b'], shard: '2/3' })).toEqual({
      only: ['list.skip.*', 'group.get.answers', 'a.b'],
      skip: [],
      profiles: [],
      shard: { index: 2, of: 3 },
    })
  })

  const refused: [string, string[], RegExp][] = [
    ['a file that is not there', ['run', '--only', '@nowhere.txt'], /nowhere\.txt cannot be read \(ENOENT\)/],
    ['a shard that is none', ['run', '--shard', '3/2', '--seed', '1'], /--shard is '3\/2'/],
    ['a shard without a seed', ['run', '--shard', '1/2'], /share one seed/],
    ['a time that is none', ['run', '--max-time', 'soon'], /--max-time is 'soon', not a duration/],
    ['a number that is none', ['run', '--bail', '0'], /--bail is '0'/],
    ['to keep what ends with the run', ['run', '--keep', '--only', 'list.skip.echo'], /the embedded reference ends/],
    ['one report to merge that is no shard', ['report', '--merge', 'none.json'], /none\.json cannot be read/],
  ]

  test('and cannot be is refused in a line', async () => {
    const came = await Promise.all(refused.map(([, args]) => cli(args)))

    for (const [index, { code, stdout, stderr }] of came.entries()) {
      const [what, , message] = refused[index]!
      expect(stderr, what).toMatch(message)
      expect(stderr).not.toMatch(/^\s+at /m)
      expect({ code, stdout }, what).toEqual({ code: 2, stdout: '' })
    }
  })

  test('durations are told in the units that people use', () => {
    expect(['250ms', '1.5s', '10m', '2h'].map(milliseconds)).toEqual([250, 1_500, 600_000, 7_200_000])
    expect(mostFailures('12')).toBe(12)
  })
})

describe('a run that ends early', () => {
  test('by Ctrl-C, however early, reports and sweeps', async () => {
    const child = start(folder, ['run', '--out', 'early'], settingsOf(sound!))
    child.stdout!.once('data', () => child.kill('SIGINT'))
    const { code, last, stderr } = await ended(child)
    const report = JSON.parse(readFileSync(join(folder, 'early/report.json'), 'utf8')) as Report

    expect(stderr).toMatch(/Stopping: first the run deletes what it made/)
    expect([code, last]).toEqual([3, expect.stringMatching(/^VERDICT undetermined must=0\/\d{3} /)])
    expect(report.problems).toEqual(['the run was interrupted'])
    expect(groupsIn(sound!)).toEqual([])
  })

  test('before its first case says so of each', async () => {
    const stop = new AbortController()
    const { report } = await runSuite({
      values: settingsOf(sound!),
      selection: only('list.skip.*'),
      signal: stop.signal,
      listener: { opened: () => setImmediate(() => stop.abort('enough')) },
    })

    expect([report.verdict, report.problems]).toEqual(['undetermined', ['enough']])
    expect(new Set(report.requirements.map(({ note }) => note))).toEqual(new Set(['not run: enough']))
  })

  test('by time sweeps, says why, and is undetermined', async () => {
    const { report, exitCode } = await runSuite({
      values: { ...settingsOf(sound!), RMAPI_RATE_LIMIT: '50' },
      selection: everything,
      maxTime: '1500ms',
    })
    const reason = 'the run reached --max-time 1500ms'

    expect([report.verdict, exitCode, report.problems]).toEqual(['undetermined', 3, [reason]])
    expect(report.requirements.filter(({ note }) => note === `not run: ${reason}`).length).toBeGreaterThan(700)
    expect(groupsIn(sound!)).toEqual([])
  })

  test('by failed musts leaves the rest untold, with the reason', async () => {
    const { report, exitCode } = await runSuite({
      // slow enough for the word to stop to arrive in time, however busy this machine is
      values: { ...settingsOf(broken!), RMAPI_RATE_LIMIT: '400' },
      selection: only('list.*'),
      bail: 1,
    })
    const notRun = report.requirements.filter(
      ({ note }) => note === 'not run: the run stopped as soon as a must had failed (--bail)',
    )

    expect([report.verdict, exitCode]).toEqual(['nonconformant', 1])
    expect(notRun.length).toBeGreaterThan(10)
    expect(new Set(notRun.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
    expect(groupsIn(broken!)).toEqual([])
  })
})

test('what failing cases made stays where it is asked for, until it is swept', async () => {
  const { report, exitCode, journal } = await runSuite({
    values: settingsOf(broken!),
    selection: only('list.skip.echo', 'list.skip.fewer-left'),
    keep: true,
    out: folder,
  })
  const { uid } = report.kept![0]!

  expect(exitCode).toBe(1)
  expect(report.kept!.map(({ id }) => id)).toEqual(['list.skip.echo'])
  expect(report.left).toEqual([])
  const rest = groupsIn(broken!).filter((other) => other !== uid && !other.startsWith(`${uid}/`))
  expect(rest.filter((other) => !uid.startsWith(`${other}/`))).toEqual([])
  expect(groupsIn(broken!).filter((other) => other.startsWith(`${uid}/`)).length).toBeGreaterThan(10)

  const { baseUrl, groupUid, accessToken } = broken!
  const config = configFor(baseUrl, { groupUid, credentials: { accessToken } })
  expect(await sweepJournal(config, journal!)).toMatchObject({ left: [], sure: true })
  expect(groupsIn(broken!)).toEqual([])
})

test('a run that may only read sends nothing that writes, and says so where a case would', async () => {
  const { report, exitCode } = await runSuite({
    values: { ...settingsOf(sound!), RMAPI_REGISTRY_GROUP_UID: sound!.registryGroupUid },
    selection: everything,
    readOnly: true,
    out: folder,
  })
  const exchanges = report.requirements.flatMap((one) => one.exchanges ?? [])
  const sent = exchanges.map(({ request }) => request.method)

  expect(new Set(sent)).toEqual(new Set(['GET']))
  expect(['partial', 'undetermined']).toContain(report.verdict)
  expect([0, 3]).toContain(exitCode)
  expect(report.requirements.filter(({ outcome }) => ['fail', 'warning', 'error'].includes(outcome))).toEqual([])
  expect(
    report.requirements.filter(({ profile, outcome }) => profile === 'registry' && outcome === 'pass').length,
  ).toBeGreaterThan(20)
  expect(report.requirements.find(({ id }) => id === 'list.skip.echo')!.note).toMatch(
    /^group\.create is not sent under --read-only: nothing is written/,
  )
  expect(readdirSync(folder).filter((file) => file.startsWith('journal'))).toEqual([])
})

describe('shards', () => {
  const names = ['a', 'b', 'c.d@groups', 'e.f', 'g.h', 'i.j']
  const headers = names.map(
    (id) => ({ id, level: 'must', statement: 'S4.1', quote: 'words of the contract', says: 'it holds' }) as const,
  )

  test.each([1, 2, 3, 7])('each requirement is in exactly one of %i', (of) => {
    for (const header of headers) {
      const there = Array.from({ length: of }, (_, at) => at + 1).filter((index) =>
        selected(header, { ...everything, shard: { index, of } }),
      )
      expect(there).toEqual([shardOf(header, of)])
    }
  })

  test('what judges every call is in each, and what moves the clock stands together', () => {
    const shard = { index: 2, of: 3 }
    expect(selected({ ...headers[0]!, alone: 'whole run' }, { ...everything, shard })).toBe(true)
    expect(new Set(headers.map(({ id }) => shardOf({ id, profile: 'time' }, 5))).size).toBe(1)
  })

  test('of one run make the report of the whole, its failures and what they block included', async () => {
    const examine = (selection: Selection, out: string) =>
      runSuite({
        values: { RMAPI_SEED: '42' },
        selection,
        out: join(folder, out),
        embedded: { rules: faultNamed('an update answers with a byte order mark').rules },
      })
    const families = { ...everything, only: ['group.*', 'time.*', 'error.*'] }
    for (const index of [1, 2, 3]) await examine({ ...families, shard: { index, of: 3 } }, `s${index}`)
    const { report: whole } = await examine(families, 'whole')
    const paths = [3, 1, 2].map((index) => `s${index}/report.json`)
    const { code, last, stderr } = await cli(['report', '--merge', ...paths, '--out', 'merged'])
    const merged = JSON.parse(readFileSync(join(folder, 'merged/report.json'), 'utf8')) as Report

    expect(stderr).toBe('')
    expect(rowsOf(merged)).toEqual(rowsOf(whole))
    expect([merged.verdict, merged.totals, merged.selection]).toEqual([whole.verdict, whole.totals, families])
    expect([code, last]).toEqual([1, expect.stringMatching(/^VERDICT nonconformant /)])
    expect(merged.cases).toBeUndefined()
  })

  const shard = (index: number, more: Partial<Report> = {}): Report =>
    ({
      cases: [],
      selection: { ...everything, shard: { index, of: 2 } },
      target: { name: 't', version: '1', baseUrl: 'http://a', apiVersion: 'v2', embedded: false },
      suite: { name: 's', version: '1' },
      seed: 1,
      ...more,
    }) as unknown as Report

  test.each<[string, Report[], string[]]>([
    ['both', [shard(2), shard(1)], []],
    ['one alone', [shard(1)], ['shard 2/2 is missing']],
    ['one twice', [shard(1), shard(1)], ['shard 1/2 is there twice', 'shard 2/2 is missing']],
    ['another seed', [shard(1), shard(2, { seed: 2 })], ['1 has another seed than 0']],
    ['another suite', [shard(1), shard(2, { suite: { name: 's', version: '2' } })], ['1 has another suite than 0']],
    [
      'another target',
      [shard(1), shard(2, { target: { ...shard(1).target, version: '2' } })],
      ['1 has another target than 0'],
    ],
    ['no shard', [shard(1), shard(2, { selection: everything })], ['1 is no report of a shard']],
  ])('%s: told what keeps them from one report', (_what, reports, problems) => {
    expect(mergeProblems(reports, ['0', '1'])).toEqual(problems)
  })
})

test('each setting is printed with where it comes from, secrets hidden, and nothing is sent', async () => {
  writeFileSync(join(folder, '.env'), 'RMAPI_RATE_LIMIT=9\nRMAPI_SEED=1\n')
  const given = {
    RMAPI_SEED: '2',
    RMAPI_ACCESS_TOKEN: 'secret-token',
    RMAPI_BASE_URL: 'http://me:word@127.0.0.1:1',
  }
  const args = ['run', '--print-config', '--concurrency', '3']
  const [plain, asJson] = await Promise.all([cli(args, given), cli([...args, '--json'], given)])
  const rows = JSON.parse(asJson.stdout) as { setting: string; value?: string; from: string }[]
  const row = (name: string) => rows.find(({ setting }) => setting === name)

  expect(plain.code).toBe(0)
  expect(plain.stdout).toMatch(/^RMAPI_CONCURRENCY +flag +3$/m)
  expect(row('RMAPI_SEED')).toMatchObject({ value: '2', from: 'environment' })
  expect(row('RMAPI_RATE_LIMIT')).toMatchObject({ value: '9', from: '.env' })
  expect(row('RMAPI_VERSION')).toMatchObject({ value: 'v2beta1', from: 'default' })
  expect(row('RMAPI_GROUP_UID')).toEqual({ setting: 'RMAPI_GROUP_UID', from: 'not set' })
  expect(plain.stdout + asJson.stdout).not.toMatch(/secret-token|me:word/)
  expect(existsSync(join(folder, 'reports'))).toBe(false)
})
