import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { suite } from '../../cli/input/package.ts'
import { type Environment, ended, settingsOf, start } from '../support/runs/child.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi guidance '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const cli = (args: string[], environment?: Environment, input?: string) =>
  ended(start(folder, args, environment, input))
const written = (file: string) => readFileSync(join(folder, file), 'utf8')

describe('explain', () => {
  test('shows the words of the contract, a call that passes and one that fails', async () => {
    const { code, stdout } = await cli(['explain', 'list.skip.echo'])

    expect(code).toBe(0)
    for (const part of [
      /^list\.skip\.echo \(must, core\)$/m,
      /^S4\.23 +List rule 4: /m,
      /^R12 +\S/m,
      /^Judged +A breach fails the requirement/m,
      /On the reference:\n +outcome +pass, \d+ calls\n +curl +curl -sS 'http\S+skip=10\S*'.*\n +answer +200 \{/,
      /With the fault '.+':\n +outcome +fail[\s\S]*expected 10\n +got +0\n/,
      /^ +serve +npx --no-install rmapi-conformance serve --fault '.+'$/m,
    ]) {
      expect(stdout).toMatch(part)
    }
  })

  test('says what is observed, what only a whole run decides, and what is misspelt', async () => {
    const [observed, whole, misspelt] = await Promise.all([
      cli(['explain', 'list.order.default', '--json']),
      cli(['explain', 'time.format']),
      cli(['explain', 'list.skip.ecko', '--no-run']),
    ])

    expect(JSON.parse(observed.stdout)).toMatchObject({
      level: 'observe',
      sound: { outcome: 'observed', observed: 'uid' },
    })
    expect(whole).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/over all calls of a run[\s\S]*With the fault '/),
    })
    expect(misspelt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean 'list.skip.echo'?"),
    })
  })
})

test('plan counts calls and writes, and names the rights, without a word to the target', async () => {
  const nobody = { RMAPI_BASE_URL: 'http://127.0.0.1:1', RMAPI_GROUP_UID: 'a', RMAPI_ACCESS_TOKEN: 'x' }
  const only = ['plan', '--only', 'list.skip.echo', 'repo.list.answers']
  const [plain, asJson] = await Promise.all([cli(only, nobody), cli([...only, '--json'], nobody)])
  const parts = JSON.parse(asJson.stdout) as {
    profile: string
    requests: number
    writes: number
    rights: string[]
  }[]

  expect([plain.code, plain.last]).toEqual([0, expect.stringMatching(/^PLAN requirements=2 requests=\d+ writes=\d+$/)])
  expect(parts.map(({ profile }) => profile).sort()).toEqual(['core', 'registry'])
  const [core, registry] = ['core', 'registry'].map((name) => parts.find(({ profile }) => profile === name)!)
  // 17 groups, two scratch groups and the probe of the lag, made and deleted
  expect(core!.writes).toBeGreaterThan(30)
  expect(core!.requests).toBeGreaterThan(core!.writes)
  expect(core!.rights).toContain('groups: list, get, create, delete')
  expect(registry!.rights).toEqual(expect.arrayContaining([expect.stringMatching(/^repos: list/)]))
})

