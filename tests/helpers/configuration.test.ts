import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import type { Values } from '../../helpers/settings/configuration.ts'
import { readConfig } from '../../helpers/settings/read-configuration.ts'
import type { SettingName } from '../../helpers/settings/settings.ts'
import { enough, problemsOf } from '../support/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const identity: Values = {
  RMAPI_BASE_URL: 'https://api.example/',
  RMAPI_GROUP_UID: '3f2a',
  RMAPI_AUTH_URL: 'https://auth.example//',
  RMAPI_IDENTITY_UID: '/3f2a/0a1b/',
  RMAPI_IDENTITY_TOKEN: 'secret-identity-token',
}

describe('readConfig', () => {
  test('settles everything that is not set', () => {
    const config = readConfig(enough)

    expect(config).toEqual({
      target: {
        name: 'https://api.example',
        version: 'not stated',
        embedded: false,
        baseUrl: 'https://api.example',
        authUrl: 'https://api.example',
        apiVersion: 'v2beta1',
        groupUid: '3f2a/0b1c',
        headers: {},
      },
      credentials: { accessToken: 'secret-token' },
      sts: { audience: 'https://api.example', identityAudience: 'https://api.example' },
      concurrency: 32,
      seed: expect.any(Number),
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('takes what is set', () => {
    const config = readConfig({
      ...enough,
      RMAPI_TARGET_NAME: 'Example',
      RMAPI_TARGET_VERSION: '7',
      RMAPI_VERSION: 'v2',
      RMAPI_CONCURRENCY: '4',
      RMAPI_RATE_LIMIT: '50',
      RMAPI_SEED: '0',
    })

    expect(config).toMatchObject({ concurrency: 4, rateLimit: 50, seed: 0 })
    expect(config.target).toMatchObject({ name: 'Example', version: '7', apiVersion: 'v2' })
  })

  test.each([
    ['https://api.example/', 'https://api.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://api.example/some/path//', 'https://api.example/some/path'],
    ['HTTPS://API.example', 'HTTPS://API.example'],
  ])('takes %s as base URL', (given, taken) => {
    expect(readConfig({ ...enough, RMAPI_BASE_URL: given }).target.baseUrl).toBe(taken)
  })

  test('takes outer slashes off a uid', () => {
    expect(readConfig({ ...enough, RMAPI_GROUP_UID: '//3f2a/0b1c/' }).target.groupUid).toBe('3f2a/0b1c')
  })

  test('takes an identity with its token, and the audience as it was set', () => {
    expect(readConfig(identity)).toMatchObject({
      target: { authUrl: 'https://auth.example' },
      credentials: {
        identityUid: '3f2a/0a1b',
        audience: 'https://api.example',
        identityToken: { value: 'secret-identity-token' },
      },
    })
    expect(readConfig({ ...identity, RMAPI_AUDIENCE: 'https://api.example/' }).credentials).toMatchObject({
      audience: 'https://api.example/',
    })
  })

  test('takes an identity token from a file, to be read again', () => {
    const { RMAPI_IDENTITY_TOKEN: _, ...rest } = identity
    const path = file('token', 'secret\n')

    expect(readConfig({ ...rest, RMAPI_IDENTITY_TOKEN_FILE: path }).credentials).toMatchObject({
      identityToken: { file: path },
    })
  })

  test('takes the identity for the exchange alone where there is an access token beside it', () => {
    expect(readConfig({ ...identity, ...enough }).sts).toEqual({
      audience: 'https://api.example',
      identityAudience: 'https://auth.example',
      assumed: readConfig(identity).credentials,
    })
  })

  test('asks GitHub Actions for the token of an identity that has none of its own', () => {
    const { RMAPI_IDENTITY_TOKEN: _, ...rest } = identity
    const job = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://job', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret' }
    const github = { url: 'https://job', requestToken: 'secret', audience: 'https://auth.example' }

    expect(readConfig(rest, job).credentials).toMatchObject({ identityToken: { github } })
    expect(readConfig({ ...rest, RMAPI_IDENTITY_AUDIENCE: 'sts', RMAPI_AUDIENCE: 'api' }, job).sts).toMatchObject({
      audience: 'api',
      identityAudience: 'sts',
      assumed: { audience: 'api', identityToken: { github: { audience: 'sts' } } },
    })
    expect(readConfig(identity, job).credentials).toMatchObject({
      identityToken: { value: 'secret-identity-token' },
    })
    expect(readConfig(enough, job).sts).not.toHaveProperty('assumed')
  })

  test('takes the access token where both are set', () => {
    expect(readConfig({ ...identity, ...enough }).credentials).toEqual({ accessToken: 'secret-token' })
  })

  test('reads headers and certificates from files', () => {
    const headers = file('headers', '# gateway\r\nX-Key:  a: b \r\n\r\nX-Empty-No: 1\n')
    const pem = file('ca.pem', rootCertificates[0]!)

    expect(readConfig({ ...enough, RMAPI_HEADERS_FILE: headers, RMAPI_CA_FILE: pem }).target).toMatchObject({
      headers: { 'X-Key': 'a: b', 'X-Empty-No': '1' },
      ca: rootCertificates[0],
    })
  })

  test('names every problem at once', () => {
    const problems = problemsOf({
      RMAPI_AUTH_URL: 'auth.example',
      RMAPI_TARGET_NAME: '',
      RMAPI_CONCURRENCY: '0',
      RMAPI_SEED: '1.5',
      RMAPI_VERSION: '/v2',
      RMAPI_CA_FILE: join(folder, 'none'),
    })

    expect(problems.map((problem) => /^RMAPI_\w+/.exec(problem)?.[0]).sort()).toEqual([
      'RMAPI_ACCESS_TOKEN',
      'RMAPI_AUTH_URL',
      'RMAPI_BASE_URL',
      'RMAPI_CA_FILE',
      'RMAPI_CONCURRENCY',
      'RMAPI_GROUP_UID',
      'RMAPI_SEED',
      'RMAPI_TARGET_NAME',
      'RMAPI_VERSION',
    ])
    for (const problem of problems) expect(problem).toMatch(/for example RMAPI_\w+=\S/)
  })

  test.each<[string, Values, RegExp]>([
    ['no address', { RMAPI_BASE_URL: 'api.example' }, /'api.example', not an http or https address/],
    ['another scheme', { RMAPI_BASE_URL: 'ftp://api' }, /'ftp:\/\/api', not an http/],
    ['a query', { RMAPI_BASE_URL: 'https://api?key=secret' }, /'https:\/\/api…': a query or fragment/],
    ['a fragment', { RMAPI_BASE_URL: 'https://api#secret' }, /query or fragment/],
    ['a password', { RMAPI_BASE_URL: 'https://me:secret@api' }, /password: .*RMAPI_HEADERS_FILE/],
    ['a password in no address', { RMAPI_BASE_URL: 'htp://me:secret@api' }, /'htp:\/\/…@api'/],
    ['a wrong auth URL', { RMAPI_AUTH_URL: 'ftp://auth' }, /^RMAPI_AUTH_URL \(--auth-url\)/],
    ['a wrong issuer URL', { RMAPI_ISSUER_URL: 'here:80' }, /^RMAPI_ISSUER_URL \(--issuer-url\)/],
    ['slashes for a uid', { RMAPI_GROUP_UID: '///' }, /RMAPI_GROUP_UID .*not the uid of a group/],
    ['an empty segment', { RMAPI_GROUP_UID: 'a//b' }, /not the uid/],
    ['a segment that leads up', { RMAPI_GROUP_UID: 'a/../b' }, /not the uid/],
    ['a space in a uid', { RMAPI_GROUP_UID: 'a b' }, /not the uid/],
    ['no number', { RMAPI_RATE_LIMIT: 'many' }, /RMAPI_RATE_LIMIT \(--rate-limit\) is 'many', not a whole/],
    ['a negative seed', { RMAPI_SEED: '-1' }, /from 0 to 999999999/],
    ['an empty version', { RMAPI_VERSION: '' }, /RMAPI_VERSION .* is empty/],
    ['no certificate', { RMAPI_CA_FILE: file('no.pem', 'secret') }, /no PEM certificate/],
    [
      'half a certificate',
      { RMAPI_CA_FILE: file('half.pem', rootCertificates[0]!.slice(0, 200)) },
      /no PEM certificate/,
    ],
    ['a missing file', { RMAPI_HEADERS_FILE: '/none' }, /'\/none', which is not there/],
    ['a bad line', { RMAPI_HEADERS_FILE: file('bad', '\nsecret\n') }, /line 2 is not of the form/],
    ['a value beyond ASCII', { RMAPI_HEADERS_FILE: file('ü', 'X-A: secretü') }, /line 1 is not of the form/],
    ['a token as header', { RMAPI_HEADERS_FILE: file('auth', 'authorization: secret') }, /sets Authorization/],
    ['a header of the wire', { RMAPI_HEADERS_FILE: file('len', 'Content-Length: 7') }, /sets Content-Length/],
  ])('refuses %s', (_what, values, message) => {
    const problems = problemsOf({ ...enough, ...values })

    expect(problems).toHaveLength(values.RMAPI_VERSION === '' ? 2 : 1)
    expect(problems.join('\n')).toMatch(message)
    expect(problems.join('\n')).not.toContain('secret')
  })

  test.each<[string, SettingName, RegExp]>([
    ['the identity', 'RMAPI_IDENTITY_UID', /RMAPI_IDENTITY_UID .*although an identity token is/],
    ['its token', 'RMAPI_IDENTITY_TOKEN', /the identity needs its token/],
  ])('misses %s', (_what, name, message) => {
    const { [name]: _, ...rest } = identity

    expect(problemsOf(rest)).toEqual([expect.stringMatching(message)])
  })

  test('exchanges the identity token at the base URL unless another address is set', () => {
    const { RMAPI_AUTH_URL: _, ...rest } = identity

    expect(readConfig(rest).target.authUrl).toBe('https://api.example')
  })

  test('shows no secret in its examples', () => {
    const problems = problemsOf({ ...identity, RMAPI_IDENTITY_TOKEN: 'my secret', RMAPI_BASE_URL: '' })

    expect(problems.length).toBeGreaterThan(1)
    expect(problems.join('\n')).not.toContain('my secret')
  })
})
