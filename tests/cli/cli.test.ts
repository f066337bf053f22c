import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contractOfSuite, suite } from '../../cli/input/package.ts'
import { lines } from '../support/command-line.ts'
import { type Environment, ended, start as startIn } from '../support/runs/child.ts'

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

/** A server that counts what reaches it. */
async function listen(handler: RequestListener): Promise<Environment & { calls: () => string }> {
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(
    { RMAPI_BASE_URL: at, RMAPI_GROUP_UID: 'abc', RMAPI_ACCESS_TOKEN: 'secret-token' },
    { calls: () => String(calls) },
  ) as never
}

const settingsOf = ({
  RMAPI_BASE_URL = '',
  RMAPI_GROUP_UID = '',
  RMAPI_ACCESS_TOKEN = '',
}: Environment): Environment => ({
  RMAPI_BASE_URL,
  RMAPI_GROUP_UID,
  RMAPI_ACCESS_TOKEN,
})

describe('usage', () => {
  test.each([
    ['a command', ['rnu'], /unknown command 'rnu'[\s\S]*Did you mean run/],
    ['a command that help is asked of', ['help', 'rnu'], /unknown command 'rnu'[\s\S]*Did you mean run/],
    ['an option', ['run', '--onyl', 'x'], /unknown option '--onyl'[\s\S]*Did you mean --only/],
    ['an id', ['run', '--only', 'list.skip.ecko'], /called 'list\.skip\.ecko'. Did you mean 'list\.skip\.echo'/],
    ['a glob', ['run', '--skip', 'nothing.*'], /No requirement is called 'nothing\.\*'/],
    ['a profile', ['run', '--profile', 'coer'], /No profile is called 'coer'. Did you mean 'core'/],
    [
      'a fault',
      ['serve', '--fault', 'skpi is not echoed'],
      /No fault is called 'skpi is not echoed'. Did you mean 'skip is not echoed'/,
    ],
    ['a format', ['run', '--report', 'htlm'], /No report format is called 'htlm'. Did you mean 'html'/],
    [
      'a format of another kind',
      ['run', '--report', 'pdf'],
      /No report format is called 'pdf'. There are: json, html, /,
    ],
    ['a port', ['serve', '--port', 'http'], /--port is 'http', not a port/],
  ])('%s that is misspelt is refused, with what was meant', async (_what, args, message) => {
    const { code, stdout, stderr } = await cli(args)

    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('a folder that cannot be made is refused, and nothing hangs', async () => {
    const { code, stderr } = await cli(['run', '--only', 'list.skip.echo', '--out', '/proc/rmapi/out'])

    expect(code).toBe(2)
    expect(stderr).toMatch(/The report cannot be written to \/proc\/rmapi\/out/)
  })

  test('a secret is no flag', async () => {
    const { code, stderr } = await cli(['run', '--access-token', 'x'])

    expect(code).toBe(2)
    expect(stderr).toContain("unknown option '--access-token'")
  })

  test('without a verb a run is meant', async () => {
    const { code, last } = await cli(['--only', 'list.skip.echo'])

    expect([code, last]).toEqual([0, expect.stringMatching(/^VERDICT partial must=1\/1 /)])
  })

  test('version and help are printed', async () => {
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: `${suite.version}\n` })
    expect(await cli(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Examples:') })
    expect((await cli(['run', '--help'])).stdout).toMatch(/--base-url <value>[\s\S]*RMAPI_ACCESS_TOKEN[\s\S]*Examples:/)
  })

  test('list names every requirement, and without --json every claim with its kinds', async () => {
    const { code, stdout } = await cli(['list', '--json'])
    const rows = JSON.parse(stdout) as Record<string, string>[]
    const [plain, some, both] = await Promise.all([
      cli(['list']),
      cli(['list', '--only', 'list.skip.*', '--skip', '*@*', '--profile', 'core']),
      cli(['list', '--statements', '--only', 'list.*']),
    ])

    expect(code).toBe(0)
    const skips = rows.filter(({ id = '' }) => /^list\.skip\.[^@]+$/.test(id))
    expect(lines(some.stdout).map((line) => line.split(' ')[0])).toEqual(skips.map(({ id }) => id))
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--statements') })
    expect(rows.find(({ id }) => id === 'list.skip.echo')).toMatchObject({
      level: 'must',
      profile: 'core',
      statement: expect.stringContaining('S4.23'),
    })
    expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'level', 'profile', 'statement', 'says'])
    const claims = new Set(rows.map(({ id = '' }) => id.replace(/@.*/, '')))
    expect(lines(plain.stdout).map((line) => line.split(' ')[0]!.replace(/@.*/, ''))).toEqual([...claims])
    expect(plain.stdout).toMatch(/^list\.skip\.slice .* \[groups identities .*\]$/m)
    expect(plain.stderr).toBe(`${claims.size} claims, asked of up to 11 kinds: ${rows.length} requirements\n`)
  })

  test('list shows what tests each statement, or why nothing does', async () => {
    const [{ stdout }, asJson] = await Promise.all([
      cli(['list', '--statements']),
      cli(['list', '--statements', '--json']),
    ])
    const rows = JSON.parse(asJson.stdout) as { id: string; tested: string[]; why?: string }[]
    const statements = [...contractOfSuite().statements.keys()]

    expect(rows.map(({ id }) => id)).toEqual(statements)
    expect(lines(stdout).map((line) => line.split(' ')[0])).toEqual(statements)
    expect(rows.find(({ id }) => id === 'S4.23')!.tested).toContain('list.skip.echo')
    expect(rows.find(({ id }) => id === 'S5.2')!.why).toMatch(/log/)
    for (const line of lines(stdout)) expect(line).toMatch(/^S\d+\.\d+ +(tested|observed|untested): .+$/)
    expect(lines(stdout).filter((line) => line.length > 120)).toEqual([])
  })
})

