import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everything, selectionOf } from '../../cli/input/selections.ts'
import { milliseconds, mostFailures } from '../../cli/run/limits.ts'
import { sweepJournal } from '../../cli/run/sweep-journal.ts'
import type { Selection } from '../../helpers/requirement/selection.ts'
import { type Reference, startReference } from '../../reference/embed.ts'
import { faultNamed } from '../../reference/faults.ts'
import type { Report } from '../../schemas/types.ts'
import { runSuite } from '../support/runs/built.ts'
import { type Environment, ended, start } from '../support/runs/child.ts'
import { configFor } from '../support/runs/servers.ts'

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
    ['a file that is not there', ['run', '--only', '@nowhere.txt'], /nowhere\.txt is not there/],
    ['a shard that is none', ['run', '--shard', '3/2', '--seed', '1'], /--shard is '3\/2'/],
    ['a shard without a seed', ['run', '--shard', '1/2'], /share one seed/],
    ['a time that is none', ['run', '--max-time', 'soon'], /--max-time is 'soon', not a duration/],
    ['a number that is none', ['run', '--bail', '0'], /--bail is '0'/],
    ['to keep what ends with the run', ['run', '--keep', '--only', 'list.skip.echo'], /the embedded reference ends/],
    ['one report to merge that is no shard', ['report', '--merge', 'none.json'], /none\.json is not there/],
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

  test('durations are given in the units that people use', () => {
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

    expect(stderr).toMatch(/Stopping: what the run made is deleted/)
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

  test('by failed musts leaves the rest undecided, with the reason', async () => {
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
