import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { openIssuer } from '../../helpers/sts/issuer.ts'
import { startReference } from '../../reference/embed.ts'
import { faultNamed } from '../../reference/faults.ts'
import type { Replacement } from '../../reference/replace.ts'
import { toConsole } from '../../reports/formats/console.ts'
import { toMarkdown } from '../../reports/formats/markdown.ts'
import type { Report } from '../../schemas/types.ts'
import { runSuite } from '../support/runs/built.ts'
import { test as base, listen } from '../support/runs/servers.ts'

/** The settings of a target, and what is behind them. */
interface Target {
  values: Values
  identityUid: string
  /** An identity token that fits the identity. */
  signed(): Promise<string>
}

const test = base
  /** A reference of its own, with an identity that an issuer beside it vouches for. */
  .extend('target', ({ closing }) => async (rules: Replacement = () => ({})): Promise<Target> => {
    const [reference, issuer] = await Promise.all([startReference({ rules }), openIssuer()])
    closing.push(() => Promise.all([reference.close(), issuer.close()]))
    const { baseUrl, groupUid, accessToken } = reference
    const claimMatch = { issuer: issuer.name, subject: 'the operator' }
    const made = await fetch(`${baseUrl}/iam/v2beta1/identities/${groupUid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'operator', description: 'of the run', claimMatch }),
    })
    const { uid } = (await made.json()) as { uid: string }
    const signed = () => {
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: issuer.name, sub: 'the operator', aud: baseUrl, iat: now, exp: now + 300 }
      return issuer.sign({ ...claims, jti: crypto.randomUUID() })
    }
    const values = { RMAPI_BASE_URL: baseUrl, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
    return { values, identityUid: uid, signed }
  })
  .extend('file', ({ closing }) => (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'rmapi-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'token'), text)
    return join(folder, 'token')
  })
  /** A gateway that serves an address under a path of its own; returns its address and what went through it. */
  .extend('gateway', ({ closing }) => async (onTo: string, path: string) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      const { method, headers, url = '' } = request
      asked.push(url)
      if (!url.startsWith(`${path}/`)) return response.writeHead(404).end()
      const onward = ask(onTo + url.slice(path.length), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    const port = await listen(server)
    closing.push(() => server.close())
    return { url: `http://127.0.0.1:${port}${path}/`, asked }
  })
  /** A job of GitHub Actions, whose identity tokens it gives out itself. */
  .extend('github', ({ serve, closing }) => async (signed: () => Promise<string> | undefined) => {
    const asked: { url: string; authorization: string | undefined }[] = []
    const url = await serve(async ({ url = '', headers }, response) => {
      asked.push({ url, authorization: headers.authorization })
      const value = await signed()
      response.writeHead(value === undefined ? 403 : 200).end(JSON.stringify({ count: 1, value }))
    })
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_URL', `${url}/token?api-version=2.0`)
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'the-secret-of-the-job')
    closing.push(() => vi.unstubAllEnvs())
    return asked
  })

const examine = async (values: Values, ...only: string[]) => {
  const { report } = await runSuite({ values, selection: { ...everything, only } })
  return report
}

const outcomes = ({ requirements }: Report) => Object.fromEntries(requirements.map(({ id, outcome }) => [id, outcome]))
const red = ({ requirements }: Report) =>
  requirements.filter(({ outcome }) => !['pass', 'observed'].includes(outcome)).map(({ id, note }) => `${id}: ${note}`)
const shown = (report: Report) => JSON.stringify(report) + toMarkdown(report) + toConsole(report, false)

