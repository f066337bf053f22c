import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Report } from '../../schemas/types.ts'
import { lines } from '../support/command-line.ts'
import { type Environment, ended, start } from '../support/runs/child.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi dotenv '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const cli = (args: string[], environment?: Environment) => ended(start(folder, args, environment))
const reportIn = (out: string) => JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8')) as Report

test.each<[string, BufferEncoding, string]>([
  ['a byte order mark, CRLF and quotes', 'utf8', '\ufeffexport RMAPI_SEED="7"\r\nRMAPI_VERSION=\'v2\' # mine\r\n'],
  ['what a shell of Windows writes', 'utf16le', '\ufeffRMAPI_SEED=7\r\nRMAPI_VERSION: v2\r\n'],
])('.env is read with %s', async (_what, encoding, text) => {
  writeFileSync(join(folder, '.env'), text, encoding)
  const { code, stdout } = await cli(['run', '--print-config', '--json'])

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      { setting: 'RMAPI_SEED', value: '7', from: '.env' },
      { setting: 'RMAPI_VERSION', value: 'v2', from: '.env' },
    ]),
  )
})

test('a line of .env that sets nothing is refused, and not shown', async () => {
  const text = '# RMAPI_SEED 1\nRMAPI_BASE_URL https://a:secret@b\nrmapi_group_uid=secret\n$env:RMAPI-SEED = "secret"\n'
  writeFileSync(join(folder, '.env'), text)
  const { code, stderr } = await cli(['run'])

  expect(code).toBe(2)
  expect(lines(stderr)).toEqual([
    expect.stringMatching(/: \.env line 2 sets nothing: write it as RMAPI_BASE_URL=…$/),
    expect.stringMatching(/: \.env line 3 sets nothing: write it as RMAPI_GROUP_UID=…$/),
    expect.stringMatching(/: \.env line 4 sets nothing: write it as RMAPI_SEED=…$/),
  ])
})

test('--print-config shows no password and no key in an address', async () => {
  const { stdout } = await cli(['run', '--print-config'], {
    RMAPI_BASE_URL: 'https://me:sec/ret@a.example/x',
    RMAPI_AUTH_URL: 'https://b.example/?key=secret',
  })

  expect(stdout).toMatch(/RMAPI_BASE_URL .* https:\/\/…@a\.example\/x\n/)
  expect(stdout).toMatch(/RMAPI_AUTH_URL .* https:\/\/b\.example\/…\n/)
})

test('a flag goes before the environment, that before .env', async () => {
  const only = ['run', '--only', 'list.skip.echo', '--out', 'a']
  writeFileSync(join(folder, '.env'), 'RMAPI_SEED=1\n')
  await cli(only)
  expect(reportIn('a').seed).toBe(1)
  await cli(only, { RMAPI_SEED: '2' })
  expect(reportIn('a').seed).toBe(2)
  await cli([...only, '--seed', '3'], { RMAPI_SEED: '2' })
  expect(reportIn('a').seed).toBe(3)
})
