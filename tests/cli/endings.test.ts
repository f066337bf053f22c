import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { type Reference, startReference } from '../../reference/embed.ts'
import type { Report } from '../../schemas/types.ts'
import { ended, plainEnvironment, start } from '../support/runs/child.ts'
import { test as base } from '../support/runs/servers.ts'

const main = join(packageRoot, 'dist/cli/main.js')
let reference: Reference
let before: string

beforeAll(async () => {
  reference = await startReference()
  before = uids()
})

afterAll(() => reference.close())

/** Whatever can be made, by its uid. */
function uids(): string {
  const kinds = ['groups', 'identities', 'roleBindings', 'roles'] as const
  return JSON.stringify(kinds.flatMap((kind) => [...reference.world.store.all(kind)].map(({ uid }) => uid)).sort())
}

/** A run that is slow enough to be ended in its midst, in a folder of its own. */
const test = base.extend<{ folder: string; settings: Record<string, string> }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'rmapi endings '))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  settings: async ({}, use) => {
    const { baseUrl, groupUid, accessToken } = reference
    await use({
      RMAPI_BASE_URL: baseUrl,
      RMAPI_GROUP_UID: groupUid,
      RMAPI_ACCESS_TOKEN: accessToken,
      RMAPI_RATE_LIMIT: '100',
    })
  },
})

/** Waits until the run has written down the first things that it makes. */
async function begun(out: string): Promise<void> {
  for (;;) {
    const journal = existsSync(out) ? readdirSync(out).find((name) => name.startsWith('journal-')) : undefined
    if (journal !== undefined && statSync(join(out, journal)).size > 500) return
    await sleep(20)
  }
}

const reportIn = (out: string) => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report

/** Starts something that is no run itself, such as a shell around one. */
function around(command: string, args: string[], folder: string, environment: Record<string, string>): ChildProcess {
  return spawn(command, args, { cwd: folder, env: { ...plainEnvironment(), ...environment }, stdio: 'pipe' })
}

describe('a run that is ended', () => {
  test.for([['SIGTERM'], ['SIGHUP']] as const)(
    'by %s cleans up, and reports',
    async ([signal], { folder, settings }) => {
      const out = join(folder, 'out')
      const child = start(folder, ['run', '--out', out], settings)
      const over = ended(child)
      await begun(out)
      child.kill(signal)
      const { code, last, stderr } = await over

      expect([code, last]).toEqual([3, expect.stringMatching(/^VERDICT undetermined /)])
      expect(stderr).toContain('Stopping: what the run made is deleted first')
      expect(reportIn(out).problems).toEqual(['the run was interrupted'])
      expect(uids()).toBe(before)
    },
  )

  test('by a terminal that closes, so that nobody reads it any more, cleans up, and reports', async ({
    folder,
    settings,
  }) => {
    const out = join(folder, 'out')
    const child = start(folder, ['run', '--out', out], settings)
    await begun(out)
    child.stdout!.destroy()
    child.stderr!.destroy()
    child.kill('SIGHUP')
    const [code] = await new Promise<[number | null]>((resolve) => child.once('exit', (...all) => resolve([all[0]])))

    expect(code).toBe(3)
    expect(reportIn(out).problems).toEqual(['the run was interrupted'])
    expect(uids()).toBe(before)
  })

  test('by the end of the process that started it cleans up, and reports', async ({ folder, settings }) => {
    const out = join(folder, 'out')
    const run = JSON.stringify([main, 'run', '--out', out])
    const script = `require('node:child_process').spawn(process.execPath, ${run}, { stdio: 'ignore' }); setInterval(() => {}, 1000)`
    const parent = around(process.execPath, ['-e', script], folder, settings)
    await begun(out)
    parent.kill('SIGKILL')
    while (existsSync(join(out, '.run-lock.json'))) await sleep(50)

    expect(reportIn(out).problems).toEqual(['the run was interrupted'])
    expect(uids()).toBe(before)
  })

  test('by a second Ctrl-C prints the command that sweeps', async ({ folder, settings }) => {
    const out = join(folder, 'an out')
    const child = start(folder, ['run', '--out', out], { ...settings, RMAPI_RATE_LIMIT: '20' })
    const over = ended(child)
    await begun(out)
    child.kill('SIGINT')
    await sleep(500)
    child.kill('SIGINT')
    const { code, stderr } = await over
    const [, journal = ''] = /npx --no-install rmapi-conformance sweep '(.+)'\n$/.exec(stderr) ?? []
    const swept = await ended(start(folder, ['sweep', journal], settings))

    expect([code, swept.code]).toEqual([5, 0])
    expect(uids()).toBe(before)
  })

  test('by -9 leaves what sweep finds by its journal', async ({ folder, settings }) => {
    const out = join(folder, 'out')
    const child = start(folder, ['run', '--out', out], settings)
    const over = ended(child)
    await begun(out)
    child.kill('SIGKILL')
    await over
    expect(uids()).not.toBe(before)
    const journal = readdirSync(out).find((name) => name.startsWith('journal-'))!
    const swept = await ended(start(folder, ['sweep', join(out, journal)], settings))

    expect(swept.code).toBe(0)
    expect(swept.stdout).toContain('Nothing of that run is left')
    expect(readdirSync(out)).not.toContain(journal)
    expect(uids()).toBe(before)
  })

  // by the larger one, cases have opened connections of their own
  test.for([150, 5_000])(
    'by its budget of %i requests cleans up beyond it, and counts all',
    async (budget, { folder, settings }) => {
      const out = join(folder, 'out')
      const { code, last } = await ended(start(folder, ['run', '--out', out, '--max-requests', `${budget}`], settings))
      const { problems, exchangesSent, requirements } = reportIn(out)
      // what cases share counts for each of them
      const mostOfOne = Math.max(...requirements.map(({ requests = 0 }) => requests))

      expect([code, last]).toEqual([3, expect.stringMatching(/^VERDICT undetermined /)])
      expect(problems).toEqual([expect.stringContaining(`--max-requests ${budget}`)])
      expect(exchangesSent).toBeGreaterThanOrEqual(budget)
      expect(mostOfOne).toBeLessThanOrEqual(budget)
      expect(uids()).toBe(before)
    },
  )
})

