import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Report } from '../../schemas/types.ts'
import { lines } from '../support/command-line.ts'
import { type Environment, ended, settingsOf as printedBy, start as startIn } from '../support/runs/child.ts'
import { reportWith, row } from '../support/sample-report.ts'

let folder = ''

const opened: (() => void)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi cli '))
})

afterEach(() => {
  for (const close of opened.splice(0)) close()
  rmSync(folder, { recursive: true, force: true })
})

function start(args: string[], environment?: Environment): ChildProcess {
  const child = startIn(folder, args, environment)
  opened.push(() => child.kill('SIGKILL'))
  return child
}

const cli = (args: string[], environment?: Environment) => ended(start(args, environment))

/** Starts `serve` and returns the settings that it prints. */
const serve = (...args: string[]) => printedBy(start(['serve', ...args]))

const reportIn = (out = 'reports/out') => JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8')) as Report

const outcomesIn = (out?: string) => reportIn(out).requirements.map(({ id, outcome }) => `${id} ${outcome}`)

describe('a run', () => {
  test('whose reader has seen enough goes on, sweeps, and ends with its own code', async () => {
    const child = startIn(folder, ['run', '--only', 'list.skip.echo', '--complete'])
    child.stdout!.destroy()
    child.stderr!.destroy()
    const [code] = await once(child, 'exit')

    expect(code).toBe(3)
    expect(outcomesIn()).toEqual(['list.skip.echo pass'])
    expect(readdirSync(join(folder, 'reports/out')).filter((name) => name.startsWith('journal-'))).toEqual([])
  })

  test('against serve in another process gives the verdict of the embedded run', async () => {
    const target = await serve()
    const some = ['--only', 'group.*', 'identity.*', 'list.skip.*', 'v1.group.*']
    const [embedded, other] = await Promise.all([
      cli(['run', ...some, '--out', 'one']),
      cli(['run', ...some, '--out', 'two'], target),
    ])

    expect(embedded).toMatchObject({
      code: 0,
      last: expect.stringMatching(/^VERDICT partial must=(\d+)\/\1 .* error=0$/),
    })
    expect(other).toMatchObject({ code: 0, last: embedded.last })
    expect(outcomesIn('two')).toEqual(outcomesIn('one'))
    expect([reportIn('one').target.embedded, reportIn('two').target.embedded]).toEqual([true, false])
    expect(embedded.stdout).toContain('embedded reference')
    expect(readdirSync(join(folder, 'one')).sort()).toEqual([
      'report.html',
      'report.json',
      'report.md',
      'trace.ndjson.gz',
    ])
    expect(other.stdout + other.stderr).not.toContain('\u001b')
    expect(readFileSync(join(folder, 'two/report.json'), 'utf8')).not.toContain(target.RMAPI_ACCESS_TOKEN)
  })

  test.each([['every create is refused'], ['a skip beyond the end shows the last page']])(
    'where %s counts in its progress what failed alone',
    async (fault) => {
      const { stderr } = await cli(
        ['run', '--only', 'group.c*', 'list.skip.*', '--seed', '1'],
        await serve('--fault', fault),
      )
      const outcomes = reportIn().requirements.map(({ outcome }) => outcome)
      const failures = outcomes.filter((outcome) => outcome === 'fail').length

      expect(outcomes.filter((outcome) => outcome !== 'pass' && outcome !== 'observed').length).toBeGreaterThan(
        failures,
      )
      expect(stderr).toMatch(
        new RegExp(`^${outcomes.length}/${outcomes.length}${failures > 0 ? `, ${failures} failed` : ''}$`, 'm'),
      )
    },
  )

  test('that finds something says what, where, and how to see it again', async () => {
    const target = await serve('--fault', 'skip is not echoed')
    const { code, stdout, last } = await cli(['run', '--only', 'list.skip.echo', '--seed', '5'], target)

    expect(code).toBe(1)
    expect(last).toBe('VERDICT nonconformant must=0/1 should=0/0 observed=0 inconclusive=0 error=0')
    expect(stdout).toMatch(/FAIL list\.skip\.echo \(must, S4\.23/)
    for (const fact of [
      /^ +expected +\S/m,
      /^ +got +\S/m,
      /^ +check +specs\/\S+\.spec\.ts:\d+/m,
      /^ +curl +curl -sS 'http:\S+skip=10\S*' -H "Authorization: Bearer \$RMAPI_ACCESS_TOKEN"/m,
    ]) {
      expect(stdout).toMatch(fact)
    }
    const again = /rerun +npx --no-install rmapi-conformance (run .*)/.exec(stdout)![1]!
    expect(await cli(again.split(' '), target)).toMatchObject({ code: 1, last })
  })

  test('in a group that is not there ends at once, and is refused', async () => {
    const target = await serve()
    const { code, stdout, stderr } = await cli(['run'], {
      ...target,
      RMAPI_GROUP_UID: `${target.RMAPI_GROUP_UID}/0a1b`,
    })
    const [, done, all] = [...stderr.matchAll(/^(\d+)\/(\d+)/gm)].at(-1)!.map(Number)

    expect([code, stdout]).toEqual([2, expect.stringMatching(/^Examining .*\n$/)])
    expect(stderr).toMatch(/ that RMAPI_GROUP_UID names is not there: .* Check RMAPI_GROUP_UID/)
    expect(done).toBeLessThan(all! / 2)
  })

  test('that cannot delete what it made prints what deletes it later', async () => {
    const target = await serve('--fault', 'a group that ever held another cannot be deleted')
    const { code, stdout, stderr } = await cli(['run', '--only', 'list.skip.fewer-left', '--out', 'an out'], target)
    const [, journal = ''] =
      /npx --no-install rmapi-conformance sweep '(an out\/journal-\w+\.jsonl)'\n/.exec(stderr) ?? []

    expect([code, stdout]).toEqual([5, expect.stringContaining('LEFT BEHIND ')])
    expect(readdirSync(join(folder, 'an out'))).toContain(journal.replace('an out/', ''))
  })

  test('that is picked into too many shards leaves some of them empty', async () => {
    const { code, stderr, last } = await cli(['run', '--only', 'list.skip.echo', '--shard', '1/2', '--seed', '3'])

    expect([code, last]).toEqual([3, expect.stringMatching(/^VERDICT undetermined must=0\/0 /)])
    expect(stderr).toMatch(/^Shard 1\/2 holds none of the 1 requirement asked for/m)
  })

  test('over gRPC is seen again over gRPC', async () => {
    const target = await serve('--fault', 'skip is not echoed')
    const { stdout, last } = await cli(['run', '--only', 'list.skip.echo', '--transport', 'grpc'], target)
    const again = /rerun +npx --no-install rmapi-conformance (run .*)/.exec(stdout)![1]!
    const second = await cli(again.split(' '), target)

    expect([second.code, second.last]).toEqual([1, last])
    expect(second.stdout).toMatch(/curl +grpcurl /)
  })

  test('that is picked is partial, which is not enough under --complete', async () => {
    const picked = ['run', '--only', 'list.skip.echo']

    expect(await cli(picked)).toMatchObject({
      code: 0,
      last: expect.stringMatching(/^VERDICT partial must=1\/1/),
    })
    expect((await cli([...picked, '--complete'])).code).toBe(3)
  })

  test('that is interrupted sweeps, reports, and is undetermined', async () => {
    const target = await serve()
    const child = start(['run'], { ...target, RMAPI_RATE_LIMIT: '40' })
    // the first line of progress: from then on an interruption is heard
    let [heard, isKilled] = ['', false]
    const listen = (chunk: Buffer) => {
      heard += chunk
      if (isKilled || !/0\/\d+/.test(heard)) return
      isKilled = true
      setTimeout(() => child.kill('SIGINT'), 1_000)
    }
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', listen)
    const { code, last } = await ended(child)
    const { RMAPI_BASE_URL, RMAPI_GROUP_UID, RMAPI_ACCESS_TOKEN } = target
    const below = await fetch(`${RMAPI_BASE_URL}/iam/v2beta1/groups?uidp.children_of=${RMAPI_GROUP_UID}`, {
      headers: { authorization: `Bearer ${RMAPI_ACCESS_TOKEN}` },
    })

    expect(last).toMatch(/^VERDICT undetermined /)
    expect(code).toBe(3)
    expect(reportIn().problems).toEqual(['the run was interrupted'])
    expect(readdirSync(join(folder, 'reports/out')).sort()).toEqual([
      'report.html',
      'report.json',
      'report.md',
      'trace.ndjson.gz',
    ])
    expect(await below.json()).not.toMatchObject({ groups: [{}] })
  })

  test('needs a folder that it can write', async () => {
    writeFileSync(join(folder, 'taken'), '')

    expect(await cli(['run', '--out', 'taken'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be written to taken'),
    })
    expect(existsSync(join(folder, 'reports'))).toBe(false)
  })
})

describe('a replay', () => {
  const history = ['--only', 'model.*', '--seed', '1']

  test('says whether a failure is there again, or is gone', async () => {
    const broken = await serve('--fault', 'the third change of one group is answered and forgotten')
    const sound = await serve()
    await cli(['run', ...history], broken)
    const replay = ['replay', 'reports/out/report.json']

    const again = await cli(replay, broken)
    expect(again).toMatchObject({
      code: 1,
      last: expect.stringMatching(/^REPLAY same=[1-9]\d* different=0 passes=0 inconclusive=0$/),
      stdout: expect.stringMatching(/seed 1[\s\S]*fails again in the same way/),
    })
    expect(await cli(replay, sound)).toMatchObject({
      code: 0,
      last: expect.stringMatching(/^REPLAY same=0 different=0 passes=[1-9]\d* inconclusive=0$/),
    })
    expect(reportIn().seed).toBe(1)
    expect(await cli(replay)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('but no target is set. Set RMAPI_BASE_URL'),
    })
  })

  test.each<[string, string, string[], RegExp]>([
    ['is not there', '', ['nowhere.json'], /nowhere\.json is not there/],
    ['is not JSON', 'verdict', ['file'], /file is not JSON: .*Give the report\.json that a run wrote/],
    ['is not a report', '{"reportVersion":1}', ['file'], /file is not the report of a run/],
    [
      'has no such id',
      JSON.stringify(reportWith([row('x')])),
      ['file', 'list.skip.ecko'],
      /file has no requirement 'list\.skip\.ecko'/,
    ],
  ])('of a report that %s is refused in one line', async (_what, text, args, message) => {
    writeFileSync(join(folder, 'file'), text)
    const { code, stdout, stderr } = await cli(['replay', ...args])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(lines(stderr)).toEqual([expect.stringMatching(message)])
  })
})
