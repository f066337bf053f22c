import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reference, startReference } from '../../reference/embed.ts'
import { showExploring } from '../../reports/formats/explore-progress.ts'
import type { ExploredFinding, Report } from '../../schemas/types.ts'
import { faults } from '../support/runs/built.ts'
import { type Ended, type Environment, ended, start } from '../support/runs/child.ts'

let folder = ''
const servers: Reference[] = []
const at = (...path: string[]) => join(folder, ...path)
const call = (args: string[], environment?: Environment): Promise<Ended> => ended(start(folder, args, environment))
const read = <T>(...path: string[]) => JSON.parse(readFileSync(at(...path), 'utf8')) as T

const named = 'the third change of one group sets its updateTime back'
const file = 'found/finding-model.group.time.json'

/** Starts a server with one fault, or a sound one; returns the settings that examine it, and how many groups it holds. */
async function serve(fault?: string) {
  const rules = faults.find(({ name }) => name === fault)?.rules
  const reference = await startReference(rules ? { rules } : {})
  servers.push(reference)
  const { baseUrl, groupUid, accessToken, world } = reference
  const settings = { RMAPI_BASE_URL: baseUrl, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
  return { settings, groups: () => [...world.store.all('groups')].length }
}

let broken: Awaited<ReturnType<typeof serve>>
let sound: Awaited<ReturnType<typeof serve>>
let found: Ended
let before = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi explore '))
  ;[broken, sound] = await Promise.all([serve(named), serve()])
  before = broken.groups()
  found = await call(['explore', '--until-found', '--time', '60s', '--seed', '7', '--out', 'found'], broken.settings)
})

afterAll(async () => {
  for (const { close } of servers) await close()
  rmSync(folder, { recursive: true, force: true })
})

describe('what is found', () => {
  test('is printed with its calls, ends the process with 1, and nothing stays in the target', () => {
    expect(found.stderr).toBe('')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^Exploring http:\S+ \(version not stated\), seed 7$/m)
    expect(found.stdout).toMatch(/^FAIL model\.group\.time \(must, /m)
    expect(found.stdout).toMatch(/^ {2}rerun {5}npx --no-install rmapi-conformance replay found\/finding-/m)
    expect(found.stdout).toMatch(/^ {2}steps {5}1\. create groups/m)
    expect(found.stdout).toMatch(/^ {2}curl {6}curl -sS -X PATCH /m)
    expect(found.stdout).toMatch(
      /^FOUND model\.group\.time in [45] of \d+ calls: npx --no-install rmapi-conformance replay found\//m,
    )
    expect(found.last).toMatch(/^EXPLORED found=\d+ histories=\d+ commands=\d+ states=\d+ combinations=\d+ seed=7$/)
    expect(broken.groups()).toBe(before)
    expect(readdirSync(at('found')).filter((name) => name.startsWith('journal'))).toEqual([])
  })

  test('is an ordinary report and a file for its owner alone', () => {
    const report = read<Report>('found/report.json')
    const finding = read<ExploredFinding>(file)

    expect(report).toMatchObject({ verdict: 'nonconformant', seed: 7, left: [], problems: [] })
    expect(report.explored?.findings).toContainEqual({
      row: 'model.group.time',
      file: 'finding-model.group.time.json',
      drawn: finding.drawn,
      calls: finding.calls.length,
      reproduced: true,
    })
    expect(statSync(at(file)).mode & 0o777).toBe(0o600)
    expect(JSON.stringify([report, finding])).not.toContain(broken.settings.RMAPI_ACCESS_TOKEN)
  })

  test('is no certificate, and replay wants its own file', async () => {
    const [certify, replay] = await Promise.all([
      call(['certify', 'found/report.json', '--out', 'submission']),
      call(['replay', 'found/report.json'], broken.settings),
    ])

    expect(certify).toMatchObject({ code: 2, stderr: expect.stringContaining('only a whole run can be certified') })
    expect(replay).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is from explore: replay the files beside it, such as finding-model/),
    })
  })

  test('is found again where it was, and is gone elsewhere', async () => {
    const [again, gone] = await Promise.all([
      call(['replay', file], broken.settings),
      call(['replay', file, '--json'], sound.settings),
    ])

    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^model\.group\.time the same: found again, (\d) of \1 calls sent\n {2}expected {2}updateTime/,
      ),
    })
    expect(gone.code).toBe(0)
    expect(JSON.parse(gone.stdout)).toEqual([{ id: 'model.group.time', again: 'gone' }])
    expect(broken.groups()).toBe(before)
  })

  test('is refused where its file is damaged, or no target is set', async () => {
    const finding = read<ExploredFinding>(file)
    writeFileSync(
      at('damaged.json'),
      JSON.stringify({ ...finding, calls: [{ number: 1, does: 'burn', kind: 'groups' }] }),
    )
    const [damaged, targetless, picked] = await Promise.all([
      call(['replay', 'damaged.json'], broken.settings),
      call(['replay', file]),
      call(['replay', file, 'list.*'], broken.settings),
    ])

    expect(damaged).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/calls/0/does must be equal to one of the allowed values'),
    })
    expect(targetless).toMatchObject({ code: 2, stderr: expect.stringContaining('no target is set') })
    expect(picked).toMatchObject({ code: 2, stderr: expect.stringContaining('give no ids with it') })
  })

  test('is written nowhere but in a group of its own, whatever a file names', async () => {
    const { calls, ...finding } = read<ExploredFinding>(file)
    const [first] = calls
    const outside = [
      { ...first!, uid: sound.settings.RMAPI_GROUP_UID },
      { number: 2, does: 'delete', kind: 'groups', uid: sound.settings.RMAPI_GROUP_UID },
    ]
    writeFileSync(at('outside.json'), JSON.stringify({ ...finding, calls: outside }))
    const held = sound.groups()

    const { code, stdout } = await call(['replay', 'outside.json'], sound.settings)

    expect(code).toBe(3)
    expect(stdout).toContain('0 of 2 calls sent')
    expect(sound.groups()).toBe(held)
  })
})