describe('where the run cannot write', () => {
  test('as its folder was deleted, it cleans up, and says what is missing', async ({ folder, settings }) => {
    const out = join(folder, 'out')
    const child = start(folder, ['run', '--out', out], settings)
    const over = ended(child)
    await begun(out)
    rmSync(out, { recursive: true, force: true })
    child.kill('SIGTERM')
    const { code, last, stdout, stderr } = await over

    expect([code, last]).toEqual([3, expect.stringMatching(/^VERDICT undetermined /)])
    expect(stdout + stderr).toMatch(/report\.json could not be written: /)
    expect(stdout + stderr).not.toMatch(/a bug of the suite|^\s+at .*:\d+/m)
    expect(uids()).toBe(before)
  })

  test('as files may not grow, it cleans up, and says what is missing', async ({ folder, settings }) => {
    const out = join(folder, 'out')
    const limited = `ulimit -f 4; exec '${process.execPath}' '${main}' run --out '${out}' --only 'group.get.*'`
    const { code, last, stdout, stderr } = await ended(around('bash', ['-c', limited], folder, settings))

    expect(last).toMatch(/^VERDICT /)
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(/could not be written: /)
    expect(stdout + stderr).not.toMatch(/a bug of the suite|^\s+at .*:\d+/m)
    expect(uids()).toBe(before)
  })

  test('the summary of a step, it says so, and keeps its verdict', async ({ folder, settings }) => {
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'nowhere/summary.md') }
    const { code, last, stdout, stderr } = await ended(
      start(folder, ['run', '--only', 'list.skip.echo'], { ...settings, ...github }),
    )

    expect(last).toMatch(/^VERDICT partial must=1\/1 /)
    expect(stdout + stderr).toContain('nowhere/summary.md, could not be written')
    expect(code).not.toBe(1)
    expect(uids()).toBe(before)
  })

  test('to a folder that another run has, it is refused, and the other one goes on', async ({ folder, settings }) => {
    const out = join(folder, 'out')
    const child = start(folder, ['run', '--out', out, '--only', 'group.update.*'], settings)
    const over = ended(child)
    await begun(out)
    const second = await ended(start(folder, ['run', '--out', out], settings))

    expect(second).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`Another run (process ${child.pid}`),
    })
    expect(await over).toMatchObject({ last: expect.stringMatching(/^VERDICT partial /), code: 0 })
    expect(uids()).toBe(before)
  })
})

describe('a token and plain http', () => {
  const elsewhere = {
    RMAPI_BASE_URL: 'http://api.example',
    RMAPI_GROUP_UID: 'a0b1',
    RMAPI_ACCESS_TOKEN: 'secret-token',
  }

  test('to another machine is refused before anything is sent', async ({ folder }) => {
    const { code, stdout, stderr } = await ended(start(folder, ['run'], elsewhere))

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/RMAPI_BASE_URL .*is plain http to another machine.*--insecure-http/)
    expect(stderr).not.toContain('secret-token')
  })

  test('to another machine goes where --insecure-http says so', async ({ folder }) => {
    const { code, stderr } = await ended(start(folder, ['run', '--insecure-http', '--print-config'], elsewhere))

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})