describe("an operator's identity", () => {
  test('beside an access token serves the exchange, and its token is exchanged at the auth URL', async ({
    target,
    gateway,
  }) => {
    const { values, identityUid, signed } = await target()
    const { url, asked } = await gateway(values.RMAPI_BASE_URL!, '/auth')

    const report = await examine(
      {
        ...values,
        RMAPI_AUTH_URL: url,
        RMAPI_IDENTITY_AUDIENCE: values.RMAPI_BASE_URL!,
        RMAPI_IDENTITY_UID: identityUid,
        RMAPI_IDENTITY_TOKEN: await signed(),
      },
      'sts.exchange.*',
      'sts.refuses.altered',
      'sts.refuses.expired',
      'sts.token.lifetime',
    )

    expect(red(report)).toEqual([])
    expect(asked.filter((path) => !path.startsWith('/auth/sts/exchange?aud='))).toEqual([])
    const own = asked.filter((path) => path.includes(encodeURIComponent(identityUid)))
    expect([own.length > 4, own.length < asked.length]).toEqual([true, true])
  })

  test('has its token read from the file at each exchange', async ({ target, file }) => {
    const { values, identityUid, signed } = await target()
    const { RMAPI_ACCESS_TOKEN: _, ...rest } = values

    const report = await examine(
      {
        ...rest,
        RMAPI_AUTH_URL: values.RMAPI_BASE_URL!,
        RMAPI_IDENTITY_UID: identityUid,
        RMAPI_IDENTITY_TOKEN_FILE: file(`${await signed()}\n`),
      },
      'sts.exchange.*',
      'sts.refuses.*',
      'group.get.*',
    )

    expect(red(report)).toEqual([])
    expect(Object.keys(outcomes(report)).length).toBeGreaterThan(20)
  })

  test('gets a token of GitHub Actions for each exchange', async ({ target, github }) => {
    const { values, identityUid, signed } = await target()
    const { RMAPI_ACCESS_TOKEN: _, ...rest } = values
    const given: string[] = []
    const asked = await github(async () => {
      given.push(await signed())
      return given.at(-1)!
    })

    const report = await examine(
      {
        ...rest,
        RMAPI_AUTH_URL: values.RMAPI_BASE_URL!,
        RMAPI_IDENTITY_UID: identityUid,
      },
      'sts.exchange.token',
      'sts.exchange.usable',
      'sts.refuses.unsigned',
      'group.get.*',
    )

    expect(red(report)).toEqual([])
    expect(asked.length).toBeGreaterThan(5)
    expect([...new Set(asked.map(({ url }) => url))]).toEqual([
      `/token?api-version=2.0&audience=${encodeURIComponent(values.RMAPI_BASE_URL!)}`,
    ])
    expect([...new Set(asked.map(({ authorization }) => authorization))]).toEqual(['Bearer the-secret-of-the-job'])
    expect(new Set(given).size).toBe(asked.length)
  })

  test('that GitHub Actions gives no token for is reported before anything is examined', async ({ target, github }) => {
    const { values, identityUid } = await target()
    const { RMAPI_ACCESS_TOKEN: _, ...rest } = values
    await github(() => undefined)

    await expect(
      examine({ ...rest, RMAPI_AUTH_URL: values.RMAPI_BASE_URL!, RMAPI_IDENTITY_UID: identityUid }, 'sts.*'),
    ).rejects.toThrow(/^No token: GitHub Actions gave no identity token: http:\/\/127\S+ answered 403/)
  })

  test('whose token is not taken leaves open what needs it, and nothing else', async ({ target }) => {
    const { values, identityUid } = await target()

    const report = await examine(
      {
        ...values,
        RMAPI_AUTH_URL: values.RMAPI_BASE_URL!,
        RMAPI_IDENTITY_UID: identityUid,
        RMAPI_IDENTITY_TOKEN: 'a-token-that-ended',
      },
      'sts.exchange.usable',
      'sts.refuses.expired',
    )

    expect(outcomes(report)).toEqual({ 'sts.exchange.usable': 'inconclusive', 'sts.refuses.expired': 'pass' })
    expect(red(report)).toEqual([expect.stringMatching(/RMAPI_IDENTITY_UID was not exchanged \(401 code 16\)/)])
    expect(shown(report)).not.toContain('a-token-that-ended')
  })
})

describe('the own issuer', () => {
  test('is where the settings say, and says so where it cannot', async ({ target, serve }) => {
    const { values } = await target()
    const taken = await serve((_, response) => response.end())
    const issuer = await openIssuer()
    const { origin } = new URL(issuer.name)
    await issuer.close()

    const [free, busy] = [
      await examine({ ...values, RMAPI_ISSUER_URL: origin }, 'sts.exchange.*'),
      await examine({ ...values, RMAPI_ISSUER_URL: taken }, 'sts.exchange.token'),
    ]

    expect(red(free)).toEqual([])
    expect(red(busy)).toEqual([expect.stringMatching(/token issuer cannot listen: .*EADDRINUSE/)])
  })

  test('that is not trusted leaves open what needs it, and says what may help', async ({ target }) => {
    const { values } = await target(() => ({ trusts: () => false }))

    const report = await examine(values, 'sts.exchange.*', 'sts.refuses.*', 'auth.refuses.identity-token')

    const open = report.requirements.filter(({ outcome }) => outcome === 'inconclusive')
    expect(open.length).toBe(report.requirements.length - 1)
    expect(new Set(open.map(({ note }) => note)).size).toBe(1)
    expect(open[0]!.note).toMatch(
      /does not trust .*issuer.* \(401 code 16\): RMAPI_IDENTITY_AUDIENCE .*RMAPI_ISSUER_URL/,
    )
    expect(outcomes(report)['auth.refuses.identity-token']).toBe('pass')
  })
})

test('no token is shown, be it an identity token, a forged one or one that was exchanged', async ({ target }) => {
  const { rules } = faultNamed('nobody looks at the signature of an identity token')
  const { values } = await target(rules)

  const report = await examine(values, 'sts.*')

  expect(report.verdict).toBe('nonconformant')
  expect(shown(report)).toContain('<identity token>')
  expect(shown(report)).toContain('<exchanged API token>')
  expect(shown(report)).not.toMatch(/eyJ[\w-]{20}/)
})
