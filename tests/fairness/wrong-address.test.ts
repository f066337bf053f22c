import type { RequestListener } from 'node:http'
import { describe, expect } from 'vitest'
import { preflight } from '../../cli/run/preflight.ts'
import { configFor, groupUid, test } from '../support/runs/servers.ts'

const always =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body)

const login = '<!doctype html><html><head><title>Sign in</title></head></html>'

describe.concurrent('an address at which something else lives is refused', () => {
  test.for<[string, RequestListener, RegExp]>([
    ['a login page', always(login), /200 and an HTML page called 'Sign in'.*RMAPI_BASE_URL/],
    ['a login page that is another one each time', (request, response) => response.end(login + request.url), /Sign in/],
    ['{}', always('{}'), /with 200 \{\}: this API is not there/],
    ['nothing', always(''), /an empty body/],
    ['404', (request, response) => response.writeHead(404).end(request.url), /with 404: this API is not there/],
    ['500', always('oops', 500), /with 500: this API is not there/],
  ])('%s', async ([, listener, sentence], { serve }) => {
    await expect(preflight(configFor(await serve(listener)))).rejects.toThrow(sentence)
  })

  test('a group that is not there, where the rest is', async ({ serve }) => {
    const baseUrl = await serve(({ url = '' }, response) =>
      url.includes('/roles') ? response.end('{"roles":[]}') : response.writeHead(404).end('{"code":5}'),
    )

    await expect(preflight(configFor(baseUrl))).rejects.toThrow(/there is no such group. Check RMAPI_GROUP_UID/)
  })
})

describe.concurrent('a broken server is examined', () => {
  const group = JSON.stringify({ uid: groupUid, name: 'a' })
  const list = JSON.stringify({ groups: [], totalCount: '0' })

  test.for<[string, RequestListener]>([
    ['its Get is broken', ({ url = '' }, response) => response.end(url.includes('?') ? list : '{}')],
    ['its List is broken', ({ url = '' }, response) => response.end(url.includes('?') ? '{}' : group)],
    [
      'its Get is missing',
      ({ url = '' }, response) => (url.includes('?') ? response.end(list) : always('', 404)({} as never, response)),
    ],
    [
      'its answers are cut',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{')
        setTimeout(() => response.destroy(), 2)
      },
    ],
  ])('%s', async ([, listener], { serve }) => {
    expect((await preflight(configFor(await serve(listener)))).remarks).toEqual([])
  })
})
