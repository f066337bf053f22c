import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReference } from '../../reference/embed.ts'
import { openapiFile } from '../support/openapi/reading.ts'
import { type Environment, settingsOf, start } from '../support/runs/child.ts'

let child: ChildProcess
let target: Environment

beforeAll(async () => {
  child = start(tmpdir(), ['serve'])
  target = await settingsOf(child)
})
afterAll(() => child.kill())

const send = (path: string, init?: RequestInit) => fetch(`${target.RMAPI_BASE_URL}${path}`, init)
const authorized = () => ({ authorization: `Bearer ${target.RMAPI_ACCESS_TOKEN}` })

describe('the OpenAPI document', () => {
  test('is the one that is shipped, with the address of the server, and valid', async () => {
    const answer = await send('/openapi.json')
    const document = await answer.json()
    const shipped = JSON.parse(readFileSync(openapiFile, 'utf8'))
    const here = [{ url: target.RMAPI_BASE_URL }]
    const exchange = { ...shipped.paths['/sts/exchange'], servers: here }

    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(document).toEqual({ ...shipped, servers: here, paths: { ...shipped.paths, '/sts/exchange': exchange } })
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })

  test('leads to the API', async () => {
    const { servers, paths } = await (await send('/openapi.json')).json()
    const [path] = Object.keys(paths)

    expect((await fetch(`${servers[0].url}${path}`, { headers: authorized() })).status).toBe(200)
  })

  test.each([
    ['POST', '/openapi.json'],
    ['GET', '/openapi.json/'],
    ['GET', '/openapi'],
    ['GET', '/openapi.yaml'],
    ['GET', '/iam/v2beta1/openapi.json'],
    ['GET', '/'],
  ])('is at no other place: %s %s', async (method, path) => {
    expect((await send(path, { method, headers: authorized() })).status).toBe(404)
    expect((await send(path, { method })).status).toBe(401)
  })

  test('is not at the server that a run starts for itself', async () => {
    const { baseUrl, accessToken, close } = await startReference()
    const answer = await fetch(`${baseUrl}/openapi.json`, { headers: { authorization: `Bearer ${accessToken}` } })
    await close()

    expect(answer.status).toBe(404)
  })
})