describe('init', () => {
  const answers = (baseUrl: string, groupUid: string) => `${baseUrl}\n${groupUid}\nExample IAM\n\n`

  test('what it writes works as written, step by step', async () => {
    const server = start(folder, ['serve'])
    try {
      const { RMAPI_BASE_URL = '', RMAPI_GROUP_UID = '', RMAPI_ACCESS_TOKEN = '' } = await settingsOf(server)
      const { code, stdout } = await cli(['init'], {}, answers(RMAPI_BASE_URL, RMAPI_GROUP_UID))
      expect([code, stdout]).toEqual([0, expect.stringMatching(/Add a line \.env to \.gitignore/)])
      expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)

      const workflow = written('.github/workflows/conformance.yml')
      const sets = [...workflow.matchAll(/^ {6}(RMAPI_\w+): "(.*)"$/gm)].map(([, name, value]) => [name!, value!])
      const [, line = ''] = /run: npx --no-install rmapi-conformance (run .*)$/m.exec(workflow) ?? []
      expect(workflow).toMatch(/RMAPI_ACCESS_TOKEN: \$\{\{ secrets\.RMAPI_ACCESS_TOKEN \}\}/)
      expect(workflow + written('.env')).not.toContain(RMAPI_ACCESS_TOKEN)

      const picked = [...line.split(' '), '--only', 'list.skip.echo']
      const inCi = await cli(picked, { ...Object.fromEntries(sets), RMAPI_ACCESS_TOKEN })
      expect(inCi).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Examining Example IAM'),
        last: expect.stringMatching(/^VERDICT partial must=1\/1/),
      })
      expect(existsSync(join(folder, 'conformance/report.json'))).toBe(true)

      // at home the token is in .env
      writeFileSync(
        join(folder, '.env'),
        written('.env').replace('# RMAPI_ACCESS_TOKEN=', `RMAPI_ACCESS_TOKEN=${RMAPI_ACCESS_TOKEN}`),
      )
      expect(await cli(['run', '--only', 'list.skip.echo'])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Examining Example IAM'),
      })
    } finally {
      server.kill('SIGKILL')
    }
  })

  test('nothing is overwritten unless forced; --yes asks nothing; what is needed is said', async () => {
    const missing = await cli(['init'], {}, 'http://a\n')
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('RMAPI_GROUP_UID is needed') })
    expect(existsSync(join(folder, '.env'))).toBe(false)

    expect(
      (
        await cli(['init', '--yes'], {
          RMAPI_BASE_URL: 'https://api.mine.example',
          RMAPI_ACCESS_TOKEN: 'a-secret',
        })
      ).code,
    ).toBe(0)
    const before = written('.env')
    expect(before).toContain("RMAPI_BASE_URL='https://api.mine.example'")
    expect(before + written('.github/workflows/conformance.yml')).not.toContain('a-secret')
    expect(await cli(['init', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\.env and \S+ would be overwritten/),
    })
    expect(written('.env')).toBe(before)
    chmodSync(join(folder, '.env'), 0o644)
    expect((await cli(['init', '--yes', '--force'])).code).toBe(0)
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
  })

  test('what an old .env sets besides stays, its token first of all', async () => {
    const old = [
      '# mine',
      'RMAPI_BASE_URL=https://old.example',
      'RMAPI_ACCESS_TOKEN="a-secret"',
      'export RMAPI_GROUP_UID=abc',
      'RMAPI_CA_FILE=./ca.pem',
      'OTHER=1',
    ]
    writeFileSync(join(folder, 'ca.pem'), '')
    writeFileSync(join(folder, '.env'), old.join('\r\n'))
    const { code, stdout } = await cli(['init', '--yes', '--force'], { RMAPI_BASE_URL: 'https://new.example' })

    expect([code, written('.env')]).toEqual([
      0,
      `${[
        '# mine',
        "RMAPI_BASE_URL='https://new.example'",
        'RMAPI_ACCESS_TOKEN="a-secret"',
        "export RMAPI_GROUP_UID='abc'",
        'RMAPI_CA_FILE=./ca.pem',
        'OTHER=1\n',
      ].join('\r\n')}RMAPI_TARGET_NAME='Example IAM'\n`,
    ])
    expect(stdout).toContain('Kept as .env had them: RMAPI_ACCESS_TOKEN, RMAPI_CA_FILE, OTHER\n')
    expect(stdout).not.toMatch(/a-secret|put the token into \.env/)
  })

  test('what no run would take is not written down', async () => {
    expect(await cli(['init'], {}, answers('api.mine.example', 'a uid'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /RMAPI_BASE_URL .*not an http or https address[\s\S]*RMAPI_GROUP_UID .*not the uid of a group/,
      ),
    })
    expect(existsSync(join(folder, '.env'))).toBe(false)
  })

  test('plain http to another machine is written down where the environment permits it', async () => {
    const settings = { RMAPI_BASE_URL: 'http://api.mine.example' }
    const refused = await cli(['init', '--yes'], settings)
    const { code } = await cli(['init', '--yes'], { ...settings, RMAPI_INSECURE_HTTP: 'true' })

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('RMAPI_INSECURE_HTTP=true') })
    expect([code, written('.env')]).toEqual([0, expect.stringContaining("RMAPI_INSECURE_HTTP='true'")])
    expect(written('.github/workflows/conformance.yml')).toContain('RMAPI_INSECURE_HTTP: "true"')
  })

  test('no answer can act in the workflow', async () => {
    const evil = `http://a\nabc\n\${{ secrets.X }}\n\n`
    expect(await cli(['init'], {}, evil)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/RMAPI_TARGET_NAME cannot hold/),
    })
  })
})

test('each verb explains itself with an example', async () => {
  const { stdout } = await cli(['--help'])
  const verbs = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, verb]) => verb!)
    .filter((verb) => !['help', 'rmapi'].includes(verb))
  const helpTexts = await Promise.all(
    [...new Set(verbs)].map(async (verb) => [verb, (await cli([verb, '--help'])).stdout] as const),
  )

  expect(verbs).toEqual(
    expect.arrayContaining([
      'run',
      'list',
      'explain',
      'plan',
      'replay',
      'compare',
      'report',
      'baseline',
      'certify',
      'verify',
      'serve',
      'sweep',
      'init',
    ]),
  )
  for (const [verb, help] of helpTexts) {
    if (verb !== 'baseline') expect(help, verb).toMatch(new RegExp(`Examples?:[\\s\\S]*${suite.name} ${verb}`))
  }
})
