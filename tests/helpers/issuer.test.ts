import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect } from 'vitest'
import { listensAt, openIssuer } from '../../helpers/sts/issuer.ts'
import { test } from '../support/runs/servers.ts'

const json = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>

describe('the own issuer', () => {
  test('publishes who it is and the key that its tokens are signed by', async ({ closing }) => {
    const issuer = await openIssuer()
    closing.push(() => issuer.close())
    const document = await json(`${issuer.name}/.well-known/openid-configuration`)
    const token = await issuer.sign({ iss: issuer.name, sub: 'somebody' })

    expect(issuer.name).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/./)
    expect(document).toMatchObject({
      issuer: issuer.name,
      id_token_signing_alg_values_supported: ['RS256'],
    })
    const keys = createRemoteJWKSet(new URL(String(document.jwks_uri)))
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: issuer.name })
    expect(payload.sub).toBe('somebody')
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.stringMatching(/./) })
  })

  test('is another one at every path, with the same keys, and keeps strange ones apart', async ({ closing }) => {
    const issuer = await openIssuer()
    closing.push(() => issuer.close())
    const other = new URL('/other', issuer.name).href
    const { issuer: named, jwks_uri } = await json(`${other}/.well-known/openid-configuration`)
    const strange = createLocalJWKSet((await json(issuer.strangeKeys)) as never)

    expect(named).toBe(other)
    expect(jwks_uri).toMatch(/\/keys$/)
    await expect(jwtVerify(await issuer.sign({}), strange)).rejects.toThrow(/no applicable key/)
    expect((await fetch(new URL('/elsewhere', issuer.name))).status).toBe(404)
  })

  test('has the name under which the target reaches it, whatever forwards to it leaves out', async ({ closing }) => {
    const free = await openIssuer()
    const { port } = new URL(free.name)
    await free.close()
    const issuer = await openIssuer(`http://127.0.0.1:${port}/base`)
    closing.push(() => issuer.close())

    expect(issuer.name).toBe(`http://127.0.0.1:${port}/base/issuer.main`)
    for (const path of ['/base/issuer.main', '/issuer.main']) {
      const document = await json(`http://127.0.0.1:${port}${path}/.well-known/openid-configuration`)
      expect(document).toMatchObject({
        issuer: issuer.name,
        jwks_uri: `http://127.0.0.1:${port}/base/keys`,
      })
    }
    await expect(openIssuer(`http://127.0.0.1:${port}`)).rejects.toThrow(/EADDRINUSE/)
  })

  test.for<[string | undefined, { port: number; host: string }]>([
    [undefined, { port: 0, host: '127.0.0.1' }],
    ['http://127.0.0.1:9000', { port: 9000, host: '127.0.0.1' }],
    ['http://localhost:9000/base', { port: 9000, host: '127.0.0.1' }],
    ['http://[::1]:9000', { port: 9000, host: '::1' }],
    ['http://192.0.2.7:9000', { port: 9000, host: '0.0.0.0' }],
    ['http://runner.internal', { port: 8080, host: '0.0.0.0' }],
    ['https://issuer.staging.example', { port: 8080, host: '127.0.0.1' }],
    ['https://issuer.staging.example:9443/base', { port: 9443, host: '127.0.0.1' }],
  ])('at %s listens at %o', ([url, place]) => expect(listensAt(url)).toEqual(place))
})
