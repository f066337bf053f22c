import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { type Selection, selected, shardOf } from '../../helpers/requirement/selection.ts'
import { faultNamed } from '../../reference/faults.ts'
import { mergeProblems } from '../../reports/model/merge.ts'
import type { Report } from '../../schemas/types.ts'
import { runSuite } from '../support/runs/built.ts'
import { type Environment, ended, start } from '../support/runs/child.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi options '))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const cli = (args: string[], environment?: Environment) => ended(start(folder, args, environment))

const rowsOf = ({ requirements }: Report) =>
  requirements.map(({ id, outcome, blockedBy = '' }) => `${id} ${outcome} ${blockedBy}`)

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

  test('what judges every call is in each, and what moves the clock is kept together', () => {
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
    ['one twice', [shard(1), shard(1)], ['shard 1/2 is given twice', 'shard 2/2 is missing']],
    ['another seed', [shard(1), shard(2, { seed: 2 })], ['1 has a different seed from 0']],
    ['another suite', [shard(1), shard(2, { suite: { name: 's', version: '2' } })], ['1 has a different suite from 0']],
    [
      'another target',
      [shard(1), shard(2, { target: { ...shard(1).target, version: '2' } })],
      ['1 has a different target from 0'],
    ],
    ['no shard', [shard(1), shard(2, { selection: everything })], ['1 is not the report of a shard']],
  ])('%s: says what keeps them from one report', (_what, reports, problems) => {
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
