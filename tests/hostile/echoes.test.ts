import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openIssuer } from '../../helpers/sts/issuer.ts'
import { ended, start } from '../support/runs/child.ts'
import { codings } from '../support/secrets/codings.ts'
import { leaksOf } from '../support/secrets/leaks.ts'
import { type Altered, type Passing, watched } from './proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi-echoes-'))
const opened: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
afterAll(() => Promise.all(opened.map((close) => close())))

/** Echoes every header of a call, coded: in a header, in each refusal's message, and in place of some descriptions. */
function echoing(minted: string[]): (passing: Passing) => Altered {
  const inRotation = Object.entries(codings)
  let calls = 0
  return ({ headers, status, body, method, path }) => {
    const [name, code] = inRotation[calls++ % inRotation.length]!
    const values = Object.values(headers).flatMap((value) => value ?? [])
    const echo = code(values.find((value) => value.startsWith('Bearer '))?.slice(7) ?? 'none')
    const echoes = { [`x-echo-${name.replaceAll(/\W+/g, '-')}`]: values.map(code).join(' ') }
    if (!body.startsWith('{')) return { body, headers: echoes }
    const answered = JSON.parse(body)
    if (typeof answered.token === 'string') minted.push(answered.token)
    if (status > 299) return { body: JSON.stringify({ ...answered, message: echo, details: [] }), headers: echoes }
    const isRead = method === 'GET' && path.includes('/groups/') && calls % 50 === 0
    return { body: JSON.stringify(isRead ? { ...answered, description: echo } : answered), headers: echoes }
  }
}

/** The part of a token that chance alone decides; the others say publicly for whom it is. */
const drawn = (token: string) => token.slice(token.lastIndexOf('.') + 1)

const filesIn = (where: string) =>
  readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return { name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') }
    })

test('a target that echoes every header in twenty codings: 16 characters of no secret are written anywhere', async () => {
  const issuer = await openIssuer()
  const minted: string[] = []
  const target = await watched(echoing(minted))
  opened.push(target.close, () => issuer.close())
  const { RMAPI_BASE_URL: baseUrl = '', RMAPI_ACCESS_TOKEN: accessToken = '' } = target.values
  const audience = target.reference.baseUrl
  const made = await fetch(`${audience}/iam/v2beta1/identities/${target.values.RMAPI_GROUP_UID}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'operator', description: 'it', claimMatch: { issuer: issuer.name, subject: 'op' } }),
  })
  const { uid } = (await made.json()) as { uid: string }
  const exp = Math.floor(Date.now() / 1000) + 3000
  const identityToken = await issuer.sign({ iss: issuer.name, sub: 'op', aud: audience, iat: exp - 3000, exp })
  const gatewayKey = 'a gateway key: +/=_-Zm9vYmFyYmF6cXV4'
  writeFileSync(join(folder, 'headers'), `X-Gateway-Key: ${gatewayKey}\n`)

  const formats = 'json,html,md,junit,ctrf,har,badge,allure'
  const { code, stdout, stderr } = await ended(
    start(folder, ['run', '--report', formats, '--out', 'out'], {
      ...(target.values as Record<string, string>),
      RMAPI_HEADERS_FILE: 'headers',
      RMAPI_AUTH_URL: baseUrl,
      RMAPI_AUDIENCE: audience,
      RMAPI_IDENTITY_AUDIENCE: audience,
      RMAPI_IDENTITY_UID: uid,
      RMAPI_IDENTITY_TOKEN: identityToken,
      RMAPI_GRPC_URL: audience,
    }),
  )
  const written = [...filesIn(join(folder, 'out')), { name: 'stdout', text: stdout }, { name: 'stderr', text: stderr }]

  expect(code, stderr).toBe(1)
  expect(minted.length).toBeGreaterThan(100)
  expect(written.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['report.json', 'report.html', 'report.md', 'trace.ndjson.gz', 'exchanges.har']),
  )
  expect(leaksOf([gatewayKey, ...[accessToken, identityToken, ...minted.slice(0, 20)].map(drawn)], written)).toEqual([])
})

test.each(Object.entries(codings))('sixteen characters of a secret %s are found', (_name, code) => {
  const secret = 'Zm9vYmFyYmF6cXV4-_8dK2lQx0'
  expect(leaksOf([secret], [{ name: 'a file', text: `before ${code(secret)} after` }])).not.toEqual([])
  expect(leaksOf([secret], [{ name: 'a file', text: `before ${code(secret).slice(0, 11)} after` }])).toEqual([])
})
