import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Values } from '../../helpers/settings/configuration.ts'
import { ended, start } from '../support/runs/child.ts'
import { groupUid, listen } from '../support/runs/servers.ts'
import { enough, problemsOf } from '../support/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi tokens '))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = Math.floor(Date.now() / 1000)
const jwt = (claims: object) => `${base64({ alg: 'RS256', typ: 'JWT' })}.${base64(claims)}.c2VjcmV0`
const good = jwt({ iss: 'hidden', exp: now + 3600, nbf: now - 1 })
const [head = '', payload = '', signature = ''] = good.split('.')

const bad: [what: string, token: string, says: RegExp][] = [
  [
    'expired',
    jwt({ exp: now - 1 }),
    /is a JWT that expired at \d{4}-.*Z \(it is \d{4}-.*Z by the clock of this machine\)/,
  ],
  ['not yet valid', jwt({ nbf: now + 3600 }), /is a JWT that is not valid before \d{4}-/],
  ['with its scheme', `Bearer ${good}`, /begins with 'Bearer'/],
  ['with its header', 'authorization: bearer hidden', /begins with 'Bearer'/],
  ['in double quotes', `"${good}"`, /is in quotation marks/],
  ['in single quotes', "'hidden'", /is in quotation marks/],
  ['on two lines', 'hidden\nhidden', /holds white space or a line break/],
  ['with a blank', 'my hidden', /holds white space or a line break/],
  ['beyond ASCII', 'hidden…', /holds a character that no header can carry/],
  ['with a control character', 'hidden\u0007', /holds a character that no header can carry/],
  ['without its signature', `${head}.${payload}`, /begins as a JWT and has 2 parts instead of 3/],
  ['cut in its claims', `${head}.${payload.slice(0, 9)}.${signature}`, /second part holds no JSON object/],
  ['cut in its header', `${head.slice(0, 9)}.${payload}.${signature}`, /first part holds no JSON object/],
  ['with an odd signature', `${head}.${payload}.a+b`, /signature is no base64url/],
]

describe('a token is refused, and not repeated, that is', () => {
  const identity: Values = {
    RMAPI_BASE_URL: 'https://api.example',
    RMAPI_GROUP_UID: '3f2a',
    RMAPI_AUTH_URL: 'https://auth.example',
    RMAPI_IDENTITY_UID: '3f2a/0a1b',
  }

  test.each(bad)('%s', (what, token, says) => {
    const path = join(folder, what)
    writeFileSync(path, `${token}\n`)
    const found = [
      problemsOf({ ...enough, RMAPI_ACCESS_TOKEN: token }),
      problemsOf({ ...identity, RMAPI_IDENTITY_TOKEN: token }),
      problemsOf({ ...identity, RMAPI_IDENTITY_TOKEN_FILE: path }),
    ]

    expect(found.map((problems) => problems.length)).toEqual([1, 1, 1])
    for (const problem of found.flat()) expect(problem).toMatch(says)
    for (const part of ['hidden', token, payload, signature]) expect(found.flat().join('\n')).not.toContain(part)
    expect(found.flat().map((problem) => /^\w+/.exec(problem)![0])).toEqual([
      'RMAPI_ACCESS_TOKEN',
      'RMAPI_IDENTITY_TOKEN',
      'RMAPI_IDENTITY_TOKEN_FILE',
    ])
  })

  test('a file of nothing', () => {
    const path = join(folder, 'nothing')
    writeFileSync(path, '\n')

    expect(problemsOf({ ...identity, RMAPI_IDENTITY_TOKEN_FILE: path })).toEqual([
      expect.stringMatching(/^RMAPI_IDENTITY_TOKEN_FILE .* which is empty/),
    ])
  })
})

describe('a token is taken that is', () => {
  test.each([
    ['a JWT', good],
    ['a JWT without times', jwt({})],
    ['a JWT whose issuer is a little ahead', jwt({ nbf: now + 30 })],
    ['an encrypted JWT', `${base64({ alg: 'dir', enc: 'A256GCM' })}..aXY.Y2lwaGVy.dGFn`],
    ['opaque', 'hidden-token'],
    ['opaque, with dots', 'v4.public.c2VjcmV0'],
    ['opaque, of JSON', base64({ user: 'a' })],
    ['opaque, of JSON with dots', `${base64({ user: 'a' })}.aRMQ.c2VjcmV0`],
    ['opaque, with every character of base64', 'ab+/cd=='],
  ])('%s', (_what, token) => expect(problemsOf({ ...enough, RMAPI_ACCESS_TOKEN: token })).toEqual([]))

  test('of a target whose clock the run moves', () => {
    const later = { ...enough, RMAPI_ACCESS_TOKEN: jwt({ nbf: now + 86_400, exp: now + 90_000 }) }

    expect(problemsOf({ ...later, RMAPI_CLOCK_URL: 'https://api.example/clock' })).toEqual([])
    expect(problemsOf(later)).toHaveLength(1)
  })
})

test('on the command line it ends with 2 before the first request', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    response.writeHead(500).end()
  })
  const port = await listen(server)
  const target = { RMAPI_BASE_URL: `http://127.0.0.1:${port}`, RMAPI_GROUP_UID: groupUid }
  const expired = jwt({ exp: now - 3600 })
  const { code, stdout, stderr } = await ended(
    start(folder, ['run', '--only', 'list.skip.echo'], { ...target, RMAPI_ACCESS_TOKEN: expired }),
  )
  server.close()

  expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: 0 })
  expect(stderr).toMatch(
    /^rmapi-conformance: RMAPI_ACCESS_TOKEN is a JWT that expired at .*: get a new one, for example /,
  )
  for (const part of expired.split('.').slice(1)) expect(stderr).not.toContain(part)
})