test('a sound server ends with 0', async () => {
  const seeded = ['explore', '--embedded', '--time', '2s', '--seed', '3', '--report', 'json', '--out']
  const { code, stdout } = await call([...seeded, 'sound'])
  const report = read<Report>('sound/report.json')

  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/EXPLORED found=0 histories=[1-9]/) })
  expect(report.explored).toMatchObject({ findings: [] })
  expect(report.requirements.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
})

test('an interrupted exploration deletes what it made and writes its report', async () => {
  const held = sound.groups()
  const child = start(folder, ['explore', '--time', '60s', '--out', 'stopped'], sound.settings)
  const came = ended(child)
  while (sound.groups() < held + 5) await new Promise((resolve) => setImmediate(resolve))
  child.kill('SIGINT')

  const { code, stderr } = await came

  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('Stopping:') })
  expect(read<Report>('stopped/report.json')).toMatchObject({
    problems: ['the run was interrupted'],
    explored: { findings: [] },
  })
  expect(sound.groups()).toBe(held)
})

test('a budget of requests ends it, and everything that was made goes', async () => {
  const held = sound.groups()
  const { code, stdout } = await call(
    ['explore', '--time', '60s', '--max-requests', '80', '--out', 'budget'],
    sound.settings,
  )

  expect({ code, stdout }).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('PROBLEM the run reached --max-requests 80'),
  })
  expect(sound.groups()).toBe(held)
})

test.each([
  [['--time', 'soon'], "--time is 'soon', not a duration"],
  [['--report', 'pdf'], "No report format is called 'pdf'"],
  [['--embedded', '--base-url', 'http://127.0.0.1:9'], 'a target is named as well'],
])('%j is refused', async (flags, why) => {
  expect(await call(['explore', ...flags])).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
})

describe('progress', () => {
  const state = {
    commands: 12,
    states: 4,
    combinations: 9,
    histories: 2,
    made: 7,
    found: 1,
    leftMs: 61_000,
    shrinking: undefined,
  }
  const shown = (screen: { isTTY?: boolean; columns?: number }, environment: NodeJS.ProcessEnv, waits: number) => {
    let text = ''
    let now = 0
    const progress = showExploring({ ...screen, write: (more: string) => (text += more) }, environment, () => now)
    for (let turn = 0; turn < 3; turn++) {
      now += waits
      progress.changed(() => state)
    }
    progress.clear()
    return text
  }

  test('is a line that changes on a terminal, no wider than it', () => {
    const text = shown({ isTTY: true, columns: 40 }, {}, 100)

    expect(text.match(/\r\u001b\[K/g)).toHaveLength(4)
    expect(text).toContain('history 2 · found 1 · 1 min 1 s left')
    expect(Math.max(...text.split('\r\u001b[K').map(({ length }) => length))).toBe(39)
  })

  test.each([
    ['elsewhere', {}, {}],
    ['under NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }],
  ])('is a plain line every ten seconds %s', (_where, screen, environment) => {
    expect(shown(screen, environment, 100)).toBe('')
    expect(shown(screen, environment, 10_000)).toBe(
      'history 2 · found 1 · 1 min 1 s left · 12 commands · 4 states · 9 combinations · 7 made\n'.repeat(3),
    )
  })
})