describe('settings', () => {
  test('all problems at once, each with its name and an example, before the first request', async () => {
    const target = await listen((_request, response) => response.end('{}'))
    const { code, stdout, stderr } = await cli(['run', '--concurrency', 'many'], {
      RMAPI_BASE_URL: target.RMAPI_BASE_URL!,
      RMAPI_AUTH_URL: 'nowhere',
    })

    expect({ code, stdout, calls: target.calls() }).toEqual({ code: 2, stdout: '', calls: '0' })
    for (const name of ['RMAPI_GROUP_UID', 'RMAPI_ACCESS_TOKEN', 'RMAPI_AUTH_URL', 'RMAPI_CONCURRENCY']) {
      expect(lines(stderr).filter((line) => line.includes(`${name}=`) || line.includes(`: ${name} `))).toEqual([
        expect.stringMatching(/for example RMAPI_\w+=\S/),
      ])
    }
  })

  test('a name that is nearly one is refused', async () => {
    expect(await cli(['run'], { RMAPI_BASEURL: 'http://127.0.0.1:1' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('RMAPI_BASEURL is no setting. Did you mean RMAPI_BASE_URL?'),
    })
  })
})

describe('a target that cannot be examined', () => {
  const refusing =
    (status: number, headers: Environment = {}): RequestListener =>
    (_request, response) => {
      response.writeHead(status, headers).end('{}')
    }

  test('is said in one line, and leaves no report, not even an old one', async () => {
    mkdirSync(join(folder, 'reports/out'), { recursive: true })
    writeFileSync(join(folder, 'reports/out/report.json'), '{"verdict":"conformant"}')
    const { code, stdout, stderr } = await cli(['run'], {
      RMAPI_BASE_URL: 'http://127.0.0.1:1',
      RMAPI_GROUP_UID: 'a',
      RMAPI_ACCESS_TOKEN: 'secret',
    })

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED.*RMAPI_BASE_URL/),
    ])
    expect(readdirSync(join(folder, 'reports/out'))).toEqual([])
  })

  test.each<[string, number, Environment, RegExp]>([
    ['refuses the token', 401, {}, /answered 401 and 401.*RMAPI_ACCESS_TOKEN/],
    ['forbids everything', 403, {}, /answered 403 and 403/],
    [
      'redirects everything',
      302,
      { location: 'https://elsewhere.example/' },
      /answered 302 to "https:\/\/elsewhere\.example\/"/,
    ],
  ])('one that %s', async (_what, status, headers, message) => {
    const target = await listen(refusing(status, headers))
    const { code, stderr } = await cli(['run'], settingsOf(target))

    expect(code).toBe(2)
    expect(lines(stderr)).toEqual([expect.stringMatching(message)])
    expect(stderr).not.toContain('secret-token')
  })

  test('one that serves plain http where https is named', async () => {
    const target = await listen(refusing(200))
    const secure = target.RMAPI_BASE_URL!.replace('http:', 'https:')
    const { code, stderr } = await cli(['run'], { ...settingsOf(target), RMAPI_BASE_URL: secure })

    expect(code).toBe(2)
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/does not answer: TLS: wrong version number \(ERR_SSL_\w+\)\. Is it plain http/),
    ])
  })

  test('an exchange that gives no token', async () => {
    const { RMAPI_BASE_URL = '' } = await listen(refusing(200))
    const { code, stderr } = await cli(['run'], {
      RMAPI_BASE_URL,
      RMAPI_AUTH_URL: RMAPI_BASE_URL,
      RMAPI_GROUP_UID: 'a',
      RMAPI_IDENTITY_UID: 'a/b',
      RMAPI_IDENTITY_TOKEN: 'secret-token',
    })

    expect(code).toBe(2)
    expect(lines(stderr)).toEqual([expect.stringMatching(/No token: the exchange at .* answered 200 without a token/)])
  })
})
